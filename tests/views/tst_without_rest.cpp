// Hands that never rest: clicks, keys, wheels, drags and commands at random over a window of three plans and over the
// dialogs that open. Nothing falls over, the window still answers, and memory does not grow with what is done.
// PLIMSOLL_CAMPAIGN sets the number of actions (campaign.h), PLIMSOLL_HANDS the first of the two orders in which they
// are drawn.
#include "registered_test.h"

#include "campaign.h"
#include "views/session_desk.h"

#include <QAbstractButton>
#include <QDesktopServices>
#include <QFileDialog>
#include <QMenu>
#include <QTimer>
#include <QWheelEvent>

#include <fstream>
#include <random>
#include <unistd.h>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

constexpr const char* plans_in_view[] = {"gpt-neox-20b-a100", "deepseek-v3-2048-h800", "175b-frontier"};
constexpr Qt::Key keys[] = {Qt::Key_Tab,  Qt::Key_Backtab, Qt::Key_Return, Qt::Key_Escape, Qt::Key_Space,
                            Qt::Key_Left, Qt::Key_Right,   Qt::Key_Up,     Qt::Key_Down,   Qt::Key_PageUp,
                            Qt::Key_Home, Qt::Key_End,     Qt::Key_Delete, Qt::Key_F1,     Qt::Key_F6,
                            Qt::Key_PageDown, Qt::Key_Backspace, Qt::Key_Menu, Qt::Key_F10, Qt::Key_F11};
constexpr const char* texts[] = {"0", "-1", "1", "2", "8", "64", "300B", "1e9", "1e400", "4,096", "many", "8 x 8", "%",
                                 "fp8", "\t", "1M tokens", ""};

// What opens in a browser or a file manager stays closed.
class NoDesktop : public QObject {
    Q_OBJECT
public:
    NoDesktop() { for (const char* s : schemes) QDesktopServices::setUrlHandler(QLatin1String(s), this, "open"); }
    ~NoDesktop() override { for (const char* s : schemes) QDesktopServices::unsetUrlHandler(QLatin1String(s)); }
public slots:
    void open(const QUrl&) {}

private:
    static constexpr const char* schemes[] = {"http", "https", "file", "mailto"};
};

double resident_MiB() {
    long all = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> all >> resident;
    return double(resident) * double(::sysconf(_SC_PAGESIZE)) / (1 << 20);
}

// One action after the other from the event loop, so that they go on in the loops of dialogs and menus.
class Hands {
public:
    Hands(Desk& desk, const QStringList& files, unsigned seed) : desk_(desk), files_(files), chance_(seed) {}

    void act_times(int count) {
        left_ = count;
        QEventLoop loop;
        done_ = [&loop] { loop.quit(); };
        plan_next();
        loop.exec();
    }
    int dialogs() const { return dialogs_; }

private:
    int below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(chance_); }
    template <class T, std::size_t N>
    T one_of(const T (&all)[N]) { return all[below(int(N))]; }

    void plan_next() {
        QTimer::singleShot(0, &context_, [this] { next(); });
    }
    // The next is planned before this one is done: it may open a dialog and come back when that is closed. A dialog is
    // not there at once.
    void next() {
        QWidget* const above = QApplication::activePopupWidget() ? QApplication::activePopupWidget()
                                                                 : QApplication::activeModalWidget();
        const bool enough = left_ <= 0 && !above;
        if (enough && under_way_ == 0) return done_();
        plan_next();
        if (enough) return;
        --left_;
        ++under_way_;
        if (above) in_what_opened(above);
        else in_the_window();
        --under_way_;
    }

    // A few actions, then it is closed; files are not chosen, because there they could be deleted.
    void in_what_opened(QWidget* top) {
        if (opened_ != top) {
            opened_ = top;
            stays_ = below(8);
            ++dialogs_;
        }
        if (stays_-- > 0 && left_ > 0 && !qobject_cast<QFileDialog*>(top)) return at_random(top);
        if (auto* dialog = qobject_cast<QDialog*>(top)) dialog->reject();
        else top->close();
    }

    void in_the_window() {
        opened_ = nullptr;
        MainWindow& window = desk_.window;
        Plans& plans = desk_.workspace.plans();
        if (!window.isVisible()) window.show();   // it was closed
        if (plans.count() < 3) window.open(files_[below(int(files_.size()))]);
        if (plans.count() > 6) plans.close(0);
        switch (below(40)) {
            case 0: return show_a_page();
            case 1: return plans.show(below(plans.count()));
            case 2: return trigger_a_command();
            case 3: return window.resize(700 + below(1200), 500 + below(700));
            case 4: return type_into_a_knob();
            default: return at_random(anywhere());
        }
    }
    // The window, mostly, or another that stands beside it.
    QWidget* anywhere() {
        QWidgetList shown;
        for (QWidget* w : QApplication::topLevelWidgets())
            if (w->isVisible() && w != &desk_.window && w->windowType() != Qt::ToolTip) shown << w;
        if (shown.isEmpty() || below(4) > 0) return &desk_.window;
        QWidget* beside = shown[below(int(shown.size()))];
        if (below(10) == 0) beside->close();
        return beside->isVisible() ? beside : &desk_.window;
    }
    void show_a_page() {
        const QStringList pages = desk_.window.page_names();
        desk_.window.show_page(pages[below(int(pages.size()))]);
    }
    void trigger_a_command() {
        QList<QAction*> commands;
        for (QAction* action : desk_.window.findChildren<QAction*>())
            if (action->isEnabled() && !action->isSeparator() && !action->menu()) commands << action;
        if (!commands.isEmpty()) commands[below(int(commands.size()))]->trigger();
    }
    void type_into_a_knob() {
        QList<QLineEdit*> fields;
        for (QLineEdit* field : desk_.window.findChildren<QLineEdit*>())
            if (field->isVisible() && field->isEnabled()) fields << field;
        if (fields.isEmpty()) return;
        const QPointer<QLineEdit> field = fields[below(int(fields.size()))];
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QLatin1String(one_of(texts)));
        if (field) QTest::keyClick(field, Qt::Key_Return);
    }

    void at_random(QWidget* top) {
        const QPoint point(below(std::max(1, top->width())), below(std::max(1, top->height())));
        QWidget* const under = top->childAt(point);
        const QPointer<QWidget> target = under ? under : top;
        const QPoint at = target->mapFrom(top, point);
        switch (below(12)) {
            case 0: QTest::mouseClick(target, Qt::RightButton, {}, at); return;
            case 1: QTest::mouseDClick(target, Qt::LeftButton, {}, at); return;
            case 2: return turn_wheel(target, at);
            case 3: return drag_about(target, at);
            case 4: case 5: case 6: return press_a_key(top);
            case 7: QTest::mouseMove(target, at); return;
            default: QTest::mouseClick(target, Qt::LeftButton, one_of(held), at);
        }
    }
    void turn_wheel(QWidget* target, QPoint at) {
        const QPoint turns(0, below(2) ? 120 : -120);
        QWheelEvent event(at, target->mapToGlobal(at), {}, turns, Qt::NoButton, one_of(held), Qt::NoScrollPhase, false);
        QApplication::sendEvent(target, &event);
    }
    void drag_about(const QPointer<QWidget>& target, QPoint at) {
        QTest::mousePress(target, Qt::LeftButton, {}, at);
        for (int i = 0; i < 5 && target; ++i) QTest::mouseMove(target, at += QPoint(below(81) - 40, below(81) - 40));
        if (target) QTest::mouseRelease(target, Qt::LeftButton, {}, at);
    }
    void press_a_key(QWidget* top) {
        QWidget* const focus = QApplication::focusWidget();
        QWidget* const target = focus && focus->window() == top->window() ? focus : top;
        switch (below(4)) {
            case 0: QTest::keyClick(target, char(' ' + below(95)), one_of(held)); return;
            case 1: QTest::keyClicks(target, QLatin1String(one_of(texts))); return;
            default: QTest::keyClick(target, one_of(keys), one_of(held));
        }
    }

    static constexpr Qt::KeyboardModifier held[] = {Qt::NoModifier, Qt::NoModifier, Qt::NoModifier, Qt::ShiftModifier,
                                                    Qt::ControlModifier, Qt::AltModifier};
    Desk& desk_;
    QStringList files_;
    std::mt19937 chance_;
    QObject context_;
    std::function<void()> done_;
    QWidget* opened_ = nullptr;
    int left_ = 0, stays_ = 0, dialogs_ = 0, under_way_ = 0;
};

}  // namespace

class tst_without_rest : public QObject {
    Q_OBJECT
    TestHome home_;

private slots:
    void initTestCase() {
        home_.use("tst_without_rest");
        qputenv("PATH", "");   // no program is started
        QGuiApplication::setQuitOnLastWindowClosed(false);
    }

    void clicks_and_keys_at_random_data() {
        QTest::addColumn<unsigned>("seed");
        const unsigned first = qEnvironmentVariableIsSet("PLIMSOLL_HANDS")
                                 ? unsigned(qEnvironmentVariableIntValue("PLIMSOLL_HANDS")) : 1;
        QTest::newRow("in one order") << first;
        QTest::newRow("in another, which drags a panel out before charts only") << first + 8;
    }
    void clicks_and_keys_at_random() {
        const NoDesktop no_desktop;
        QTemporaryDir dir;
        QStringList files;
        for (const char* id : plans_in_view) {
            files << dir.filePath(QLatin1String(id) + QStringLiteral(".json"));
            QVERIFY(QFile::copy(QStringLiteral(PLIMSOLL_PRESETS_DIR "/scenarios/%1.json").arg(id), files.back()));
        }
        Desk d;
        for (const QString& file : files) QVERIFY(d.window.open(file));
        QCOMPARE(d.workspace.plans().count(), 3);
        const int count = campaign(750);
        QFETCH(const unsigned, seed);
        Hands hands(d, files, seed);
        std::vector<double> memory{resident_MiB()};
        constexpr int parts = 10;
        QElapsedTimer since;
        since.start();
        for (int part = 1; part <= parts; ++part) {
            hands.act_times(count / parts);
            memory.push_back(resident_MiB());
            qInfo("%d actions, %d dialogs and menus, %lld s: %.0f MiB", part * (count / parts), hands.dialogs(),
                  since.elapsed() / 1000, memory.back());
        }
        if (!d.window.isVisible()) d.window.show();
        d.workspace.plans().start(*load_scenario(neox, library()));
        d.settle();
        QVERIFY(d.workspace.told().last_good);
        QVERIFY(runs(d.workspace.told().outcome));
        QTRY_VERIFY_WITH_TIMEOUT(d.window.jobs()->running().isEmpty(), Desk::patience);
        // Caches fill in the first half, of a short campaign in all of it; and the sanitizer keeps what is freed.
        if (count < 20000 || drawn(count) < count) return;
        QVERIFY2(memory.back() < 1.25 * memory[parts / 2], qPrintable(QString::number(memory.back())));
    }
};

PLIMSOLL_TEST(tst_without_rest)
#include "tst_without_rest.moc"

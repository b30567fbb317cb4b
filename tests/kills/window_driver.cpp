// The planner's window with hands that never rest: edits the tokens of the plan, one billion more each time, saves now
// and then, and writes into a journal what it has done, until somebody ends it. For tests/kills/kills.py.
//
//   window_driver edit PLAN JOURNAL FIRST SEED      FIRST: billions of tokens it begins with; even seeds seldom save
//   window_driver session PLAN JOURNAL FIRST SEED   the same, until the desktop's session ends it
//   window_driver tabs PLAN JOURNAL FIRST SEED      likewise, in three tabs in turn, two without a file; never saves
//   window_driver recover PLAN JOURNAL              takes up what is offered, saves it, and closes the window
//   window_driver recover_tabs PLAN JOURNAL         takes up all that is offered at once, and ends without a save
#include "app/window/gui_start.h"
#include "app/commands/plan.h"
#include "views/window/main_window.h"

#include <QApplication>
#include <QDateTime>
#include <QLineEdit>
#include <QMessageBox>
#include <QTest>
#include <QTimer>

#include <cmath>
#include <fcntl.h>
#include <random>
#include <unistd.h>

using namespace plimsoll;

namespace {

// A line is there once write() has returned, whatever happens to the process.
class Journal {
public:
    explicit Journal(const char* path) : file_(::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {}
    void note(const QString& what) {
        const QByteArray line = QByteArray::number(QDateTime::currentMSecsSinceEpoch()) + ' ' + what.toUtf8() + '\n';
        if (::write(file_, line.constData(), std::size_t(line.size())) != line.size()) std::abort();
    }

private:
    int file_;
};

long long billions(const MainWindow&, const Workspace& workspace) {
    return std::llround(workspace.scenario().recipe.tokens / 1e9);
}

// Whatever the window asks is answered so that the plan stays and goes to its file.
void answer(Journal& journal) {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (!box) return;
    journal.note(QStringLiteral("asked ") + box->text().simplified());
    for (QAbstractButton* button : box->buttons())
        if (button->text().remove(u'&') == QStringLiteral("Keep mine")) return button->click();
    box->reject();
}

class Driver : public QObject {
public:
    Driver(Workspace& workspace, MainWindow& window, Journal& journal, long long first, unsigned seed, bool tabs)
        : workspace_(workspace), window_(window), journal_(journal), next_(first), chance_(seed),
          edits_a_save_(seed % 2 == 0 ? 60 : 5), tabs_(tabs) {
        for (Plans& plans = workspace_.plans(); tabs_ && plans.count() < 3;) plans.add(plans.copy_of(plans.current()));
        connect(&turn_, &QTimer::timeout, this, &Driver::act);
        turn_.setSingleShot(true);
        turn_.start(0);
    }

    void end_session_after(int edits) { edits_left_ = edits; }

private:
    int between(int low, int high) { return std::uniform_int_distribution<int>(low, high)(chance_); }

    void act() {
        if (!QApplication::activeModalWidget()) {
            if (tabs_) window_.findChild<QAction*>(QStringLiteral("plan.next"))->trigger();
            type(next_++);
            if (--edits_left_ == 0) return end_session();
            if (!tabs_ && between(1, edits_a_save_) == 1) save();
        }
        turn_.start(between(20, 300));
    }

    void type(long long value) {
        auto* box = window_.findChild<ValueBox*>(QStringLiteral("recipe.tokens.editor"));
        auto* field = box->findChild<QLineEdit*>();
        field->selectAll();
        QTest::keyClicks(field, QString::number(value) + u'B');
        QTest::keyClick(box, Qt::Key_Return);
        const QString tab = tabs_ ? QStringLiteral("_%1").arg(workspace_.plans().place()) : QString();
        journal_.note(QStringLiteral("edited%1 %2").arg(tab).arg(billions(window_, workspace_)));
    }

    void end_session() {  // as Qt's platforms do when the desktop's session ends the program
        QEvent quit(QEvent::Quit);
        QCoreApplication::sendEvent(qApp, &quit);
    }

    void save() {
        const long long value = billions(window_, workspace_);
        journal_.note(QStringLiteral("saving %1").arg(value));
        if (window_.save()) journal_.note(QStringLiteral("saved %1").arg(value));
    }

    Workspace& workspace_;
    MainWindow& window_;
    Journal& journal_;
    long long next_;
    std::mt19937 chance_;
    int edits_a_save_;
    int edits_left_ = -1;  // until the session ends; negative: it does not
    bool tabs_;
    QTimer turn_;
};

void recover_all(Workspace& workspace, MainWindow& window, Journal& journal) {
    while (window.notices()->count() > 0) {
        journal.note(QStringLiteral("offered ") + window.notices()->text());
        if (auto* recover = window.notices()->button(QStringLiteral("notice.recover"))) {
            recover->click();
            journal.note(QStringLiteral("recovered %1").arg(billions(window, workspace)));
            if (window.save()) journal.note(QStringLiteral("saved %1").arg(billions(window, workspace)));
        } else {
            window.notices()->button(QStringLiteral("notice.close"))->click();
        }
    }
    window.close();
}

void recover_tabs(Workspace& workspace, MainWindow& window, Journal& journal) {
    for (const char* button : {"notice.recover_all", "notice.recover"})
        if (auto* recover = window.notices()->button(QLatin1String(button))) recover->click();
    for (int i = 0; i < workspace.plans().count(); ++i)
        if (const Document& d = workspace.plans().at(i); d.modified())
            journal.note(QStringLiteral("recovered %1").arg(std::llround(d.scenario().recipe.tokens / 1e9)));
    window.end();
    QCoreApplication::exit(0);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) return 2;
    use_offscreen();
    install_message_filter();
    QApplication app(argc, argv);
    name_application();
    Journal journal(argv[3]);
    Workspace workspace(shipped_library());
    MainWindow window(workspace, MainWindow::Session::remembered);
    std::unique_ptr<Driver> driver;
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, &window, [&journal] { answer(journal); });
    look.start(10);
    const QByteArrayView mode(argv[1]);
    const bool edits = (mode == "edit" || mode == "session" || mode == "tabs") && argc == 6;
    QTimer::singleShot(0, &window, [&] {  // once the plan is open
        QTimer::singleShot(0, &window, [&] {
            journal.note(QStringLiteral("opened %1").arg(billions(window, workspace)));
            if (mode == "recover_tabs") return recover_tabs(workspace, window, journal);
            if (!edits) return recover_all(workspace, window, journal);
            driver = std::make_unique<Driver>(workspace, window, journal, std::atoll(argv[4]),
                                              unsigned(std::atoi(argv[5])), mode == "tabs");
            if (mode == "session") driver->end_session_after(8);
        });
    });
    return show_until_closed(app, window, QString::fromLocal8Bit(argv[2]));
}

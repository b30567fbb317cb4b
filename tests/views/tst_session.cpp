// Plans that must not be lost: what the window asks before changes go, where it saves, and what it remembers of
// itself until the next start.
#include "registered_test.h"

#include "views/desk.h"
#include "views/replies.h"

using namespace plimsoll;

namespace {

QByteArray bytes_of(const QString& path) {
    QFile file(path);
    return file.open(QFile::ReadOnly) ? file.readAll() : QByteArray();
}

// The menu entry of this text, without its mnemonic and dots.
QAction* menu_action(QWidget& window, const QString& text) {
    for (QAction* action : window.findChildren<QAction*>())
        if (action->text().remove('&').remove("...") == text) return action;
    return nullptr;
}

// A window whose plan has an edit that is not saved.
struct EditedDesk : Desk {
    EditedDesk() { type("recipe.tokens.editor", "300B"); }
};

constexpr double edited_tokens = 300e9;
const QStringList asked_about_changes{"Unsaved changes"};

}  // namespace

class tst_session : public QObject {
    Q_OBJECT
    QTemporaryDir settings_;

private slots:
    void initTestCase();
    void init();
    void closing_with_unsaved_changes_asks_data();
    void closing_with_unsaved_changes_asks();
    void closing_an_unchanged_plan_asks_nothing();
    void a_plan_that_cannot_be_saved_keeps_the_window_open();
    void save_as_writes_where_it_was_told();
    void save_as_that_is_cancelled_writes_nothing();
    void save_writes_to_the_file_of_the_plan_without_asking();
    void another_plan_is_opened_only_when_changes_may_go_data();
    void another_plan_is_opened_only_when_changes_may_go();
    void a_new_plan_is_started_only_when_changes_may_go();
    void an_example_is_opened_only_when_changes_may_go();
    void a_recent_file_is_opened_only_when_changes_may_go();
    void the_next_start_looks_like_the_last_one();
    void saved_files_are_offered_at_the_next_start();
    void a_fresh_window_leaves_no_settings();
    void a_window_that_stays_open_stores_nothing();
};

void tst_session::initTestCase() {
    use_test_settings();
    QCoreApplication::setOrganizationName("plimsoll-tests");
    QCoreApplication::setApplicationName("tst_session");
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings_.path());
}

void tst_session::init() { QSettings().clear(); }

void tst_session::closing_with_unsaved_changes_asks_data() {
    QTest::addColumn<int>("button");
    QTest::addColumn<bool>("closes");
    QTest::addColumn<bool>("saves");
    QTest::newRow("cancel keeps the window and the changes") << int(QMessageBox::Cancel) << false << false;
    QTest::newRow("discard closes and writes nothing") << int(QMessageBox::Discard) << true << false;
    QTest::newRow("save closes with the changes on disk") << int(QMessageBox::Save) << true << true;
}

void tst_session::closing_with_unsaved_changes_asks() {
    QFETCH(int, button);
    QFETCH(bool, closes);
    QFETCH(bool, saves);
    QTemporaryDir dir;
    const QString path = dir.filePath("plan.json");
    EditedDesk d;
    Replies replies({press(QMessageBox::StandardButton(button)), choose_file(path)});
    QCOMPARE(d.window.close(), closes);
    QCOMPARE(d.window.isVisible(), !closes);
    QCOMPARE(replies.titles().first(), asked_about_changes.first());
    QCOMPARE(QFile::exists(path), saves);
    QCOMPARE(d.workspace.scenario().recipe.tokens, edited_tokens);
    QCOMPARE(d.window.isWindowModified(), !saves);
}

void tst_session::closing_an_unchanged_plan_asks_nothing() {
    Desk d;
    Replies replies;
    QVERIFY(d.window.close());
    QCOMPARE(replies.titles(), QStringList());
}

void tst_session::a_plan_that_cannot_be_saved_keeps_the_window_open() {
    QTemporaryDir dir;
    EditedDesk d;
    Replies replies({press(QMessageBox::Save), choose_file(dir.filePath("absent/plan.json"))});
    QVERIFY(!d.window.close());
    QVERIFY(d.window.isVisible());
    QVERIFY(d.window.isWindowModified());
}

void tst_session::save_as_writes_where_it_was_told() {
    QTemporaryDir dir;
    EditedDesk d;
    Replies replies({choose_file(dir.filePath("mine.json"))});
    menu_action(d.window, "Save as")->trigger();
    QCOMPARE(replies.titles(), QStringList{"Save the plan"});
    QVERIFY(!d.window.isWindowModified());
    QVERIFY2(d.window.windowTitle().contains("mine"), qPrintable(d.window.windowTitle()));
    const auto saved = load_scenario(dir.filePath("mine.json"), d.workspace.library());
    QVERIFY(saved.has_value());
    QVERIFY(*saved == d.workspace.scenario());
}

void tst_session::save_as_that_is_cancelled_writes_nothing() {
    EditedDesk d;
    const QString title = d.window.windowTitle();
    Replies replies({[](QDialog& dialog) { dialog.reject(); }});
    menu_action(d.window, "Save as")->trigger();
    QCOMPARE(replies.titles(), QStringList{"Save the plan"});
    QVERIFY(d.window.isWindowModified());
    QCOMPARE(d.window.windowTitle(), title);
}

void tst_session::save_writes_to_the_file_of_the_plan_without_asking() {
    QTemporaryDir dir;
    const QString path = dir.filePath("mine.json");
    EditedDesk d;
    {
        Replies replies({choose_file(path)});
        menu_action(d.window, "Save")->trigger();  // the plan has no file yet
        QCOMPARE(replies.titles(), QStringList{"Save the plan"});
    }
    const QByteArray first = bytes_of(path);
    d.type("recipe.tokens.editor", "100B");
    Replies replies;
    menu_action(d.window, "Save")->trigger();
    QCOMPARE(replies.titles(), QStringList());
    QVERIFY(!d.window.isWindowModified());
    QVERIFY(!first.isEmpty() && bytes_of(path) != first);
}

void tst_session::another_plan_is_opened_only_when_changes_may_go_data() {
    QTest::addColumn<int>("button");
    QTest::addColumn<bool>("opens");
    QTest::newRow("cancel keeps the plan and asks for no file") << int(QMessageBox::Cancel) << false;
    QTest::newRow("discard opens the file") << int(QMessageBox::Discard) << true;
}

void tst_session::another_plan_is_opened_only_when_changes_may_go() {
    QFETCH(int, button);
    QFETCH(bool, opens);
    EditedDesk d;
    const Scenario edited = d.workspace.scenario();
    Replies replies({press(QMessageBox::StandardButton(button)),
                     choose_file(PLIMSOLL_PRESETS_DIR "/scenarios/gpt-neox-20b-a100.json"), press(QMessageBox::Ok)});
    menu_action(d.window, "Open")->trigger();
    QCOMPARE(replies.titles().mid(0, 2),
             opens ? asked_about_changes + QStringList{"Open a plan"} : asked_about_changes);
    QCOMPARE(d.workspace.scenario() == edited, !opens);
    QCOMPARE(d.window.isWindowModified(), !opens);
}

void tst_session::a_new_plan_is_started_only_when_changes_may_go() {
    EditedDesk d;
    const Scenario edited = d.workspace.scenario();
    Replies replies({press(QMessageBox::Cancel), press(QMessageBox::Discard)});
    menu_action(d.window, "New plan")->trigger();
    QVERIFY(d.workspace.scenario() == edited);
    menu_action(d.window, "New plan")->trigger();
    QVERIFY(!(d.workspace.scenario() == edited));
    QCOMPARE(replies.titles(), asked_about_changes + asked_about_changes);
}

void tst_session::an_example_is_opened_only_when_changes_may_go() {
    EditedDesk d;
    const Scenario edited = d.workspace.scenario();
    QMenu* examples = menu_action(d.window, "Examples")->menu();
    QVERIFY(examples && !examples->isEmpty());
    Replies replies({press(QMessageBox::Cancel), press(QMessageBox::Discard)});
    examples->actions().last()->trigger();
    QVERIFY(d.workspace.scenario() == edited);
    QVERIFY(d.window.isWindowModified());
    examples->actions().last()->trigger();
    QVERIFY(!(d.workspace.scenario() == edited));
    QCOMPARE(replies.titles(), asked_about_changes + asked_about_changes);
}

void tst_session::a_recent_file_is_opened_only_when_changes_may_go() {
    const QString path = PLIMSOLL_PRESETS_DIR "/scenarios/gpt-neox-20b-a100.json";
    QSettings().setValue("recent", QStringList{path});
    EditedDesk d;
    const Scenario edited = d.workspace.scenario();
    QMenu* recent = menu_action(d.window, "Open recent")->menu();
    QVERIFY(recent);
    emit recent->aboutToShow();  // as the menu is opened
    Replies replies({press(QMessageBox::Cancel)});
    recent->actions().first()->trigger();
    QCOMPARE(replies.titles(), asked_about_changes);
    QVERIFY(d.workspace.scenario() == edited);
}

void tst_session::the_next_start_looks_like_the_last_one() {
    Workspace workspace{library()};
    QByteArray docks;
    QSize size;
    {
        MainWindow window(workspace, MainWindow::Session::remembered);
        window.resize(1210, 820);
        window.show();
        window.show_page("memory");
        window.set_theme(Theme::dark);
        docks = window.saveState();
        size = window.size();
        QVERIFY(window.close());
    }
    MainWindow window(workspace, MainWindow::Session::remembered);
    window.show();
    QCOMPARE(window.size(), size);
    QCOMPARE(window.saveState(), docks);
    QVERIFY(menu_action(window, "Dark")->isChecked());
    const std::vector<Chart*> charts = window.visible_charts();
    QVERIFY(!charts.empty());
    QVERIFY2(charts.front()->figure_id().find("memory") != std::string::npos, charts.front()->figure_id().c_str());
    window.set_theme(Theme::light);
}

void tst_session::saved_files_are_offered_at_the_next_start() {
    QTemporaryDir dir;
    Workspace workspace{library()};
    {
        MainWindow window(workspace, MainWindow::Session::remembered);
        window.show();
        for (const char* name : {"first.json", "second.json"}) {
            Replies replies({choose_file(dir.filePath(name))});
            menu_action(window, "Save as")->trigger();
        }
    }
    MainWindow window(workspace, MainWindow::Session::remembered);
    QMenu* recent = menu_action(window, "Open recent")->menu();
    emit recent->aboutToShow();
    QCOMPARE(recent->actions().size(), 2);
    QCOMPARE(recent->actions()[0]->text(), QString("second.json"));
    QCOMPARE(recent->actions()[1]->text(), QString("first.json"));
}

void tst_session::a_fresh_window_leaves_no_settings() {
    {
        Desk d;
        QVERIFY(d.window.close());
    }
    QCOMPARE(QSettings().allKeys(), QStringList());
}

void tst_session::a_window_that_stays_open_stores_nothing() {
    Workspace workspace{library()};
    MainWindow window(workspace, MainWindow::Session::remembered);
    window.show();
    Scenario edited = workspace.scenario();
    edited.recipe.tokens = edited_tokens;
    workspace.propose(edited, "Tokens");
    workspace.snapshot();
    Replies replies({press(QMessageBox::Cancel)});
    QVERIFY(!window.close());
    QCOMPARE(QSettings().allKeys(), QStringList());
}

PLIMSOLL_TEST(tst_session)
#include "tst_session.moc"

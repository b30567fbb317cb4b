// Plans that must not be lost: what the window asks before changes go, where it saves, and what it remembers of
// itself until the next start.
#include "registered_test.h"

#include "views/desk.h"
#include "views/charts/export.h"
#include "views/parts/text.h"
#include "views/replies.h"
#include "views/window/screen_fit.h"

#include <QScreen>

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
constexpr const char* neox = PLIMSOLL_PRESETS_DIR "/scenarios/gpt-neox-20b-a100.json";

// A window as a user starts it.
struct Started {
    Workspace workspace{library()};
    MainWindow window{workspace, MainWindow::Session::remembered};
    explicit Started(const QString& file = {}) {
        window.show();
        window.begin(file);
        workspace.snapshot();
    }
    void edit(double tokens = 300e9) {
        Scenario next = workspace.scenario();
        next.recipe.tokens = tokens;
        workspace.propose(next, "Tokens");
        workspace.snapshot();
    }
};

double tokens_in(const QString& path) {
    const auto plan = load_scenario(path, library());
    return plan ? plan->recipe.tokens : 0;
}

// Somebody else's hand in the file of a plan.
void write_elsewhere(const QString& path, double tokens) {
    Document other(library());
    QVERIFY(!has_errors(other.open(path)));
    Scenario next = other.scenario();
    next.recipe.tokens = tokens;
    other.edit(next, "Tokens");
    QVERIFY(other.save(path).empty());
}

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
    void a_name_without_suffix_gets_one_before_files_are_replaced_data();
    void a_name_without_suffix_gets_one_before_files_are_replaced();
    void the_proposed_name_is_that_of_a_file();
    void what_is_being_typed_is_saved_data();
    void what_is_being_typed_is_saved();
    void a_name_that_no_file_may_have_is_mended();
    void ctrl_z_in_a_field_undoes_the_last_edit_of_the_plan();
    void ctrl_z_in_a_field_undoes_letters_first();
    void a_published_run_never_takes_the_file_of_the_plan();
    void the_last_plan_is_opened_again_data();
    void the_last_plan_is_opened_again();
    void a_crash_opens_the_last_file_again();
    void charts_only_is_not_what_the_next_start_looks_like();
    void inputs_that_were_hidden_come_with_their_sliders();
    void a_window_lies_within_the_screen_data();
    void a_window_lies_within_the_screen();
    void a_save_notices_what_others_wrote_data();
    void a_save_notices_what_others_wrote();
    void a_window_that_is_turned_to_notices_what_others_wrote_once();
    void a_save_notices_that_the_file_is_gone();
    void the_second_of_two_windows_on_one_file_notices_the_first();
    void closing_asks_about_what_runs_data();
    void closing_asks_about_what_runs();
    void a_submitted_job_is_followed_after_a_restart();
};

void tst_session::initTestCase() {
    use_test_settings();
    QCoreApplication::setOrganizationName("plimsoll-tests");
    QCoreApplication::setApplicationName("tst_session");
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings_.path());
    qputenv("HOME", settings_.path().toUtf8());  // unsaved changes are kept below it
    QVERIFY2(default_recovery().startsWith(settings_.path()), qPrintable(default_recovery()));
}

void tst_session::init() {
    QSettings().clear();
    QDir(default_recovery()).removeRecursively();
}

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
    QSize size;
    {
        MainWindow window(workspace, MainWindow::Session::remembered);
        window.resize(1210, 820);
        window.show();
        window.show_page("memory");
        window.set_theme(Theme::dark);
        window.findChild<QDockWidget*>("history")->show();
        window.findChild<QDockWidget*>("inputs")->hide();
        size = window.size();
        QVERIFY(window.close());
    }
    MainWindow window(workspace, MainWindow::Session::remembered);
    window.show();
    const QSize placed = fitted({{}, size}, window.screen()->availableGeometry()).size();
    QCOMPARE(window.size(), placed.expandedTo(window.minimumSizeHint()));
    QVERIFY(window.findChild<QDockWidget*>("history")->isVisible());
    QVERIFY(!window.findChild<QDockWidget*>("explain")->isVisible());
    QVERIFY(!window.findChild<QDockWidget*>("inputs")->isVisible());
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

void tst_session::a_name_without_suffix_gets_one_before_files_are_replaced_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("written");
    QTest::addColumn<bool>("exists");
    QTest::addColumn<bool>("replace");
    QTest::newRow("a new name") << "other" << "other.json" << false << true;
    QTest::newRow("a new name with a dot in it") << "LLaMA-3.1" << "LLaMA-3.1.json" << false << true;
    QTest::newRow("the name of another plan, which stays") << "other" << "other.json" << true << false;
    QTest::newRow("the name of another plan, which goes") << "other" << "other.json" << true << true;
    QTest::newRow("the whole name of another plan, which stays") << "other.json" << "other.json" << true << false;
}

void tst_session::a_name_without_suffix_gets_one_before_files_are_replaced() {
    QFETCH(QString, typed);
    QFETCH(QString, written);
    QFETCH(bool, exists);
    QFETCH(bool, replace);
    QTemporaryDir dir;
    const QString path = dir.filePath(written);
    if (exists) QVERIFY(QFile::copy(neox, path));
    const QByteArray before = bytes_of(path);
    EditedDesk d;
    Replies replies({choose_file(dir.filePath(typed)), exists ? press(replace ? "Replace" : "Cancel") : Reply()});
    if (!exists) QCOMPARE(QDir(dir.path()).entryList(QDir::Files), QStringList());
    menu_action(d.window, "Save as")->trigger();
    QCOMPARE(replies.titles().mid(0, exists ? 2 : 1),
             exists ? QStringList({"Save the plan", "Replace a file"}) : QStringList{"Save the plan"});
    QCOMPARE(QDir(dir.path()).entryList(QDir::Files), QStringList{written});
    QCOMPARE(bytes_of(path) == before, exists && !replace);
    QCOMPARE(d.window.isWindowModified(), exists && !replace);
}

void tst_session::the_proposed_name_is_that_of_a_file() {
    Desk d;
    Scenario named = d.workspace.scenario();
    named.name = "../175B / 1,024 \"A100\": a";
    d.workspace.propose(named, "Name");
    d.settle();
    QString proposed;
    Replies replies({[&proposed](QDialog& dialog) {
        proposed = QFileInfo(qobject_cast<QFileDialog*>(&dialog)->selectedFiles().value(0)).fileName();
        dialog.reject();
    }});
    menu_action(d.window, "Save as")->trigger();
    QCOMPARE(proposed, file_stem(named) + ".json");
    QVERIFY(!proposed.contains('/') && !proposed.contains('"'));
}

void tst_session::what_is_being_typed_is_saved_data() {
    QTest::addColumn<bool>("name");
    QTest::addColumn<bool>("closes");
    QTest::newRow("a value, by Ctrl+S") << false << false;
    QTest::newRow("a value, by closing") << false << true;
    QTest::newRow("the plan's name, by Ctrl+S") << true << false;
    QTest::newRow("the plan's name, by closing") << true << true;
}

void tst_session::what_is_being_typed_is_saved() {
    QFETCH(bool, name);
    QFETCH(bool, closes);
    QTemporaryDir dir;
    const QString path = dir.filePath("plan.json");
    QVERIFY(QFile::copy(neox, path));
    Desk d;
    QVERIFY(d.window.open(path));
    QLineEdit* field = d.find<ValueBox>("recipe.tokens.editor")->findChild<QLineEdit*>();
    for (QLineEdit* each : d.window.inputs()->findChildren<QLineEdit*>())
        if (name && each->accessibleName() == "Name of the plan") field = each;
    field->selectAll();
    QTest::keyClicks(field, name ? "Ours" : "300B");  // and nothing that ends the typing
    Replies replies({press(QMessageBox::Save)});
    if (closes) QVERIFY(d.window.close());
    else QTest::keyClick(&d.window, Qt::Key_S, Qt::ControlModifier);
    QCOMPARE(replies.titles(), closes ? asked_about_changes : QStringList());
    const auto saved = load_scenario(path, library());
    QVERIFY(saved.has_value());
    if (name) QCOMPARE(saved->name, std::string("Ours"));
    else QCOMPARE(saved->recipe.tokens, edited_tokens);
}

void tst_session::a_name_that_no_file_may_have_is_mended() {
    QTemporaryDir dir;
    EditedDesk d;
    QLineEdit* field = nullptr;
    for (QLineEdit* each : d.window.inputs()->findChildren<QLineEdit*>())
        if (each->accessibleName() == "Name of the plan") field = each;
    field->selectAll();
    field->insert(QStringLiteral("a\x1b[2J") + QString(300, u'b'));
    field->setModified(true);
    Replies replies({choose_file(dir.filePath("plan.json"))});
    QVERIFY(d.window.save());
    const auto saved = load_scenario(dir.filePath("plan.json"), library());
    QVERIFY(saved.has_value());
    QVERIFY2(saved->name.starts_with("a[2Jbbb"), saved->name.c_str());
}

void tst_session::ctrl_z_in_a_field_undoes_the_last_edit_of_the_plan() {
    EditedDesk d;  // the focus is still in the field
    const double before = first_scenario(library()).recipe.tokens;
    auto* box = d.find<ValueBox>("recipe.tokens.editor");
    QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(d.workspace.scenario().recipe.tokens, before);
    d.settle();
    QVERIFY(box->findChild<QLineEdit*>()->text() != "300B");
    QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(d.workspace.scenario().recipe.tokens, edited_tokens);
}

void tst_session::ctrl_z_in_a_field_undoes_letters_first() {
    EditedDesk d;
    auto* box = d.find<ValueBox>("recipe.tokens.editor");
    auto* field = box->findChild<QLineEdit*>();
    field->setCursorPosition(int(field->text().size()));
    QTest::keyClicks(field, "7");
    QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(field->text(), QString("300B"));
    QCOMPARE(d.workspace.scenario().recipe.tokens, edited_tokens);
}

void tst_session::a_published_run_never_takes_the_file_of_the_plan() {
    QTemporaryDir dir;
    const QString path = dir.filePath("mine.json");
    QVERIFY(QFile::copy(neox, path));
    Desk d;
    QVERIFY(d.window.open(path));
    const QByteArray mine = bytes_of(path);
    const Scenario plan = d.workspace.scenario();
    d.window.record_loader().wait();
    d.window.show_page("validation");
    for (const ScoredRow& row : d.workspace.record()->score.rows)
        if (!d.window.validation()->open_button()->isEnabled()) d.window.validation()->select(to_qt(row.id));
    QVERIFY(d.window.validation()->open_button()->isEnabled());
    d.window.validation()->open_button()->click();
    d.settle();
    QVERIFY(!(d.workspace.scenario() == plan));
    Replies replies({[](QDialog& dialog) { dialog.reject(); }});
    QTest::keyClick(&d.window, Qt::Key_S, Qt::ControlModifier);
    QCOMPARE(replies.titles(), QStringList{"Save the plan"});
    QCOMPARE(bytes_of(path), mine);
    d.workspace.document().history().undo();
    QVERIFY(d.workspace.scenario() == plan);
    QCOMPARE(d.workspace.document().file(), path);
    QVERIFY(!d.window.isWindowModified());
}

void tst_session::the_last_plan_is_opened_again_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<bool>("opened");
    QTest::addColumn<bool>("told");
    QTest::newRow("it is there") << "whole" << true << false;
    QTest::newRow("it is gone") << "gone" << false << true;
    QTest::newRow("it is no plan any more") << "damaged" << false << true;
    QTest::newRow("the plan had no file") << "none" << false << false;
}

void tst_session::the_last_plan_is_opened_again() {
    QFETCH(QString, file);
    QFETCH(bool, opened);
    QFETCH(bool, told);
    QTemporaryDir dir;
    const QString path = dir.filePath("plan.json");
    QVERIFY(QFile::copy(neox, path));
    write_elsewhere(path, edited_tokens);
    {
        Started s(file == "none" ? QString() : path);
        QVERIFY(s.window.close());
    }
    if (file == "gone") QVERIFY(QFile::remove(path));
    if (file == "damaged") QVERIFY(QFile::resize(path, 100));
    Started s;
    QCOMPARE(s.workspace.document().file(), opened ? path : QString());
    QCOMPARE(s.workspace.scenario().recipe.tokens == edited_tokens, opened);
    QCOMPARE(s.window.notices()->isVisible(), told);
    QCOMPARE(s.window.notices()->text().contains("plan.json"), told);
}

void tst_session::a_crash_opens_the_last_file_again() {
    QTemporaryDir dir;
    const QString path = dir.filePath("plan.json");
    QVERIFY(QFile::copy(neox, path));
    { Started s(path); }
    Started s;
    QCOMPARE(s.workspace.document().file(), path);
}

void tst_session::charts_only_is_not_what_the_next_start_looks_like() {
    {
        Started s;
        QVERIFY(s.window.inputs()->isVisible());
        menu_action(s.window, "Charts only")->trigger();
        QVERIFY(!s.window.inputs()->isVisible());
        QVERIFY(s.window.close());
    }
    Started s;
    QVERIFY(s.window.inputs()->isVisible());
    QVERIFY(s.window.tiles()->isVisible());
}

void tst_session::inputs_that_were_hidden_come_with_their_sliders() {
    {
        Started s;
        s.window.findChild<QDockWidget*>("inputs")->hide();
        QVERIFY(s.window.close());
    }
    Started s;
    s.window.record_loader().wait();
    s.workspace.snapshot();
    QTRY_VERIFY(!s.window.inputs()->nodes()->stops().empty());  // stops were made while the rows were out of sight
    QVERIFY(!s.window.inputs()->isVisible());
    menu_action(s.window, "Find an input")->trigger();
    QVERIFY(s.window.inputs()->isVisible());
    auto* tensor = s.window.findChild<QSlider*>("layout.tensor_parallel.slider");
    QVERIFY(tensor && s.workspace.scenario().layout.tensor_parallel > 1);
    QTRY_VERIFY2(tensor->value() > 0, "the slider stands at its beginning beside a tensor parallel degree above one");
}

void tst_session::a_window_lies_within_the_screen_data() {
    QTest::addColumn<QRect>("wanted");
    QTest::addColumn<QRect>("placed");
    QTest::newRow("where there is room it stays") << QRect(100, 50, 800, 600) << QRect(100, 50, 800, 600);
    QTest::newRow("a screen that is gone") << QRect(2500, 100, 800, 600) << QRect(566, 100, 800, 600);
    QTest::newRow("above and left of the screen") << QRect(-300, -80, 800, 600) << QRect(0, 24, 800, 600);
    QTest::newRow("larger than the screen") << QRect(0, 0, 2100, 1350) << QRect(0, 24, 1366, 744);
}

void tst_session::a_window_lies_within_the_screen() {
    QFETCH(QRect, wanted);
    QTEST(fitted(wanted, QRect(0, 24, 1366, 744)), "placed");
}

void tst_session::a_save_notices_what_others_wrote_data() {
    QTest::addColumn<QString>("answer");
    QTest::addColumn<double>("in_file");
    QTest::addColumn<double>("in_window");
    QTest::addColumn<bool>("modified");
    constexpr double theirs = 100e9, mine = edited_tokens;
    QTest::newRow("reload takes theirs") << "Reload" << theirs << theirs << false;
    QTest::newRow("keep mine replaces theirs") << "Keep mine" << mine << mine << false;
    QTest::newRow("save as leaves theirs") << "Save as..." << theirs << mine << false;
    QTest::newRow("cancel changes nothing") << "Cancel" << theirs << mine << true;
}

void tst_session::a_save_notices_what_others_wrote() {
    QFETCH(QString, answer);
    QTemporaryDir dir;
    const QString path = dir.filePath("plan.json"), other = dir.filePath("other.json");
    QVERIFY(QFile::copy(neox, path));
    Desk d;
    QVERIFY(d.window.open(path));
    d.type("recipe.tokens.editor", "300B");
    write_elsewhere(path, 100e9);
    Replies replies({press(answer), choose_file(other)});
    d.window.save();
    QCOMPARE(replies.titles().value(0), QString("The file has changed"));
    QTEST(tokens_in(path), "in_file");
    QTEST(d.workspace.scenario().recipe.tokens, "in_window");
    QTEST(d.window.isWindowModified(), "modified");
    QCOMPARE(QFile::exists(other), answer == "Save as...");
    if (answer == "Reload") {
        d.workspace.document().history().undo();
        QCOMPARE(d.workspace.scenario().recipe.tokens, edited_tokens);
    }
}

void tst_session::a_window_that_is_turned_to_notices_what_others_wrote_once() {
    QTemporaryDir dir;
    const QString path = dir.filePath("plan.json");
    QVERIFY(QFile::copy(neox, path));
    Desk d;
    QVERIFY(d.window.open(path));
    QWidget elsewhere;
    const auto turn_away_and_back = [&] {
        elsewhere.show();
        elsewhere.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&elsewhere));
        d.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&d.window));
        QCoreApplication::processEvents();
    };
    Replies replies({press("Cancel")});
    turn_away_and_back();
    QCOMPARE(replies.titles(), QStringList());
    write_elsewhere(path, 100e9);
    turn_away_and_back();
    QTRY_COMPARE(replies.titles(), QStringList{"The file has changed"});
    turn_away_and_back();
    turn_away_and_back();
    QCOMPARE(replies.titles().size(), 1);
}

void tst_session::a_save_notices_that_the_file_is_gone() {
    QTemporaryDir dir;
    const QString path = dir.filePath("plan.json");
    QVERIFY(QFile::copy(neox, path));
    Desk d;
    QVERIFY(d.window.open(path));
    d.type("recipe.tokens.editor", "300B");
    QVERIFY(QFile::remove(path));
    {
        Replies replies({press("Cancel")});
        QVERIFY(!d.window.save());
        QCOMPARE(replies.titles(), QStringList{"The file is gone"});
        QVERIFY(!QFile::exists(path));
    }
    Replies replies({press("Keep mine")});
    QVERIFY(d.window.save());
    QCOMPARE(tokens_in(path), edited_tokens);
}

void tst_session::the_second_of_two_windows_on_one_file_notices_the_first() {
    QTemporaryDir dir;
    const QString path = dir.filePath("plan.json");
    QVERIFY(QFile::copy(neox, path));
    Started first(path), second(path);
    first.edit(100e9);
    QVERIFY(first.window.save());
    second.edit(200e9);
    Replies replies({press("Cancel")});
    QVERIFY(!second.window.save());
    QCOMPARE(replies.titles(), QStringList{"The file has changed"});
    QCOMPARE(tokens_in(path), 100e9);
}

void tst_session::closing_asks_about_what_runs_data() {
    QTest::addColumn<QString>("answer");
    QTest::addColumn<bool>("closes");
    QTest::newRow("keep running") << "Keep running" << false;
    QTest::newRow("stop and close") << "Stop and close" << true;
}

void tst_session::closing_asks_about_what_runs() {
    QFETCH(QString, answer);
    QFETCH(bool, closes);
    qputenv("PLIMSOLL_ENGINE", PLIMSOLL_TESTS_DIR "/engine/fake_engine.sh");
    qputenv("FAKE_ENGINE", "silent");
    Desk d;
    TrialPage* trial = d.window.calibration()->trial();
    trial->set_log_directory(settings_.path());
    trial->start();
    QVERIFY2(trial->session().busy(), qPrintable(trial->state()));
    Replies replies({press(answer)});
    QCOMPARE(d.window.close(), closes);
    QCOMPARE(replies.titles(), QStringList{"Work is still running"});
    QCOMPARE(trial->session().busy(), true);  // its end comes with the window's
    trial->stop();
    QTRY_VERIFY(!trial->session().busy());
}

void tst_session::a_submitted_job_is_followed_after_a_restart() {
    QTemporaryDir tools;
    QFile squeue(tools.filePath("squeue"));
    QVERIFY(squeue.open(QFile::WriteOnly));
    squeue.write("#!/bin/sh\necho 'PENDING|Priority'\n");
    squeue.close();
    squeue.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", tools.path().toUtf8() + ":" + path);
    {
        Started s;
        s.window.calibration()->job()->job().follow({BatchKind::slurm, "4711", "/scratch/job", "Frontier"});
        QTRY_COMPARE(s.window.calibration()->job()->job().status().state, JobState::queued);
        QVERIFY(s.window.close());
    }
    {
        Started s;
        BatchJob& job = s.window.calibration()->job()->job();
        QCOMPARE(job.id(), std::string("4711"));
        QTRY_COMPARE(job.status().state, JobState::queued);
        QVERIFY2(job.state().contains("/scratch/job") && job.state().contains("Frontier"), qPrintable(job.state()));
        job.forget();
    }
    Started s;
    QVERIFY(!s.window.calibration()->job()->job().active());
    qputenv("PATH", path);
}

PLIMSOLL_TEST(tst_session)
#include "tst_session.moc"

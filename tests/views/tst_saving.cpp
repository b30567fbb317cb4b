// Where plans are saved: no file is replaced unasked, what is typed is in it, and what others wrote is seen.
#include "registered_test.h"

#include "views/charts/export.h"
#include "views/parts/text.h"
#include "views/replies.h"
#include "views/session_desk.h"

using namespace plimsoll;

class tst_saving : public QObject {
    Q_OBJECT
    TestHome home_;

private slots:
    void initTestCase() { home_.use("tst_saving"); }
    void init() { home_.clear(); }
    void a_name_without_suffix_gets_one_before_files_are_replaced_data();
    void a_name_without_suffix_gets_one_before_files_are_replaced();
    void the_proposed_name_is_that_of_a_file();
    void what_is_being_typed_is_saved_data();
    void what_is_being_typed_is_saved();
    void a_name_that_no_file_may_have_is_mended();
    void ctrl_z_in_a_field_undoes_the_last_edit_of_the_plan();
    void ctrl_z_in_a_field_undoes_letters_first();
    void a_published_run_never_takes_the_file_of_the_plan();
    void a_save_notices_what_others_wrote_data();
    void a_save_notices_what_others_wrote();
    void a_window_that_is_turned_to_notices_what_others_wrote_once();
    void a_save_notices_that_the_file_is_gone();
    void the_second_of_two_windows_on_one_file_notices_the_first();
    void save_as_writes_where_it_was_told();
    void save_as_that_is_cancelled_writes_nothing();
    void save_writes_to_the_file_of_the_plan_without_asking();
    void a_plan_that_cannot_be_saved_keeps_the_window_open();
};

void tst_saving::a_name_without_suffix_gets_one_before_files_are_replaced_data() {
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

void tst_saving::a_name_without_suffix_gets_one_before_files_are_replaced() {
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

void tst_saving::the_proposed_name_is_that_of_a_file() {
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

void tst_saving::what_is_being_typed_is_saved_data() {
    QTest::addColumn<bool>("name");
    QTest::addColumn<bool>("closes");
    QTest::newRow("a value, by Ctrl+S") << false << false;
    QTest::newRow("a value, by closing") << false << true;
    QTest::newRow("the plan's name, by Ctrl+S") << true << false;
    QTest::newRow("the plan's name, by closing") << true << true;
}

void tst_saving::what_is_being_typed_is_saved() {
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

void tst_saving::a_name_that_no_file_may_have_is_mended() {
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

void tst_saving::ctrl_z_in_a_field_undoes_the_last_edit_of_the_plan() {
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

void tst_saving::ctrl_z_in_a_field_undoes_letters_first() {
    EditedDesk d;
    auto* box = d.find<ValueBox>("recipe.tokens.editor");
    auto* field = box->findChild<QLineEdit*>();
    field->setCursorPosition(int(field->text().size()));
    QTest::keyClicks(field, "7");
    QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(field->text(), QString("300B"));
    QCOMPARE(d.workspace.scenario().recipe.tokens, edited_tokens);
}

void tst_saving::a_published_run_never_takes_the_file_of_the_plan() {
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

void tst_saving::a_save_notices_what_others_wrote_data() {
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

void tst_saving::a_save_notices_what_others_wrote() {
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

void tst_saving::a_window_that_is_turned_to_notices_what_others_wrote_once() {
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

void tst_saving::a_save_notices_that_the_file_is_gone() {
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

void tst_saving::the_second_of_two_windows_on_one_file_notices_the_first() {
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

void tst_saving::save_as_writes_where_it_was_told() {
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

void tst_saving::save_as_that_is_cancelled_writes_nothing() {
    EditedDesk d;
    const QString title = d.window.windowTitle();
    Replies replies({[](QDialog& dialog) { dialog.reject(); }});
    menu_action(d.window, "Save as")->trigger();
    QCOMPARE(replies.titles(), QStringList{"Save the plan"});
    QVERIFY(d.window.isWindowModified());
    QCOMPARE(d.window.windowTitle(), title);
}

void tst_saving::save_writes_to_the_file_of_the_plan_without_asking() {
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

void tst_saving::a_plan_that_cannot_be_saved_keeps_the_window_open() {
    QTemporaryDir dir;
    EditedDesk d;
    Replies replies({press(QMessageBox::Save), choose_file(dir.filePath("absent/plan.json"))});
    QVERIFY(!d.window.close());
    QVERIFY(d.window.isVisible());
    QVERIFY(d.window.isWindowModified());
}

PLIMSOLL_TEST(tst_saving)
#include "tst_saving.moc"

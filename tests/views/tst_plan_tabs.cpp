// Several plans in one window: each keeps its history, its file and what is saved of it; closed ones come back; one
// file keeps them together.
#include "registered_test.h"

#include "core/answers/search/first_plan.h"
#include "core/files/text/disk.h"
#include "views/start/start_page.h"
#include "views/replies.h"
#include "views/session_desk.h"

#include <QInputDialog>
#include <QMimeData>
#include <QUndoView>

using namespace plimsoll;

namespace {

// A window with three plans, of which the last is in front: an example, a file, and a copy of that.
struct Several : Desk {
    QTemporaryDir dir;
    QString path = dir.filePath("plan.json");
    Plans& plans = workspace.plans();
    Several() {
        if (!QFile::copy(neox, path)) qFatal("no plan");
        set_tokens(plans.current(), 100e9);
        window.open(path);
        press("plan.duplicate");
        settle();
    }
    void press(const char* action) { find<QAction>(action)->trigger(); }
    double tokens(int place) { return plans.at(place).scenario().recipe.tokens; }
    PlanTabs& tabs() { return *window.plan_tabs(); }
};

Reply type_name(const QString& name) {
    return [name](QDialog& dialog) {
        auto* input = qobject_cast<QInputDialog*>(&dialog);
        if (!input) return dialog.reject();
        input->setTextValue(name);
        input->accept();
    };
}

}  // namespace

class tst_plan_tabs : public QObject {
    Q_OBJECT
    TestHome home_;

private slots:
    void initTestCase() { home_.use("tst_plan_tabs"); }
    void init() { home_.clear(); }

    // ---- One and more

    void a_single_plan_has_no_tab() {
        Desk d;
        QVERIFY(!d.window.plan_tabs()->isVisible());
        d.find<QAction>("plan.duplicate")->trigger();
        QVERIFY(d.window.plan_tabs()->isVisible());
        QVERIFY(!d.find<QAction>("plan.reopen")->isEnabled());
        QVERIFY(d.find<QAction>("plan.next")->isEnabled());
        const Replies replies({press(QMessageBox::Discard)});
        d.find<QAction>("plan.close")->trigger();
        QVERIFY(!d.window.plan_tabs()->isVisible());
        QVERIFY(d.find<QAction>("plan.reopen")->isEnabled());
        QVERIFY(!d.find<QAction>("plan.next")->isEnabled());
    }
    void what_is_opened_takes_the_place_of_the_untouched_example_alone() {
        Desk d;
        QVERIFY(d.window.open(neox));
        QCOMPARE(d.workspace.plans().count(), 1);
        menu_action(d.window, "New plan")->trigger();
        QCOMPARE(d.workspace.plans().count(), 2);
    }
    void a_new_plan_is_what_the_start_page_offers_and_no_example() {
        Desk d;
        QVERIFY(d.window.open(neox));
        const Scenario example = d.workspace.scenario();
        menu_action(d.window, "New plan")->trigger();
        d.settle();
        const Scenario& s = d.workspace.scenario();
        QVERIFY(s.model.id != example.model.id);
        QCOMPARE(s, first_plan(library().models.at(s.model.id), library().machines.at(s.machine.id),
                               library().stacks, {.headroom = d.workspace.headroom_of_plans()}).scenario);
        QVERIFY(d.window.automatic().on());
        d.window.show_start();
        const auto* start = d.window.findChild<StartPage*>("start_page");
        QCOMPARE(start->model()->shown(), s.model.id);
        QCOMPARE(start->machine()->shown(), s.machine.id);
    }
    void a_file_that_is_open_comes_to_the_front() {
        Several s;
        QVERIFY(s.window.open(s.path));
        QCOMPARE(s.plans.count(), 3);
        QCOMPARE(s.plans.place(), 1);
    }
    void a_file_that_was_changed_elsewhere_is_read_again_when_it_is_opened_again() {
        Several s;
        write_elsewhere(s.path, 777e9);
        QVERIFY(s.window.open(s.path));
        QCOMPARE(s.workspace.scenario().recipe.tokens, 777e9);
        QVERIFY(!s.plans.current().modified());
    }

    void text_that_is_being_typed_touches_the_example() {
        Desk d;
        auto* field = d.find<ValueBox>("recipe.tokens.editor")->findChild<QLineEdit*>();
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, "640B");
        QVERIFY(d.window.open(neox));
        QCOMPARE(d.workspace.plans().count(), 2);
        QCOMPARE(d.workspace.plans().at(0).scenario().recipe.tokens, 640e9);
        QVERIFY(d.workspace.scenario().recipe.tokens != 640e9);
    }

    // ---- Each its own

    void every_plan_keeps_its_history_and_its_file() {
        Several s;
        set_tokens(s.plans.current(), 300e9);
        s.plans.show(0);
        QCOMPARE(s.workspace.scenario().recipe.tokens, 100e9);
        QVERIFY(s.workspace.document().file().isEmpty());
        menu_action(s.window, "Undo Tokens")->trigger();
        QVERIFY(s.workspace.scenario().recipe.tokens != 100e9);
        QVERIFY(!s.plans.at(0).modified());
        QCOMPARE(s.tokens(2), 300e9);
        s.plans.show(1);
        QCOMPARE(s.workspace.document().file(), s.path);
        QCOMPARE(s.workspace.document().history().count(), 0);
        QVERIFY(!s.window.isWindowModified());
        s.plans.show(2);
        QVERIFY(s.window.isWindowModified());
        QVERIFY(s.workspace.document().history().canUndo());
    }
    void a_save_concerns_the_plan_in_front() {
        Several s;
        s.plans.show(1);
        set_tokens(s.plans.current(), 500e9);
        QVERIFY(s.window.save());
        QCOMPARE(tokens_in(s.path), 500e9);
        QVERIFY(s.plans.at(0).modified());
        QVERIFY(!s.plans.at(1).modified());
        QVERIFY(s.plans.at(2).modified());
    }
    void the_page_shows_the_plan_in_front_after_one_estimate() {
        Several s;
        set_tokens(s.plans.current(), 4 * s.tokens(1));
        s.settle();
        const QString longer = s.tile(0);
        const QSignalSpy shown(&s.workspace, &Workspace::changed);
        s.plans.show(1);
        s.settle();
        QCOMPARE(shown.count(), 1);
        QVERIFY(s.tile(0) != longer);
        QVERIFY(s.workspace.told().scenario == s.plans.at(1).scenario());
        s.plans.show(2);
        s.settle();
        QCOMPARE(shown.count(), 2);
        QCOMPARE(s.tile(0), longer);
    }
    void text_that_is_being_typed_belongs_to_the_plan_it_was_typed_in() {
        Several s;
        auto* field = s.find<ValueBox>("recipe.tokens.editor")->findChild<QLineEdit*>();
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, "640B");
        s.plans.show(1);
        s.settle();
        QCOMPARE(s.tokens(2), 640e9);
        QVERIFY(s.tokens(1) != 640e9);
        QVERIFY(!field->text().contains("640"));
    }
    void text_that_is_no_number_goes_with_the_plan() {
        Several s;
        auto* field = s.find<ValueBox>("recipe.tokens.editor")->findChild<QLineEdit*>();
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, "many");
        s.plans.show(1);
        s.settle();
        QVERIFY2(!field->text().contains("many"), qPrintable(field->text()));
    }
    void the_baseline_is_that_of_its_plan() {
        Several s;
        s.workspace.pin_baseline();
        QVERIFY(s.workspace.told().baseline != nullptr);
        s.plans.show(0);
        QVERIFY(s.workspace.told().baseline == nullptr);
        s.plans.show(2);
        QVERIFY(s.workspace.told().baseline != nullptr);
    }
    void a_copy_is_compared_with_the_baseline_of_its_plan() {
        Several s;
        s.workspace.pin_baseline();
        const auto pinned = s.workspace.told().baseline;
        s.press("plan.duplicate");
        s.settle();
        QCOMPARE(s.plans.count(), 4);
        QCOMPARE(s.workspace.told().baseline, pinned);
    }
    void a_plan_that_cannot_be_computed_shows_its_own_last_numbers() {
        Several s;
        set_tokens(s.plans.current(), 3 * s.tokens(1));
        s.settle();
        const auto own = s.workspace.told().last_good;
        Scenario wrong = s.workspace.scenario();
        wrong.layout.tensor_parallel = 7;
        s.workspace.propose(wrong, "Wrong");
        s.settle();
        QVERIFY(s.workspace.told().stale());
        s.plans.show(1);
        s.settle();
        QVERIFY(!s.workspace.told().stale());
        s.plans.show(2);
        s.settle();
        QVERIFY(s.workspace.told().stale());
        QCOMPARE(s.workspace.told().last_good, own);
    }

    // ---- Tabs

    void tabs_say_the_name_and_what_is_not_saved() {
        Several s;
        QCOMPARE(s.tabs().count(), 3);
        QVERIFY(s.tabs().tabText(0).endsWith(" *"));
        QVERIFY(!s.tabs().tabText(1).endsWith(" *"));
        QVERIFY(s.tabs().tabText(2).endsWith(" *"));
        QVERIFY(s.tabs().tabToolTip(1).contains("plan.json"));
        QStringList names;
        for (int i = 0; i < 3; ++i) names << s.tabs().tabText(i);
        QCOMPARE(names.removeDuplicates(), 0);
        QCOMPARE(s.tabs().currentIndex(), 2);
    }
    void a_hundred_tabs_can_be_told_apart() {
        Several s;
        while (s.plans.count() < 100) s.press("plan.duplicate");
        s.settle();
        QStringList shown;
        for (int i = 0; i < s.tabs().count(); ++i) {
            shown << s.tabs().tabText(i);
            QVERIFY2(s.tabs().tabRect(i).width() >= 60, qPrintable(shown.last()));
            QVERIFY2(shown.last().startsWith(QChar(0x2026)), qPrintable(shown.last()));   // all begin alike
        }
        QCOMPARE(shown.removeDuplicates(), 0);
        QVERIFY(s.tabs().width() <= s.window.width());
        QMenu* list = s.tabs().list()->menu();
        emit list->aboutToShow();
        QCOMPARE(list->actions().size(), 100);
        QVERIFY(list->actions()[99]->isChecked());
        list->actions()[3]->trigger();
        QCOMPARE(s.plans.place(), 3);
        QVERIFY(s.tabs().rect().intersects(s.tabs().tabRect(3)));   // scrolled to
    }
    void keys_go_round_the_plans_data() {
        QTest::addColumn<int>("key");
        QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
        QTest::addColumn<int>("place");
        const Qt::KeyboardModifiers ctrl = Qt::ControlModifier, both = Qt::ControlModifier | Qt::ShiftModifier;
        QTest::newRow("Ctrl+Tab") << int(Qt::Key_Tab) << ctrl << 0;
        QTest::newRow("Ctrl+Page Down") << int(Qt::Key_PageDown) << ctrl << 0;
        QTest::newRow("Ctrl+Shift+Tab") << int(Qt::Key_Backtab) << both << 1;
        QTest::newRow("Ctrl+Page Up") << int(Qt::Key_PageUp) << ctrl << 1;
    }
    void keys_go_round_the_plans() {
        QFETCH(int, key);
        QFETCH(Qt::KeyboardModifiers, modifiers);
        Several s;
        s.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&s.window));
        QTest::keyClick(&s.window, Qt::Key(key), modifiers);
        QTEST(s.plans.place(), "place");
    }
    void a_tab_is_dragged_to_another_place() {
        Several s;
        const QString last = s.plans.at(2).id();
        const QPoint from = s.tabs().tabRect(2).center(), to = s.tabs().tabRect(0).center() - QPoint(20, 0);
        QTest::mousePress(&s.tabs(), Qt::LeftButton, {}, from);
        for (int i = 1; i <= 10; ++i) QTest::mouseMove(&s.tabs(), from + (to - from) * i / 10);
        QTest::mouseRelease(&s.tabs(), Qt::LeftButton, {}, to);
        QCOMPARE(s.plans.place_of_id(last), 0);
        QCOMPARE(s.plans.place(), 0);
        QCOMPARE(s.plans.at(2).file(), s.path);
        QTRY_COMPARE(s.tabs().currentIndex(), 0);
    }
    void keys_move_a_plan() {
        Several s;
        s.press("plan.move_left");
        QCOMPARE(s.plans.at(2).file(), s.path);
        QCOMPARE(s.plans.place(), 1);
        s.press("plan.move_right");
        s.press("plan.move_right");   // at the end already
        QCOMPARE(s.plans.at(1).file(), s.path);
        QCOMPARE(s.plans.place(), 2);
    }
    void a_name_is_one_undo_step() {
        Several s;
        const QString before = s.tabs().tabText(2);
        const Replies replies({type_name("Wider layers")});
        s.press("plan.rename");
        QCOMPARE(s.tabs().tabText(2), QString("Wider layers *"));
        QCOMPARE(s.plans.current().history().count(), 1);
        s.plans.current().history().undo();
        QCOMPARE(s.tabs().tabText(2), before);
    }
    void a_copy_of_the_longest_name_can_be_opened_again() {
        Several s;
        Scenario next = s.workspace.scenario();
        next.name = std::string(longest_plan_name, 'x');
        s.workspace.propose(next, "Name");
        s.press("plan.duplicate");
        QVERIFY(s.workspace.scenario().name != next.name);
        const QString saved = s.dir.filePath("copy.json");
        QVERIFY(s.workspace.document().save(saved).empty());
        QVERIFY(load_scenario(saved, library()).has_value());
    }
    void a_name_has_no_characters_that_files_refuse() {
        Several s;
        const Replies replies({type_name(QString("a") + QChar(0x202e) + "b")});
        s.press("plan.rename");
        QCOMPARE(s.workspace.scenario().name, std::string("ab"));
    }
    void names_of_files_are_text() {
        Several s;
        Scenario next = s.workspace.scenario();
        next.name = "<b>R&D</b>";
        s.workspace.propose(next, "Name");
        QCOMPARE(s.tabs().tabText(2), QString("<b>R&&D</b> *"));
        QVERIFY2(!s.tabs().tabToolTip(2).contains("<b>"), qPrintable(s.tabs().tabToolTip(2)));
    }

    // ---- Closing, and having back

    void closing_asks_about_unsaved_changes_data() {
        QTest::addColumn<int>("place");
        QTest::addColumn<int>("button");
        QTest::addColumn<QStringList>("asked");
        QTest::addColumn<int>("left");
        QTest::newRow("a saved plan goes without a word") << 1 << int(QMessageBox::Cancel) << QStringList() << 2;
        QTest::newRow("changes stay where the answer is Cancel")
            << 0 << int(QMessageBox::Cancel) << asked_about_changes << 3;
        QTest::newRow("changes go where they may") << 0 << int(QMessageBox::Discard) << asked_about_changes << 2;
        QTest::newRow("changes are saved first")
            << 0 << int(QMessageBox::Save) << asked_about_changes + QStringList{"Save the plan"} << 2;
    }
    void closing_asks_about_unsaved_changes() {
        QFETCH(int, place);
        QFETCH(int, button);
        QFETCH(int, left);
        Several s;
        const QString saved = s.dir.filePath("saved.json");
        Replies replies({press(QMessageBox::StandardButton(button)), choose_file(saved)});
        QTest::mouseClick(&s.tabs(), Qt::MiddleButton, {}, s.tabs().tabRect(place).center());
        QTEST(replies.titles(), "asked");
        QCOMPARE(s.plans.count(), left);
        QCOMPARE(QFile::exists(saved), button == QMessageBox::Save);
    }
    void a_closed_plan_comes_back_with_its_history_and_where_it_was() {
        Several s;
        s.plans.show(1);
        set_tokens(s.plans.current(), 500e9);
        const QString id = s.plans.current().id();
        Replies replies({press(QMessageBox::Discard)});
        s.press("plan.close");
        QCOMPARE(s.plans.count(), 2);
        QCOMPARE(s.plans.place_of_id(id), -1);
        s.press("plan.reopen");
        QCOMPARE(s.plans.place_of_id(id), 1);
        QCOMPARE(s.plans.place(), 1);
        QCOMPARE(s.workspace.scenario().recipe.tokens, 500e9);
        QCOMPARE(s.workspace.document().file(), s.path);
        QVERIFY(s.workspace.document().modified());
        s.workspace.document().history().undo();
        QVERIFY(!s.workspace.document().modified());
    }
    void the_last_plan_gives_way_to_an_example_and_comes_back_in_its_place() {
        Desk d;
        QVERIFY(d.window.open(neox));
        d.find<QAction>("plan.close")->trigger();
        QCOMPARE(d.workspace.plans().count(), 1);
        QVERIFY(d.workspace.document().file().isEmpty());
        d.find<QAction>("plan.reopen")->trigger();
        QCOMPARE(d.workspace.plans().count(), 1);
        QCOMPARE(d.workspace.document().file(), QFileInfo(neox).absoluteFilePath());
    }
    void closing_the_window_asks_once_about_all_of_them_data() {
        QTest::addColumn<int>("button");
        QTest::addColumn<bool>("closes");
        QTest::newRow("cancel keeps the window") << int(QMessageBox::Cancel) << false;
        QTest::newRow("discard closes it") << int(QMessageBox::Discard) << true;
        QTest::newRow("save all saves each of them") << int(QMessageBox::SaveAll) << true;
    }
    void closing_the_window_asks_once_about_all_of_them() {
        QFETCH(int, button);
        QFETCH(bool, closes);
        Several s;
        const QString first = s.dir.filePath("first.json"), second = s.dir.filePath("second.json");
        Replies replies({press(QMessageBox::StandardButton(button)), choose_file(first), choose_file(second)});
        QCOMPARE(s.window.close(), closes);
        QCOMPARE(replies.titles().first(), asked_about_changes.first());
        QCOMPARE(replies.titles().size(), button == QMessageBox::SaveAll ? 3 : 1);
        QCOMPARE(QFile::exists(first) && QFile::exists(second), button == QMessageBox::SaveAll);
        if (button == QMessageBox::SaveAll) QCOMPARE(tokens_in(first), 100e9);
    }

    // ---- The next start

    void the_plans_of_last_time_are_there_again_in_their_order() {
        QTemporaryDir dir;
        const QString path = dir.filePath("plan.json");
        QVERIFY(QFile::copy(neox, path));
        QString example;
        {
            Started s(path);
            menu_action(s.window, "Examples")->menu()->actions().last()->menu()->actions().last()->trigger();
            example = to_name(s);
            s.workspace.plans().move(1, 0);
            s.workspace.plans().show(1);
            QVERIFY(s.window.close());
        }
        Started s;
        QCOMPARE(s.workspace.plans().count(), 2);
        QCOMPARE(s.workspace.plans().names()[0], example);
        QCOMPARE(s.workspace.plans().place(), 1);
        QCOMPARE(s.workspace.document().file(), path);
        QVERIFY(s.window.plan_tabs()->isVisible());
    }
    void a_kill_leaves_the_list_of_what_was_open() {
        QTemporaryDir dir;
        const QString path = dir.filePath("plan.json"), other = dir.filePath("other.json");
        QVERIFY(QFile::copy(neox, path) && QFile::copy(neox, other));
        {
            Started s(path);
            QVERIFY(s.window.open(other));
            QTRY_VERIFY(QSettings().value("plans/size").toInt() == 2);
        }
        Started s;
        QCOMPARE(s.workspace.plans().count(), 2);
        QCOMPARE(s.workspace.plans().at(0).file(), path);
        QCOMPARE(s.workspace.document().file(), other);
    }
    void damaged_settings_open_what_can_be_opened() {
        QSettings settings;
        settings.beginWriteArray("plans", 3);
        settings.setArrayIndex(0);
        settings.setValue("text", "{ no plan");
        settings.setArrayIndex(1);
        settings.setValue("file", "/no/such/plan.json");
        settings.setArrayIndex(2);
        settings.setValue("file", neox);
        settings.endArray();
        Started s;
        QCOMPARE(s.workspace.plans().count(), 1);
        QCOMPARE(s.workspace.document().file(), QFileInfo(neox).absoluteFilePath());
        QVERIFY2(s.window.notices()->text().contains("no longer"), qPrintable(s.window.notices()->text()));
    }

    void files_that_are_dropped_come_each_in_a_tab() {
        Desk d;
        QTemporaryDir dir;
        QList<QUrl> urls;
        for (const char* name : {"first.json", "second.json"}) {
            QVERIFY(QFile::copy(neox, dir.filePath(name)));
            urls << QUrl::fromLocalFile(dir.filePath(name));
        }
        QMimeData data;
        data.setUrls(urls);
        QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&d.window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&d.window, &drop);
        QCOMPARE(d.workspace.plans().count(), 2);
        QCOMPARE(d.workspace.document().file(), dir.filePath("second.json"));
    }

    // ---- One file for all

    void a_workspace_holds_every_plan_and_opens_as_it_was_saved() {
        Several s;
        const QString together = s.dir.filePath("ours.plimsoll-workspace");
        set_tokens(s.plans.current(), 640e9);
        s.plans.move(2, 0);
        Replies replies({choose_file(together)});
        s.press("plan.save_workspace_as");
        QCOMPARE(replies.titles(), QStringList{"Save the workspace"});
        QVERIFY(QFile::exists(together));
        for (int i = 0; i < 3; ++i) QVERIFY(!s.plans.at(i).modified());
        QVERIFY2(s.window.windowTitle().contains("ours.plimsoll-workspace"), qPrintable(s.window.windowTitle()));
        Desk d;
        QVERIFY(d.window.open(together));
        QCOMPARE(d.workspace.plans().count(), 3);
        QCOMPARE(d.workspace.plans().place(), 0);
        QCOMPARE(d.workspace.plans().names(), s.plans.names());
        for (int i = 0; i < 3; ++i) {
            QVERIFY(d.workspace.plans().at(i).scenario() == s.plans.at(i).scenario());
            QVERIFY2(d.workspace.plans().at(i).file().isEmpty(), "nothing is written to a path that a file names");
            QVERIFY(!d.workspace.plans().at(i).modified());
        }
    }
    void a_save_goes_to_the_workspace_that_a_plan_came_from() {
        Several s;
        const QString together = s.dir.filePath("ours.plimsoll-workspace");
        QVERIFY(s.plans.save_all(together).empty());
        Desk d;
        QVERIFY(d.window.open(together));
        set_tokens(d.workspace.document(), 640e9);
        const Replies replies;
        QVERIFY(d.window.save());
        QCOMPARE(replies.titles(), QStringList());
        QVERIFY(!d.workspace.document().modified());
        Desk again;
        QVERIFY(again.window.open(together));
        QCOMPARE(again.workspace.scenario().recipe.tokens, 640e9);
    }
    void a_plan_with_a_file_of_its_own_keeps_it_and_its_mark() {
        Several s;
        set_tokens(s.plans.at(1), 500e9);
        QVERIFY(s.plans.save_all(s.dir.filePath("ours.plimsoll-workspace")).empty());
        QVERIFY(s.plans.at(1).modified());
        QCOMPARE(s.plans.at(1).file(), s.path);
        QVERIFY(tokens_in(s.path) != 500e9);
    }
    void opening_a_workspace_asks_about_changes_and_what_was_open_comes_back() {
        Several s;
        const QString together = s.dir.filePath("ours.plimsoll-workspace");
        QVERIFY(s.plans.save_all(together).empty());
        set_tokens(s.plans.current(), 640e9);
        Replies replies({press(QMessageBox::Cancel), press(QMessageBox::Discard)});
        QVERIFY(!s.window.open(together));
        QCOMPARE(s.workspace.scenario().recipe.tokens, 640e9);
        QVERIFY(s.window.open(together));
        QCOMPARE(replies.titles(), asked_about_changes + asked_about_changes);
        QVERIFY(s.workspace.scenario().recipe.tokens != 640e9);
        s.press("plan.reopen");
        QCOMPARE(s.plans.count(), 4);
        QCOMPARE(s.workspace.scenario().recipe.tokens, 640e9);
    }
    void saving_asks_before_anything_is_dropped_from_the_file_data() {
        QTest::addColumn<QString>("why");
        QTest::addColumn<QString>("said");
        QTest::newRow("a plan of the file was closed") << "closed" << "closed here";
        QTest::newRow("another program wrote it") << "changed" << "another program";
    }
    void saving_asks_before_anything_is_dropped_from_the_file() {
        QFETCH(QString, why);
        QFETCH(QString, said);
        Several s;
        const QString together = s.dir.filePath("ours.plimsoll-workspace");
        QVERIFY(s.plans.save_all(together).empty());
        if (why == "closed") s.plans.close(1);
        else QVERIFY(write_atomically(together.toStdString(), "{}").has_value());
        const QByteArray before = bytes_of(together);
        QString text;
        Replies replies({[&](QDialog& box) {
            text = qobject_cast<QMessageBox*>(&box)->informativeText();
            box.reject();
        }, press("Replace")});
        QVERIFY(!s.window.save_workspace());
        QVERIFY2(text.contains(said), qPrintable(text));
        QCOMPARE(bytes_of(together), before);
        QVERIFY(s.window.save_workspace());
        QVERIFY(bytes_of(together) != before);
    }
    void a_damaged_workspace_is_a_message_and_changes_nothing_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("no JSON") << QByteArray("{ not");
        QTest::newRow("nested without end") << QByteArray(100000, '[');
        QTest::newRow("without plans") << QByteArray(R"({"schema": "plimsoll/workspace", "version": 1, "plans": []})");
        QTest::newRow("a path in place of a plan")
            << QByteArray(R"({"schema": "plimsoll/workspace", "version": 1, "plans": ["/etc/passwd"]})");
    }
    void a_damaged_workspace_is_a_message_and_changes_nothing() {
        QFETCH(QByteArray, bytes);
        Desk d;
        QTemporaryDir dir;
        const QString together = dir.filePath("theirs.plimsoll-workspace");
        QVERIFY(write_atomically(together.toStdString(), bytes.toStdString()).has_value());
        const Scenario before = d.workspace.scenario();
        Replies replies({press(QMessageBox::Ok)});
        QVERIFY(!d.window.open(together));
        QCOMPARE(replies.titles().size(), 1);
        QCOMPARE(d.workspace.plans().count(), 1);
        QVERIFY(d.workspace.scenario() == before);
        QVERIFY(d.workspace.plans().file().isEmpty());
    }
    void the_workspace_of_last_time_is_there_again() {
        QTemporaryDir dir;
        const QString together = dir.filePath("ours.plimsoll-workspace");
        {
            Several s;
            QVERIFY(s.plans.save_all(together).empty());
        }
        {
            Started s(together);
            QCOMPARE(s.workspace.plans().count(), 3);
            set_tokens(s.workspace.document(), 640e9);
            s.window.end();
        }
        Started s;
        QCOMPARE(s.workspace.plans().count(), 3);
        QCOMPARE(s.workspace.plans().file(), together);
        s.window.notices()->button("notice.recover")->click();
        QCOMPARE(s.workspace.plans().count(), 3);   // where it was changed
        QCOMPARE(s.workspace.scenario().recipe.tokens, 640e9);
        QVERIFY(s.window.save());
        QVERIFY(!s.workspace.document().modified());
        QCOMPARE(QDir(default_recovery()).entryList(QDir::Files), QStringList());
    }

private:
    static QString to_name(Started& s) { return s.workspace.plans().names()[s.workspace.plans().place()]; }
};

PLIMSOLL_TEST(tst_plan_tabs)
#include "tst_plan_tabs.moc"

// What the window asks before changes go, and what it remembers of itself until the next start.
#include "registered_test.h"

#include "views/replies.h"
#include "views/session_desk.h"

#include <QScreen>

using namespace plimsoll;

class tst_session : public QObject {
    Q_OBJECT
    TestHome home_;

private slots:
    void initTestCase();
    void init();
    void closing_with_unsaved_changes_asks_data();
    void closing_with_unsaved_changes_asks();
    void closing_an_unchanged_plan_asks_nothing();
    void whatever_is_opened_leaves_changes_where_they_are_data();
    void whatever_is_opened_leaves_changes_where_they_are();
    void the_next_start_looks_like_the_last_one();
    void saved_files_are_offered_at_the_next_start();
    void a_fresh_window_leaves_no_settings();
    void a_window_that_stays_open_stores_nothing();
    void the_last_plan_is_opened_again_data();
    void the_last_plan_is_opened_again();
    void a_crash_opens_the_last_file_again();
    void charts_only_is_not_what_the_next_start_looks_like();
    void inputs_that_were_hidden_come_with_their_sliders();
    void a_window_lies_within_the_screen_data();
    void a_window_lies_within_the_screen();
    void closing_asks_about_what_runs_data();
    void closing_asks_about_what_runs();
    void a_submitted_job_is_followed_after_a_restart();
};

void tst_session::initTestCase() { home_.use("tst_session"); }

void tst_session::init() { home_.clear(); }

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

void tst_session::whatever_is_opened_leaves_changes_where_they_are_data() {
    QTest::addColumn<QString>("how");
    QTest::addColumn<QStringList>("asked");
    QTest::newRow("a file") << "open" << QStringList{"Open a plan"};
    QTest::newRow("a new plan") << "new" << QStringList();
    QTest::newRow("an example") << "example" << QStringList();
    QTest::newRow("a file of last time") << "recent" << QStringList();
}

void tst_session::whatever_is_opened_leaves_changes_where_they_are() {
    QFETCH(QString, how);
    const QString path = PLIMSOLL_PRESETS_DIR "/scenarios/gpt-neox-20b-a100.json";
    QSettings().setValue("recent", QStringList{path});
    EditedDesk d;
    const Scenario edited = d.workspace.scenario();
    Replies replies({choose_file(path), press(QMessageBox::Ok)});
    if (how == "open") menu_action(d.window, "Open")->trigger();
    if (how == "new") menu_action(d.window, "New plan")->trigger();
    if (how == "example")
        menu_action(d.window, "Examples")->menu()->actions().last()->menu()->actions().last()->trigger();
    if (how == "recent") {
        QMenu* recent = menu_action(d.window, "Open recent")->menu();
        emit recent->aboutToShow();  // as the menu is opened
        recent->actions().first()->trigger();
    }
    QTEST(replies.titles().mid(0, 1), "asked");
    QCOMPARE(d.workspace.plans().count(), 2);
    QVERIFY(!(d.workspace.scenario() == edited));
    QVERIFY(!d.window.isWindowModified());
    d.workspace.plans().show(0);
    QVERIFY(d.workspace.scenario() == edited);
    QVERIFY(d.window.isWindowModified());
}

void tst_session::the_next_start_looks_like_the_last_one() {
    QSettings().setValue("recent", QStringList{PLIMSOLL_PRESETS_DIR "/scenarios/gpt-neox-20b-a100.json"});
    ComparedWorkspace workspace;
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
    const QSize placed = fitted({{}, size}, window.screen()->availableGeometry().marginsRemoved(frame_room)).size();
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
    ComparedWorkspace workspace;
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
    ComparedWorkspace workspace;
    MainWindow window(workspace, MainWindow::Session::remembered);
    window.show();
    Scenario edited = workspace.scenario();
    edited.recipe.tokens = edited_tokens;
    workspace.propose(edited, "Tokens");
    workspace.told();
    Replies replies({press(QMessageBox::Cancel)});
    QVERIFY(!window.close());
    QCOMPARE(QSettings().allKeys(), QStringList());
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
    QTemporaryDir dir;
    const QString path = dir.filePath("plan.json");
    QVERIFY(QFile::copy(neox, path));
    {
        Started s(path);  // without a plan of last time the next start shows the start page
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
    s.workspace.told();
    QTRY_VERIFY(!s.window.inputs()->nodes()->stops().empty());  // stops were made while the rows were out of sight
    QVERIFY(!s.window.inputs()->isVisible());
    menu_action(s.window, "Find an input")->trigger();
    QVERIFY(s.window.inputs()->isVisible());
    auto* tokens = s.window.findChild<QSlider*>("recipe.tokens.slider");
    QVERIFY(tokens);
    QTRY_VERIFY2(tokens->value() > 0, "the slider stands at its beginning beside a number in the middle");
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
    trial->set_log_directory(home_.path());
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

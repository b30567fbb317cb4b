// What runs beside the window: how many threads it takes, where it is listed and cancelled.
#include "registered_test.h"

#include "views/replies.h"
#include "views/session_desk.h"

#include "core/answers/search/envelope.h"
#include "views/window/preferences_dialog.h"

#include <thread>

using namespace plimsoll;

namespace {

// A job that runs until it is told to stop.
LatestJob::Deliver wait_for(const std::stop_token& stop) {
    while (!stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return [] {};
}

}  // namespace

class tst_running : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { use_test_settings(); }

    void half_of_the_cores_is_the_default() {
        QCOMPARE(search_threads({}), std::max(1, cores() / 2));
        QCOMPARE(search_threads({.threads = 1}), 1);
        QCOMPARE(search_threads({.threads = 100000}), cores());  // as the file of settings may say
        QCOMPARE(thread_choices().front().value, 0);
        QCOMPARE(thread_choices().back().value, cores());
    }

    void the_number_of_threads_is_kept_between_starts() {
        const Preferences before = stored_preferences();
        store({.threads = 3});
        QCOMPARE(stored_preferences().threads, 3);
        QSettings().setValue("threads", "many");
        QCOMPARE(stored_preferences().threads, 0);
        store(before);
    }

    void jobs_at_once_divide_the_threads() {
        const ThreadShare first(4);
        QCOMPARE(first.count(), 4);
        {
            const ThreadShare second(4);
            QCOMPARE(second.count(), 1);  // it would never begin otherwise
            const ThreadShare of_more(8);
            QCOMPARE(of_more.count(), 3);
        }
        QCOMPARE(ThreadShare(6).count(), 2);
    }

    void what_is_chosen_counts_at_once() {
        Desk d;
        PreferencesDialog dialog(d.workspace);
        auto* threads = dialog.findChild<QComboBox*>("preference.threads");
        auto* headroom = dialog.findChild<QComboBox*>("preference.headroom");
        QVERIFY(threads && headroom);
        QVERIFY2(threads->currentText().startsWith("Half of the cores"), qPrintable(threads->currentText()));
        QTest::keyClick(threads, Qt::Key_End);
        QCOMPARE(d.workspace.search_threads(), cores());
        QTest::keyClick(headroom, Qt::Key_Home);
        QCOMPARE(d.workspace.preferences().headroom, 0.0);
        QCOMPARE(d.workspace.preferences().threads, cores());  // the other choice stays
    }

    void the_dialog_is_in_the_edit_menu() {
        Desk d;
        Replies replies;
        menu_action(d.window, "Preferences")->trigger();
        QCOMPARE(replies.titles(), QStringList("Preferences"));
    }

    void a_job_is_listed_while_it_runs_and_cancelled_from_the_list() {
        LatestJob job;
        RunningJobs jobs;
        jobs.add("Counting", [&] { return job.busy(); }, [&] { job.stop(); });
        connect(&job, &LatestJob::busy_changed, &jobs, &RunningJobs::look);
        QVERIFY(jobs.isHidden() && jobs.running().isEmpty() && !jobs.cancel_all()->isEnabled());
        job.start(wait_for);
        QCOMPARE(jobs.running(), QStringList("Counting"));
        QVERIFY(jobs.isHidden());  // what ends within a moment is not shown
        QTRY_VERIFY(!jobs.isHidden());
        QCOMPARE(jobs.text().trimmed(), QString("Runs: Counting"));
        emit jobs.menu()->aboutToShow();
        QCOMPARE(jobs.menu()->actions().size(), 1);
        QCOMPARE(jobs.menu()->actions().front()->text(), QString("Cancel: Counting"));
        jobs.menu()->actions().front()->trigger();
        QTRY_VERIFY(!job.busy());
        QVERIFY(jobs.isHidden() && !jobs.cancel_all()->isEnabled());
    }

    void one_command_cancels_all_that_can_be() {
        LatestJob first, second;
        RunningJobs jobs;
        for (LatestJob* job : {&first, &second}) {
            jobs.add(job == &first ? "First" : "Second", [job] { return job->busy(); }, [job] { job->stop(); });
            connect(job, &LatestJob::busy_changed, &jobs, &RunningJobs::look);
            job->start(wait_for);
        }
        QTRY_COMPARE(jobs.text().trimmed(), QString("2 jobs run"));
        QVERIFY(jobs.cancel_all()->isEnabled());
        jobs.cancel_all()->trigger();
        QTRY_VERIFY(!first.busy() && !second.busy());
        QVERIFY(jobs.isHidden());
    }

    void the_fewest_nodes_are_one_command_away() {
        Desk d;
        menu_action(d.window, "Fewest nodes that fit")->trigger();
        QVERIFY(d.window.jobs()->running().contains("Fewest nodes that fit"));
        QTRY_VERIFY_WITH_TIMEOUT(!d.window.automatic().counting(), Desk::patience);
        d.settle();
        QCOMPARE(d.workspace.document().history().count(), 1);
        const Scenario& plan = d.workspace.scenario();
        QVERIFY(runs(d.workspace.told().outcome));
        const int nodes = nodes_used(plan);
        QVERIFY(nodes < 12);
        for (const int fewer : envelope_nodes(plan, 4096)) {
            if (fewer >= nodes) break;
            const Scenario there = on_nodes(plan, fewer);
            QVERIFY2(search(there, common_space(there), {.limit = 1}).top.empty(), qPrintable(QString::number(fewer)));
        }
    }

    void a_search_of_layouts_is_among_them() {
        Desk d;
        d.window.show_page("layouts");
        d.window.layouts()->search();
        QVERIFY(d.window.jobs()->running().contains("Search of layouts"));
        d.window.jobs()->cancel_all()->trigger();
        QTRY_VERIFY(!d.window.layouts()->busy());
        QVERIFY(!d.window.jobs()->running().contains("Search of layouts"));
    }
};

PLIMSOLL_TEST(tst_running)
#include "tst_running.moc"

// Where threads meet: work beside the window, searches on several threads, and published runs that are priced while the
// plan is edited. Without a window: the thread sanitizer's tree has only what is below it.
#include "registered_test.h"

#include "shipped.h"
#include "views/document/workspace.h"
#include "views/parts/background.h"
#include "views/parts/meanwhile.h"

#include "core/answers/curves/study.h"
#include "core/answers/search/search.h"
#include "core/values/knobs/knobs.h"

#include <QSignalSpy>
#include <QUndoStack>

using namespace plimsoll;

class tst_threads : public QObject {
    Q_OBJECT
private slots:
    void only_the_last_of_many_jobs_arrives() {
        LatestJob job;
        std::vector<int> arrived;
        for (int i = 0; i < 50; ++i)
            job.start([&arrived, i](std::stop_token stop) -> LatestJob::Deliver {
                while (i < 49 && !stop.stop_requested()) std::this_thread::yield();
                return [&arrived, i] { arrived.push_back(i); };
            });
        QVERIFY(job.busy() && LatestJob::any_busy());
        QTRY_VERIFY(!job.busy());
        QCOMPARE(arrived, std::vector<int>{49});
        QVERIFY(!LatestJob::any_busy());
        QTest::qWait(20);
        QCOMPARE(arrived.size(), std::size_t(1));
    }

    void a_stopped_job_arrives_and_a_forgotten_one_does_not() {
        LatestJob job;
        int arrived = 0;
        const auto until_stopped = [&arrived](std::stop_token stop) -> LatestJob::Deliver {
            while (!stop.stop_requested()) std::this_thread::yield();
            return [&arrived] { ++arrived; };
        };
        job.start(until_stopped);
        job.stop();
        QTRY_COMPARE(arrived, 1);
        job.start(until_stopped);
        job.forget();
        QVERIFY(!job.busy() && !LatestJob::any_busy());
        QTest::qWait(50);
        QCOMPARE(arrived, 1);
    }

    void work_that_throws_is_a_message_and_nothing_ends() {
        LatestJob job;
        const QSignalSpy failed(&job, &LatestJob::failed);
        job.start([](std::stop_token) -> LatestJob::Deliver { throw std::bad_alloc(); });
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY2(failed[0][0].toString().contains("memory"), qPrintable(failed[0][0].toString()));
        QVERIFY(!job.busy());
        bool arrived = false;
        job.start([&](std::stop_token) -> LatestJob::Deliver { return [&] { arrived = true; }; });
        QTRY_VERIFY(arrived);
    }

    void a_search_on_many_threads_finds_what_one_finds() {
        const Scenario plan = shipped_plan("gpt-neox-20b-a100");
        QCOMPARE(search(plan, common_space(), {.threads = 5}), search(plan, common_space(), {.threads = 1}));
    }

    // The plan is edited, undone and priced here while the search reads its own copy there.
    void edits_during_a_search_leave_it_alone() {
        Workspace workspace{library()};
        const Scenario plan = workspace.scenario();
        const SearchResult alone = search(plan, common_space(), {.threads = 1});
        BackgroundSearch searching({"Search", "Cancel"});
        const std::unique_ptr<QPushButton> button(searching.button());
        const std::unique_ptr<QProgressBar> bar(searching.bar());
        std::optional<SearchResult> found;
        const auto room = workspace.headroom_of_plans();
        searching.start([&, plan](std::stop_token stop, const BackgroundSearch::Progress& note) {
            auto result = std::make_shared<SearchResult>(search(plan, common_space(), {.threads = 2}, stop, note));
            room(plan);
            return [&found, result] { found = *result; };
        });
        int edits = 0;
        while (searching.busy()) {
            const double length = edits++ % 2 == 0 ? 512 : 1024;
            workspace.propose(*with(workspace.scenario(), *find_knob("recipe.sequence_length"), length), "Edit");
            QVERIFY(workspace.told().last_good);
            workspace.document().history().undo();
            QCoreApplication::processEvents();
        }
        QVERIFY(edits > 0);
        QVERIFY(found && *found == alone);
        QVERIFY(workspace.scenario() == plan);
    }

    void a_cancelled_search_shows_what_was_found() {
        const Scenario plan = shipped_plan("gpt-neox-20b-a100");
        BackgroundSearch searching({"Search", "Cancel"});
        const std::unique_ptr<QPushButton> button(searching.button());
        const std::unique_ptr<QProgressBar> bar(searching.bar());
        std::shared_ptr<Study> found;
        searching.start([&, plan](std::stop_token stop, const BackgroundSearch::Progress& note) {
            auto made = std::make_shared<Study>(study(plan, full_space(), {.threads = 2}, stop, note));
            return [&found, made] { found = made; };
        });
        QCOMPARE(button->text(), QString("Cancel"));
        QTest::qWait(5);
        searching.stop();
        QTRY_VERIFY_WITH_TIMEOUT(found, 60000);
        QVERIFY(found->found.cancelled || found->found.space == "full");
        QCOMPARE(button->text(), QString("Search"));
    }

    void a_file_is_read_beside_the_window() {
        QCOMPARE(meanwhile("plan.json", [] { return Expected<int, Problems>(7); }).value(), 7);
    }

    void nothing_waits_for_the_published_runs() {
        Workspace workspace{library()};
        QVERIFY(workspace.told().last_good);
        QVERIFY(!workspace.record());
        QVERIFY(!workspace.told().last_good->band);
        int told = 0;
        connect(&workspace, &Workspace::record_changed, this, [&] { ++told; });
        RecordLoader loader(workspace);
        QTRY_VERIFY_WITH_TIMEOUT(workspace.record(), 60000);
        QCOMPARE(told, 1);
        loader.wait();
        QCOMPARE(told, 1);
        QVERIFY(workspace.told().last_good->band);
    }

    void presets_may_be_saved_while_runs_are_priced() {
        Workspace workspace{library()};
        RecordLoader loader(workspace);
        Machine machine = workspace.scenario().machine;
        for (int i = 0; i < 100; ++i) {
            machine.id = "saved-" + std::to_string(i);
            workspace.add_presets(machine, {});
        }
        loader.wait();
        QVERIFY(workspace.record());
        QVERIFY(!workspace.record()->score.rows.empty());
    }
};

PLIMSOLL_TEST(tst_threads)
#include "tst_threads.moc"

// A run that stands still ends by itself; one that moves, however slowly, does not.
#include "registered_test.h"

#include "engine/report/statistics.h"
#include "engine/report/stopping.h"
#include "engine/report/watchdog.h"
#include "engine/train/step_line.h"
#include "forked.h"

#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <sstream>
#include <unistd.h>

using namespace plimsoll::engine;
using Json = nlohmann::ordered_json;
using std::chrono::milliseconds;

namespace {

void pause_for(int ms) { std::this_thread::sleep_for(milliseconds(ms)); }

// Until a stop is asked for; 0 when it never was.
int reason_within(int ms) {
    for (int waited = 0; waited < ms && !stop_requested(); waited += 20) pause_for(20);
    return int(stop_reason());
}

}  // namespace

class TestEngineWatchdog : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::string file(const char* name) { return folder_.filePath(name).toStdString(); }

private slots:
    void standing_still_is_told_with_rank_pass_and_phase() {
        const std::string out = file("still");
        const int code = in_child([&] {
            Log log({.out = out, .run = "k3", .rank = 1});
            Heartbeat beats[2]{};
            beats[0].changes = 40;
            Watchdog dog({.limit_s = 0.3, .beat = &beats[1], .all = beats, .log = &log}, 1);
            dog.changed(Pass::backward, Phase::tensor_parallel);
            pause_for(60000);
            return 0;
        });
        QCOMPARE(code, 70);
        const Json line = Json::parse(contents(out + ".rank1"));
        QCOMPARE(line["code"].get<std::string>(), "timeout");
        QCOMPARE(line["rank"].get<int>(), 1);
        const std::string text = line["text"];
        QVERIFY(text.find("rank 1 made no progress for 0.") != std::string::npos);
        QVERIFY(text.find("backward/tensor_parallel; rank 0 does not run") != std::string::npos);
    }
    void the_rank_that_is_waited_for_is_named() {
        const std::string out = file("behind");
        const int code = in_child([&] {
            Log log({.out = out, .run = "k3", .rank = 1});
            Heartbeat beats[2]{};
            beats[1].changes = 40;
            Watchdog other({.limit_s = 60, .beat = &beats[0], .all = beats}, 0);
            other.changed(Pass::forward, Phase::gemm);
            Watchdog dog({.limit_s = 0.5, .beat = &beats[1], .all = beats, .log = &log}, 1);
            pause_for(60000);
            return 0;
        });
        QCOMPARE(code, 70);
        QVERIFY(contents(out + ".rank1").find("furthest behind on this node is rank 0 in forward/gemm")
                != std::string::npos);
    }
    void the_abort_of_all_ranks_is_asked_with_70() {
        QCOMPARE(in_child([] {
            Heartbeat beat{};
            Watchdog dog({.limit_s = 0.2, .beat = &beat, .abort = [](int code) { _exit(code + 1); }}, 0);
            pause_for(60000);
            return 0;
        }), 71);
    }
    void an_abort_that_hangs_does_not_keep_the_process() {
        QCOMPARE(in_child([] {
            Heartbeat beat{};
            Watchdog dog({.limit_s = 0.2, .beat = &beat, .abort = [](int) { pause_for(60000); }, .abort_takes_s = 0.3},
                         0);
            pause_for(60000);
            return 0;
        }), 70);
    }
    void progress_keeps_it_quiet() {
        QCOMPARE(in_child([] {
            Heartbeat beat{};
            Watchdog dog({.limit_s = 1, .beat = &beat}, 0);
            for (int i = 0; i < 13; ++i) {
                dog.changed(Pass::forward, Phase::gemm);
                pause_for(100);
            }
            return 0;
        }), 0);
    }
    void a_slow_step_has_twenty_of_its_kind() {
        QCOMPARE(in_child([] {
            Heartbeat beat{};
            Watchdog dog({.limit_s = 0.1, .beat = &beat}, 0);
            dog.step_took(10);
            pause_for(600);
            return 0;
        }), 0);
    }
    // Contexts and communicators may take minutes where a step takes none.
    void what_is_opened_has_ten_times_as_long() {
        QCOMPARE(in_child([] {
            Heartbeat beat{};
            Watchdog dog({.limit_s = 0.2, .beat = &beat}, 0);
            dog.opens("the device");
            pause_for(700);
            dog.changed(Pass::forward, Phase::gemm);
            return 0;
        }), 0);
    }
    void a_library_that_does_not_return_is_a_failure_of_the_device() {
        const std::string out = file("opening");
        const int code = in_child([&] {
            Log log({.out = out, .run = "k3", .rank = 1});
            Heartbeat beat{};
            Watchdog dog({.limit_s = 0.05, .beat = &beat, .log = &log}, 1);
            dog.opens("an NCCL communicator of 4 ranks");
            pause_for(60000);
            return 0;
        });
        QCOMPARE(code, 6);
        const Json line = Json::parse(contents(out + ".rank1"));
        QCOMPARE(line["code"].get<std::string>(), "device");
        const std::string text = line["text"];
        QVERIFY(text.starts_with("rank 1 waited for an NCCL communicator of 4 ranks for 0."));
        QVERIFY(text.find("NCCL_DEBUG=INFO") != std::string::npos);
    }
    void what_was_opened_has_no_longer_than_others() {
        QCOMPARE(in_child([] {
            Heartbeat beat{};
            Watchdog dog({.limit_s = 0.2, .beat = &beat}, 0);
            dog.opens("the device");
            dog.changed(Pass::forward, Phase::gemm);
            pause_for(60000);
            return 0;
        }), 70);
    }
    void time_spent_stopped_does_not_count() {
        const pid_t child = start([] {
            Heartbeat beat{};
            Watchdog dog({.limit_s = 2, .beat = &beat}, 0);
            for (int i = 0; i < 8; ++i) {
                dog.changed(Pass::forward, Phase::gemm);
                pause_for(100);
            }
            return 0;
        });
        pause_for(300);
        kill(child, SIGSTOP);
        pause_for(2200);
        kill(child, SIGCONT);
        QCOMPARE(status_of(child), 0);
    }
    void a_quiet_second_is_a_beat_with_every_rank() {
        const std::string out = file("beat");
        Log log({.out = out, .run = "r", .stdout_file = -1});
        log.write("hello", {{"schema", 1}});
        Heartbeat beats[2]{};
        beats[1].rank = 1;
        Watchdog dog({.beat = &beats[0], .all = beats, .log = &log}, 0);
        dog.changed(Pass::update, Phase::data_parallel);
        QTRY_VERIFY_WITH_TIMEOUT(contents(out + ".part").find("beat") != std::string::npos, 20000);
        std::istringstream lines(contents(out + ".part"));
        std::string line;
        std::getline(lines, line);
        std::getline(lines, line);
        const Json beat = Json::parse(line);
        QVERIFY(beat["t_s"].get<double>() >= 1);
        QCOMPARE(beat["ranks"].size(), std::size_t(2));
        QCOMPARE(beat["ranks"][0]["phase"].get<std::string>(), "data_parallel");
        QCOMPARE(beat["ranks"][1]["rank"].get<int>(), 1);
    }

    void whoever_may_stop_a_run_is_told_apart_data() {
        QTest::addColumn<int>("signal");
        QTest::addColumn<int>("reason");
        QTest::newRow("terminated") << SIGTERM << int(StopReason::terminated);
        QTest::newRow("interrupted") << SIGINT << int(StopReason::interrupted);
        QTest::newRow("hung up") << SIGHUP << int(StopReason::hung_up);
    }
    void whoever_may_stop_a_run_is_told_apart() {
        QFETCH(int, signal);
        QFETCH(int, reason);
        QCOMPARE(in_child([&] {
            StopWatch watch({});
            if (stop_requested()) return 98;
            raise(signal);
            return reason_within(1);
        }), reason);
    }
    void a_cancel_file_stops() {
        const std::string cancel = file("cancel");
        QCOMPARE(in_child([&] {
            StopWatch watch({.cancel_file = cancel});
            if (reason_within(300) != 0) return 98;
            std::ofstream(cancel) << "please";
            return reason_within(20000);
        }), int(StopReason::cancel_file));
    }
    void the_end_of_stdin_stops_when_asked_for_data() {
        QTest::addColumn<bool>("asked");
        QTest::addColumn<int>("rank");
        QTest::addColumn<int>("reason");
        QTest::newRow("rank 0, asked") << true << 0 << int(StopReason::stdin_closed);
        QTest::newRow("not asked: a job script has no stdin") << false << 0 << 0;
        QTest::newRow("other ranks have none") << true << 1 << 0;
    }
    void the_end_of_stdin_stops_when_asked_for() {
        QFETCH(bool, asked);
        QFETCH(int, rank);
        QFETCH(int, reason);
        QCOMPARE(in_child([&] {
            int ends[2];
            if (pipe(ends) != 0 || dup2(ends[0], STDIN_FILENO) != STDIN_FILENO) return 97;
            StopWatch watch({.rank = rank, .stdin_ends = asked});
            if (write(ends[1], "typed\n", 6) != 6 || reason_within(300) != 0) return 98;
            close(ends[1]);
            return reason_within(reason ? 20000 : 500);
        }), reason);
    }
    void a_launcher_that_dies_stops_its_ranks() {
        int ends[2];
        QCOMPARE(pipe(ends), 0);
        in_child([&] {  // the launcher
            start([&] {
                StopWatch watch({.with_parent = true});
                const char reason = char(reason_within(20000));
                return int(write(ends[1], &reason, 1));
            });
            pause_for(500);
            return 0;
        });
        char reason = 0;
        QCOMPARE(read(ends[0], &reason, 1), ssize_t(1));
        QCOMPARE(int(reason), int(StopReason::parent_died));
        close(ends[0]);
        close(ends[1]);
    }
    void no_end_after_a_request_is_forced_with_75() {
        const std::string out = file("forced");
        QCOMPARE(in_child([&] {
            StopWatch watch({.rank = 2, .grace = milliseconds(200), .run = "r", .out = out});
            raise(SIGTERM);
            pause_for(60000);
            return 0;
        }), 75);
        QVERIFY(contents(out + ".rank2").find("no clean end within 0.2 s of the request to stop (SIGTERM)")
                != std::string::npos);
    }
    void a_long_step_has_the_time_it_needs_to_end() {
        QCOMPARE(in_child([] {
            StopWatch watch({.grace = milliseconds(100)});
            stop_is_asked_every(60);
            raise(SIGTERM);
            pause_for(800);
            return 0;
        }), 0);
    }
    void a_clean_end_is_not_forced() {
        QCOMPARE(in_child([] {
            StopWatch watch({.grace = milliseconds(100)});
            raise(SIGTERM);
            watch.ended();
            pause_for(800);
            return 0;
        }), 0);
    }

    void a_step_is_contended_by_the_thread_that_drives_it_data() {
        QTest::addColumn<double>("cpu_s");
        QTest::addColumn<bool>("contended");
        QTest::newRow("one of 48 threads had a collective to do, all the time") << 0.99 << false;
        QTest::newRow("it had the processor for two thirds of the step") << 0.67 << true;
    }
    void a_step_is_contended_by_the_thread_that_drives_it() {
        QFETCH(double, cpu_s);
        QFETCH(bool, contended);
        SelfComm alone;
        const PhaseSeconds phases;
        StepTiming timing;
        timing.seconds = timing.tokens = 1;
        timing.cpu_seconds = cpu_s;
        timing.phases = &phases;
        const Json line = step_line(timing, alone);
        QCOMPARE(line["quality"].dump(), contended ? R"(["contended"])" : "[]");
    }

    void medians_and_intervals_are_those_of_the_textbook() {
        QCOMPARE(median({3, 1, 2}), 2.0);
        QCOMPARE(median({4, 1, 3, 2}), 2.5);
        QVERIFY(std::isnan(median({})));
        QCOMPARE(quantile({1, 2, 3, 4, 5}, 0.25), 2.0);
        const Spread few = spread_of({5, 1, 3});
        QCOMPARE(few.low95, 1.0);
        QCOMPARE(few.high95, 5.0);
        QCOMPARE(few.count, std::size_t(3));
    }
    // Order statistics give the exact interval: the median of 101 values lies between
    // the 41st and the 61st in 95.5 % of samples (binomial, p = 1/2).
    void the_bootstrap_finds_the_binomial_interval() {
        std::vector<double> values;
        for (int i = 1; i <= 101; ++i) values.push_back(double(i * 37 % 101 + 1));
        const Spread s = spread_of(values);
        QCOMPARE(s.median, 51.0);
        QVERIFY(std::abs(s.low95 - 41) <= 2 && std::abs(s.high95 - 61) <= 2);
        QCOMPARE(spread_of(values).low95, s.low95);
        QVERIFY(contended(1.21, 1) && !contended(1.19, 1));
    }
};

PLIMSOLL_TEST(TestEngineWatchdog)
#include "tst_engine_watchdog.moc"

// How other programs are started, followed and stopped.
#include "registered_test.h"

#include "core/files/launch/process.h"

#include <csignal>
#include <fstream>
#include <poll.h>
#include <thread>
#include <unistd.h>

using namespace plimsoll;
using namespace std::chrono_literals;

namespace {

constexpr StopLadder quick{50ms, 200ms};
constexpr auto no_test_waits_so_long = 20s;

ProcessStart shell(const std::string& script) { return {"/bin/sh", {"-c", script}, {}}; }

struct Heard {
    std::vector<std::string> out, err;
    ProcessLines lines() {
        return {[this](std::string_view line) { out.emplace_back(line); },
                [this](std::string_view line) { err.emplace_back(line); }};
    }
};

void follow(Process& process) {
    while (process.advance()) {
        std::vector<pollfd> files;
        for (const int file : process.files())
            if (file >= 0) files.push_back({file, POLLIN, 0});
        ::poll(files.data(), nfds_t(files.size()), int(process.patience().count()));
    }
}

void follow_until(Process& process, const std::vector<std::string>& lines, std::size_t count) {
    while (lines.size() < count && process.advance()) std::this_thread::sleep_for(1ms);
}

// A process that has ended, be it that its parent has not asked for it yet.
bool gone(const std::string& id) {
    std::ifstream file("/proc/" + id + "/stat");
    std::string text;
    std::getline(file, text);
    const auto name_end = text.rfind(')');
    return name_end == text.npos || text.at(name_end + 2) == 'Z';
}

}  // namespace

class ProcessTest : public QObject {
    Q_OBJECT

private slots:
    void the_code_is_counted_as_shells_do_data() {
        QTest::addColumn<QString>("script");
        QTest::addColumn<int>("code");
        QTest::newRow("an end without complaint") << "exit 0" << 0;
        QTest::newRow("a code of its own") << "exit 7" << 7;
        QTest::newRow("ended by SIGKILL") << "kill -KILL $$" << 137;
        QTest::newRow("ended by SIGSEGV") << "kill -SEGV $$" << 139;
    }
    void the_code_is_counted_as_shells_do() {
        QFETCH(QString, script);
        const ProcessEnd end = run_process(shell(script.toStdString()), {});
        QFETCH(int, code);
        QCOMPARE(end.code, code);
        QVERIFY(end.failure.empty() && !end.cancelled && !end.timed_out);
    }

    void a_program_that_is_not_there_is_named_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("why");
        QTest::newRow("no such file") << "/nowhere/engine" << "/nowhere/engine: No such file or directory";
        QTest::newRow("no program") << "/etc/passwd" << "/etc/passwd: Permission denied";
    }
    void a_program_that_is_not_there_is_named() {
        QFETCH(QString, program);
        QFETCH(QString, why);
        const ProcessEnd end = run_process({program.toStdString(), {}, {}}, {});
        QCOMPARE(QString::fromStdString(end.failure), why);
        QVERIFY(end.code != 0);
    }

    void the_output_is_complete_data() {
        QTest::addColumn<QString>("script");
        QTest::addColumn<int>("out");
        QTest::addColumn<int>("err");
        QTest::addColumn<QString>("last");
        QTest::newRow("nothing at all") << "true" << 0 << 0 << "";
        QTest::newRow("a last line without an end") << "printf 'one\\ntwo'" << 2 << 0 << "two";
        QTest::newRow("empty lines count") << "printf '\\n\\nthree\\n'" << 3 << 0 << "three";
        QTest::newRow("more than a pipe holds, on both pipes")
            << "seq 100000; seq 50000 >&2" << 100000 << 50000 << "100000";
        QTest::newRow("said just before a signal ends it") << "seq 1000; kill -KILL $$" << 1000 << 0 << "1000";
    }
    void the_output_is_complete() {
        QFETCH(QString, script);
        QFETCH(int, out);
        QFETCH(int, err);
        QFETCH(QString, last);
        Heard heard;
        run_process(shell(script.toStdString()), heard.lines());
        QCOMPARE(int(heard.out.size()), out);
        QCOMPARE(int(heard.err.size()), err);
        QCOMPARE(QString::fromStdString(heard.out.empty() ? "" : heard.out.back()), last);
    }

    void a_child_that_keeps_the_output_open_is_not_waited_for() {
        Heard heard;
        const ProcessEnd end =
            run_process(shell("sleep 60 & echo $!"), heard.lines(), {.limit = no_test_waits_so_long});
        QCOMPARE(end.code, 0);
        QVERIFY(!end.timed_out);
        QCOMPARE(int(heard.out.size()), 1);
        ::kill(std::stoi(heard.out.front()), SIGKILL);
    }

    void the_environment_is_ours_and_what_is_added() {
        qputenv("PLIMSOLL_TEST_KEPT", "kept");
        qputenv("PLIMSOLL_TEST_REPLACED", "old");
        Heard heard;
        ProcessStart start =
            shell("echo $PLIMSOLL_TEST_KEPT $PLIMSOLL_TEST_REPLACED; env | grep -c ^PLIMSOLL_TEST_REPLACED=");
        start.environment = {{"PLIMSOLL_TEST_REPLACED", "new"}};
        run_process(start, heard.lines());
        QCOMPARE(heard.out, (std::vector<std::string>{"kept new", "1"}));
    }

    void stopping_goes_as_far_as_it_has_to_data() {
        QTest::addColumn<QString>("script");
        QTest::addColumn<int>("code");
        QTest::newRow("a closed input is enough") << "echo ready; cat; exit 75" << 75;
        QTest::newRow("SIGTERM is enough") << "echo ready; while :; do sleep 0.01; done" << 128 + SIGTERM;
        QTest::newRow("SIGTERM is ignored")
            << "trap '' TERM; echo ready; while :; do sleep 0.01; done" << 128 + SIGKILL;
    }
    void stopping_goes_as_far_as_it_has_to() {
        QFETCH(QString, script);
        QFETCH(int, code);
        Heard heard;
        Process process;
        QVERIFY(!process.start(shell(script.toStdString()), heard.lines(), quick));
        follow_until(process, heard.out, 1);
        QVERIFY(process.running() && !process.stopping());
        process.stop();
        follow(process);
        QCOMPARE(process.code(), code);
        QVERIFY(!process.running() && process.stopping());
    }

    void who_asks_again_can_be_less_patient() {
        Heard heard;
        Process process;
        const auto script = "trap '' TERM; echo ready; while :; do sleep 0.01; done";
        QVERIFY(!process.start(shell(script), heard.lines(), quick));
        follow_until(process, heard.out, 1);
        process.stop({no_test_waits_so_long, no_test_waits_so_long});
        QVERIFY(process.advance() && process.stopping());
        process.stop(quick);
        follow(process);
        QCOMPARE(process.code(), 128 + SIGKILL);
    }

    void a_signal_to_us_leaves_the_program_the_time_it_needs() {
        Heard heard;
        ProcessLines lines = heard.lines();
        lines.out = [&, us = ::getpid()](std::string_view line) {
            heard.out.emplace_back(line);
            if (line == "ready") ::kill(us, SIGINT);
        };
        const ProcessEnd end = run_process(shell("echo ready; cat; sleep 0.4; echo written; exit 75"), lines,
                                           {.heed_signals = true, .ladder = quick, .patient = [] {
                                                return StopLadder{no_test_waits_so_long, no_test_waits_so_long};
                                            }});
        QCOMPARE(heard.out, (std::vector<std::string>{"ready", "written"}));
        QCOMPARE(end.code, 75);
    }

    void children_of_the_program_end_with_it_data() {
        QTest::addColumn<QString>("script");
        QTest::newRow("while it waits for them") << "sh -c 'echo $$; exec sleep 60'; true";
        QTest::newRow("which ignore SIGTERM") << "sh -c 'trap \"\" TERM; echo $$; while :; do sleep 0.01; done'; true";
        QTest::newRow("left behind by one that ends at once")
            << "sh -c 'trap \"\" TERM; echo $$; while :; do sleep 0.01; done' & cat";
    }
    void children_of_the_program_end_with_it() {
        QFETCH(QString, script);
        Heard heard;
        Process process;
        QVERIFY(!process.start(shell(script.toStdString()), heard.lines(), quick));
        follow_until(process, heard.out, 1);
        QCOMPARE(int(heard.out.size()), 1);
        process.stop();
        follow(process);
        QTRY_VERIFY(gone(heard.out.front()));
    }

    void nothing_outlives_its_owner() {
        Heard heard;
        {
            Process process;
            QVERIFY(!process.start(shell("trap '' TERM; echo $$; while :; do sleep 0.01; done"), heard.lines(), quick));
            follow_until(process, heard.out, 1);
        }
        QTRY_VERIFY(gone(heard.out.front()));
    }

    void a_limit_is_kept() {
        Heard heard;
        const auto began = std::chrono::steady_clock::now();
        const ProcessEnd end = run_process(shell("trap '' TERM; echo $$; while :; do sleep 0.01; done"), heard.lines(),
                                           {.limit = 300ms, .ladder = quick});
        QVERIFY(end.timed_out && !end.cancelled);
        QCOMPARE(end.code, 128 + SIGKILL);
        QVERIFY(std::chrono::steady_clock::now() - began >= 300ms);
        QTRY_VERIFY(gone(heard.out.front()));
    }

    void a_limit_that_is_not_reached_changes_nothing() {
        const ProcessEnd end = run_process(shell("exit 3"), {}, {.limit = no_test_waits_so_long});
        QCOMPARE(end.code, 3);
        QVERIFY(!end.timed_out);
    }

    void a_signal_to_us_stops_the_program_first_data() {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGINT") << SIGINT;
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGHUP") << SIGHUP;
    }
    void a_signal_to_us_stops_the_program_first() {
        QFETCH(int, signal);
        Heard heard;
        const pid_t us = ::getpid();
        ProcessLines lines = heard.lines();
        lines.out = [&](std::string_view line) {
            heard.out.emplace_back(line);
            ::kill(us, signal);
        };
        const ProcessEnd end =
            run_process(shell("echo ready; cat; exit 75"), lines, {.heed_signals = true, .ladder = quick});
        QVERIFY(end.cancelled && !end.timed_out);
        QCOMPARE(end.code, 75);
    }

    void a_process_can_be_started_again() {
        Heard heard;
        Process process;
        for (const char* word : {"first", "second"}) {
            QVERIFY(!process.start(shell(std::string("echo ") + word), heard.lines()));
            follow(process);
        }
        QCOMPARE(heard.out, (std::vector<std::string>{"first", "second"}));
    }
};

PLIMSOLL_TEST(ProcessTest)
#include "tst_process.moc"

// What the engine says: complete lines, numbered, hashed, on stdout and in a file that is there when it is whole.
#include "registered_test.h"

#include "engine/report/log.h"
#include "engine/report/stopping.h"
#include "forked.h"

#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include <cmath>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <sstream>
#include <limits>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

using namespace plimsoll::engine;
using Json = nlohmann::ordered_json;
Q_DECLARE_METATYPE(Json)

namespace {

std::vector<Json> lines_of(const std::string& text) {
    std::vector<Json> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
    return lines;
}

}  // namespace

class TestEngineLog : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::string file(const char* name) { return folder_.filePath(name).toStdString(); }

private slots:
    void a_line_is_one_object_of_finite_numbers_data() {
        QTest::addColumn<Json>("given");
        QTest::addColumn<QString>("line");
        const auto row = [](const char* name, const Json& given, const char* line) {
            QTest::newRow(name) << given << QString(line);
        };
        const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
        row("finite stays as it is", {{"loss", 2.5}, {"n", 3}}, R"({"loss":2.5,"n":3})");
        row("nan becomes null with its reason", {{"loss", nan}}, R"({"loss":null,"loss_reason":"nan"})");
        row("minus infinity is told from infinity", {{"a", -inf}, {"b", inf}},
            R"({"a":null,"b":null,"a_reason":"-inf","b_reason":"inf"})");
        row("nested objects hold their own reasons", {{"phase", {{"gemm", {{"max", inf}, {"min", 1}}}}}},
            R"({"phase":{"gemm":{"max":null,"min":1,"max_reason":"inf"}}})");
        row("a list tells through its owner", {{"losses", {1.0, nan}}},
            R"({"losses":[1.0,null],"losses_reason":"nan"})");
        row("bytes that are no text do not end the log", {{"cpu", "a\xff z"}}, "{\"cpu\":\"a\xef\xbf\xbd z\"}");
    }
    void a_line_is_one_object_of_finite_numbers() {
        QFETCH(Json, given);
        QFETCH(QString, line);
        QCOMPARE(QString::fromStdString(line_of(given, 4096)), line + "\n");
    }

    void a_long_line_loses_the_tail_of_its_longest_list() {
        Json grid = Json::array();
        for (int rank = 0; rank < 5000; ++rank) grid.push_back({{"rank", rank}, {"node", rank / 8}});
        const std::string line =
            line_of({{"type", "layout"}, {"dp", 5000}, {"grid", grid}, {"short", {1, 2, 3}}}, longest_line);
        QVERIFY(line.size() <= longest_line);
        QVERIFY(line.size() > longest_line / 3);
        const Json read = Json::parse(line);
        QCOMPARE(read["truncated"]["grid"].get<int>(), 5000);
        QCOMPARE(read["short"].size(), std::size_t(3));
        QCOMPARE(read["grid"][7]["rank"].get<int>(), 7);
    }
    void a_long_text_is_shortened_too() {
        const std::string line = line_of({{"text", std::string(100000, 'x')}}, longest_line);
        QVERIFY(line.size() <= longest_line);
        QCOMPARE(Json::parse(line)["truncated"]["text"].get<int>(), 100000);
    }

    void lines_are_numbered_timed_and_hashed() {
        const std::string out = file("numbered");
        Log log({.out = out, .run = "k3", .stdout_file = -1});
        QVERIFY(!log.failure());
        log.write("hello", {{"schema", 1}});
        log.write("step", {{"step", 1}});
        QVERIFY(!std::filesystem::exists(out));
        QCOMPARE(log.close({{"status", "ok"}}), 0);
        QVERIFY(!std::filesystem::exists(out + ".part"));

        const std::string text = contents(out);
        const auto lines = lines_of(text);
        QCOMPARE(lines.size(), std::size_t(3));
        double before = 0;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            QCOMPARE(lines[i]["seq"].get<std::size_t>(), i);
            QCOMPARE(lines[i]["run"].get<std::string>(), "k3");
            QVERIFY(lines[i]["t_s"].get<double>() >= before);
            before = lines[i]["t_s"];
        }
        QCOMPARE(lines[2]["type"].get<std::string>(), "summary");
        QCOMPARE(lines[2]["lines"].get<int>(), 2);
        const std::size_t summary = text.rfind('\n', text.size() - 2) + 1;
        QCOMPARE(lines[2]["hash"].get<std::string>(), plimsoll::fingerprint_of(text.substr(0, summary)));
    }
    void the_hash_is_fnv_1a_as_published() {  // test vectors of Landon Curt Noll's reference
        QCOMPARE(plimsoll::hex16(plimsoll::fnv1a("")), "cbf29ce484222325");
        QCOMPARE(plimsoll::hex16(plimsoll::fnv1a("a")), "af63dc4c8601ec8c");
        QCOMPARE(plimsoll::hex16(plimsoll::fnv1a("foobar")), "85944171f73967e8");
        QCOMPARE(plimsoll::fnv1a("bar", plimsoll::fnv1a("foo")), plimsoll::fnv1a("foobar"));
    }

    void a_log_without_an_end_stays_partial() {
        const std::string out = file("partial");
        {
            Log log({.out = out, .run = "r", .stdout_file = -1});
            log.write("hello", {{"schema", 1}});
        }
        QVERIFY(!std::filesystem::exists(out));
        QCOMPARE(lines_of(contents(out + ".part")).size(), std::size_t(1));
    }
    void a_run_after_a_killed_one_starts_afresh() {
        const std::string out = file("afresh");
        {
            Log log({.out = out, .run = "killed", .stdout_file = -1});
            log.write("hello", {{"schema", 1}});
            log.write("step", Json::object());
        }
        report({ExitCode::numerics, "of the killed run", 3}, "killed", out);
        Log log({.out = out, .run = "next", .stdout_file = -1});
        log.close({{"status", "ok"}});
        QCOMPARE(lines_of(contents(out)).size(), std::size_t(1));
        QVERIFY(!std::filesystem::exists(out + ".rank3"));
    }
    void a_second_run_on_the_same_file_is_refused() {
        const std::string out = file("twice");
        Log first({.out = out, .run = "a", .stdout_file = -1});
        first.write("hello", {{"schema", 1}});
        Log second({.out = out, .run = "b", .stdout_file = -1});
        QVERIFY(second.failure().has_value());
        QCOMPARE(int(second.failure()->code), 2);
        QVERIFY(second.failure()->text.find(out) != std::string::npos);
        first.write("step", Json::object());
        QCOMPARE(first.close({{"status", "ok"}}), 0);
        QCOMPARE(lines_of(contents(out)).size(), std::size_t(3));
    }
    void a_folder_that_is_not_there_is_named() {
        const Log log({.out = file("nowhere/log"), .run = "r", .stdout_file = -1});
        QCOMPARE(int(log.failure()->code), 2);
        QVERIFY(log.failure()->text.find("No such file") != std::string::npos);
    }
    void other_ranks_are_silent() {
        const std::string out = file("silent");
        Log log({.out = out, .run = "r", .rank = 1});
        log.write("step", Json::object());
        QCOMPARE(log.close({{"status", "ok"}}), 0);
        QVERIFY(!std::filesystem::exists(out) && !std::filesystem::exists(out + ".part"));
    }

    void a_full_disk_leaves_complete_lines_and_says_so() {
        const std::string out = file("full");
        const int code = in_child([&] {
            const rlimit limit{1000, 1000};
            setrlimit(RLIMIT_FSIZE, &limit);
            Log log({.out = out, .run = "r", .stdout_file = -1});
            for (int step = 1; step < 50; ++step) log.write("step", {{"step", step}});
            if (!stop_requested() || stop_reason() != StopReason::log_failed) return 98;
            return log.close({{"status", "failed"}});
        });
        QCOMPARE(code, int(ExitCode::log_unwritable));
        QVERIFY(!std::filesystem::exists(out));
        const std::string text = contents(out + ".part");
        QVERIFY(text.size() <= 1000 && text.size() > 800 && text.back() == '\n');
        QCOMPARE(lines_of(text).back()["step"].get<std::size_t>(), lines_of(text).size());
    }
    void a_closed_pipe_asks_for_a_stop_and_keeps_the_file() {
        const std::string out = file("pipe");
        const int code = in_child([&] {
            int ends[2];
            if (pipe(ends) != 0) return 97;
            close(ends[0]);
            Log log({.out = out, .run = "r", .stdout_file = ends[1]});
            log.write("hello", {{"schema", 1}});
            if (stop_reason() != StopReason::stdout_closed) return 98;
            return log.close({{"status", "cancelled"}});
        });
        QCOMPARE(code, 0);
        QCOMPARE(lines_of(contents(out)).size(), std::size_t(2));
    }
    void a_reader_that_stopped_reading_does_not_keep_a_stop_from_being_logged() {
        const std::string out = file("unread");
        const int code = in_child([&] {
            int ends[2];
            if (pipe(ends) != 0) return 97;
            Log log({.out = out, .run = "r", .stdout_file = ends[1]});
            std::thread later([] {
                std::this_thread::sleep_for(std::chrono::milliseconds(300));
                request_stop(StopReason::terminated);
            });
            int lines = 0;
            while (!stop_requested()) log.write("step", {{"step", ++lines}, {"filling", std::string(1000, 'x')}});
            later.join();
            if (lines > 70) return 98;  // more than a pipe holds
            return log.close({{"status", "cancelled"}});
        });
        QCOMPARE(code, 0);
        QVERIFY(lines_of(contents(out)).size() > 10);
        QCOMPARE(lines_of(contents(out)).back()["status"].get<std::string>(), "cancelled");
    }
    void a_full_device_on_stdout_is_told_from_a_closed_one() {
        const int code = in_child([&] {
            Log log({.run = "r", .stdout_file = ::open("/dev/full", O_WRONLY)});
            log.write("hello", {{"schema", 1}});
            return log.close({{"status", "failed"}});
        });
        QCOMPARE(code, int(ExitCode::log_unwritable));
    }
    void a_rank_reports_without_the_others() {
        const std::string out = file("ranks");
        QCOMPARE(in_child([&] {
            report({ExitCode::numerics, "loss is nan at step 4", 2}, "k3", out);
            return 0;
        }), 0);
        const Json line = lines_of(contents(out + ".rank2")).at(0);
        QCOMPARE(line["type"].get<std::string>(), "error");
        QCOMPARE(line["code"].get<std::string>(), "numerics");
        QCOMPARE(line["exit_code"].get<int>(), 5);
        QCOMPARE(line["rank"].get<int>(), 2);
        QCOMPARE(line["run"].get<std::string>(), "k3");
    }
};

PLIMSOLL_TEST(TestEngineLog)
#include "tst_engine_log.moc"

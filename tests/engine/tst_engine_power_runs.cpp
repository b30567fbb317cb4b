// Energy in the engine's log, with counters of the tests' own: 300 W a board by the clock.
#include "registered_test.h"

#include "counter_trees.h"
#include "engine/bench/bench.h"
#include "engine/report/check.h"
#include "mpirun.h"

#include <nlohmann/json.hpp>

#include <QProcess>

#include <cmath>
#include <fstream>
#include <memory>

using namespace plimsoll;
using Json = nlohmann::ordered_json;

namespace {

constexpr double board_W = 300;

struct Ran {
    int code = -1;
    std::vector<Json> lines;
    std::vector<Json> of(const std::string& type) const {
        std::vector<Json> found;
        for (const Json& line : lines) if (line["type"] == type) found.push_back(line);
        return found;
    }
};

// A run of the engine, from its start on beside whatever else runs: most of these wait for seconds that a counter
// needs.
class Start {
public:
    // boards 0: a machine without counters.
    Start(int ranks, int boards, const QStringList& options) {
        auto environment = mpi_environment();
        environment.insert("PLIMSOLL_POWER_ROOT", QString::fromStdString(tree_.root().string()));
        environment.insert("PLIMSOLL_NVML", boards ? PLIMSOLL_FAKE_COUNTERS : "no-such-nvml.so");
        environment.insert("PLIMSOLL_ROCM_SMI", "no-such-rocm.so");
        environment.insert("PLIMSOLL_PWR", "no-such-pwr.so");
        environment.insert("FAKE_COUNTERS_W", QString::number(board_W));
        environment.insert("FAKE_COUNTERS_BOARDS", QString::number(boards));
        environment.insert("PLIMSOLL_BACKEND_FOLDER", PLIMSOLL_STAND_IN_FOLDER);
        process_.setProcessEnvironment(environment);
        // Nobody empties a pipe while another test is at work, and the engine would wait for it.
        process_.setStandardOutputFile(QProcess::nullDevice());
        process_.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        QStringList all{"--layers", "1", "--heads", "4", "--vocabulary", "256", "--threads", "1", "--out", log()};
        if (!options.contains("--width")) all += {"--width", "32", "--sequence", "32"};
        all += options;
        if (ranks == 1) process_.start(PLIMSOLL_ENGINE_PROGRAM, all);
        else process_.start("mpirun", mpirun(ranks, QStringList{PLIMSOLL_ENGINE_PROGRAM} + all));
    }
    // Where only some tests were asked for, nobody waited for the rest: mpirun ends its ranks.
    ~Start() {
        if (process_.state() == QProcess::NotRunning) return;
        process_.terminate();
        process_.waitForFinished(10000);
    }
    Ran end() {
        process_.waitForFinished(240000);
        Ran ran{process_.exitCode(), {}};
        std::ifstream in(log().toStdString());
        for (std::string line; std::getline(in, line);) ran.lines.push_back(Json::parse(line));
        std::ifstream again(log().toStdString());
        for (const auto& finding : engine::check_log(again).findings) {
            qWarning("line %ld: %s", finding.line, finding.text.c_str());
            ran.code = 99;
        }
        return ran;
    }

private:
    QString log() const { return folder_.filePath("log"); }
    const CounterTree tree_;
    QTemporaryDir folder_;
    QProcess process_;
};

Ran run(int ranks, int boards, const QStringList& options) { return Start(ranks, boards, options).end(); }

// Half a million multiplications a token, 512 tokens a rank: 600 steps take three seconds where a core does 150
// GFLOP/s.
QStringList training(int ranks) {
    return {"--dp", QString::number(ranks), "--width", "128", "--sequence", "128", "--steps",
            "600",  "--idle-seconds",       "3"};
}

bool close_to(double value, double expected, double share) {
    return std::abs(value - expected) <= share * std::abs(expected);
}

Json board(int node, double watts, Json limit) {
    return {{"node", node}, {"scope", "gpu"}, {"W", watts}, {"limit_W", std::move(limit)}};
}

}  // namespace

class TestEnginePowerRuns : public QObject {
    Q_OBJECT

private slots:
    // The three that take long, all at once: none is asked how fast it is.
    void initTestCase() {
        suite_ = std::make_unique<Start>(2, 1, QStringList{"--dp", "2", "--bench", "power", "--bench-size", "1048576"});
        one_rank_ = std::make_unique<Start>(1, 2, training(1));
        two_ranks_ = std::make_unique<Start>(2, 2, training(2));
    }

    void a_machine_without_counters_says_so_and_trains() {
        const Ran ran = run(1, 0, {"--steps", "2"});
        QCOMPARE(ran.code, 0);
        QCOMPARE(ran.of("energy").size(), std::size_t(1));
        QVERIFY(!ran.of("energy")[0]["available"].get<bool>());
        const auto energy = ran.of("energy");
        for (const Json& source : energy[0]["sources"]) QVERIFY(source["reason"].is_string());
        QVERIFY(ran.of("power").empty());
        QVERIFY(!ran.of("summary")[0]["energy"]["available"].get<bool>());
        for (const Json& step : ran.of("step")) QVERIFY(step["energy_J"].is_null());
    }

    void steps_close_windows_whose_energy_is_their_power_data() {
        QTest::addColumn<int>("ranks");
        QTest::newRow("one rank") << 1;
        QTest::newRow("two ranks of one node count it once") << 2;
    }
    void steps_close_windows_whose_energy_is_their_power() {
        QFETCH(int, ranks);
        const Ran ran = (ranks == 1 ? one_rank_ : two_ranks_)->end();
        QCOMPARE(ran.code, 0);
        const Json energy = ran.of("summary")[0]["energy"];
        QVERIFY2(energy["available"].get<bool>(), energy.dump().c_str());
        QCOMPARE(energy["scope"].get<std::string>(), std::string("gpu"));
        QCOMPARE(energy["nodes"].get<int>(), 1);
        QVERIFY2(close_to(energy["gross_J"], 2 * board_W * energy["window_s"].get<double>(), 1e-3),
                 energy.dump().c_str());
        QVERIFY2(close_to(energy["idle_W"], 2 * board_W, 1e-3), energy.dump().c_str());
        QVERIFY2(std::abs(energy["net_J"].get<double>()) < 1e-2 * energy["gross_J"].get<double>(),
                 energy.dump().c_str());
        const double tokens = 128.0 * 4 * ranks * energy["steps"].get<double>();
        QVERIFY(close_to(energy["per_token_J"].get<double>() * tokens, energy["gross_J"], 1e-9));
        // What a window says is what its steps took.
        double seconds = 0, joules = 0;
        for (const Json& step : ran.of("step")) {
            if (step["step"] > 1) seconds += step["step_s"].get<double>();
            if (step["energy_J"].is_null()) continue;
            joules += step["energy_J"].get<double>();
            QVERIFY(seconds <= 1.02 * energy["window_s"].get<double>() + 0.05);
        }
        QVERIFY(close_to(joules, energy["gross_J"], 1e-9));
        QVERIFY(!ran.of("power").empty());
    }

    void boards_of_a_device_run_are_still_counted() {
        const Ran ran = run(1, 1, {"--steps", "3", "--device", "cuda"});
        QCOMPARE(ran.code, 0);
        const Json summary = ran.of("summary")[0];
        double seconds = 0;
        for (const Json& step : ran.of("step")) if (step["step"] > 1) seconds += step["step_s"].get<double>();
        QVERIFY2(summary["energy_J"].is_number(), summary.dump().c_str());
        QVERIFY2(summary["energy_J"].get<double>() >= 0.9 * board_W * seconds, summary.dump().c_str());
        QVERIFY(close_to(summary["energy_per_token_J"].get<double>() * 2 * 4 * 32, summary["energy_J"], 1e-9));
    }
    void a_device_run_without_nvml_has_no_such_number() {
        const Ran ran = run(1, 0, {"--steps", "2", "--device", "cuda"});
        QCOMPARE(ran.code, 0);
        QVERIFY(ran.of("summary")[0]["energy_J"].is_null());
    }

    void the_power_suite_holds_its_loads() {
        const Ran ran = suite_->end();
        QCOMPARE(ran.code, 0);
        const auto lines = ran.of("bench");
        QCOMPARE(lines.size(), std::size_t(5));
        const char* loads[] = {"idle", "stream", "gemm", "all_reduce", "idle_after"};
        for (std::size_t i = 0; i < lines.size(); ++i) {
            QCOMPARE(lines[i]["kind"].get<std::string>(), std::string("power"));
            QCOMPARE(lines[i]["params"]["load"].get<std::string>(), std::string(loads[i]));
            QVERIFY2(close_to(lines[i]["W"], board_W, 1e-3), lines[i].dump().c_str());
            QVERIFY(lines[i]["window_s"] >= 5.0 && lines[i]["window_calls"] > 0);
            QCOMPARE(lines[i]["domains"].size(), std::size_t(1));
        }
    }
    void the_power_suite_without_counters_is_one_warning() {
        const Ran ran = run(1, 0, {"--bench", "power"});
        QCOMPARE(ran.code, 0);
        QVERIFY(ran.of("bench").empty());
        const auto warnings = ran.of("warn");  // a busy machine is told too
        QVERIFY(std::any_of(warnings.begin(), warnings.end(),
                            [](const Json& w) { return w["code"] == "power_unavailable"; }));
    }

    void full_load_lies_near_the_limit_data() {
        QTest::addColumn<QString>("domains");
        QTest::addColumn<int>("boards");
        QTest::addColumn<bool>("within");
        const auto row = [](const char* name, const Json& domains, int boards, bool within) {
            QTest::newRow(name) << QString::fromStdString(domains.dump()) << boards << within;
        };
        row("near it", Json::array({board(0, 650, 700)}), 1, true);
        row("below half of it", Json::array({board(0, 300, 700)}), 1, false);
        row("above it by a fifth", Json::array({board(0, 840, 700)}), 1, false);
        row("boards that nobody uses rest", Json::array({board(0, 650, 700), board(0, 80, 700)}), 1, true);
        row("a board that should work and rests", Json::array({board(0, 650, 700), board(0, 80, 700)}), 2, false);
        row("on the second node", Json::array({board(0, 650, 700), board(1, 80, 700)}), 1, false);
        row("no limit is told", Json::array({board(0, 80, nullptr)}), 1, true);
    }
    void full_load_lies_near_the_limit() {
        QFETCH(QString, domains);
        QFETCH(int, boards);
        QFETCH(bool, within);
        QCOMPARE(engine::within_limits(Json::parse(domains.toStdString()), std::size_t(boards)), within);
    }

private:
    std::unique_ptr<Start> suite_, one_rank_, two_ranks_;
};

PLIMSOLL_TEST(TestEnginePowerRuns)
#include "tst_engine_power_runs.moc"

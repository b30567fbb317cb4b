// Ranks with a device each, whose groups NCCL carries: every layout trains what one processor does, what was carried
// how is said, times are the device's, and whatever fails ends with exit code 6 and a sentence. Devices and NCCL are
// stand-ins between processes, on which verbs are work of streams and opening and closing wait for the peers.
#include "registered_test.h"

#include "layout_runs.h"

#include <nlohmann/json.hpp>

using namespace plimsoll;
using Json = nlohmann::ordered_json;

namespace {

const QStringList tiny{"--layers",     "4",   "--width",    "32", "--heads", "4", "--threads", "1",
                       "--vocabulary", "256", "--sequence", "12", "--steps", "2"};

// Variables of the stand-in's, for as long as this lives.
class Environment {
public:
    explicit Environment(std::initializer_list<std::pair<const char*, QByteArray>> variables) {
        for (const auto& [name, value] : variables) {
            qputenv(name, value);
            names_.push_back(name);
        }
    }
    ~Environment() {
        for (const char* name : names_) qunsetenv(name);
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

private:
    std::vector<const char*> names_;
};

struct Ended {
    int code = -1;
    QByteArray log, errors;
    std::vector<Json> lines(const char* type) const {
        std::vector<Json> found;
        for (const QByteArray& line : log.split('\n'))
            if (Json object = Json::parse(line.toStdString(), nullptr, false);
                object.is_object() && object["type"] == type)
                found.push_back(object);
        return found;
    }
};

Ended run(int ranks, const QStringList& options) {
    QProcess engine;
    engine.setProcessEnvironment(mpi_environment());
    const QStringList command = 
        QStringList{PLIMSOLL_ENGINE_PROGRAM, "--device", "cuda", "--precision", "fp32"}
        + with_defaults(options, tiny + QStringList{"--micro-batch", "1"});
    if (ranks == 1) engine.start(command[0], command.mid(1));
    else engine.start("mpirun", QStringList{"--mca", "odls_base_sigkill_timeout", "0"} + mpirun(ranks, command));
    Ended ended;
    if (!engine.waitForFinished(120000)) return ended;
    ended.code = engine.exitStatus() == QProcess::NormalExit ? engine.exitCode() : -1;
    ended.log = engine.readAllStandardOutput();
    ended.errors = engine.readAllStandardError();
    return ended;
}

}  // namespace

class TestEngineNccl : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        qputenv("PLIMSOLL_BACKEND_FOLDER", PLIMSOLL_STAND_IN_FOLDER);
        qputenv("PLIMSOLL_STAND_IN_FOLDER", folder_.path().toUtf8());
    }

    // The short form has every verb and every order of messages: PLIMSOLL_CAMPAIGN=1 runs the whole matrix.
    void layouts_train_what_one_processor_does() {
        std::vector<LayoutRun> layouts = sampled({
            {"one", "--micro-batch 4"},
            {"dp2 overlapping", "--dp 2 --micro-batch 1 --accumulate 2 --overlap"},
            {"dp4 ZeRO-3", "--dp 4 --micro-batch 1 --zero 3 --recompute full"},
            {"tp4 sequence parallel", "--tp 4 --sp --micro-batch 4"},
            {"pp4", "--pp 4 --micro-batch 1 --accumulate 4"},
            {"pp2 interleaved", "--pp 2 --chunks 2 --micro-batch 1 --accumulate 4"},
            {"dp2.pp2 ZeRO-1", "--dp 2 --pp 2 --micro-batch 1 --accumulate 2 --zero 1"},
        });
        int ranks = 4;
        if (qEnvironmentVariableIsSet("PLIMSOLL_CAMPAIGN")) {
            ranks = 8;
            for (const char* more :
                 {"--dp 2 --micro-batch 2", "--dp 2 --micro-batch 2 --zero 1", "--dp 2 --micro-batch 2 --zero 2",
                  "--dp 2 --micro-batch 2 --zero 1 --overlap", "--dp 4 --micro-batch 1 --zero 3",
                  "--tp 2 --micro-batch 4", "--tp 2 --sp --micro-batch 4 --recompute selective",
                  "--tp 4 --micro-batch 4 --recompute full", "--pp 3 --micro-batch 1 --accumulate 4",
                  "--pp 2 --micro-batch 2 --accumulate 2", "--pp 4 --micro-batch 1 --accumulate 4 --recompute full",
                  "--dp 2 --tp 2 --micro-batch 2", "--dp 2 --tp 2 --sp --micro-batch 2 --zero 3",
                  "--tp 2 --pp 2 --micro-batch 1 --accumulate 4", "--tp 2 --pp 2 --sp --micro-batch 2 --accumulate 2",
                  "--dp 2 --tp 2 --pp 2 --micro-batch 1 --accumulate 2",
                  "--dp 2 --tp 2 --pp 2 --sp --zero 1 --micro-batch 1 --accumulate 2 --overlap",
                  "--dp 4 --pp 2 --micro-batch 1 --zero 2", "--tp 4 --pp 2 --micro-batch 1 --accumulate 4",
                  "--dp 2 --tp 4 --micro-batch 2 --zero 1"})
                layouts.push_back({more, more});
        }
        const QStringList model = tiny.mid(0, 6) + tiny.mid(8);   // run_all sets the threads
        const auto on = [&](const char* device, const std::vector<LayoutRun>& runs, int count) {
            const QStringList common{"--device", device, "--precision", "fp32"};
            return run_all(PLIMSOLL_ENGINE_PROGRAM, common + model, runs, count);
        };
        const Runs expected = on("cpu", {layouts[0], {"in pieces", "--micro-batch 2 --accumulate 2"}}, 1);
        QVERIFY2(expected.problem.isEmpty(), qPrintable(expected.problem));
        const Environment devices{{"PLIMSOLL_STAND_IN_DEVICES", QByteArray::number(ranks)}};
        const Runs found = on("cuda", layouts, ranks);
        QVERIFY2(found.problem.isEmpty(), qPrintable(found.problem));
        for (const LayoutRun& layout : layouts) {
            const QString text = departures(found.of(layout.name), expected.of("one"), 1e-5, 2e-5);
            QVERIFY2(text.isEmpty(), qPrintable(layout.name + ": " + text));
        }
    }

    // Every result is compared with what it must be; a ring of three is one of no even rounds.
    void each_verb_gives_what_it_must_data() {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<QString>("dimension");
        QTest::newRow("three stages") << 3 << "--pp";
        if (!qEnvironmentVariableIsSet("PLIMSOLL_CAMPAIGN")) return;
        for (int ranks = 2; ranks <= 8; ++ranks) {
            QTest::addRow("%d stages", ranks) << ranks << "--pp";
            QTest::addRow("%d data ranks", ranks) << ranks << "--dp";
        }
    }
    void each_verb_gives_what_it_must() {
        QFETCH(int, ranks);
        QFETCH(QString, dimension);
        const Environment devices{{"PLIMSOLL_STAND_IN_DEVICES", QByteArray::number(ranks)}};
        const Ended ended = run(ranks, {dimension, QString::number(ranks), "--layers", "8", "--bench",
                                        "collectives,p2p", "--bench-seconds", "0.001", "--bench-size", "200K"});
        QVERIFY2(ended.code == 0, ended.errors + ended.log);
        QCOMPARE(ended.lines("transport")[0]["transport"].get<std::string>(), "nccl");
        QVERIFY(ended.lines("bench").size() >= 12);
        for (const Json& line : ended.lines("bench")) QVERIFY(line["median_s"] > 0.0);
    }

    void what_carries_the_groups_is_said_data() {
        QTest::addColumn<int>("devices");
        QTest::addColumn<bool>("bound");
        QTest::addColumn<QString>("transport");
        QTest::addColumn<QString>("reason");
        QTest::newRow("a device for every rank") << 2 << false << "nccl" << "";
        QTest::newRow("each task sees its own device alone, and calls it 0") << 2 << true << "nccl" << "";
        QTest::newRow("two ranks on one device") << 1 << false << "host_memory"
                                                 << "ranks 0 and 1 share the device 0000:00:00.0 of node 0";
    }
    void what_carries_the_groups_is_said() {
        QFETCH(int, devices);
        QFETCH(bool, bound);
        QFETCH(QString, transport);
        QFETCH(QString, reason);
        const Environment environment{{"PLIMSOLL_STAND_IN_DEVICES", QByteArray::number(devices)},
                                      {"PLIMSOLL_STAND_IN_BOUND", bound ? "1" : "0"}};
        const Ended ended = run(2, {"--dp", "2"});
        QVERIFY2(ended.code == 0, ended.errors);
        const auto lines = ended.lines("transport");
        QCOMPARE(lines.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(lines[0]["transport"]), transport);
        QCOMPARE(QString::fromStdString(lines[0].value("reason", "")), reason);
        QCOMPARE(QString::fromStdString(lines[0]["ranks"][1]["bus_id"]),
                 QString("0000:0%1:00.0").arg(devices == 2 ? 1 : 0));
        const auto binding = ended.lines("binding");
        QCOMPARE(binding.size(), std::size_t(1));
        QCOMPARE(binding[0]["ranks"].size(), std::size_t(2));
        QVERIFY(!binding[0]["ranks"][1]["threads"].get<std::string>().empty());
    }

    // The stand-in computes long after the host has queued the step: it would all be charged to the phase in which the
    // host waits.
    void a_phase_is_the_device_s_time_for_it() {
        const Ended ended = run(1, {"--sequence", "24"});
        QVERIFY2(ended.code == 0, ended.errors);
        const Json step = ended.lines("step").back();
        const auto mean = [&](const char* phase) { return step["phase"][phase]["mean"].get<double>(); };
        const double computing = mean("gemm") + mean("attention") + mean("elementwise") + mean("ends");
        QVERIFY2(computing > 2 * mean("optimizer"), step.dump().c_str());
        double sum = 0;
        for (const auto& [name, part] : step["phase"].items()) sum += part["mean"].get<double>();
        const double step_s = step["step_s"];
        QVERIFY2(std::abs(sum - step_s) < 0.02 * step_s, step.dump().c_str());
    }
    // 4 transfers a step; all of them hold the other stage up.
    void what_a_group_holds_up_is_the_device_s_time_too() {
        const Environment devices{{"PLIMSOLL_STAND_IN_DEVICES", "2"}};
        const Ended ended = run(2, {"--pp", "2", "--micro-batch", "1", "--accumulate", "2"});
        QVERIFY2(ended.code == 0, ended.errors);
        const Json pipeline = ended.lines("step").back()["comm"]["pipeline"];
        QVERIFY2(pipeline["total_s"] > 0.0 && pipeline["exposed_s"] > 0.0, pipeline.dump().c_str());
    }

    void devices_that_fail_end_the_run_with_a_sentence_data() {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<QByteArray>("failure");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("a communicator that is refused")
            << 2 << QByteArray("init_fails:1") << QStringList{"--dp", "2"} << 6 << QByteArray("ncclCommInitRank");
        QTest::newRow("the same in a bench")
            << 2 << QByteArray("init_fails:1") << QStringList{"--dp", "2", "--bench", "collectives"} << 6
            << QByteArray("unhandled system error");
        QTest::newRow("a communicator that never opens")
            << 2 << QByteArray("init_hangs:1") << QStringList{"--dp", "2", "--watchdog", "1"} << 6
            << QByteArray("waited for an NCCL communicator of 2 ranks for ");
        QTest::newRow("a peer that NCCL says is gone")
            << 2 << QByteArray("remote_error:0:4") << QStringList{"--dp", "2", "--steps", "1000"} << 6
            << QByteArray("NCCL, in a group of 2 ranks: remote process exited");
        QTest::newRow("the same among four stages")
            << 4 << QByteArray("remote_error:2:20")
            << QStringList{"--pp", "4", "--micro-batch", "1", "--accumulate", "4", "--steps", "1000"} << 6
            << QByteArray("remote process exited");
        QTest::newRow("a peer that dies")
            << 2 << QByteArray("dies:1:6") << QStringList{"--dp", "2", "--steps", "1000"} << 137 << QByteArray();
    }
    void devices_that_fail_end_the_run_with_a_sentence() {
        QFETCH(int, ranks);
        QFETCH(QByteArray, failure);
        QFETCH(QStringList, options);
        QFETCH(int, code);
        QFETCH(QByteArray, says);
        const Environment environment{{"PLIMSOLL_STAND_IN_DEVICES", QByteArray::number(ranks)},
                                      {"PLIMSOLL_STAND_IN_FAILURE", failure}};
        const Ended ended = run(ranks, options);
        QCOMPARE(ended.code, code);
        QVERIFY2(ended.errors.contains(says), ended.errors);
        if (code != 6) return;
        Json said;
        for (const QByteArray& line : ended.errors.split('\n'))
            if (Json object = Json::parse(line.toStdString(), nullptr, false); object.is_object()) said = object;
        QVERIFY2(said.is_object(), ended.errors);
        QCOMPARE(said["type"].get<std::string>(), "error");
        QCOMPARE(said["code"].get<std::string>(), "device");
        QCOMPARE(said["exit_code"].get<int>(), 6);
    }

    void devices_that_are_too_old_are_refused_by_name() {
        const Environment environment{{"PLIMSOLL_STAND_IN_COMPUTE", "70"}};
        const Ended ended = run(1, {"--bench", "gemm"});
        QCOMPARE(ended.code, 6);
        QVERIFY2(ended.log.contains("stand-in has compute capability 7.0; bf16 needs 8.0 (A100) or newer"), ended.log);
    }

    // The stand-in's NCCL takes 5 MiB for a communicator that is in use.
    void what_nccl_and_the_kernels_take_is_no_room_for_a_layout_data() {
        QTest::addColumn<long long>("beside_KiB");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("room for both") << 7000ll << 0 << QByteArray();
        QTest::newRow("a communicator too much")
            << 3000ll << 4 << QByteArray(" of the device on rank 0 and there are ");
        QTest::newRow("the kernels' own memory too much")
            << 5130ll << 4 << QByteArray("no room beside them for what its kernels want");
    }
    void what_nccl_and_the_kernels_take_is_no_room_for_a_layout() {
        QFETCH(long long, beside_KiB);
        QFETCH(int, code);
        QFETCH(QByteArray, says);
        const QStringList options{"--dp", "2", "--width", "128", "--steps", "1"};
        const Environment environment{{"PLIMSOLL_STAND_IN_DEVICES", "2"},
                                      {"PLIMSOLL_STAND_IN_MEMORY", memory(options, beside_KiB << 10)}};
        const Ended ended = run(2, options);
        QVERIFY2(ended.code == code && (ended.log + ended.errors).contains(says), ended.errors + ended.log);
    }

private:
    static Json predicted(const QStringList& options) {
        const Ended said = run(1, options + QStringList{"--predict"});
        return Json::parse(said.log.left(said.log.indexOf('\n')).toStdString())["predicted_B"];
    }
    // Of a device that has `beside` bytes more than what the arena and cuBLASLt's workspace take.
    static QByteArray memory(const QStringList& options, long long beside) {
        return QByteArray::number((32ll << 20) + predicted(options)["total"].get<long long>() + beside);
    }
    QTemporaryDir folder_;
};

PLIMSOLL_TEST(TestEngineNccl)
#include "tst_engine_nccl.moc"

// A library's attention beside the engine's: times of the device and not of queueing, a program that may do anything
// and fails no calibration, and the whole way from its answers to the constants of a machine.
#include "registered_test.h"

#include "core/costs/kernels/layer.h"
#include "core/evidence/calibration/plan/experiments.h"
#include "core/files/measured/calibration_plan.h"
#include "core/files/measured/calibration_log.h"
#include "core/files/presets/library.h"
#include "engine/arguments/options_parse.h"
#include "engine/bench/library.h"
#include "engine/bench/suites.h"
#include "running_engine.h"

#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <numeric>

using namespace plimsoll;
using namespace plimsoll::engine;

namespace {

const Library& shipped_presets() {
    static const Library l = load_library(
        std::vector<std::filesystem::path>{std::filesystem::path(PLIMSOLL_TESTS_DIR).parent_path() / "presets"});
    return l;
}

const QStringList library_words{"--layers", "1",    "--width",     "1024", "--heads", "8", "--vocabulary", "256",
                        "--sequence", "1024", "--micro-batch", "4", "--precision", "bf16", "--device", "cuda",
                        "--threads", "1", "--bench-seconds", "0.001", "--bench-own"};

Options library_options(const QStringList& words) {
    std::vector<std::string> arguments;
    for (const QString& word : words) arguments.push_back(word.toStdString());
    return parse(arguments, {}).options;
}

// The plan of one bench on an A100, which is another device than the stand-in's.
ExperimentPlan library_plan() {
    ExperimentPlan plan;
    plan.machine = plan.subject.machine = shipped_presets().machines.at("dgx-a100-superpod");
    plan.engine = plan.subject.stack = shipped_presets().stacks.at("plimsoll-engine");
    plan.model = plan.subject.model = shipped_presets().models.begin()->second;
    PlannedRun run;
    run.id = library_attention_id;
    run.label = "Attention of PyTorch, where it is found";
    run.expected = 1 * second;
    for (const QString& word : library_words) run.words.push_back(word.toStdString());
    run.words.insert(run.words.end(), {"--bench", "library"});
    plan.runs = {run};
    plan.constants = planned_constants(plan.runs);
    return plan;
}

double fitted_number(const Calibrated& c, std::string_view pointer) {
    for (const MeasuredConstant& each : c.constants)
        if (each.pointer == pointer) return each.value;
    return 0;
}

}  // namespace

class TestEngineLibrary : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    const Options options_ = library_options(library_words);
    const std::vector<AttentionShape> shapes_ = library_shapes(options_);

    LibraryAnswer answer(std::chrono::milliseconds limit = std::chrono::minutes(2),
                         std::function<bool()> stop = [] { return false; }) const {
        return ask_library({options_, shapes_, limit, std::move(stop)});
    }
    // A calibration of that plan alone, in a process of its own.
    int calibrate_here(const QString& log) const {
        QFile plan(folder_.filePath("plan.json"));
        if (!plan.open(QFile::WriteOnly)) return -1;
        plan.write(write_calibration_plan(library_plan()).c_str());
        plan.close();
        QProcess engine;
        engine.setProcessEnvironment(mpi_environment());
        engine.setStandardOutputFile(QProcess::nullDevice());
        engine.start(PLIMSOLL_ENGINE_PROGRAM, {"--calibrate", plan.fileName(), "--out", log});
        if (!engine.waitForFinished(patience_ms)) return -1;
        std::ostringstream said;
        if (engine.exitCode() == 0 && check_file(log.toStdString(), said) != 0) qWarning("%s", said.str().c_str());
        return engine.exitCode() ? engine.exitCode() : check_file(log.toStdString(), said);
    }
    CalibrationResult result(const char* name) {
        const QString log = folder_.filePath(name);
        if (calibrate_here(log) != 0) QTest::qFail("the calibration failed", __FILE__, __LINE__);
        const auto read = read_calibration_log(log.toStdString());
        auto all = read ? result_of(*read) : Unexpected{Problems{}};
        if (!all) QTest::qFail("its log cannot be read", __FILE__, __LINE__);
        return all ? std::move(*all) : CalibrationResult{};
    }

private slots:
    void initTestCase() {
        if (QStandardPaths::findExecutable("python3").isEmpty()) QSKIP("there is no python3");
    }
    void init() {
        qputenv("PYTHONPATH", PLIMSOLL_TESTS_DIR "/engine/stand_in_torch");
        qputenv("PYTHONDONTWRITEBYTECODE", "1");   // beside the stand-in, which is a source
        qunsetenv("PLIMSOLL_PYTHON");
        qunsetenv("STAND_IN_TORCH");
    }
    void cleanupTestCase() {
        for (const char* name : {"PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "PLIMSOLL_PYTHON", "STAND_IN_TORCH"})
            qunsetenv(name);
    }

    void the_shapes_are_the_engine_s_own_and_one_of_another_width_of_heads() {
        QCOMPARE(shapes_.size(), std::size_t(7));
        for (const AttentionShape& a : shapes_) {
            QCOMPARE(a.K, a.H);
            QCOMPARE(a.D, &a == &shapes_.back() ? 64 : 128);
        }
    }

    // The stand-in's host takes 20 us to queue a call, several times what the shortest takes on its device.
    void times_are_those_of_the_device() {
        const LibraryAnswer a = answer();
        QVERIFY2(a.problem.empty(), a.problem.c_str());
        QCOMPARE(a.library, std::string("PyTorch 2.6.0, CUDA 12.4"));
        QCOMPARE(a.device, std::string("NVIDIA A100-SXM4-80GB"));
        QCOMPARE(a.points.size(), 2 * shapes_.size());
        for (const LibraryPoint& p : a.points) {
            const AttentionShape& s = shapes_[p.shape];
            const double flop = (p.backward ? 5.0 : 2.0) * s.B * s.H * s.T * s.T * s.D;
            const double seconds = flop / (312e12 * (p.backward ? 0.5 : 0.6) / (1 + 20.0 / s.D)) * (1 + 300.0 / s.T)
                                 + 4.88e-6;
            QCOMPARE(p.kernel, std::string("flash"));
            QVERIFY(!p.starved && p.seconds.size() >= 7 && p.warmup > 3);
            for (const double each : p.seconds)
                QVERIFY2(std::abs(each / seconds - 1) < 1e-6, qPrintable(QString::number(each / seconds)));
        }
    }
    void a_host_that_cannot_keep_up_is_said() {
        qputenv("STAND_IN_TORCH", "slow host");
        const LibraryAnswer a = answer();
        QCOMPARE(a.points.size(), 2 * shapes_.size());
        for (const LibraryPoint& p : a.points) QVERIFY(p.starved);
    }

    void whatever_python_does_is_a_sentence_data() {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<int>("points");
        QTest::addColumn<QString>("said");
        const QString none = "No library's attention was measured, so the device keeps the preset's: ";
        QTest::newRow("no PyTorch") << "absent" << 0 << none + "its Python has no PyTorch.";
        QTest::newRow("no device") << "blind" << 0 << none + "its PyTorch sees no such device.";
        QTest::newRow("an old one") << "old" << 0 << none + "its PyTorch is older than 2.0.";
        QTest::newRow("rubbish") << "rubbish" << 0 << none + "what came back cannot be read.";
        QTest::newRow("a line without an end") << "endless" << 0 << none + "what came back cannot be read.";
        QTest::newRow("hostile values, and one that could be") << "hostile" << 1
            << "Of a library's attention 1 of 14 points were measured: what came back cannot be read.";
        QTest::newRow("it dies halfway") << "dies" << 1 << "its Python ended with exit code 139.";
        QTest::newRow("shapes that it has no memory for") << "refuses" << 10
            << "Of a library's attention 10 of 14 points were measured: PyTorch refused the others.";
    }
    void whatever_python_does_is_a_sentence() {
        QFETCH(QString, mode);
        QFETCH(int, points);
        QFETCH(QString, said);
        qputenv("STAND_IN_TORCH", mode.toUtf8());
        const LibraryAnswer a = answer();
        QVERIFY2(QString::fromStdString(a.problem).endsWith(said), a.problem.c_str());
        QVERIFY2(mode == "dies" ? a.points.size() >= 1 : a.points.size() == std::size_t(points), a.problem.c_str());
        QVERIFY(!a.stopped);
    }
    void one_that_hangs_is_ended_at_the_limit() {
        qputenv("STAND_IN_TORCH", "hangs");
        const LibraryAnswer a = answer(std::chrono::seconds(1));
        QVERIFY2(a.problem.ends_with("it took longer than 1 s."), a.problem.c_str());
        QVERIFY(a.points.empty() && !a.stopped);
    }
    void one_that_hangs_is_ended_by_a_stop() {
        qputenv("STAND_IN_TORCH", "hangs");
        int asked = 0;
        QVERIFY(answer(std::chrono::minutes(2), [&] { return ++asked > 3; }).stopped);
    }
    void the_interpreter_is_the_one_that_is_named() {
        qputenv("PLIMSOLL_PYTHON", folder_.path().toUtf8());
        QVERIFY2(answer().problem.ends_with("PLIMSOLL_PYTHON names no program that can be run."),
                 answer().problem.c_str());
        qputenv("PLIMSOLL_PYTHON", "/bin/false");
        QVERIFY2(answer().problem.ends_with("its Python ended with exit code 1."), answer().problem.c_str());
    }
    void no_python_is_said() {
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", folder_.path().toUtf8());
        const LibraryAnswer a = answer();
        qputenv("PATH", path);
        QVERIFY2(a.problem.ends_with("there is no python3, and PLIMSOLL_PYTHON names no other."), a.problem.c_str());
    }

    // From the answers of a stand-in to a machine: the log, its reader, the fit.
    void a_calibration_takes_the_library_s_kernel_for_the_device_s() {
        const CalibrationResult r = result("whole");
        QVERIFY2(r.record.cautions.empty(), r.record.cautions.empty() ? "" : r.record.cautions.front().c_str());
        const Efficiency& e = r.calibrated.machine.device.efficiency;
        QVERIFY2(std::abs(e.flash_forward / 0.6 - 1) < 0.05, qPrintable(QString::number(e.flash_forward)));
        QVERIFY2(std::abs(e.flash_backward / 0.5 - 1) < 0.05, qPrintable(QString::number(e.flash_backward)));
        QVERIFY2(std::abs(e.flash_half_sequence / 300 - 1) < 0.1, qPrintable(QString::number(e.flash_half_sequence)));
        QVERIFY2(std::abs(e.flash_half_head / 20 - 1) < 0.2, qPrintable(QString::number(e.flash_half_head)));
        QCOMPARE(fitted_number(r.calibrated, "/device/efficiency/flash_forward"), e.flash_forward);
        // Software that names FlashAttention 2 is priced by what was measured, too.
        const FusedAttention& named = e.attention[std::size_t(AttentionKernel::flash_2)];
        QCOMPARE(fitted_number(r.calibrated, "/device/efficiency/attention/flash_2/forward"), named.forward);
        QVERIFY2(std::abs(named.forward / (0.6 / (1 + 20.0 / 128)) - 1) < 0.05,
                 qPrintable(QString::number(named.forward)));
        QCOMPARE(r.calibrated.stack.kernels.flash_forward_scale, 1.0);
        QCOMPARE(r.record.experiments.front().label, std::string("Attention of PyTorch 2.6.0, CUDA 12.4 (flash)"));
        for (const std::string& each : r.record.assumed)
            QVERIFY2(!each.ends_with("no point that could be used"), each.c_str());
    }
    void without_a_library_nothing_changes_but_a_sentence_data() {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<QStringList>("said");
        const QString few = "Too few times of a library's attention can be used";
        QTest::newRow("no PyTorch") << "absent" << QStringList{"its Python has no PyTorch"};
        QTest::newRow("a kernel that is not fused") << "math" << QStringList{few};
        QTest::newRow("times of the host") << "slow host" << QStringList{few};
        QTest::newRow("hostile values") << "hostile" << QStringList{few, "what came back cannot be read"};
    }
    void without_a_library_nothing_changes_but_a_sentence() {
        QFETCH(QString, mode);
        qputenv("STAND_IN_TORCH", mode.toUtf8());
        const CalibrationResult r = result(qPrintable("without " + mode));
        QVERIFY(r.calibrated.machine == library_plan().machine);
        QVERIFY(r.calibrated.constants.empty());
        QFETCH(QStringList, said);
        QCOMPARE(r.record.cautions.size(), std::size_t(said.size()));
        for (qsizetype i = 0; i < said.size(); ++i)
            QVERIFY2(QString::fromStdString(r.record.cautions[std::size_t(i)]).contains(said[i]),
                     r.record.cautions[std::size_t(i)].c_str());
    }
    void it_is_measured_on_one_rank_alone() {
        const Options two = library_options(library_words + QStringList{"--bench", "library", "--dp", "2"});
        QVERIFY(problems(two, 2).front().find("--bench library measures one device") != std::string::npos);
    }
};

PLIMSOLL_TEST(TestEngineLibrary)
#include "tst_engine_library.moc"

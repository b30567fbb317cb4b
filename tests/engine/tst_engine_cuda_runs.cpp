// Training on devices, whole: the engine opens a back end, stages its groups through the host, and trains the model
// that the processor trains. The devices are stand-ins that run the CUDA kernels' own code, one for all ranks of a
// layout.
#include "registered_test.h"

#include "layout_runs.h"

using namespace plimsoll;

namespace {

// Heads of 64, so that bf16 goes through the fused attention; a length that is no multiple of its tiles.
const QStringList gpt2{"--layers",     "2",   "--width",    "128", "--heads", "2",
                       "--vocabulary", "256", "--sequence", "80",  "--steps", "2"};
const QStringList small_gpt2{"--layers",     "2",   "--width",    "32", "--heads", "4",
                             "--vocabulary", "256", "--sequence", "12", "--steps", "2"};
const QStringList llama{"--model",    "llama", "--layers",     "2",   "--width",    "64", "--heads", "4",
                        "--kv-heads", "2",     "--vocabulary", "256", "--sequence", "12", "--steps", "2"};

Runs run_on(const char* device, const char* precision, const QStringList& model, const std::vector<LayoutRun>& runs,
            int ranks = 4) {
    return run_all(PLIMSOLL_ENGINE_PROGRAM, QStringList{"--device", device, "--precision", precision} + model, runs,
                   ranks);
}

// a b / |a| |b|
double cosine(const std::vector<double>& a, const std::vector<double>& b) {
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        ab += a[i] * b[i];
        aa += a[i] * a[i];
        bb += b[i] * b[i];
    }
    return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

}  // namespace

class TestEngineCudaRuns : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("PLIMSOLL_BACKEND_FOLDER", backend_); }

    void without_a_back_end_the_processor_trains_and_the_log_says_why() {
        qputenv("PLIMSOLL_BACKEND_FOLDER", "/nowhere");
        QProcess engine;
        engine.start(PLIMSOLL_ENGINE_PROGRAM,
                     QStringList{"--device", "cuda", "--precision", "fp32", "--layers", "1", "--width", "16", "--heads",
                                 "2", "--vocabulary", "256", "--sequence", "8", "--steps", "1"});
        QVERIFY(engine.waitForFinished());
        qputenv("PLIMSOLL_BACKEND_FOLDER", backend_);
        const QByteArray log = engine.readAllStandardOutput();
        QCOMPARE(engine.exitCode(), 0);
        QVERIFY2(log.contains("CUDA is not used: there is no backend_cuda.so in /nowhere (this build has no CUDA); "
                              "going on on the processor in fp32"),
                 log);
        QVERIFY(log.contains(R"("device":"cpu")") && log.contains(R"("status":"ok")"));
    }

    void layouts_train_what_one_processor_does_data() {
        QTest::addColumn<QStringList>("model");
        QTest::newRow("gpt2") << small_gpt2;
        QTest::newRow("llama") << llama;
    }
    // Bounds of the processor's own layouts in fp32.
    void layouts_train_what_one_processor_does() {
        QFETCH(QStringList, model);
        const Runs expected = run_on("cpu", "fp32", model,
                                     {{"one", "--micro-batch 4"}, {"in pieces", "--micro-batch 2 --accumulate 2"}}, 1);
        QVERIFY2(expected.problem.isEmpty(), qPrintable(expected.problem));
        const std::vector<LayoutRun> layouts = sampled({
            {"one", "--micro-batch 4"},
            {"dp2 overlapping", "--dp 2 --micro-batch 1 --accumulate 2 --overlap"},
            {"dp2 ZeRO-3", "--dp 2 --micro-batch 2 --zero 3 --recompute full"},
            {"tp2", "--tp 2 --micro-batch 4"},
            {"tp2 sequence parallel", "--tp 2 --sp --micro-batch 4"},
            {"pp2", "--pp 2 --micro-batch 1 --accumulate 4"},
            {"dp2.pp2 ZeRO-1", "--dp 2 --pp 2 --micro-batch 1 --accumulate 2 --zero 1"},
        });
        const Runs found = run_on("cuda", "fp32", model, layouts);
        QVERIFY2(found.problem.isEmpty(), qPrintable(found.problem));
        for (const LayoutRun& layout : layouts) {
            const QString text = departures(found.of(layout.name), expected.of("one"), 1e-5, 2e-5);
            QVERIFY2(text.isEmpty(), qPrintable(layout.name + ": " + text));
        }
    }

    // bf16 keeps three digits: the losses agree to 5e-3, the gradients in direction.
    void bf16_trains_what_fp32_does() {
        const std::vector<LayoutRun> layouts{{"one", "--micro-batch 2"},
                                             {"tp2.pp2", "--tp 2 --pp 2 --micro-batch 1 --accumulate 2"}};
        const Runs expected =
                       run_on("cpu", "fp32", gpt2, {layouts[0], {"in pieces", "--micro-batch 1 --accumulate 2"}}, 1),
                   found = run_on("cuda", "bf16", gpt2, layouts);
        QVERIFY2(expected.problem.isEmpty(), qPrintable(expected.problem));
        QVERIFY2(found.problem.isEmpty(), qPrintable(found.problem));
        const Dump& exact = expected.of("one").dump;
        for (const LayoutRun& layout : layouts) {
            const Dump& dump = found.of(layout.name).dump;
            QCOMPARE(dump.losses.size(), exact.losses.size());
            for (std::size_t i = 0; i < exact.losses.size(); ++i)
                QVERIFY2(std::abs(dump.losses[i] / exact.losses[i] - 1) < 5e-3, qPrintable(layout.name));
            for (const auto& [name, gradient] : exact.gradients) {
                if (name.ends_with(".k.bias")) continue;  // a softmax does not see it: its gradient is rounding alone
                const double c = cosine(dump.gradients.at(name).x, gradient.x);
                QVERIFY2(
                    c > 0.999,
                    qPrintable(QString("%1, %2: cosine %3").arg(layout.name, QString::fromStdString(name)).arg(c)));
            }
        }
    }
private:
    // tests/gpu/run.sh asks for the back end of the build instead.
    const QByteArray backend_ = qEnvironmentVariableIsSet("PLIMSOLL_REAL_DEVICE")
                                  ? qgetenv("PLIMSOLL_BACKEND_FOLDER")
                                  : QByteArray(PLIMSOLL_STAND_IN_FOLDER);
};

PLIMSOLL_TEST(TestEngineCudaRuns)
#include "tst_engine_cuda_runs.moc"

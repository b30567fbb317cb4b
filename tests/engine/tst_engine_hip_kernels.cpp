// The AMD back end: the same kernels under HIP's names on a stand-in device with waves of 64 lanes, in which blocks
// count warps of 32 that leave loops at different times; and what is said where no such device or library is.
#include "registered_test.h"

#include "engine/cuda/backend.h"
#include "tests/engine/device_suite.h"
#include "tests/engine/layout_runs.h"
#include "tests/engine/stand_in/stand_in_order.h"

#include <QTemporaryDir>
#include <dlfcn.h>

using namespace plimsoll;
using namespace plimsoll::engine;

namespace {

// tests/gpu/run.sh --amd asks for the back end of the build instead, on a real device.
bool is_real() { return qEnvironmentVariableIsSet("PLIMSOLL_REAL_DEVICE"); }

const Backend& hip_device() {
    static const Backend b =
        is_real() ? use_device(0, Maker::amd) : use_device(open_backend({PLIMSOLL_STAND_IN_HIP_FOLDER}, Maker::amd), 0);
    if (!b.table) qFatal("%s", b.message.c_str());
    return b;
}

void set_hip_order(stand_in::Order order) {
    if (is_real()) return;
    (void)hip_device();
    const auto file = std::filesystem::path(PLIMSOLL_STAND_IN_HIP_FOLDER) / toolkit(Maker::amd).file;
    void* library = dlopen(file.c_str(), RTLD_NOW);
    reinterpret_cast<decltype(&plimsoll_stand_in_order)>(dlsym(library, "plimsoll_stand_in_order"))(order);
}

}  // namespace

class TestEngineHipKernels : public QObject {
    Q_OBJECT

private slots:
    void a_back_end_that_is_not_there_is_missed_by_its_name() {
        QTemporaryDir folder;
        QCOMPARE(QString::fromStdString(open_backend({folder.path().toStdString()}, Maker::amd).message),
                 "ROCm is not used: there is no backend_hip.so in " + folder.path() + " (this build has no ROCm)");
    }
    void kernels_are_loaded_before_the_first_step() {
        qunsetenv("HIP_ENABLE_DEFERRED_LOADING");
        (void)open_backend({"/nowhere"}, Maker::amd);
        QCOMPARE(qgetenv("HIP_ENABLE_DEFERRED_LOADING"), QByteArray("0"));
    }
    void a_device_is_named_with_its_architecture() {
        const QString name = QString::fromStdString(hip_device().message).section(',', 0, 0);
        if (is_real()) QVERIFY2(name.contains(" (gfx9"), qPrintable(name));
        else QCOMPARE(name, QString("stand-in (gfx90a)"));
    }

    void each_kernel_computes_in_waves_of_64_what_the_processor_does_data() { rows(); }
    void each_kernel_computes_in_waves_of_64_what_the_processor_does() {
        QFETCH(int, operation);
        compare(device_operations[operation], *hip_device().table, is_real() ? 40 : 3);
    }

    void the_order_of_threads_changes_no_bit_data() { rows(); }
    void the_order_of_threads_changes_no_bit() {
        QFETCH(int, operation);
        std::vector<unsigned char> first;
        for (const auto order : {stand_in::Order::ascending, stand_in::Order::shuffled}) {
            dice.seed(11);
            set_hip_order(order);
            const auto bits = worst_of<bf16>(device_operations[operation].bf16_storage, *hip_device().table, 1).bits;
            if (first.empty()) first = bits;
            QVERIFY(!bits.empty() && bits == first);
        }
        set_hip_order(stand_in::Order::ascending);
    }

    // The engine whole, with --device hip; all layouts are trained on CUDA's stand-in (tst_engine_cuda_runs.cpp).
    void layouts_train_what_one_processor_does() {
        const QStringList model{"--layers",     "2",   "--width",    "32", "--heads", "4",
                                "--vocabulary", "256", "--sequence", "12", "--steps", "2", "--precision", "fp32"};
        const std::vector<LayoutRun> layouts{{"one", "--micro-batch 4"},
                                             {"tp2 sequence parallel", "--tp 2 --sp --micro-batch 4"}};
        if (!is_real()) qputenv("PLIMSOLL_BACKEND_FOLDER", PLIMSOLL_STAND_IN_HIP_FOLDER);
        const Runs expected = run_all(PLIMSOLL_ENGINE_PROGRAM, QStringList{"--device", "cpu"} + model,
                                      {layouts[0], {"in pieces", "--micro-batch 2 --accumulate 2"}}, 1),
                   found = run_all(PLIMSOLL_ENGINE_PROGRAM, QStringList{"--device", "hip"} + model, layouts, 2);
        qunsetenv("PLIMSOLL_BACKEND_FOLDER");
        QVERIFY2(expected.problem.isEmpty(), qPrintable(expected.problem));
        QVERIFY2(found.problem.isEmpty(), qPrintable(found.problem));
        for (const LayoutRun& layout : layouts) {
            const QString text = departures(found.of(layout.name), expected.of("one"), 1e-5, 2e-5);
            QVERIFY2(text.isEmpty(), qPrintable(layout.name + ": " + text));
        }
    }

    void without_the_back_end_the_processor_trains_and_the_log_says_why() {
        qputenv("PLIMSOLL_BACKEND_FOLDER", "/nowhere");
        QProcess engine;
        engine.start(PLIMSOLL_ENGINE_PROGRAM,
                     QStringList{"--device", "hip", "--precision", "fp32", "--layers", "1", "--width", "16", "--heads",
                                 "2", "--vocabulary", "256", "--sequence", "8", "--steps", "1"});
        QVERIFY(engine.waitForFinished());
        qunsetenv("PLIMSOLL_BACKEND_FOLDER");
        const QByteArray log = engine.readAllStandardOutput();
        QCOMPARE(engine.exitCode(), 0);
        QVERIFY2(log.contains("ROCm is not used: there is no backend_hip.so in /nowhere (this build has no ROCm); "
                              "going on on the processor in fp32"),
                 log);
    }
};

PLIMSOLL_TEST(TestEngineHipKernels)
#include "tst_engine_hip_kernels.moc"

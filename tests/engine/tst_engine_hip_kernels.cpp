// The AMD back end: the same kernels under HIP's names on a stand-in device with waves of 64 lanes, in which blocks
// count warps of 32 that leave loops at different times; and what is said where no such device or library is.
#include "registered_test.h"

#include "engine/cuda/backend.h"
#include "tests/engine/device_suite.h"
#include "tests/engine/stand_in/stand_in_order.h"

#include <QTemporaryDir>
#include <dlfcn.h>

using namespace plimsoll::engine;

namespace {

const Backend& stand_in_device() {
    static const Backend b = use_device(open_backend({PLIMSOLL_STAND_IN_HIP_FOLDER}, Maker::amd), 0);
    if (!b.table) qFatal("%s", b.message.c_str());
    return b;
}
const PlimsollBackend& stand_in_table() { return *stand_in_device().table; }

void set_order(stand_in::Order order) {
    (void)stand_in_table();
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
        QCOMPARE(QString::fromStdString(stand_in_device().message).section(',', 0, 0), QString("stand-in (gfx90a)"));
    }

    void each_kernel_computes_in_waves_of_64_what_the_processor_does_data() { rows(); }
    void each_kernel_computes_in_waves_of_64_what_the_processor_does() {
        QFETCH(int, operation);
        compare(device_operations[operation], stand_in_table(), 3);
    }

    void the_order_of_threads_changes_no_bit_data() { rows(); }
    void the_order_of_threads_changes_no_bit() {
        QFETCH(int, operation);
        std::vector<unsigned char> first;
        for (const auto order : {stand_in::Order::ascending, stand_in::Order::shuffled}) {
            dice.seed(11);
            set_order(order);
            const auto bits = worst_of<bf16>(device_operations[operation].bf16_storage, stand_in_table(), 1).bits;
            if (first.empty()) first = bits;
            QVERIFY(!bits.empty() && bits == first);
        }
        set_order(stand_in::Order::ascending);
    }
};

PLIMSOLL_TEST(TestEngineHipKernels)
#include "tst_engine_hip_kernels.moc"

// The CUDA back end's kernels compute what the processor's do in fp64, run thread by thread by a stand-in device,
// with the same bits in any order of threads.
#include "registered_test.h"

#include "engine/cuda/backend.h"
#include "tests/engine/device_suite.h"
#include "tests/engine/stand_in/stand_in_order.h"

#include <dlfcn.h>

using namespace plimsoll::engine;

namespace {

const PlimsollBackend& stand_in_table() {
    static const Backend b = use_device(open_backend({PLIMSOLL_STAND_IN_FOLDER}), 0);
    if (!b.table) qFatal("%s", b.message.c_str());
    return *b.table;
}

void set_cuda_order(stand_in::Order order) {
    (void)stand_in_table();
    const auto file = std::filesystem::path(PLIMSOLL_STAND_IN_FOLDER) / toolkit(Maker::nvidia).file;
    void* library = dlopen(file.c_str(), RTLD_NOW);
    reinterpret_cast<decltype(&plimsoll_stand_in_order)>(dlsym(library, "plimsoll_stand_in_order"))(order);
}

}  // namespace

class TestEngineCudaKernels : public QObject {
    Q_OBJECT

private slots:
    void each_computes_what_the_processor_does_data() { rows(); }
    void each_computes_what_the_processor_does() {
        QFETCH(int, operation);
        compare(device_operations[operation], stand_in_table(), 6);
    }

    void the_order_of_threads_changes_no_bit_data() { rows(); }
    void the_order_of_threads_changes_no_bit() {
        QFETCH(int, operation);
        std::vector<unsigned char> first;
        for (const auto order : {stand_in::Order::ascending, stand_in::Order::descending, stand_in::Order::shuffled}) {
            dice.seed(11);
            set_cuda_order(order);
            const auto bits = worst_of<bf16>(device_operations[operation].bf16_storage, stand_in_table(), 2).bits;
            if (first.empty()) first = bits;
            QVERIFY(!bits.empty() && bits == first);
        }
        set_cuda_order(stand_in::Order::ascending);
    }
};

PLIMSOLL_TEST(TestEngineCudaKernels)
#include "tst_engine_cuda_kernels.moc"

// The CUDA back end's kernels compute what the processor's do in fp64, run thread by thread by a stand-in device, with the same
// bits in any order of threads.

#include "engine/cuda/backend.h"
#include "tests/engine/device_suite.h"
#include "tests/engine/stand_in/stand_in_order.h"

using namespace plimsoll::engine;

namespace {

const PlimsollBackend& stand_in_table() {
    static const Backend b = use_device({plimsoll_backend_v1(), {}}, 0);
    if (!b.table) qFatal("%s", b.message.c_str());
    return *b.table;
}

}  // namespace

class TestEngineCudaKernels : public QObject {
    Q_OBJECT

private slots:
    void each_computes_what_the_processor_does_data() { rows(); }
    void each_computes_what_the_processor_does() {
        QFETCH(int, operation);
        compare(operations[operation], stand_in_table(), 6);
    }

    void the_order_of_threads_changes_no_bit_data() { rows(); }
    void the_order_of_threads_changes_no_bit() {
        QFETCH(int, operation);
        std::vector<unsigned char> first;
        for (const auto order : {stand_in::Order::ascending, stand_in::Order::descending, stand_in::Order::shuffled}) {
            dice.seed(11);
            stand_in::set_order(order);
            const auto bits = worst_of<bf16>(operations[operation].bf16_storage, stand_in_table(), 2).bits;
            if (first.empty()) first = bits;
            QVERIFY(!bits.empty() && bits == first);
        }
        stand_in::set_order(stand_in::Order::ascending);
    }
};

QTEST_GUILESS_MAIN(TestEngineCudaKernels)
#include "tst_engine_cuda_kernels.moc"

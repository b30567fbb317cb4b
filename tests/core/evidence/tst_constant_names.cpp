// Measured numbers are called by name wherever a fit may tell them.
#include "registered_test.h"

#include "core/evidence/calibration/proof/evidence.h"
#include "core/evidence/calibration/plan/experiments.h"

using namespace plimsoll;

class ConstantNamesTest : public QObject {
    Q_OBJECT

private slots:
    void a_pointer_has_a_name_data() {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("name");
        QTest::newRow("one that every plan measures") << "/device/efficiency/kernel_floor_us" << "Shortest kernel";
        QTest::newRow("of the software") << "stack/optimizer_bytes" << "Optimizer: bytes of a parameter";
        QTest::newRow("where a network's large messages begin") << "/levels/0/large_from_MB"
                                                                << "Network: size of large messages";
        QTest::newRow("how fast they are") << "/levels/0/large_bandwidth_GBps"
                                           << "Network: bandwidth of large messages";
        QTest::newRow("the same between nodes") << "/levels/1/large_from_MB"
                                                << "Network: size of large messages (level 2)";
        QTest::newRow("what a plan promises at the first level alone") << "/levels/2/latency_us"
                                                                       << "Network: latency (level 3)";
        QTest::newRow("a codec") << "/device/codecs/fp8/encode" << "Codec fp8: encoding";
        QTest::newRow("a kernel of attention") << "/device/efficiency/attention/flash_2/forward"
                                               << "Attention forward: share of the peak (flash_2)";
        QTest::newRow("its length at half the rate") << "/device/efficiency/attention/cudnn_torch/half_backward"
                                                     << "Attention: sequence at half the rate (cudnn_torch, backward)";
        QTest::newRow("one that only some machines have") << "/host/link_GBps" << "Host link: bandwidth";
        QTest::newRow("watts, which no plan without counters promises") << "/power/device_idle_W"
                                                                        << "Power of a device at rest";
        QTest::newRow("an unknown one stays itself") << "/levels/0/colour" << "/levels/0/colour";
        QTest::newRow("a level that is none") << "/levels/x/latency_us" << "/levels/x/latency_us";
        QTest::newRow("a level beyond counting") << "/levels/99999999999999999999/latency_us"
                                                 << "/levels/99999999999999999999/latency_us";
    }
    void a_pointer_has_a_name() {
        QFETCH(QString, pointer);
        QFETCH(QString, name);
        QCOMPARE(QString::fromStdString(constant_name(pointer.toStdString())), name);
    }
    void what_a_plan_promises_has_a_name() {
        for (const PlannedConstant& c : not_empty(planned_constants({})))
            QVERIFY2(!c.pointer.starts_with('/') || constant_name(c.pointer) != c.pointer, c.pointer.c_str());
    }
};

PLIMSOLL_TEST(ConstantNamesTest)
#include "tst_constant_names.moc"

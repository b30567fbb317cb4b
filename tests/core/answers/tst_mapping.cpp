// Plans on several clusters: Holmes' published runs, obstacles, and what is told of a mapping.
#include "registered_test.h"

#include "core/answers/explain/explain.h"
#include "core/answers/plan/rules.h"
#include "core/answers/campaign/headline.h"
#include "core/answers/plan/mapping.h"
#include "core/papers/recompute_flop.h"
#include "core/values/knobs/knobs.h"
#include "scenarios.h"
#include "shipped.h"

#include <cmath>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

double samples_per_second(const Scenario& s) {
    return s.recipe.global_batch_sequences / (estimate(s)->step.total() / second);
}

// The hybrid machine's nodes, all on one of its three networks.
Scenario homogeneous(Nic nic) {
    Scenario s = shipped_plan("3.6b-holmes");
    Machine& m = s.machine;
    const Level& between = m.levels.back();
    const Cluster tcp{4, Nic::ethernet, between.bandwidth, between.efficiency, between.latency, 1, {}};
    m.clusters = {nic == Nic::infiniband ? m.clusters[0] : nic == Nic::roce ? m.clusters[1] : tcp};
    m.clusters[0].nodes = 4;
    s.layout.stage_split = StageSplit::even;
    return s;
}

bool within(double found, double expected, double share) { return std::abs(found / expected - 1) <= share; }

}  // namespace

class MappingTest : public QObject {
    Q_OBJECT

private slots:
    // 37: samples per second in TFLOP/s by the formula that counts recomputation (Yang et al. 2024).
    void published_rates_agree_with_each_other() {
        const Scenario s = shipped_plan("3.6b-holmes");
        const double work = paper::full_recompute_flop(s.model, 1, 2048, 51200) / teraflop / 32;
        const double samples[] = {99.23, 80.54, 61.32, 74.91}, rates[] = {197.8, 160.5, 122.2, 149.3};
        for (int i = 0; i < 4; ++i) QVERIFY(within(samples[i] * work, rates[i], 5e-4));
    }

    void calibrated_on_each_network_alone() {
        const double published[] = {99.23, 80.54, 61.32};
        for (const Nic nic : {Nic::infiniband, Nic::roce, Nic::ethernet}) {
            const double found = samples_per_second(homogeneous(nic));
            QVERIFY2(within(found, published[int(nic)], 0.01), qPrintable(QString::number(found)));
        }
    }

    // Nothing of the hybrid run has been fitted.
    void the_hybrid_follows_from_the_three() {
        const double holmes = samples_per_second(shipped_plan("3.6b-holmes")),
                     ordered = samples_per_second(shipped_plan("3.6b-ib-roce-in-order"));
        qInfo("Holmes %.1f samples/s (published 74.91), in order %.1f (Ethernet alone 61.32)", holmes, ordered);
        QVERIFY2(within(holmes, 74.91, 0.08), qPrintable(QString::number(holmes)));
        QVERIFY2(within(ordered, 61.32, 0.02), qPrintable(QString::number(ordered)));
    }

    void a_machine_of_one_cluster_is_that_network() {
        Scenario plain = gpt3_on_selene(), stated = plain;
        const Level& system = plain.machine.levels.back();
        stated.machine.clusters[0] = {
            plain.machine.nodes, Nic::infiniband, system.bandwidth, system.efficiency, system.latency, 1, {}};
        stated.layout.pipeline_parallel = plain.layout.pipeline_parallel = 1;
        stated.layout.data_parallel = plain.layout.data_parallel = 128;
        QCOMPARE(estimate(stated)->step, estimate(plain)->step);
    }

    void slower_devices_take_longer_and_say_so() {
        Scenario s = shipped_plan("3.6b-holmes");
        const StepTime before = estimate(s)->step;
        s.machine.clusters[0].speed = 0.5;  // of the stage that is busiest either way
        const StepTime after = estimate(s)->step;
        QCOMPARE(after.gemm / second, 2 * before.gemm / second);
        QCOMPARE(evaluate(*explain(s, "step.gemm")), after.gemm / second);
        QCOMPARE(evaluate(*explain(s, "step_seconds")), after.total() / second);
    }

    void tells_of_every_stage_and_of_the_other_mappings() {
        const Placement p = placement(shipped_plan("3.6b-holmes"));
        QCOMPARE(int(p.stages.size()), 2);
        QCOMPARE(p.stages[0].layers, 16);
        QCOMPARE(int(p.stages[0].transport), int(Transport::infiniband));
        QCOMPARE(int(p.stages[1].transport), int(Transport::roce));
        QCOMPARE(int(p.handovers.size()), 1);
        QCOMPARE(int(p.handovers[0].transport), int(Transport::tcp));
        QCOMPARE(int(p.alternatives.size()), 6);
        QCOMPARE(std::count_if(p.alternatives.begin(), p.alternatives.end(), [](const auto& a) { return a.present; }),
                 1);
        QVERIFY(std::is_sorted(p.alternatives.begin(), p.alternatives.end(),
                               [](const auto& a, const auto& b) { return a.step < b.step; }));
        QVERIFY(p.alternatives.front().mapping == Mapping::holmes && p.alternatives.back().mapping == Mapping::ordered);
        QVERIFY(placement(gpt3_on_selene()).stages.empty());
    }

    void obstacles_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::addColumn<QString>("knob");
        const Scenario holmes = shipped_plan("3.6b-holmes");
        QTest::newRow("three stages of four nodes over two clusters of two") << edited(holmes, [](Scenario& s) {
            s.layout.pipeline_parallel = 1, s.layout.data_parallel = 32, s.layout.stage_split = StageSplit::even;
        }) << "layout.pipeline_parallel";
        QTest::newRow("nodes that do not add up")
            << edited(holmes, [](Scenario& s) { s.machine.clusters[1].nodes = 3; }) << "machine.nodes";
        QTest::newRow("a cluster of idle devices")
            << edited(holmes, [](Scenario& s) { s.machine.clusters[1].speed = 0; }) << "machine.clusters.1.speed";
        QTest::newRow("one layer left for three slow stages") << edited(holmes, [](Scenario& s) {
            s.machine.clusters[0].nodes = 1, s.machine.clusters[1].nodes = 3;
            s.machine.clusters[0].measured = 1e6 * teraflop / second,
            s.machine.clusters[1].measured = 0.1 * teraflop / second;
            s.layout.pipeline_parallel = 4, s.layout.data_parallel = 8;
        }) << "layout.stage_split";
        QTest::newRow("uneven stages of several chunks") << edited(holmes, [](Scenario& s) {
            s.layout.schedule = Schedule::interleaved, s.layout.virtual_stages = 3;
        }) << "layout.stage_split";
    }
    void obstacles() {
        QFETCH(Scenario, plan);
        QFETCH(QString, knob);
        const auto found = check(plan);
        QVERIFY(
            std::any_of(found.begin(), found.end(), [&](const Obstacle& o) { return o.knob == knob.toStdString(); }));
        for (const Obstacle& o : found) {
            QVERIFY2(!o.valid.empty(), o.knob.c_str());
            const auto fixed = with(plan, *find_knob(o.knob), o.valid.front());
            for (const Obstacle& left : check(*fixed)) QVERIFY2(left.knob != o.knob || left.of != o.of, o.knob.c_str());
        }
    }

    void nodes_of_clusters_and_machine_follow_each_other() {
        const Scenario s = shipped_plan("3.6b-holmes");
        QCOMPARE(with(s, *find_knob("machine.clusters.1.nodes"), 6)->machine.nodes, 8);
        QCOMPARE(with(s, *find_knob("machine.nodes"), 10)->machine.clusters[1].nodes, 8);
        QCOMPARE(with(s, *find_knob("machine.nodes"), 10)->machine.levels.back().devices, 80);
    }
};

PLIMSOLL_TEST(MappingTest)
#include "tst_mapping.moc"

// Clusters: who lies where, over which network, and how layers are split by rates.
#include "registered_test.h"

#include "core/costs/kernels/data_parallel.h"
#include "core/costs/kernels/exchange.h"
#include "core/values/plan/placement.h"
#include "core/values/plan/share.h"
#include "core/costs/step/stage.h"
#include "scenarios.h"
#include "near.h"

#include <algorithm>
#include <functional>
#include <vector>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

Cluster cluster(int nodes, Nic nic, double bandwidth, double speed = 1, double measured = 0) {
    return {nodes, nic, bandwidth * GBps, 1, 5 * microsecond, speed, measured * teraflop / second};
}

// Nodes of eight; tensor 8, so that a stage of `data` replicas takes that many nodes.
Scenario on(std::initializer_list<Cluster> clusters, Mapping mapping, int stages, int data) {
    Scenario s = gpt3_on_selene();
    std::copy(clusters.begin(), clusters.end(), s.machine.clusters.begin());
    set_machine_nodes(s.machine, int(nodes_of(s.machine.clusters)));
    s.layout.mapping = mapping;
    s.layout.pipeline_parallel = stages;
    s.layout.data_parallel = data;
    s.layout.devices = 8 * stages * data;
    return s;
}

const Cluster ib = cluster(4, Nic::infiniband, 25), roce = cluster(4, Nic::roce, 10),
              ethernet = cluster(4, Nic::ethernet, 1);

std::vector<int> split_of(const Scenario& s) {
    std::vector<int> layers;
    for (int i = 0; i < s.layout.pipeline_parallel; ++i) layers.push_back(layers_of_stage(s, i));
    return layers;
}

// Every way to hand out the layers; the least time of the slowest stage.
double best_of_all_splits(const std::vector<double>& rates, const std::vector<double>& extra, int layers) {
    double best = 1e300;
    std::vector<int> taken(rates.size(), 1);
    const std::function<void(std::size_t, int)> give = [&](std::size_t stage, int left) {
        if (stage + 1 == rates.size()) {
            if (left < 1) return;
            taken[stage] = left;
            double slowest = 0;
            for (std::size_t i = 0; i < rates.size(); ++i)
                slowest = std::max(slowest, (taken[i] + extra[i]) / rates[i]);
            best = std::min(best, slowest);
            return;
        }
        for (taken[stage] = 1; taken[stage] < left; ++taken[stage]) give(stage + 1, left - taken[stage]);
    };
    give(0, layers);
    return best;
}

}  // namespace

class ClustersTest : public QObject {
    Q_OBJECT

private slots:
    void published_splits_data() {
        QTest::addColumn<int>("layers");
        QTest::addColumn<int>("rule");
        QTest::addColumn<int>("fast");
        QTest::newRow("36: 48 layers by Holmes' rule") << 48 << int(StageSplit::holmes_floor) << 26;
        QTest::newRow("36: 30 layers by Holmes' rule") << 30 << int(StageSplit::holmes_floor) << 16;
        QTest::newRow("36: 48 layers for the fastest slowest stage") << 48 << int(StageSplit::min_max) << 27;
        QTest::newRow("36: 30 layers for the fastest slowest stage") << 30 << int(StageSplit::min_max) << 17;
    }
    void published_splits() {
        QFETCH(int, layers);
        QFETCH(int, rule);
        QFETCH(int, fast);
        Scenario s =
            on({cluster(4, Nic::infiniband, 25, 1, 197), cluster(4, Nic::roce, 10, 1, 160)}, Mapping::holmes, 2, 4);
        s.model.layers = layers;
        s.model.vocabulary = 1;  // the published figures leave the head aside
        s.layout.stage_split = StageSplit(rule);
        QCOMPARE(split_of(s), (std::vector<int>{fast, layers - fast}));
        std::swap(s.machine.clusters[0], s.machine.clusters[1]);
        QCOMPARE(split_of(s), (std::vector<int>{layers - fast, fast}));
    }

    void every_split_hands_out_all_layers() {
        for (const StageSplit split : {StageSplit::even, StageSplit::holmes_floor, StageSplit::min_max})
            for (int layers : {12, 31, 96})
                for (int stages : {1, 2, 3, 4, 6, 12}) {
                    Scenario s = on({cluster(12, Nic::infiniband, 25, 1), cluster(12, Nic::roce, 10, 0.7)},
                                    Mapping::holmes, stages, 2);
                    s.model.layers = layers;
                    s.layout.stage_split = split;
                    int sum = 0;
                    for (int n : split_of(s)) sum += n;
                    QCOMPARE(sum, layers);
                }
    }

    void the_slowest_stage_is_as_fast_as_any_split_makes_it() {
        for (const double fast : {1.0, 1.3, 2.0, 3.7})
            for (const double head : {0.0, 0.6, 2.4})
                for (int layers : {4, 7, 12, 17}) {
                    std::vector<StageClass> classes{{2, fast, 0, 0, 0}, {1, 1, 0, 0, 0}, {1, 1, head, 0, 0}};
                    least_maximum(classes, layers);
                    double slowest = 0;
                    int sum = 0;
                    for (const StageClass& c : classes)
                        for (int i = 0; i < c.count; ++i) {
                            const int here = c.layers + (i < c.with_one_more);
                            sum += here;
                            slowest = std::max(slowest, (here + c.extra) / c.rate);
                        }
                    QCOMPARE(sum, layers);
                    QVERIFY(std::abs(slowest - best_of_all_splits({fast, fast, 1, 1}, {0, 0, 0, head}, layers))
                            < 1e-12);
                }
    }

    void a_heavy_head_takes_layers_from_the_last_stage_of_one_network_too() {
        Scenario s = gpt3_on_selene();
        s.model.vocabulary = 1000000;
        s.layout.stage_split = StageSplit::min_max;
        QVERIFY(layers_of_stage(s, 7) < layers_of_stage(s, 0));
        QCOMPARE(layers_of_stage(s, 0), layers_of_stage(s, 3));
    }

    void groups_and_their_transport_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::addColumn<int>("stage");
        QTest::addColumn<int>("cluster");
        QTest::addColumn<int>("transport");
        const auto row = [](const char* name, const Scenario& s, int stage, int cluster, Transport t) {
            QTest::newRow(name) << s << stage << cluster << int(t);
        };
        const Mapping order = Mapping::ordered, holmes = Mapping::holmes;
        row("one network throughout", gpt3_on_selene(), 1, no_cluster, Transport::tcp);
        row("holmes keeps the first stage on InfiniBand", on({ib, roce}, holmes, 2, 4), 0, 0, Transport::infiniband);
        row("and the second on RoCE", on({ib, roce}, holmes, 2, 4), 1, 1, Transport::roce);
        row("in order, two families leave TCP, also inside a cluster", on({ib, roce}, order, 2, 4), 0, 0,
            Transport::tcp);
        row("in order, one family keeps its network", on({ib, ib}, order, 2, 4), 1, 1, Transport::infiniband);
        row("in order, a stage across two clusters has TCP", on({ib, ib}, order, 1, 8), 0, no_cluster, Transport::tcp);
        row("a job inside the first cluster sees no other", on({ib, roce}, order, 1, 4), 0, 0, Transport::infiniband);
        row("whole stages skip a cluster's rest", on({cluster(3, Nic::infiniband, 25), roce}, holmes, 2, 2), 1, 1,
            Transport::roce);
        row("RoCE and Ethernet do not talk either", on({roce, ethernet}, order, 2, 4), 0, 0, Transport::tcp);
        row("Ethernet is TCP", on({roce, ethernet}, holmes, 2, 4), 1, 1, Transport::tcp);
        row("one replica leaves no node", on({ib, roce}, order, 8, 1), 3, 0, Transport::node);
    }
    void groups_and_their_transport() {
        QFETCH(Scenario, plan);
        QFETCH(int, stage);
        QFETCH(int, cluster);
        QFETCH(int, transport);
        QCOMPARE(cluster_of_stage(plan, stage), cluster);
        QCOMPARE(int(transport_of(plan.machine, data_span(plan, stage))), transport);
    }

    void each_stage_reduces_over_its_own_network() {
        const Scenario s = on({ib, roce}, Mapping::holmes, 2, 4);
        const auto time = [&](const Scenario& plan, int stage) {
            return gradient_time(plan, in_matrices(1e9), {}, stage).reduce / second;
        };
        Scenario alone = s;
        alone.machine.clusters = {};
        for (int stage : {0, 1}) {
            const Cluster& own = s.machine.clusters[stage];
            alone.machine.levels.back() =
                level("system", alone.machine.levels.back().devices, own.bandwidth, own.efficiency, own.latency, "");
            QCOMPARE(time(s, stage), time(alone, stage));
        }
        QVERIFY(time(s, 1) > time(s, 0));
    }

    void experts_exchange_over_the_slowest_cluster_and_reduce_over_their_own() {
        Scenario s = on({ib, roce}, Mapping::holmes, 2, 4);
        s.model = small_mixture();
        s.layout.expert_parallel = 16;
        s.layout.zero_stage = 1;
        QCOMPARE(expert_span(s).outermost().cluster, 1);
        for (int stage : {0, 1}) {
            QCOMPARE(expert_data_span(s, stage).outermost().cluster, stage);
            QCOMPARE(expert_shard_span(s, stage).outermost().cluster, stage);
        }
        s.layout.mapping = Mapping::ordered;
        QCOMPARE(expert_span(s).outermost().cluster, no_cluster);
    }

    void layers_with_experts_run_at_the_speed_of_their_cluster() {
        Scenario s = on({ib, cluster(4, Nic::infiniband, 25, 0.5)}, Mapping::holmes, 2, 4);
        s.model = small_mixture();
        const std::vector<StageTime> slow = stage_times(s);
        s.machine.clusters[1].speed = 1;
        const std::vector<StageTime> full = stage_times(s);
        for (const auto part : {&StepTime::gemm, &StepTime::attention, &StepTime::elementwise, &StepTime::ends})
            QCOMPARE((slow[1].micro.*part) / second, 2 * ((full[1].micro.*part) / second));
        QCOMPARE(slow[1].micro.expert_exchange, full[1].micro.expert_exchange);
        QCOMPARE(slow[0].micro, full[0].micro);
    }

    void activations_alone_cross_over() {
        const Scenario s = on({ib, roce}, Mapping::holmes, 4, 2);
        QCOMPARE(network_after_stage(s, 0), 0);
        QCOMPARE(network_after_stage(s, 1), no_cluster);
        QCOMPARE(network_after_stage(s, 2), 1);
        QCOMPARE(network_after_stage(s, 3), no_cluster);  // back to the first: a tied embedding
    }
};

PLIMSOLL_TEST(ClustersTest)
#include "tst_clusters.moc"

// What replicas exchange, and how much of it a step waits for.
#include "registered_test.h"

#include "core/costs/kernels/layer.h"
#include "core/costs/kernels/tensor.h"
#include "core/costs/kernels/data_parallel.h"
#include "core/costs/step/stage.h"
#include "scenarios.h"
#include "levels.h"
#include "near.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

const Parameters billion = in_matrices(1e9);

// Sixteen nodes of eight, one network without latencies, fp32 gradients and 16-bit weights.
Scenario replicas(int zero_stage) {
    Scenario s = gpt3_on_selene();
    s.layout = {};
    s.layout.data_parallel = s.layout.devices = 128;
    s.layout.zero_stage = zero_stage;
    s.recipe.global_batch_sequences = 128;
    s.recipe.state_format = StateFormat::fp32_moments_fp32_sums;
    s.machine.levels.erase(s.machine.levels.begin());
    s.machine.levels[0].latency = {};
    s.stack.gradients.overlap = 0.63;
    s.stack.gradients.exposed = 0.15;
    s.stack.gradients.bucket = 25 * megabyte;
    return s;
}

bool near_or_tiny(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b)); }

Scenario tensor_ranks(int ranks, bool sequence) {
    Scenario s = gpt3_on_selene();
    s.layout.tensor_parallel = ranks;
    s.layout.devices = int(s.layout.model_parallel()) * s.layout.data_parallel;
    s.layout.sequence_parallel = sequence;
    return s;
}

}  // namespace

class DataParallelTest : public QObject {
    Q_OBJECT

private slots:
    // The host issues a gather of every product's matrix forward, one backward, and a reduction of what is trained:
    // queries with keys and values, the output, and two of the feed-forward block, of 96 layers.
    void a_host_issues_every_gather_of_sharded_weights_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::addColumn<int>("forward");
        QTest::addColumn<int>("backward");
        const auto row = [](const char* name, int forward, int backward, auto change) {
            Scenario s = replicas(3);
            s.stack.sharding.host_collective = 0.4 * millisecond;
            change(s);
            QTest::newRow(name) << s << forward << backward;
        };
        row("all weights are trained", 4, 8, [](Scenario&) {});
        row("adapters beside frozen weights", 4, 4, [](Scenario& s) {
            s.method = {.purpose = Purpose::finetune, .trained = Trained::adapters, .rank = 16};
        });
        row("weights stay gathered after the forward pass", 4, 4, [](Scenario& s) { s.layout.secondary_shard = 1; });
        row("recomputation finds what the backward pass gathers", 4, 8,
            [](Scenario& s) { s.layout.recompute = Recompute::full; });
        row("one device shares nothing", 0, 0, [](Scenario& s) { s.layout.data_parallel = s.layout.devices = 1; });
        row("gradients alone are shared", 0, 0, [](Scenario& s) { s.layout.zero_stage = 2; });
    }
    void a_host_issues_every_gather_of_sharded_weights() {
        QFETCH(Scenario, plan);
        QFETCH(int, forward);
        QFETCH(int, backward);
        Scenario without = plan;
        without.stack.sharding.host_collective = {};
        const double more = milliseconds(stage_times(plan)[0].host - stage_times(without)[0].host);
        QVERIFY2(near_or_tiny(more, 0.4 * 96 * (forward + backward)), qPrintable(QString::number(more)));
    }

    // wait = u RS + max(0, (1-u) RS - o backward) + u AG + max(0, (1-u) AG - o forward)
    void reductions_hide_behind_backward_and_gathers_behind_forward() {
        const Scenario s = replicas(1);
        const double whole = milliseconds(gradient_time(s, billion, {}).reduce);
        const double scattered = whole * 4 / 6, gathered = whole * 2 / 6;   // fp32 gradients, 16-bit weights
        const Seconds half = 0.5 * scattered * millisecond, much = 1e9 * millisecond;
        const auto waits = [&](Seconds backward, Seconds forward) {
            return milliseconds(gradient_time(s, billion, {backward, forward}).exposed);
        };
        QVERIFY(near_or_tiny(waits({}, {}), whole));
        QVERIFY(near_or_tiny(waits(much, {}), 0.15 * scattered + gathered));
        QVERIFY(near_or_tiny(waits({}, much), scattered + 0.15 * gathered));
        QVERIFY(near_or_tiny(waits(much, much), 0.15 * whole));
        QVERIFY(near_or_tiny(waits(half, {}), scattered - 0.63 * 0.5 * scattered + gathered));
    }

    void what_hides_is_waited_for_in_part() {
        Scenario s = replicas(1);
        const Seconds much = 1e9 * millisecond;
        const GradientTime free = gradient_time(s, billion, {much, much});
        s.stack.gradients.hidden_tax = 0.2;
        const GradientTime taxed = gradient_time(s, billion, {much, much});
        QCOMPARE(taxed.reduce / second, free.reduce / second);
        QVERIFY(near_or_tiny(milliseconds(taxed.exposed),
                             milliseconds(free.exposed + 0.2 * (free.reduce - free.exposed))));
        QVERIFY(near_or_tiny(milliseconds(gradient_time(s, billion, {}).exposed), milliseconds(free.reduce)));
    }

    void the_last_bucket_never_hides() {
        Scenario s = replicas(0);
        s.stack.gradients.exposed = 0;
        s.stack.gradients.bucket = 400 * megabyte;   // a tenth of the gradients
        const GradientTime t = gradient_time(s, billion, {1e9 * second, 1e9 * second});
        QVERIFY(near_or_tiny(t.exposed / t.reduce, 0.1));
    }

    void without_overlap_the_step_waits_for_everything() {
        Scenario s = replicas(1);
        s.stack.gradients.overlap = 0;
        const GradientTime t = gradient_time(s, billion, {1e9 * second, 1e9 * second});
        QCOMPARE(t.exposed / second, t.reduce / second);
    }

    // 2 x 4 bytes of gradients and 2 of weights, against 4 and 2.
    void reducing_whole_gradients_under_zero_1_moves_ten_bytes_for_six() {
        Scenario s = replicas(1);
        const double shared = gradient_time(s, billion, {}).reduce / second;
        s.stack.gradients.reduces_whole = true;
        QVERIFY(near_or_tiny(gradient_time(s, billion, {}).reduce / second / shared, 10.0 / 6));
    }

    void every_bucket_between_nodes_costs_its_share() {
        Scenario s = replicas(0);
        s.stack.gradients.bucket_crossing = 0.89 * millisecond;
        s.stack.gradients.bucket = 50 * megabyte;
        QVERIFY(near_or_tiny(milliseconds(gradient_time(s, billion, {}).crossing), 4000.0 / 50 * 0.89));
        s.layout.data_parallel = s.layout.devices = 8;
        QVERIFY(near_or_tiny(milliseconds(gradient_time(s, billion, {}).crossing), 0));
    }

    void weights_are_handed_out_layer_by_layer_to_every_node() {
        Scenario s = replicas(1);
        const double before = milliseconds(gradient_time(s, billion, {}).crossing);
        s.stack.sharding.layer_handout = 0.18 * millisecond;
        const auto added = [&] { return milliseconds(gradient_time(s, billion, {}).crossing) - before; };
        QVERIFY(near_or_tiny(added(), 16 * s.model.layers * 0.18));
        s.layout.zero_stage = 0;                        // every rank updates its own
        QVERIFY(near_or_tiny(added(), 0));
        s.layout.zero_stage = 1;
        s.layout.data_parallel = s.layout.devices = 8;  // inside a node
        QVERIFY(near_or_tiny(added(), 0));
    }

    // Of 3 P the layers are only a part: embedding and head are fetched and their gradients scattered.
    void sharded_tables_move_too() {
        Scenario s = replicas(3);
        s.stack.sharding.gather_overlap_tax = 0.2;
        const StageTime sharded = stage_times(s)[0];
        Scenario tied = s;
        tied.model.tied_embeddings = !s.model.tied_embeddings;
        const Scenario& both = s.model.tied_embeddings ? tied : s;
        const Scenario& one = s.model.tied_embeddings ? s : tied;
        const double gather = milliseconds(table_gather_time(s, 0)), scatter = milliseconds(table_scatter_time(s, 0));
        QVERIFY(gather > 0 && scatter > 0);
        // The embedding computes next to nothing: its gather and its scatter are waited for.
        const double layers = [&] {
            Scenario plain = one;
            plain.machine.levels[0].bandwidth = 1e12 * gigabyte / second;
            return milliseconds(stage_times(one)[0].micro.shard_gather - stage_times(plain)[0].micro.shard_gather);
        }();
        QVERIFY(layers > 0.99 * (gather + scatter));
        QVERIFY(stage_times(both)[0].micro.shard_gather >= stage_times(one)[0].micro.shard_gather);
        s.layout.zero_stage = 2;
        QVERIFY(sharded.forward > stage_times(s)[0].forward);
        QCOMPARE(table_gather_time(s, 0) / second, 0.0);
    }

    // A tied table on one stage is both ends: kept between the passes it moves once, as a unit of its own it moves for
    // either end.
    void a_tied_table_moves_for_either_end_where_tables_are_units() {
        Scenario s = replicas(3);
        s.stack.sharding.gather_overlap_tax = 1;   // nothing is hidden: what is gathered is waited for
        s.model.tied_embeddings = true;
        const auto waits = [&](bool units) {
            s.stack.sharding.gathers_tables = units;
            return stage_times(s)[0].micro.shard_gather;
        };
        const Seconds once = waits(false), twice = waits(true);
        QVERIFY(near_or_tiny(milliseconds(twice - once),
                             milliseconds(table_gather_time(s, 0) + table_scatter_time(s, 0))));
        s.model.tied_embeddings = false;
        QCOMPARE(waits(true) / second, waits(false) / second);
    }

    // ZeRO++: of the 3 P that ZeRO-3 moves between nodes, the P of the backward pass stays inside them.
    void a_second_copy_of_the_weights_is_gathered_inside_the_node() {
        Scenario s = replicas(3);
        s.machine.levels[0].bandwidth = 2.5 * gigabyte / second;   // of each device, between nodes
        const double reached = s.machine.levels[0].efficiency;
        s.machine.levels.insert(s.machine.levels.begin(),
                                level("node", 8, 250 * gigabyte / second, reached, {}, "NVLink"));
        s.stack.sharding.efficiency = 1;
        const Seconds gather = layer_gather_time(s, dense_layer, 0);
        QCOMPARE(layer_regather_time(s, dense_layer, 0) / second, gather / second);
        s.layout.secondary_shard = 8;
        QCOMPARE(layer_gather_time(s, dense_layer, 0) / second, gather / second);
        QVERIFY(layer_regather_time(s, dense_layer, 0) < 0.15 * gather);
        // A layer's weights over one node, plainly: 7/8 of them at the rate of a device.
        const Level& node = s.machine.levels[0];
        const Seconds plain = 7.0 / 8 * layer_gather_bytes(s, dense_layer).common / (node.efficiency * node.bandwidth);
        QVERIFY(near_or_tiny(milliseconds(layer_regather_time(s, dense_layer, 0)), milliseconds(plain)));
        s.layout.secondary_shard = 1;   // each rank keeps all of it
        QCOMPARE(layer_regather_time(s, dense_layer, 0) / second, 0.0);
        s.layout.secondary_shard = 128;   // all of them together: nothing gained
        QCOMPARE(layer_regather_time(s, dense_layer, 0) / second, gather / second);
    }

    // Hybrid sharding in groups of one: replicas, whose gradients are still added up.
    void groups_of_one_reduce_as_replicas_do() {
        Scenario s = replicas(1);
        s.layout.shard_group = 1;
        QVERIFY(near_or_tiny(milliseconds(gradient_time(s, billion, {}).reduce),
                             milliseconds(gradient_time(replicas(0), billion, {}).reduce)));
    }

    // Four gathers and scatters each way; gathering inputs again is hidden unless the software waits for it.
    void sequence_parallelism_gathers_and_scatters_four_times_each_way() {
        Scenario s = tensor_ranks(8, true);
        const TensorPair pair = tensor_pair(s);
        const Span ranks = tensor_span(s);
        QCOMPARE(pair.before / second, all_gather(ranks, tensor_payload(s)).time / second);
        QCOMPARE(pair.after / second, reduce_scatter(ranks, tensor_payload(s)).time / second);
        QCOMPARE(layer_tensor_time(s, dense_layer).forward / second, 2 * pair.time() / second);
        QCOMPARE(layer_tensor_time(s, dense_layer).backward / second, 2 * pair.time() / second);
        s.stack.tensor.gathers_inputs_again = true;
        QCOMPARE(layer_tensor_time(s, dense_layer).backward / second, (2 * pair.time() + 2 * pair.before) / second);
    }

    void without_it_two_all_reduces_each_way() {
        const Scenario s = tensor_ranks(8, false);
        const double one = tensor_all_reduce(s).time / second;
        QCOMPARE(layer_tensor_time(s, dense_layer).forward / second, 2 * one);
        QCOMPARE(layer_tensor_time(s, dense_layer).backward / second, 2 * one);
    }

    // 49 us a rank: 16 ranks on two nodes wait 0.78 ms more in each of eight collectives.
    void tensor_groups_between_nodes_wait_for_every_rank() {
        Scenario s = tensor_ranks(16, true);
        const double before = milliseconds(layer_tensor_time(s, dense_layer).forward);
        s.stack.tensor.crossing = 49 * microsecond;
        QVERIFY(near_or_tiny(milliseconds(layer_tensor_time(s, dense_layer).forward), before + 4 * 16 * 0.049));
        Scenario inside = tensor_ranks(8, true);
        const double plain = milliseconds(layer_tensor_time(inside, dense_layer).forward);
        inside.stack.tensor.crossing = 49 * microsecond;
        QCOMPARE(milliseconds(layer_tensor_time(inside, dense_layer).forward), plain);
    }
};

PLIMSOLL_TEST(DataParallelTest)
#include "tst_data_parallel.moc"

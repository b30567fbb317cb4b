// What other calculators of training cost get wrong, each found by running them,
// as a sentence that has to hold here.
#include "registered_test.h"

#include "core/answers/plan/rules.h"
#include "core/answers/plan/estimate.h"
#include "core/answers/search/fit_first.h"
#include "core/costs/kernels/layer.h"
#include "core/costs/memory/memory.h"
#include "core/costs/kernels/data_parallel.h"
#include "core/values/plan/share.h"
#include "core/costs/step/step.h"
#include "core/files/presets/scenario_json.h"
#include "core/values/knobs/knobs.h"
#include "scenarios.h"
#include "shipped.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

Scenario with_recompute(Recompute r) {
    return with_layout(gpt3_on_selene(), [r](Layout& l) { l.recompute = r; });
}

Scenario with_zero(int stage, int pipeline = 1) {
    Scenario s = gpt3_on_selene();
    s.stack.sharding.stage_with_pipeline = 3;
    s.layout.pipeline_parallel = pipeline;
    s.layout.data_parallel = int(s.layout.devices / s.layout.model_parallel());
    s.layout.zero_stage = stage;
    return s;
}

bool close(double a, double b, double tolerance = 1e-9) {
    return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

}  // namespace

class PeersDefectsTest : public QObject {
    Q_OBJECT

private slots:
    // Calculon: the counters of recomputed work add the running total of a block (7.6 times the forward FLOP).
    void full_recomputation_repeats_one_forward_pass_of_the_layers() {
        const Scenario s = with_recompute(Recompute::full);
        const Outcome full = estimate(s), none = estimate(with_recompute(Recompute::none));
        const int v = padded_vocabulary(s.model, s.layout.tensor_parallel);
        const double head = 2.0 * s.model.hidden * v * 1536 * 2048;
        const double layers_forward = none->model_flop / flop / 3 - head;
        QVERIFY(close((full->hardware_flop - full->model_flop) / flop, layers_forward));
        // In time: the layers of the stage once more per micro-batch.
        const LayerTime layer = layer_time(s, dense_layer);
        const double once =
            micro_batches(s) * layers_of_stage(s, full->busiest_stage) * (layer.forward.device() / second);
        QVERIFY(close(full->step.recompute / second, once));
    }

    // Calculon: that counter feeds the window gradients hide behind (2.6 % hidden with full, 69 % with attention only).
    void recomputing_more_never_hides_less_of_the_gradient_reduction() {
        double hidden_before = -1;
        for (const Recompute r : {Recompute::none, Recompute::selective, Recompute::full}) {
            Scenario s = with_recompute(r);
            s.stack.gradients.overlap = 0.5;
            const Step step = step_of(s, stage_times(s));
            const double hidden = (step.gradients.reduce - step.gradients.exposed) / second;
            QVERIFY(hidden >= hidden_before);
            hidden_before = hidden;
        }
    }

    // Calculon: rounds the batch down to a multiple of the replicas, so that layouts train different batches.
    void a_batch_that_does_not_divide_is_refused_not_rounded() {
        Scenario s = gpt3_on_selene();
        s.recipe.global_batch_sequences = 1537;
        const std::vector<Obstacle> obstacles = check(s);
        QCOMPARE(obstacles.size(), 1u);
        QCOMPARE(obstacles[0].knob, std::string("recipe.global_batch_sequences"));
        QVERIFY(!obstacles[0].valid.empty());
        const Splits found = splits(with_layout(gpt3_on_selene(), [](Layout&) {}));
        for (const std::optional<PricedSplit>* each : {&found.rule, &found.fastest})
            QCOMPARE((*each)->estimate.micro_batches * (*each)->scenario.layout.data_parallel, 1536);
    }

    // Calculon: never tries multi-query attention.
    void one_key_head_is_priced_and_costs_less() {
        Scenario one = gpt3_on_selene();
        one.model.kv_heads = 1;
        const Outcome many = estimate(gpt3_on_selene()), single = estimate(one);
        QVERIFY(many && single);
        QVERIFY(single->step.gemm < many->step.gemm);
        QVERIFY(single->worst().weights < many->worst().weights);
    }

    // Calculon: offers offloading only to stages of three layers and more.
    void a_stage_of_one_layer_sends_what_it_keeps_elsewhere() {
        Scenario s = gpt3_on_selene();
        s.model.layers = s.layout.pipeline_parallel;
        s.layout.zero_stage = 1;
        s.layout.offload.optimizer = Tier::host;
        s.layout.offload.activations = Tier::host;
        const Outcome o = estimate(s), kept = estimate(with_layout(s, [](Layout& l) { l.offload = {}; }));
        QVERIFY(o && kept);
        QVERIFY(o->host.use.optimizer > Bytes{} && o->host.use.activations > Bytes{});
        QVERIFY(o->worst().activations < kept->worst().activations);
    }

    // Calculon: stages must divide layers and devices, which skips plans its own model could price.
    void stages_that_do_not_divide_the_layers_are_priced() {
        Scenario s = gpt3_on_selene();
        s.layout.pipeline_parallel = 10;  // 96 layers
        s.layout.devices = 8 * 10 * 16;
        const Outcome o = estimate(s);
        QVERIFY(o.has_value());
        int layers = 0;
        for (int i = 0; i < 10; ++i) {
            QVERIFY(layers_of_stage(s, i) == 9 || layers_of_stage(s, i) == 10);
            layers += layers_of_stage(s, i);
        }
        QCOMPARE(layers, 96);
        QCOMPARE(layers_of_stage(s, o->busiest_stage), 10);
    }

    // llm-analysis: charges the gathers of ZeRO-3 at every stage (59 s a step where 21 s are due).
    void only_sharded_weights_are_gathered_layer_by_layer() {
        for (const int stage : {0, 1, 2}) QCOMPARE(estimate(with_zero(stage))->step.shard_gather / second, 0.0);
        QVERIFY(estimate(with_zero(3))->step.shard_gather > Seconds{});
    }

    // llm-analysis: multiplies the time of selective recomputation by the layers twice (96 times too much).
    void selective_recomputation_repeats_the_attention_core_once_a_layer() {
        const Scenario s = with_recompute(Recompute::selective);
        const Outcome selective = estimate(s), full = estimate(with_recompute(Recompute::full));
        const double once = micro_batches(s) * layers_of_stage(s, selective->busiest_stage)
                          * (layer_time(s, dense_layer).forward.attention / second);
        QVERIFY(close(selective->step.recompute / second, once));
        QVERIFY(selective->step.recompute < full->step.recompute);
        QVERIFY(selective->step.total() < full->step.total());
    }

    // llm-analysis: its peak never holds gradients and activations at once.
    void the_peak_holds_gradients_and_activations_together() {
        const Outcome o = estimate(gpt3_on_selene());
        for (const MemoryUse& stage : not_empty(o->stages)) {
            QVERIFY(stage.gradients > Bytes{} && stage.activations > Bytes{});
            QVERIFY(stage.total() >= stage.weights + stage.gradients + stage.optimizer + stage.activations);
        }
    }

    // cookbook: gradients and optimizer of the whole model on every device below ZeRO-2 and 1 (2,611 GiB for 175B),
    // and ZeRO-3 divided by all devices on top of the model-parallel ranks.
    void states_are_divided_by_the_model_parallel_ranks_and_shards_once_data() {
        QTest::addColumn<int>("zero");
        QTest::addColumn<int>("weights");
        QTest::addColumn<int>("gradients");
        QTest::addColumn<int>("optimizer");
        QTest::newRow("nothing sharded") << 0 << 1 << 1 << 1;
        QTest::newRow("optimizer") << 1 << 1 << 1 << 16;
        QTest::newRow("gradients too") << 2 << 1 << 16 << 16;
        QTest::newRow("weights too") << 3 << 16 << 16 << 16;
    }
    void states_are_divided_by_the_model_parallel_ranks_and_shards_once() {
        QFETCH(int, zero);
        QFETCH(int, weights);
        QFETCH(int, gradients);
        QFETCH(int, optimizer);
        const Scenario s = with_zero(zero, 8);  // tensor 8 x pipeline 8 x data 16
        const MemoryUse middle = stage_memory(s, 3);
        const double here = 12 * layer_share(s, dense_layer).all.total();  // 12 of 96 layers over eight tensor ranks
        QVERIFY(close(middle.weights / byte, 2 * here / weights, 2e-3));
        QVERIFY(close(middle.gradients / byte, 4 * here / gradients, 2e-3));
        QVERIFY(close(middle.optimizer / byte, 12 * here / optimizer, 2e-3));
        QVERIFY(middle.gradients + middle.optimizer < 60 * gibibyte);
    }

    // SimAI: documents an option for the file of bandwidths that is never read.
    void every_input_that_is_documented_reaches_the_plan_and_its_file() {
        const Scenario plain = gpt3_on_selene();
        for (const Knob& k : not_empty(knobs())) {
            QVERIFY2(!k.help.empty(), k.id.c_str());
            if (idle_reason(k, plain) == "no such level") continue;   // this machine has two
            const double here = k.get(plain);
            const double other =
                here < k.high ? std::min(k.high, k.kind == KnobKind::real ? here * 1.25 + 0.01 : here + 1) : k.low;
            const auto turned = with(plain, k, other);
            QVERIFY2(turned.has_value() && !(*turned == plain), k.id.c_str());
            const auto again = read_scenario(write_scenario(*turned, library()), library());
            QVERIFY2(again.has_value(), k.id.c_str());
            QVERIFY2(close(k.get(again->scenario), k.get(*turned), 1e-12), k.id.c_str());
        }
    }
    void every_bandwidth_of_the_machine_reaches_the_time() {
        for (std::size_t level = 0; level < 2; ++level) {
            Scenario slow = gpt3_on_selene();
            slow.machine.levels[level].bandwidth *= 0.5;
            QVERIFY(estimate(slow)->step.total() > estimate(gpt3_on_selene())->step.total());
        }
    }

    // Asked of SimAI: doubling the devices changes nothing.
    void twice_the_devices_is_another_time() {
        Scenario twice = gpt3_on_selene();
        twice.layout.data_parallel *= 2;
        twice.layout.devices *= 2;
        QVERIFY(estimate(twice)->step.total() < 0.6 * estimate(gpt3_on_selene())->step.total());
    }

    // cookbook: counts two feed-forward matrices where a gated model has three (72B became 56B).
    void gated_models_have_three_feed_forward_matrices() {
        QVERIFY(close(parameters(library().models.at("qwen2.5-72b")), 72706203648.0, 1e-12));
    }
};

PLIMSOLL_TEST(PeersDefectsTest)
#include "tst_peers_defects.moc"

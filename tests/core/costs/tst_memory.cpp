// Device memory: logits by how the loss comes about, what recomputation keeps, what sharding holds whole, and measured
// peaks of complete configurations.
#include "registered_test.h"

#include "core/answers/plan/estimate.h"
#include "core/answers/plan/rules.h"
#include "core/costs/memory/memory.h"
#include "core/costs/kernels/data_parallel.h"
#include "core/costs/kernels/layer.h"
#include "core/costs/optimizer/optimizer.h"
#include "core/evidence/published/score.h"
#include "scenarios.h"
#include "shipped.h"
#include "near.h"

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

// A gated model without dropout, fully sharded.
Scenario sharded(int data, int tensor = 1) {
    Scenario s = gpt3_on_selene();
    s.model = small_gated();
    s.layout = {};
    s.layout.tensor_parallel = tensor;
    s.layout.sequence_parallel = tensor > 1;
    s.layout.data_parallel = data;
    s.layout.devices = data * tensor;
    s.layout.zero_stage = 3;
    s.stack = {};
    s.stack.kernels.attention = Attention::flash;
    s.recipe.state_format = StateFormat::fp32_moments;
    s.recipe.global_batch_sequences = data;
    s.recipe.sequence_length = 4096;
    return s;
}

double tokens(const Scenario& s) { return double(s.layout.micro_batch) * s.recipe.sequence_length; }
double logits_of(const Scenario& s) { return stage_logits(s, s.layout.pipeline_parallel - 1) / byte; }

MemoryUse only_stage(const Scenario& s) { return stage_memory(s, 0); }

// Megatron-LM, functional tests: 7 billion parameters with grouped queries.
Model megatron_7b() {
    Model m = gpt3_175b();
    m.layers = 32;
    m.hidden = 4096;
    m.heads = 32;
    m.kv_heads = 8;
    m.head_dim = 128;
    m.ffn = 16384;
    m.vocabulary = 131073;
    m.sequence_length = m.position_rows = 8192;
    m.tied_embeddings = false;
    m.final_norm = true;
    return m;
}

// Nemotron's shape at 15 billion: squared ReLU, no biases, no dropout.
Model megatron_15b() {
    Model m = megatron_7b();
    m.hidden = 6144;
    m.heads = 48;
    m.ffn = 24576;
    m.vocabulary = 256000;
    m.sequence_length = 4096;
    m.position_rows = 0;
    m.positions = Positions::rotary;
    m.activation = Activation::squared_relu;
    m.qkv_bias = m.out_bias = m.mlp_bias = m.dropout = false;
    return m;
}

Scenario megatron(const Model& m, int tensor, int pipeline, int data, int micro_batch, int batch) {
    Scenario s = gpt3_on_selene();
    s.model = m;
    s.stack = library().stacks.at("megatron-core");
    s.layout = {};
    s.layout.tensor_parallel = tensor;
    s.layout.pipeline_parallel = pipeline;
    s.layout.data_parallel = data;
    s.layout.devices = tensor * pipeline * data;
    s.layout.micro_batch = micro_batch;
    s.layout.zero_stage = 1;
    s.recipe.state_format = StateFormat::fp32_moments_fp32_sums;
    s.recipe.global_batch_sequences = batch;
    s.recipe.sequence_length = m.sequence_length;
    return s;
}

}  // namespace

class MemoryTest : public QObject {
    Q_OBJECT

private slots:
    // ---- Logits

    void logits_are_held_as_the_loss_comes_about_data() {
        QTest::addColumn<int>("loss");
        QTest::addColumn<int>("tensor");
        QTest::addColumn<double>("bytes");
        const auto row = [](const char* name, LossKernel loss, int tensor, double bytes) {
            QTest::newRow(name) << int(loss) << tensor << bytes;
        };
        row("the preset's own number", LossKernel::stated, 1, 11.5);
        row("over a split vocabulary, in place", LossKernel::parallel, 2, 6);
        row("the same, fused", LossKernel::parallel_fused, 2, 10);
        row("the same, with a copy", LossKernel::parallel_copied, 2, 8);
        row("one operation after the other", LossKernel::eager, 1, 14);
        row("the same over tensor ranks", LossKernel::eager, 2, 18);
        row("compiled", LossKernel::compiled, 1, 4);
        row("compiled, over tensor ranks", LossKernel::compiled, 2, 10);
        row("together with the head's product", LossKernel::fused_linear, 2, 2);
    }
    void logits_are_held_as_the_loss_comes_about() {
        QFETCH(int, loss);
        QFETCH(int, tensor);
        QFETCH(double, bytes);
        Scenario s = sharded(8, tensor);
        s.stack.loss.kernel = LossKernel(loss);
        s.stack.loss.logit_bytes = 11.5;
        QVERIFY(near(logits_of(s), bytes * tokens(s) * vocabulary_share(s)));
    }
    void a_loss_in_chunks_holds_one_and_the_gradient_of_its_input() {
        Scenario s = sharded(8);
        s.stack.loss.kernel = LossKernel::compiled;
        s.stack.loss.chunks = 8;
        QVERIFY(near(logits_of(s), 4.0 / 8 * tokens(s) * vocabulary_share(s) + 4 * tokens(s) * s.model.hidden));
    }
    // 8 T h V operations of the head instead of 6, and of the logits no more than the gradient of a chunk.
    void a_loss_fused_with_the_head_repeats_its_product() {
        Scenario s = sharded(8);
        s.stack.loss.kernel = LossKernel::compiled;
        const Outcome before = estimate(s);
        const EndTime apart = head_time(s);
        s.stack.loss.kernel = LossKernel::fused_linear;
        s.stack.loss.chunks = 8;
        const Outcome after = estimate(s);
        QVERIFY(before && after);
        const EndTime fused = head_time(s);
        QVERIFY(fused.forward < apart.forward && fused.backward > apart.backward && fused.weight == apart.weight);
        const double all = double(s.recipe.global_batch_sequences) * s.recipe.sequence_length;
        QVERIFY(near((after->hardware_flop - before->hardware_flop) / flop,
                     2 * all * s.model.hidden * vocabulary_share(s)));
        QVERIFY(near(logits_of(s), 2.0 / 8 * tokens(s) * vocabulary_share(s) + 4 * tokens(s) * s.model.hidden));
    }
    // All forward passes come first: the fp32 softmax of every micro-batch waits, the largest moment adds one.
    void gpipe_keeps_the_logits_of_every_micro_batch() {
        Scenario s = gpt3_on_selene();
        s.stack.loss.kernel = LossKernel::parallel;
        s.layout.schedule = Schedule::gpipe;
        const double one = tokens(s) * vocabulary_share(s), m = micro_batches(s);
        QVERIFY(near(logits_of(s), (6 + 4 * (m - 1)) * one));
        s.layout.schedule = Schedule::one_f_one_b;
        QVERIFY(near(logits_of(s), 6 * one));
        s.stack.loss.logits_at_once = megabyte;   // a loss that writes the gradient at once keeps none
        s.layout.schedule = Schedule::gpipe;
        QVERIFY(near(logits_of(s), 1e6));
    }

    // ---- Layers

    void alternate_products_are_kept_as_listed() {
        Scenario s = sharded(8);
        s.layout.recompute = Recompute::selective;
        s.stack.recomputation.keeps_alternate_products = true;
        const Model& m = s.model;
        const double h = m.hidden, a = m.heads * m.head_dim, k = m.kv_heads * m.head_dim, f = m.ffn;
        QVERIFY(near(stored_activations(s, 0) / byte, 2 * tokens(s) * (2 * h + a + k + a + f)));
        Scenario split = sharded(8, 2);
        split.layout.recompute = Recompute::selective;
        split.stack.recomputation.keeps_alternate_products = true;
        QVERIFY(near(stored_activations(split, 0) / byte, stored_activations(s, 0) / byte / 2));
    }
    // Bytes that tensors of a layer take one by one against their sums.
    void tensors_add_up_data() {
        QTest::addColumn<Scenario>("plan");
        const auto row = [](const char* name, auto change) {
            Scenario s = sharded(8, 4);
            change(s);
            QTest::newRow(name) << s;
        };
        row("nothing recomputed", [](Scenario&) {});
        row("full recomputation", [](Scenario& s) { s.layout.recompute = Recompute::full; });
        row("the scores are recomputed", [](Scenario& s) {
            s.layout.recompute = Recompute::selective;
            s.stack.kernels.attention = Attention::materialised;
        });
        row("a share is recomputed", [](Scenario& s) {
            s.layout.recompute = Recompute::selective;
            s.stack.recomputation.selective_share = 0.3;
        });
        row("every other product is recomputed, operation by operation", [](Scenario& s) {
            s.layout.recompute = Recompute::selective;
            s.stack.recomputation.keeps_alternate_products = s.stack.memory.eager_layers = true;
        });
        row("8-bit copies", [](Scenario& s) {
            s.recipe.precision = Precision::fp8;
            s.stack.memory.fp8_storage = Fp8Storage::copies;
        });
        row("experts, some of them shared", [](Scenario& s) {
            s.model.experts = {.count = 16, .top_k = 2, .ffn = 512, .shared = 1, .shared_ffn = 512};
            s.layout.expert_parallel = 4;
        });
        row("latent attention, sequence parallel", [](Scenario& s) {
            s.model.latent = {.kv_rank = 512, .q_rank = 1536, .rope_dim = 64, .nope_dim = 128, .value_dim = 128};
            s.layout.sequence_parallel = true;
        });
    }
    void tensors_add_up() {
        QFETCH(Scenario, plan);
        const Work s(plan);
        for (Kind k = 0; k < s.layers.kinds(); ++k) {
            Bytes recomputed, whole, waiting;
            for (const Kept& t : not_empty(kept_tensors(s, s.layers[k]))) {
                recomputed += kept_bytes(s, s.layers[k], t, Keeps::recomputed);
                whole += kept_bytes(s, s.layers[k], t, Keeps::whole);
                waiting += kept_bytes(s, s.layers[k], t, Keeps::waiting);
            }
            QVERIFY(near(recomputed / byte, stored_activations(s, k) / byte, 1e-12));
            QVERIFY(near(whole / byte, layer_activations(s, k).total() / byte, 1e-12));
            QVERIFY(near(waiting / byte, layer_activations(s, k).waiting / byte, 1e-12));
        }
    }
    void eager_operations_keep_their_results() {
        Scenario s = sharded(8);
        const Model& m = s.model;
        const double fused = layer_activations(s, dense_layer).total() / byte;
        s.stack.memory.eager_layers = true;
        const double qkv = m.heads * m.head_dim + 2.0 * m.kv_heads * m.head_dim;
        QVERIFY(near(layer_activations(s, dense_layer).total() / byte - fused, 2 * tokens(s) * (m.ffn + qkv), 1e-9));
    }
    void more_tensor_ranks_than_key_heads_hold_copies_of_keys_and_values() {
        Scenario s = sharded(8, 8);
        s.model.kv_heads = 8;
        const double whole = layer_activations(s, dense_layer).total() / byte;
        s.model.kv_heads = 2;                 // two heads on eight ranks take the room of eight
        QCOMPARE(layer_activations(s, dense_layer).total() / byte, whole);
        s.layout.tensor_parallel = 2;
        QVERIFY(layer_activations(s, dense_layer).total() / byte < 4 * whole);
    }
    void a_layer_brought_back_has_its_gathered_inputs() {
        Scenario s = sharded(8, 2);
        const double apart = whole_layer(s, 0) / byte - layer_activations(s, dense_layer).total() / byte;
        QVERIFY(near(apart, 4 * tokens(s) * s.model.hidden, 1e-9));
        s.layout.sequence_parallel = false;   // inputs are whole already
        QCOMPARE(whole_layer(s, 0) / byte, layer_activations(s, dense_layer).total() / byte);
    }

    // ---- Sharded units

    // Loss, head and layer by hand: weights 2, gradient 2, fp32 copy 4.
    void units_are_whole_for_a_moment_data() {
        QTest::addColumn<int>("vocabulary");
        QTest::addColumn<int>("micro_batch");
        QTest::addColumn<int>("recompute");
        QTest::addColumn<int>("moment");
        QTest::newRow("many tokens and logits") << 128000 << 16 << int(Recompute::none) << int(Moment::loss);
        QTest::newRow("a head larger than a layer") << 32000 << 1 << int(Recompute::full) << int(Moment::head_reduced);
        QTest::newRow("a layer larger than the head") << 512 << 1 << int(Recompute::full) << int(Moment::layer_reduced);
    }
    void units_are_whole_for_a_moment() {
        QFETCH(int, vocabulary);
        QFETCH(int, micro_batch);
        QFETCH(int, recompute);
        QFETCH(int, moment);
        Scenario s = sharded(8);
        s.model.vocabulary = vocabulary;
        s.layout.micro_batch = micro_batch;
        s.recipe.global_batch_sequences = 8 * micro_batch;
        s.recipe.sequence_length = 1024;
        s.layout.recompute = Recompute(recompute);
        s.stack.loss.kernel = LossKernel::compiled;
        s.stack.sharding.reduces_fp32 = true;
        const WorkMemory w = work_memory(s, {}, 0);
        const double layer = layer_share(s, dense_layer).all.total(), head = table_share(s).all.total();
        const double kept = w.kept / byte, one = w.one_layer / byte, live = w.recomputed_layer / byte;
        const double sums[] = {0, kept + w.logits / byte + 2 * head + 4 * layer, kept + live + 8 * head + 4 * layer,
                               kept - one + live + 10 * layer};
        const MemoryUse m = only_stage(s);
        QVERIFY(near((m.activations + m.logits + m.buffers) / byte, *std::max_element(sums, sums + 4), 1e-9));
        const StagePeak peak = stage_peak(s, w, stage_parameters(s, 0), 0);
        QCOMPARE(int(peak.when), moment);
    }
    // FSDP2's reshard_after_forward off: every layer's weights wait for their backward pass, which gathers nothing.
    void weights_that_are_kept_are_whole_until_the_backward_pass() {
        Scenario s = sharded(8);
        const MemoryUse again = only_stage(s);
        s.layout.secondary_shard = 1;
        QVERIFY(check(s).empty());
        const Buffers b = stage_peak(s, work_memory(s, {}, 0), stage_parameters(s, 0), 0).buffers;
        QVERIFY(near(b.gathered / byte, 2 * stage_parameters(s, 0).all.total()));
        const MemoryUse kept = only_stage(s);
        QVERIFY(kept.weights == again.weights && kept.total() > again.total());
        QCOMPARE(layer_regather_time(s, dense_layer, 0) / second, 0.0);
        Scenario among = sharded(8);
        among.layout.secondary_shard = 4;
        QVERIFY(only_stage(among).total() > again.total() && only_stage(among).total() < kept.total());
    }
    void fp32_gathers_take_twice_the_room() {
        Scenario s = sharded(8);
        const auto gathered = [&] {
            return stage_peak(s, work_memory(s, {}, 0), stage_parameters(s, 0), 0).buffers.gathered / byte;
        };
        const double narrow = gathered();
        s.stack.sharding.gathers_fp32 = true;
        QVERIFY(near(gathered(), 2 * narrow));
    }
    // 2 bytes of weights and 4 of fp32 sums for every parameter of the stage, and a layer's gradient with its copy.
    void units_stay_whole_in_a_pipeline() {
        Scenario s = sharded(8);
        s.layout.pipeline_parallel = 4;
        s.layout.devices = 32;
        s.recipe.global_batch_sequences = 8 * 16;
        s.stack.sharding.stage_with_pipeline = 3;
        s.stack.sharding.reduces_fp32 = true;
        const Bytes one_by_one = stage_memory(s, 1).buffers;
        s.stack.sharding.keeps_units_in_pipeline = true;
        const Buffers b = stage_peak(s, work_memory(s, {}, 1), stage_parameters(s, 1), 1).buffers;
        const double own = stage_parameters(s, 1).all.total(), layer = layer_share(s, dense_layer).all.total();
        QVERIFY(near(b.gathered / byte, 2 * own));
        QVERIFY(b.whole_gradients / byte <= 4 * own + 6 * layer + 1 && b.whole_gradients / byte >= 4 * own);
        QVERIFY(near(b.between_stages / byte, 4 * s.model.hidden * tokens(s) * 16));
        QVERIFY(b.total() > one_by_one);
    }
    // By hand for the fullest stage: 11.6 GiB of shards, 23.2 of fp32 sums, 11.6 of gathered weights, 15 of layer
    // inputs, a layer that comes back, and room to receive: 66 to 78 GiB, where shards and two layers alone are 33.
    void a_405b_plan_needs_what_its_pipeline_keeps() {
        Scenario s = gpt3_on_selene();
        s.model = library().models.at("llama3.1-405b");
        s.stack = library().stacks.at("torchtitan-compile");
        s.layout = {};
        s.layout.tensor_parallel = s.layout.pipeline_parallel = s.layout.data_parallel = 8;
        s.layout.devices = 512;
        s.layout.micro_batch = 4;
        s.layout.zero_stage = 3;
        s.layout.sequence_parallel = true;
        s.layout.recompute = Recompute::full;
        s.recipe.global_batch_sequences = 256;
        s.recipe.sequence_length = 8192;
        s.recipe.state_format = StateFormat::fp32_moments;
        const Outcome e = estimate(s);
        QVERIFY(e.has_value());
        QVERIFY(e->worst().total() > 66 * gibibyte && e->worst().total() < 78 * gibibyte);
    }

    // ---- Gradients that come and go

    // The highest of loss, first layer back, last layer and update, by hand: one device, 16 bytes a parameter.
    void gradients_that_are_set_to_none_are_not_there_at_the_loss_data() {
        QTest::addColumn<int>("vocabulary");
        QTest::addColumn<int>("micro_batch");
        QTest::addColumn<int>("accumulated");
        QTest::addColumn<bool>("all_at_once");
        QTest::addColumn<int>("moment");
        QTest::newRow("many logits") << 512000 << 16 << 1 << false << int(Moment::loss);
        QTest::newRow("many logits, after other micro-batches") << 512000 << 16 << 4 << false << int(Moment::loss);
        QTest::newRow("a layer that comes back above small states") << 512 << 64 << 1 << false
                                                                    << int(Moment::first_layer);
        QTest::newRow("states alone") << 32000 << 1 << 1 << false << int(Moment::last_layer);
        QTest::newRow("an update of all at once") << 32000 << 1 << 1 << true << int(Moment::update);
    }
    void gradients_that_are_set_to_none_are_not_there_at_the_loss() {
        QFETCH(int, vocabulary);
        QFETCH(int, micro_batch);
        QFETCH(int, accumulated);
        QFETCH(bool, all_at_once);
        QFETCH(int, moment);
        Scenario s = sharded(1);
        s.model.vocabulary = vocabulary;
        s.layout.micro_batch = micro_batch;
        s.layout.recompute = Recompute::full;
        s.recipe.sequence_length = 1024;
        s.recipe.global_batch_sequences = accumulated * micro_batch;
        s.stack.loss.kernel = LossKernel::eager;
        s.stack.memory.gradients_come_and_go = true;
        s.stack.memory.updates_all_at_once = all_at_once;
        const WorkMemory w = work_memory(s, {}, 0);
        const double kept = w.kept / byte, one = w.one_layer / byte, live = w.recomputed_layer / byte;
        const double own = stage_parameters(s, 0).all.total(), gradients = accumulated > 1 ? 2 * own : 0;
        const double sums[] = {gradients + kept + w.logits / byte, gradients + kept + live,
                               2 * own + kept - (s.model.layers - 1) * one + live,
                               2 * own + (all_at_once ? 4 * own : 0)};
        const MemoryUse m = only_stage(s);
        QVERIFY(near((m.total() - m.context) / byte, 14 * own + *std::max_element(sums, sums + 4), 1e-9));
        QCOMPARE(int(stage_peak(s, w, stage_parameters(s, 0), 0).when), moment);
        s.stack.memory.gradients_come_and_go = false;
        QVERIFY(only_stage(s).total() > m.total() || all_at_once);
    }
    // Where something holds them nothing changes: a pipeline, buckets of replicas that share no gradients.
    void gradients_that_are_held_are_always_there() {
        Scenario replicas = sharded(8);
        replicas.layout.zero_stage = 1;
        Scenario pipeline = sharded(8);
        pipeline.layout.pipeline_parallel = 4;
        pipeline.layout.devices = 32;
        pipeline.layout.zero_stage = 1;
        pipeline.recipe.global_batch_sequences = 8 * 16;
        for (Scenario s : {replicas, pipeline}) {
            const MemoryUse before = stage_memory(s, 0);
            s.stack.memory.gradients_come_and_go = s.stack.memory.updates_all_at_once = true;
            QVERIFY(stage_memory(s, 0) == before);
        }
        Scenario shards = sharded(8);
        const Bytes before = only_stage(shards).total();
        shards.stack.memory.gradients_come_and_go = true;
        QVERIFY(only_stage(shards).total() < before);
    }
    // A loss in eight pieces, compiled: logits of all in 16 bits, an eighth of their gradient, and beside them the sum
    // of the head's gradient and that of a piece.
    void a_loss_in_pieces_keeps_the_logits_of_all_where_the_head_comes_before() {
        Scenario s = sharded(1);
        s.model.vocabulary = 512000;
        s.layout.recompute = Recompute::full;
        s.stack.loss.kernel = LossKernel::compiled;
        s.stack.loss.chunks = 8;
        s.stack.memory.gradients_come_and_go = true;
        const double logits = tokens(s) * s.model.vocabulary, table = 1.0 * s.model.vocabulary * s.model.hidden;
        QCOMPARE(logits_of(s), 4 * logits / 8 + 2 * layer_input(s) / byte);
        s.stack.loss.chunks_keep_logits = true;
        QCOMPARE(logits_of(s), (2 + 2.0 / 8) * logits);
        const StagePeak p = stage_peak(s, work_memory(s, {}, 0), stage_parameters(s, 0), 0);
        QCOMPARE(int(p.when), int(Moment::loss));
        QVERIFY(near(p.buffers.whole_gradients / byte, 2 * 2 * table, 1e-9));
        s.stack.loss.chunks = 1;
        QCOMPARE(logits_of(s), 4 * logits);
    }
    // The gradients are never all there: one layer's, and at the loss the head's, are held.
    void an_update_in_the_backward_pass_holds_one_layers_gradient() {
        Scenario s = sharded(1);
        s.layout.recompute = Recompute::full;
        s.model.vocabulary = 512;
        s.recipe.sequence_length = 64;
        s.stack.memory.gradients_come_and_go = true;
        const MemoryUse before = only_stage(s);
        s.recipe.updates_in_backward = true;
        const MemoryUse after = only_stage(s);
        const double own = stage_parameters(s, 0).all.total(), layer = Work(s).parameters(0).layer.all.total();
        QCOMPARE(after.gradients, Bytes{});
        QVERIFY(near((before.total() - after.total()) / byte, 2 * (own - layer), 0.02));
    }
    // PyTorch 2.0 held the roots of the second moments twice.
    void an_update_of_all_at_once_holds_as_many_moments_as_it_copies() {
        Scenario s = sharded(1);
        s.recipe.state_format = StateFormat::all_16bit;
        s.recipe.sequence_length = 64;
        s.layout.recompute = Recompute::full;
        s.stack.memory.gradients_come_and_go = s.stack.memory.updates_all_at_once = true;
        s.stack.memory.update_copies = 2;
        QVERIFY(near(only_stage(s).total() / byte, 12 * stage_parameters(s, 0).all.total(), 0.01));
    }
    // One A100, pure 16-bit training of 7.24 billion parameters on short batches: 68.6 GiB by nvidia-smi. Weights,
    // gradients, two moments and one more while the update runs are 10 bytes a parameter.
    void a_pure_16bit_update_takes_ten_bytes_a_parameter() {
        Scenario s = sharded(1);
        s.recipe.state_format = StateFormat::all_16bit;
        s.recipe.sequence_length = 64;
        s.layout.recompute = Recompute::full;
        s.stack.memory.gradients_come_and_go = s.stack.memory.updates_all_at_once = true;
        const double own = stage_parameters(s, 0).all.total();
        QVERIFY(near(only_stage(s).total() / byte, 10 * own, 0.01));
        s.recipe.optimizer = Optimizer::adam_8bit;   // 2 + 2 + 1 + 1, and one byte more
        QVERIFY(near(only_stage(s).total() / byte, 7 * own, 0.01));
    }

    // Transformer Engine before 2.13 copied 16-bit moments to fp32: 8 bytes a parameter of the experts, or of all
    // others, when the activations are gone. Recomputation saves nothing below that.
    void an_update_that_widens_moments_has_a_peak_of_its_own() {
        Scenario s = sharded(1);
        s.recipe.state_format = StateFormat::master_weights;
        s.recipe.sequence_length = 1024;
        const MemoryUse passes = only_stage(s);
        s.stack.memory.widens_moments = true;
        const double own = stage_parameters(s, 0).all.total();
        QCOMPARE(int(stage_peak(s, work_memory(s, {}, 0), stage_parameters(s, 0), 0).when), int(Moment::update));
        const MemoryUse update = only_stage(s);
        QVERIFY(near((update.total() - update.context - update.buffers) / byte, (2 + 2 + 4 + 4 + 8) * own, 1e-6));
        QVERIFY(update.total() > passes.total());
        s.layout.recompute = Recompute::full;
        QVERIFY(only_stage(s).total() == update.total());
        s.recipe.state_format = StateFormat::fp32_moments;   // nothing to widen
        QVERIFY(stage_peak(s, work_memory(s, {}, 0), stage_parameters(s, 0), 0).when != Moment::update);
    }

    // ---- States

    // Gradients, optimizer states and their traffic are of what is trained; the weights of all are kept.
    void frozen_parameters_have_weights_alone() {
        for (const Scenario& s : {sharded(8), gpt3_on_selene()}) {
            const Parameters trained = stage_parameters(s, 0);
            Parameters frozen = trained;
            frozen.trained = {};
            QVERIFY(held_weights(s, frozen).total() == held_weights(s, trained).total());
            QVERIFY(held_gradients(s, trained).total() > Bytes{} && held_optimizer(s, trained) > Bytes{});
            QCOMPARE(held_gradients(s, frozen).total() / byte, 0.0);
            QCOMPARE(held_optimizer(s, frozen) / byte, 0.0);
            QCOMPARE(optimizer_traffic(s, frozen) / byte, 0.0);
            QCOMPARE(accumulation_traffic(s, frozen) / byte, 0.0);
            const StateShare one = owned_states(s, frozen);
            QVERIFY(one.weights > Bytes{} && one.gradients + one.optimizer + one.updated == Bytes{});
            Scenario replicas = s;
            replicas.layout.zero_stage = 1;   // above it, layers are gathered and scattered one by one
            QVERIFY(gradient_time(replicas, frozen, {}).reduce < gradient_time(replicas, trained, {}).reduce);
        }
    }

    void the_bf16_optimizer_keeps_both_gradients() {
        Scenario s = sharded(8);
        s.layout.zero_stage = 1;
        s.recipe.state_format = StateFormat::fp32_moments_fp32_sums;
        s.stack.memory.keeps_16bit_gradients = true;
        s.stack.memory.gradient_copy_bytes = 2;
        const double own = stage_parameters(s, 0).all.total();
        const MemoryUse m = only_stage(s);
        QVERIFY(near((m.weights + m.gradients + m.optimizer) / byte, own * (8 + 12.0 / 8)));
        QVERIFY(near(stage_peak(s, {}, stage_parameters(s, 0), 0).buffers.gradient_copies / byte, own * 2));
        s.recipe.state_format = StateFormat::fp32_moments;   // 16-bit gradients alone
        QVERIFY(near(only_stage(s).gradients / byte, own * 2));
    }
    // hpZ of ZeRO++ (Wang et al. 2023, arXiv 2306.10209) on 1,024 devices in nodes of 16: 16/1,024 + 2/16 bytes of a
    // parameter are nine times those of ZeRO-3, and 114 times less than replicated states.
    void a_second_copy_of_the_weights_is_held_by_its_group() {
        Scenario s = sharded(1024);
        const double own = stage_parameters(s, 0).all.total();
        const auto states = [&] {
            const MemoryUse m = only_stage(s);
            return (m.weights + m.gradients + m.optimizer) / byte;
        };
        const double zero_3 = states();
        QVERIFY(near(zero_3, own * 16 / 1024));
        s.layout.secondary_shard = 16;
        QVERIFY(near(states(), zero_3 + own * 2 / 16));
        QCOMPARE(qRound(states() / zero_3 * 10), 90);
        QCOMPARE(qRound(16 * own / states()), 114);
    }

    void fp8_copies_are_kept_beside_the_weights() {
        Scenario s = sharded(8);
        s.layout.zero_stage = 1;
        s.recipe.precision = Precision::fp8;
        const MemoryUse converted = only_stage(s);
        const double own = stage_parameters(s, 0).converted.total();
        s.stack.memory.fp8_storage = Fp8Storage::copies;
        const MemoryUse copied = only_stage(s);
        QVERIFY(near(copied.weights / byte, converted.weights / byte + 2 * own));
        QVERIFY(copied.activations < converted.activations);
        s.stack.memory.fp8_storage = Fp8Storage::primary;
        QVERIFY(near(only_stage(s).weights / byte, converted.weights / byte));
        QVERIFY(near(only_stage(s).activations / byte, copied.activations / byte));
    }

    // ---- Measured peaks: mem-max-allocated-bytes of the last rank, Megatron-LM tests/functional_tests, golden values

    void megatrons_own_tests_are_met_data() {
        QTest::addColumn<Scenario>("plan");
        QTest::addColumn<double>("bytes");
        Scenario interleaved = megatron(megatron_7b(), 1, 4, 2, 1, 8);
        interleaved.layout.virtual_stages = 8;
        interleaved.layout.schedule = Schedule::interleaved;
        QTest::newRow("gpt3_7b_tp1_pp4_memory_speed, H100: interleaved 8 times, as many micro-batches as stages")
            << interleaved << 60518293504.0;
        QTest::newRow("gpt3_7b_tp4_pp1_memory_speed, H100: no sequence parallelism")
            << megatron(megatron_7b(), 4, 1, 2, 2, 8) << 57143791616.0;
        Scenario large = megatron(megatron_15b(), 8, 1, 16, 4, 1152);
        large.layout.sequence_parallel = true;
        QTest::newRow("gpt3_15b_8t_release: 16 replicas, 26.2 GiB") << large << 26.2 * (gibibyte / byte);
    }
    void megatrons_own_tests_are_met() {
        QFETCH(Scenario, plan);
        QFETCH(double, bytes);
        const Outcome e = estimate(plan);
        QVERIFY(e.has_value());
        const double predicted = figure_of(*e, {MemoryKind::allocated, MemoryRank::last}) / byte;
        QVERIFY2(near(predicted, bytes, 0.03), qPrintable(QString::number(predicted / bytes)));
    }
};

PLIMSOLL_TEST(MemoryTest)
#include "tst_memory.moc"

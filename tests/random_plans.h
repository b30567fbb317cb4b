#pragma once
// Plans drawn at random over every setting, the same on every machine and run.
// Some have obstacles; callers skip or look at those.

#include "scenarios.h"
#include "core/values/plan/kinds.h"
#include "core/values/plan/schedules.h"
#include "core/values/plan/share.h"

#include <random>
#include <vector>

namespace plimsoll::testing {

// Every tier for every state, on a node with and without drives.
template <class Pick>
void draw_offload(Scenario& s, Pick pick) {
    Offload& o = s.layout.offload;
    const int zero = s.layout.zero_stage;
    if (zero >= 1) o.optimizer = Tier(pick({0, 1, 2}));
    if (o.optimizer != Tier::device) s.recipe.optimizer = Optimizer(pick({0, 1}));
    o.paged_optimizer = o.optimizer == Tier::host && zero == 1 && pick({0, 1});
    if (o.optimizer != Tier::device && zero >= 2) o.gradients = Tier(pick({0, 1, 2}));
    if (zero == 3) o.weights = Tier(pick({0, 1, 2}));
    if (o.weights == Tier::device && o.gradients == Tier::device) o.optimizer_share = 1 - zero % 3 * 0.25;
    o.delayed_update = o.optimizer != Tier::device && pick({0, 1});
    o.activations = Tier(pick({0, 1, 2}));
    if (o.swaps()) s.layout.recompute_layers = 0;
    o.stay_behind = StayBehind(pick({0, 1}));
    if (o.swaps() && o.stay_behind == StayBehind::recompute) {
        s.layout.recompute = Recompute::none;
        s.stack.kernels.attention = Attention::flash;
    }
    o.solve_share = pick({0, 1});
    o.activation_share = pick({0, 1, 2}) * 0.5;
    o.planned_memory = pick({0, 1});
    if (pick({0, 1, 2}))
        s.machine.host.nvme = {8, 30 * terabyte, 50 * gigabyte / second, 25 * gigabyte / second, 7e3 * terabyte};
    if (pick({0, 1})) s.machine.host.adam_rate = 4e9;
}

// Every input of a mixture, within its rules where they are many.
template <class Pick>
void draw_experts(Scenario& s, Pick pick) {
    Experts& e = s.model.experts;
    Layout& l = s.layout;
    if (pick({0, 1})) s.model.latent.q_rank = 0;
    e.top_k = pick({1, 2, 4, 3});
    e.shared = pick({0, 1, 2});
    e.dense_layers = pick({0, 1, 3});
    e.every = pick({1, 1, 2});
    e.node_limit = pick({0, 2});
    e.capacity = pick({0, 5}) / 4.0;
    e.imbalance = pick({4, 6}) / 4.0;
    e.pads = e.top_k != 2;
    e.rank_capacity = e.shared == 1 ? 1.5 : 0;
    s.stack.experts.exchange_units = e.every == 2 ? 0.15 : 0;
    e.order = ExpertOrder(pick({0, 1}));
    e.router_bias = pick({0, 1});
    l.expert_parallel = pick({1, 2, 4, 8, 16});
    l.expert_tensor_parallel = pick({1, 1, 2});
    l.sequence_parallel = l.tensor_parallel > 1;
    l.shard_group = 0;
    l.offload = {};
    l.tensor_mode = TensorMode::one_d;
    l.tensor_depth = 1;
    s.recipe.optimizer = Optimizer(pick({0, 1, 2}));
    if (l.zero_stage >= 1 && s.recipe.optimizer != Optimizer::adam_8bit && e.top_k % 2 == 0) {
        l.offload.optimizer = Tier::host;
        l.offload.optimizer_share = e.top_k / 4.0;
    }
    ExpertStack& k = s.stack.experts;
    k.dispatch = Dispatch(pick({0, 1}));
    k.exchange_efficiency = pick({1, 2}) * 0.5;
    k.exchange_exposed = pick({1, 2}) * 0.5;
    k.grouped_gemm_factor = pick({1, 2}) * 0.5;
    k.host_experts = pick({0, 1}) * millisecond;
    k.host_latent = pick({0, 1}) * millisecond;
    k.graph = Graph(e.top_k % 4);
    k.attention_graph_leaves = 0.42 + 0.1 * e.shared;
    k.host_exchange = e.shared * millisecond;
    k.paired_exposed = e.shared ? 0.3 : 0.7;
    const bool chunks = l.schedule == Schedule::interleaved || (l.pipeline_parallel == 1 && e.every == 1);
    if (chunks && e.node_limit == 0 && l.expert_parallel > 1) l.schedule = Schedule::combined;
    if (l.recompute == Recompute::full && schedule_kind(l.schedule).pairs) l.recompute = Recompute::selective;
}

// Layers of several kinds: every mixer, half layers, two mixers side by side, windows, own heads, shared weights, keys
// of earlier layers, further tokens.
inline void draw_kinds(Scenario& s, int i) {
    Model& m = s.model;
    const Feed feed = has_experts(m) ? Feed::experts : Feed::dense;
    const Recurrence sizes{.heads = 16, .head_dim = 128, .key_heads = i % 2 ? 8 : 16, .key_dim = i % 3 ? 128 : 64};
    LayerKind attends{.letter = '*', .feed = i % 2 ? feed : Feed::none, .window = i % 3 == 1 ? 512 : 0};
    const LayerKind alone{.letter = '-', .feed = feed, .mixer = Mixer::none};
    LayerKind state{.letter = 'M', .feed = i % 2 ? Feed::dense : Feed::none, .mixer = Mixer(1 + i % 4)};
    state.recurrence = sizes;
    if (state.mixer == Mixer::lightning) state.recurrence.conv = 0;
    LayerKind both{.letter = 'H', .beside = Mixer::mamba2, .recurrence = sizes};
    if (!has_latent_attention(m) && i % 4 == 0) both.heads = 8, both.kv_heads = 8, both.head_dim = 64, both.ffn = 2048;
    LayerKind borrows = attends;
    if (!has_latent_attention(m)) {
        if (i % 3 == 0 && attends.feed != Feed::experts)
            attends.shared = {true, i % 4 == 2 ? 0 : 64, i % 8 < 4, i % 4 < 2, i % 8 != 3};
        attends.keys_are_values = i % 3 == 2;
        if (i % 3 == 1) attends.keys = Keys::lent;
        borrows.letter = 'K';
        borrows.keys = i % 3 == 1 ? Keys::borrowed : Keys::own;
        borrows.ffn = 4096;
    }
    m.kinds = {attends, alone, state, both};
    if (has_latent_attention(m) && i % 2) m.indexer = {.heads = 8, .head_dim = 64, .top_k = 256};
    const char* patterns[] = {"M*-", "MM*-H", "H", "*M-M-M", "*H"};
    m.pattern = patterns[i % 5];
    if (borrows.letter == 'K' && i % 4 < 2) m.kinds.push_back(borrows), m.pattern = i % 4 == 1 ? "*K" : "*-KK";
    m.pattern = letters_of(m);
    m.attention_gate = i % 3 == 0;
    m.attention_sinks = i % 5 == 1;
    if (i % 2) m.further = {1 + i % 2, i % 4 == 1 ? "*-" : "", i % 3 == 1};
    if (!has_experts(m) || i % 3 > 0) return;
    m.experts.latent_width = 512;
    m.experts.latent_norm = i % 2;
    m.experts.shared_gate = true;
}

// A fast cluster beside a large one of other cards, and either mapping.
template <class Pick>
void draw_clusters(Scenario& s, Pick pick) {
    Machine& m = s.machine;
    s.layout.mapping = Mapping(pick({0, 1}));
    m.clusters[0] = {pick({16, 60}),
                     Nic(pick({0, 1, 2})),
                     20 * gigabyte / second,
                     0.8,
                     5 * microsecond,
                     1,
                     pick({0, 1}) * 197 * teraflop / second};
    m.clusters[1] = {
        300, Nic::roce, 5 * gigabyte / second, 0.9, 8 * microsecond, pick({1, 2}) * 0.5, 160 * teraflop / second};
    m.nodes = int(nodes_of(m.clusters));
    span_levels(m);
}

// States in formats that have no name together, each way of them in turn.
inline StateFormat free_states(int i) {
    StateFormat f{WeightFormat(i % 2), GradientFormat(i / 2 % 3), MasterFormat(i % 4), MomentFormat(i % 5),
                  MomentFormat(i / 3 % 5), true};
    if (f.weights == WeightFormat::fp32) f.master = MasterFormat::none;
    return f;
}

// Tuning of all weights, or adapters of some matrices over frozen weights in every format.
inline Method drawn_method(int i) {
    Method m{Purpose::finetune, Trained(i % 4 > 0), 4 << i % 6};
    m.adapted.query = i % 3 > 0;
    m.adapted.key = m.adapted.output = i % 2;
    m.adapted.gate = m.adapted.up = i % 5 > 1;
    m.adapted.down = i % 5 > 2;
    m.adapted.experts = i % 7 > 2;
    m.fused_adapters = i % 3 == 1;
    m.trains_tables = i % 5 == 3;
    m.frozen = FrozenFormat(i / 4 % 4);
    m.adapter_dropout = i % 4 == 3;
    m.magnitudes = i % 3 == 2 && (m.frozen == FrozenFormat::as_products || !m.adapted.experts);
    if (i % 5 == 4) m.purpose = Purpose::preference, m.reference = Reference(i / 5 % 3);
    return m;
}

// One after the other, for campaigns of more plans than memory should hold.
class RandomPlans {
public:
    Scenario next() {
        const auto pick = [&](std::initializer_list<int> of) { return *(of.begin() + random_() % of.size()); };
        const auto pick_cluster = [&](std::initializer_list<int> of) {
            return *(of.begin() + of_clusters_() % of.size());
        };
        const int i = drawn_++;
        Scenario s = gpt3_on_selene();
        if (pick({0, 1})) s.model = small_gated();
        if (pick({0, 0, 1})) s.model.attention_density = 0.25, s.model.sparse_layers = 0.5;
        if (i % 5 == 2) s.model.window = {i % 2 ? 128 : 1500, (s.model.layers + 1) / 2, i % 3 == 0};
        Layout& l = s.layout;
        l = {};
        l.tensor_parallel = pick({1, 2, 4, 8, 3});
        l.tensor_mode = TensorMode(pick({0, 0, 0, 0, 1, 2}));
        l.tensor_depth = pick({1, 2, 2, 3});
        l.pipeline_parallel = pick({1, 2, 4, 8, 12, 5});
        l.data_parallel = pick({1, 2, 4, 6, 16});
        l.context_parallel = pick({1, 1, 1, 2, 4});
        l.context_mode = ContextMode(pick({0, 1}));
        if (i % 4 == 2) l.context_mode = ContextMode(2 + i / 4 % 2);
        if (i % 8 == 6) l.ulysses_ranks = 1 + i / 8 % 2;
        if (i % 3 == 0) l.state_mode = StateMode::passed;
        l.devices = int(l.model_parallel()) * l.data_parallel;
        l.micro_batch = pick({1, 2, 4});
        l.zero_stage = pick({0, 1, 2, 3});
        l.sequence_parallel = l.tensor_parallel > 1 && !l.on_grid() && pick({0, 1});
        l.recompute = Recompute(pick({0, 1, 2}));
        l.recompute_layers = i % 4 == 3 ? 1 + i % 3 : 0;
        if (i % 5 < 2) {   // a list of modules, each of 128 in turn
            s.stack.recomputation.takes_modules = true;
            for (int m = 0; m < layer_modules; ++m)
                l.recompute_modules.*module_rows[m].listed = (i / 5 + 37 * (i % 5)) >> m & 1;
        }
        l.schedule = l.pipeline_parallel == 1 ? Schedule(pick({0, 1, 1, 1, 3}))
                                              : Schedule(pick({0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8}));
        if (l.schedule == Schedule::interleaved) l.virtual_stages = pick({2, 3});
        else l.virtual_stages = schedule_kind(l.schedule).least_chunks;
        if (l.zero_stage && l.weight_replicas() % 2 == 0 && pick({0, 1})) l.shard_group = 2;
        const bool rounds = schedule_kind(l.schedule).least_rounds > 1;
        s.recipe.global_batch_sequences =
            l.data_parallel * l.micro_batch * l.pipeline_parallel * (rounds ? pick({2, 2, 7}) : pick({1, 2, 7}));
        if (l.schedule == Schedule::interleaved && i % 3 == 1)   // some have a last group that is smaller
            l.micro_batch_group = std::min(2 * l.pipeline_parallel, micro_batches(s));
        s.recipe.precision = Precision(pick({0, 1, 2}));
        s.recipe.tf32 = i % 3 == 1;
        s.recipe.state_format = named_states[pick({5, 6, 7})];
        if (i % 4 == 1) s.recipe.state_format = named_states[i % 5];
        if (i % 6 == 4) s.recipe.state_format = free_states(i / 6);
        s.recipe.optimizer = Optimizer(pick({0, 1, 2, 3, 4, 5, 6}));
        if (i % 11 == 7) s.recipe.optimizer = Optimizer::soap;
        s.recipe.optimizer_options.soap_interval = 1 + i % 10;
        s.recipe.optimizer_options.soap_widest = i % 3 * 5000;
        s.recipe.optimizer_options.muon_spread = MuonSpread(l.zero_stage == 1   ? pick({0, 1, 2, 3})
                                                            : l.zero_stage == 0 ? pick({0, 0, 0, 3})
                                                                                : pick({1, 2, 3, 3}));
        s.recipe.optimizer_options.muon_tensor = MuonTensor(pick({0, 1, 2}));
        s.recipe.optimizer_options.block_size = pick({0, 1000, 1024});
        s.recipe.optimizer_options.inverse_interval = pick({10, 100});
        s.recipe.optimizer_options.iteration_reduction = pick({1, 3});
        s.stack.kernels.attention = Attention(pick({0, 1}));
        s.stack.gradients.overlap = pick({0, 1}) * 0.8;
        s.stack.tensor.exposed = pick({1, 2}) * 0.5;
        s.stack.pipeline.exposed = pick({1, 2}) * 0.5;
        s.stack.sharding.gather_overlap_tax = 0.3;
        s.stack.sharding.efficiency = 1.0 / (1 + i % 3);
        s.stack.memory.gradient_copy_bytes = i % 2 * 4;
        s.stack.sharding.stage_with_pipeline = pick({1, 3});
        s.stack.recomputation.last_stage = pick({0, 1});
        s.stack.recomputation.repeats_last_product = i % 2 == 0;
        s.stack.updates.devices_keep_masters = i % 5 == 3;
        s.stack.updates.moves_in_turn = i % 4 == 1;
        s.stack.memory.widens_moments = i % 3 == 0;
        s.stack.loss.logits_at_once = i % 3 * 20 * megabyte;
        s.stack.loss.logits_share_room = i % 4 < 2;
        s.stack.sharding.gathers_tables = i % 5 < 2;
        s.stack.loss.kernel = LossKernel(i % 7);
        s.stack.loss.chunks = i % 7 == 3 ? 4 : 1;
        s.stack.sharding.reduces_fp32 = i % 2 == 0;
        s.stack.sharding.keeps_units_in_pipeline = i % 3 == 0;
        s.stack.sharding.host_collective = i % 5 / 3 * 0.4 * millisecond;
        s.stack.memory.eager_layers = i % 4 == 2;
        s.stack.recomputation.keeps_alternate_products = i % 3 == 1;
        s.stack.memory.unsplit_stream_bytes = i % 5 == 4 ? 6 : 0;
        s.stack.memory.keeps_16bit_gradients = i % 2 == 1;
        s.stack.memory.gradients_come_and_go = i % 5 == 1 || i % 4 == 3;
        if (i % 6 == 1 || i % 9 == 7) s.method = drawn_method(i / 3);
        s.stack.kernels.adapter_fusion = i % 3 * 0.5;
        s.stack.memory.updates_all_at_once = i % 3 == 2;
        s.stack.memory.update_copies = 1 + i % 2;
        s.stack.memory.copies_trained_tables = i % 5 < 2;
        s.stack.loss.chunks_keep_logits = i % 14 == 3;
        s.recipe.updates_in_backward = i % 11 == 4;
        s.stack.memory.fp8_storage = Fp8Storage(i % 3);
        s.stack.memory.unpipelined_buckets = i % 4 * 500 * megabyte;
        s.stack.kernels.skips_windows = i % 4 != 1;
        s.machine.device.efficiency.gemm_half_rows = i % 3 * 40;
        if (i % 3 == 1) {
            s.stack.kernels.attention_kernel = AttentionKernel::flash_2;
            s.machine.device.efficiency.attention[std::size_t(AttentionKernel::flash_2)] = {0.69, 0.6, 480, 500};
            s.machine.device.efficiency.sustained_attention = 0.9;
        }
        if (i % 4 == 2) {
            s.machine.device.efficiency.sustained = 0.8;
            s.machine.device.efficiency.reference_power = 500 * watt;
        }
        if (i % 7 == 3) {
            s.recipe.precision = Precision::fp8;
            s.recipe.fp8_recipe = Fp8Recipe(i / 7 % 6);
            s.machine.device.fp8 = 2 * s.machine.device.bf16;
            if (i / 7 % 6 >= 4 || i % 2) s.machine.device.fp4 = 2 * s.machine.device.fp8;
            s.recipe.gathers_into_gradients = i / 7 % 2;
            s.machine.device.efficiency.sustained_fp8 = 0.95;
            s.stack.kernels.quantises_each_micro_batch = i % 2 == 0;
        }
        if (i % 4 == 1)
            for (Level& level : s.machine.levels)
                level.large_from = 8 * megabyte, level.large_bandwidth = 0.6 * level.bandwidth;
        if (i % 5 == 2)
            for (Level& level : s.machine.levels)
                level.gather_factor = 1.5, level.scatter_factor = 0.7, level.message_factor = 2;
        if (i % 6 == 3)
            for (Level& level : s.machine.levels) {
                level.start = 4 * microsecond;
                level.half_size = 3 * megabyte;
                level.switch_reduction = 0.8;
                level.exchange_factor = 0.9;
                level.per_doubling = 0.15;
                level.axes = i % 4;
            }
        s.stack.tensor.gathers_inputs_again = i % 3 == 0;
        s.stack.tensor.crossing = i % 2 * 49 * microsecond;
        s.stack.gradients.exposed = i % 4 == 0 ? 0.15 : 0;
        s.stack.gradients.hidden_tax = i % 3 == 0 ? 0.2 : 0;
        s.stack.kernels.fuses_rms_norms = i % 5 != 2;
        s.stack.kernels.fuses_softmax = i % 7 != 3;
        s.stack.experts.groups_one_expert = i % 2 == 0;
        s.machine.host.issue_factor = i % 4 == 3 ? 1.5 : 1;
        s.stack.gradients.reduces_whole = i % 5 == 1;
        s.stack.gradients.bucket_crossing = i % 3 * 0.4 * millisecond;
        s.stack.host.layer_gap = pick({0, 1}) * 0.4 * millisecond;
        Compression& c = s.compression;
        c.scheme = Scheme(pick({0, 0, 0, 1, 2, 3}));
        c.encoding = Encoding(pick({0, 1}));
        if (pick({0, 1}))
            for (int t = 0; t < traffics; ++t)
                entry(c, Traffic(t)) = {CodecKind(pick({0, 1, 2, 3, 4})), pick({4, 8, 12}) * 1.0, 1.3, 0.02};
        if (pick({0, 1})) draw_offload(s, pick);
        if (pick({0, 0, 0, 1})) {
            s.model = small_mixture();
            draw_experts(s, pick);
        }
        s.model.parallel_blocks = i % 6 == 4;
        if (i % 9 == 7) draw_kinds(s, i / 9);
        if (s.recipe.precision == Precision::fp8) {
            s.recipe.converted_weights_alone =
                i % 3 > 0 && i % 4 > 0 && l.zero_stage < 3 && l.offload.weights == Tier::device;
            if (s.recipe.fp8_recipe != Fp8Recipe::delayed) s.model.wide = {i % 3, i % 2, i % 5 < 3};
        }
        const long long replicas = l.weight_replicas();
        if (s.model.experts.count > 0 && l.zero_stage > 0 && replicas % 2 == 0 && i % 2 == 0)
            l.shard_group = int(replicas / 2);
        if (l.zero_stage == 3 && i % 3 != 1 && l.offload.weights == Tier::device)
            l.secondary_shard = i % 4 == 2 ? 1 : l.shards() % 2 == 0 ? l.shards() / 2 : l.shards();
        if (i % 7 == 4 && !schedule_kind(l.schedule).splits_backward) {   // activations leave by each list in turn
            const Offload before = l.offload;
            s.stack.memory.sends_modules = true;
            l.offload.activations = Tier(1 + i % 3 / 2);
            l.offload.stay_behind = StayBehind::keep;
            for (int m = 0; m < sent_modules; ++m)
                l.offload.modules.*sent_module_rows[m].listed = (i / 7 + 29 * (i % 3)) >> m & 1;
            if (!l.offload.modules.core_attn) l.offload.modules.attn_proj = false;
            if (s.stack.experts.graph != Graph::none) l.offload.modules.mlp_norm = l.offload.modules.attn_norm = false;
            if (!sends_by_module(s.model, l.offload)) l.offload = before;
            l.recompute_layers = 0;
            if (l.recompute == Recompute::full || i % 2 == 0) l.recompute = Recompute::none;
            if (s.stack.recomputation.keeps_alternate_products || s.stack.recomputation.selective_share > 0)
                l.recompute = Recompute::none;
            l.recompute_modules.core_attn = false;
        }
        if (i % 6 == 1) s.recipe.document_length = 100.0 * (1 + i % 40), s.recipe.document_variation = i % 4 * 0.7;
        if (i % 12 == 7) s.recipe.rows = RowKind(i / 12 % 4);
        if (i % 10 == 7) s.recipe.examples = 1000.0 * (1 + i % 300), s.recipe.epochs = 1 + i % 5;
        s.machine.accounting.by_device = i % 5 == 1;
        l.stage_split = StageSplit(pick_cluster({0, 0, 1, 2, 3}));
        s.stack.pipeline.splits_by_cost = i % 7 == 3;
        s.stack.stalls.above = i % 5 == 4 ? 0.4 : 0;
        s.stack.pipeline.message = i % 3 * 0.1 * millisecond;
        s.stack.host.pipeline_tensor = i % 4 * 0.3 * millisecond;
        if (pick_cluster({0, 0, 0, 1})) draw_clusters(s, pick_cluster);
        return s;
    }

private:
    std::mt19937 random_{2026};
    std::mt19937 of_clusters_{2312};  // its own, so that what else is drawn does not depend on it
    int drawn_ = 0;
};

inline std::vector<Scenario> random_plans(int count) {
    RandomPlans random;
    std::vector<Scenario> plans;
    for (int i = 0; i < count; ++i) plans.push_back(random.next());
    return plans;
}

}  // namespace plimsoll::testing

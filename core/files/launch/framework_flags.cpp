// A plan in Megatron-LM's arguments.

#include "core/files/launch/framework_flags.h"

#include "core/costs/memory/swap.h"
#include "core/values/basics/names.h"
#include "core/values/basics/phrase.h"
#include "core/values/plan/share.h"
#include "core/files/presets/parts.h"

namespace plimsoll::files {

namespace {

std::string text(long long n) { return std::to_string(n); }

// With these the framework adds gradients up in fp32 unless it is told not to.
bool gradients_summed_in_fp32(Precision p) { return p == Precision::bf16 || p == Precision::fp8; }

// The letters of Megatron-Core's hybrid models (models/hybrid/hybrid_layer_allocation.py) for a layer; empty where
// there are none.
std::string megatron_letters(const Model& m, const LayerKind& k) {
    if (k.beside != Mixer::none || k.window > 0 || k.shared.on) return {};
    if (k.keys != Keys::own || k.keys_are_values) return {};
    std::string letters;
    switch (k.mixer) {
        case Mixer::attention: letters = has_latent_attention(m) ? "+" : "*"; break;
        case Mixer::mamba2: letters = "M"; break;
        case Mixer::gated_delta: letters = "G"; break;
        case Mixer::none: break;
        default: return {};
    }
    if (k.feed == Feed::dense) letters += '-';
    if (k.feed == Feed::experts) letters += 'E';
    return letters;
}

bool megatron_knows_kinds(const Model& m) {
    return std::ranges::none_of(m.kinds, [&](const LayerKind& k) { return megatron_letters(m, k).empty(); });
}

// Layers in the order of the model, | between virtual stages unless these are all alike, and / before each further
// token's.
std::string megatron_pattern(const Scenario& s) {
    const Model& m = s.model;
    const Layers layers(m);
    const auto letters = [&](int layer) { return megatron_letters(m, layers[layers.of_layer(layer)]); };
    std::string all;
    int next = 0;
    const int slots = s.layout.virtual_stages * s.layout.pipeline_parallel;
    const bool alike = s.layout.stages.empty() && m.layers % slots == 0;
    for (int chunk = 0; chunk < s.layout.virtual_stages; ++chunk)
        for (int stage = 0; stage < s.layout.pipeline_parallel; ++stage) {
            if (chunk + stage > 0 && !alike) all += '|';
            for (int i = layers_of_chunk(s, stage, chunk); i > 0; --i) all += letters(next++);
        }
    for (int depth = 0; depth < m.further.depths; ++depth) {
        all += '/';
        if (m.further.pattern.empty()) all += letters(m.layers - 1);
        for (const char c : m.further.pattern) all += megatron_letters(m, layers[layers.named(c)]);
    }
    return all;
}

// Other formats than those that Megatron-LM keeps by itself.
bool wants_precision_aware(const Recipe& r) {
    const StateFormat& f = r.state_format;
    return f.master != MasterFormat::fp32 || f.first_moment != MomentFormat::fp32
        || f.second_moment != MomentFormat::fp32;
}

class MegatronArguments {
public:
    explicit MegatronArguments(const Scenario& s) : s_(s) {}

    Arguments run() && {
        shape();
        feed_forward();
        experts();
        latent_attention();
        layout();
        stages();
        memory();
        recipe();
        return std::move(flags_);
    }

private:
    void add(const char* name, std::string value = {}) { flags_.push_back({name, std::move(value)}); }
    void add(const char* name, long long value) { add(name, text(value)); }
    void add_if(bool set, const char* name) { if (set) add(name); }

    void shape() {
        const Model& m = s_.model;
        if (has_pattern(m)) hybrid();
        else add("--num-layers", m.layers);
        add("--hidden-size", m.hidden);
        add("--ffn-hidden-size", m.ffn);
        add("--num-attention-heads", m.heads);
        if (!has_latent_attention(m) && 1LL * m.heads * m.head_dim != m.hidden) add("--kv-channels", m.head_dim);
        if (m.kv_heads != m.heads) {
        add("--group-query-attention");
        add("--num-query-groups", m.kv_heads);
    }
        add("--seq-length", s_.recipe.sequence_length);
        add("--max-position-embeddings", std::max(s_.recipe.sequence_length, m.position_rows));
        add("--vocab-size", m.vocabulary);
        add("--make-vocab-size-divisible-by", m.vocabulary_padding);
        const char* positions[] = {"learned_absolute", "rope", "none", "none"};
        add("--position-embedding-type", positions[int(m.positions)]);
        add_if(!m.tied_embeddings, "--untie-embeddings-and-output-weights");
        add_if(m.attention_gate, "--attention-output-gate");
        further_tokens();
    }

    // Half layers, a letter each.
    void hybrid() {
        add("--hybrid-layer-pattern", megatron_pattern(s_));
        add("--spec", "megatron.core.models.hybrid.hybrid_layer_specs hybrid_stack_spec");
        for (const LayerKind& k : s_.model.kinds)
            if (k.recurs()) return state(k.mixer, k.recurrence);
    }

    void state(Mixer mixer, const Recurrence& r) {
        const bool mamba = mixer == Mixer::mamba2;
        add(mamba ? "--mamba-num-heads" : "--linear-num-value-heads", r.heads);
        add(mamba ? "--mamba-head-dim" : "--linear-value-head-dim", r.head_dim);
        add(mamba ? "--mamba-num-groups" : "--linear-num-key-heads", r.key_heads);
        add(mamba ? "--mamba-state-dim" : "--linear-key-head-dim", r.key_dim);
        if (!mamba) add("--linear-conv-kernel-dim", r.conv);
    }

    // The layers of hybrids' modules stand behind the pattern.
    void further_tokens() {
        const FurtherTokens& f = s_.model.further;
        if (f.depths == 0) return;
        add("--mtp-num-layers", f.depths);
        add_if(f.repeated, "--mtp-use-repeated-layer");
    }

    void feed_forward() {
        const Model& m = s_.model;
        if (m.norm == Norm::rms_norm) add("--normalization", "RMSNorm");
        add_if(m.activation == Activation::swiglu, "--swiglu");
        add_if(m.activation == Activation::squared_relu, "--squared-relu");
        add_if(!m.mlp_bias && !m.out_bias, "--disable-bias-linear");
        add_if(m.qkv_bias && !m.mlp_bias && !m.out_bias, "--add-qkv-bias");
        add_if(m.qk_norm_width > 0, "--qk-layernorm");
        if (!m.dropout) {
        add("--attention-dropout", "0.0");
        add("--hidden-dropout", "0.0");
    }
    }

    void experts() {
        const Experts& e = s_.model.experts;
        if (e.count == 0) return;
        add("--num-experts", e.count);
        add("--moe-router-topk", e.top_k);
        add("--moe-ffn-hidden-size", e.ffn);
        if (e.shared > 0) add("--moe-shared-expert-intermediate-size", 1LL * e.shared * e.shared_ffn);
        if (e.dense_layers > 0 || e.every > 1) add("--moe-layer-freq", expert_pattern());
        if (e.latent_width > 0) add("--moe-latent-size", e.latent_width);
        add_if(e.shared_gate, "--moe-shared-expert-gate");
        if (e.capacity > 0) add("--moe-expert-capacity-factor", std::to_string(e.capacity));
        add_if(e.capacity > 0 && e.pads, "--moe-pad-expert-input-to-capacity");
        if (e.rank_capacity > 0) add("--moe-expert-rank-capacity-factor", std::to_string(e.rank_capacity));
        add_if(e.router_bias, "--moe-router-enable-expert-bias");
        add("--moe-token-dispatcher-type", "alltoall");
        add("--moe-grouped-gemm");
        add("--expert-model-parallel-size", s_.layout.expert_parallel);
        add("--expert-tensor-parallel-size", s_.layout.expert_tensor_parallel);
    }
    // "([0]*3+[1]*58)", or every layer by itself.
    std::string expert_pattern() const {
        const Model& m = s_.model;
        if (m.experts.every == 1)
            return "([0]*" + text(m.experts.dense_layers) + "+[1]*" + text(m.layers - m.experts.dense_layers) + ")";
        const Layers layers(m);
        std::string pattern = "[";
        for (int i = 0; i < m.layers; ++i)
            pattern += std::string(i ? "," : "") + (layers[layers.of_layer(i)].feed == Feed::experts ? "1" : "0");
        return pattern + "]";
    }

    void latent_attention() {
        if (!has_latent_attention(s_.model)) return;
        const LatentAttention& l = s_.model.latent;
        add("--multi-latent-attention");
        if (l.q_rank > 0) add("--q-lora-rank", l.q_rank);
        add("--kv-lora-rank", l.kv_rank);
        add("--qk-head-dim", l.nope_dim);
        add("--qk-pos-emb-head-dim", l.rope_dim);
        add("--v-head-dim", l.value_dim);
    }

    void layout() {
        const Layout& l = s_.layout;
        add("--tensor-model-parallel-size", l.tensor_parallel);
        add("--pipeline-model-parallel-size", l.pipeline_parallel);
        if (l.micro_batch_group > 0) add("--microbatch-group-size-per-virtual-pipeline-stage", l.micro_batch_group);
        add_if(schedule_kind(l.schedule).pairs, "--overlap-moe-expert-parallel-comm");
        if (l.context_parallel > 1) {
            add("--context-parallel-size", l.context_parallel);
            const std::string_view types[] = {"p2p", "a2a", "all_gather", "a2a+p2p"};   // by mode
            add("--cp-comm-type", std::string(types[int(l.context_mode)]));
            if (l.context_mode == ContextMode::ulysses_ring)
                flags_.push_back({"--hierarchical-context-parallel-sizes",
                                  text(l.head_ranks()) + " " + text(l.ring_ranks()), true});
        }
        add_if(l.sequence_parallel, "--sequence-parallel");
        add("--micro-batch-size", l.micro_batch);
        add("--global-batch-size", s_.recipe.global_batch_sequences);
    }

    // Layers that do not divide: the ends count as a layer each, or hold fewer.
    void stages() {
        const Layout& l = s_.layout;
        const int layers = s_.model.layers, slots = l.pipeline_parallel * l.virtual_stages;
        if (has_pattern(s_.model)) return;   // whose letters say the stages
        if (!l.stages.empty()) return add("--pipeline-model-parallel-layout", text_of(l.stages));
        if (l.virtual_stages > 1) add("--num-virtual-stages-per-pipeline-rank", l.virtual_stages);
        const bool even = stage_split(s_) == StageSplit::even || l.pipeline_parallel == 1;
        if (even && layers % slots == 0) return;
        if (even && (layers + 2) % slots == 0) {
            add("--account-for-embedding-in-pipeline-split");
            add("--account-for-loss-in-pipeline-split");
            return;
        }
        add("--decoder-first-pipeline-num-layers", layers_of_stage(s_, 0));
        add("--decoder-last-pipeline-num-layers", layers_of_stage(s_, l.pipeline_parallel - 1));
    }

    void memory() {
        const Layout& l = s_.layout;
        const bool overlap = s_.stack.gradients.overlap > 0;
        if (l.recompute == Recompute::full) {
            add("--recompute-granularity", "full");
            add("--recompute-method", l.recomputes_some() ? "block" : "uniform");
            add("--recompute-num-layers", l.recomputes_some() ? l.recompute_layers : 1);
        }
        if (l.recompute == Recompute::selective) add("--recompute-granularity", "selective");
        if (recomputes_by_module(s_))
            flags_.push_back({"--recompute-modules", names_of_modules(l.recompute_modules, " "), true});
        add_if(l.zero_stage == 1 && s_.recipe.optimizer != Optimizer::muon, "--use-distributed-optimizer");
        if (l.zero_stage == 1 && l.shard_group > 0)
            add("--num-distributed-optimizer-instances", l.weight_replicas() / l.shard_group);
        add_if(overlap, "--overlap-grad-reduce");
        add_if(overlap && l.zero_stage == 1, "--overlap-param-gather");
        if (l.offload.optimizer == Tier::host) {
            add("--use-precision-aware-optimizer");
            add("--optimizer-cpu-offload");
            add("--optimizer-offload-fraction", shortest(l.offload.optimizer_share));
            add_if(!s_.stack.updates.moves_in_turn, "--overlap-cpu-optimizer-d2h-h2d");
        }
        if (sends_by_module(s_.model, l.offload)) {
            add("--fine-grained-activation-offloading");
            flags_.push_back({"--offload-modules", names_of_modules(l.offload.modules, " "), true});
            double share = swap_of(s_).share;
            if (l.offload.solve_share) share = std::floor(100 * share) / 100;
            if (share < 1) add("--activation-offload-fraction", shortest(share));
        }
        add("--attention-backend", s_.stack.kernels.attention == Attention::flash ? "flash" : "unfused");
    }

    void recipe() {
        const Recipe& r = s_.recipe;
        const bool muon = r.optimizer == Optimizer::muon;
        const bool whole = r.optimizer_options.muon_spread == MuonSpread::redundant;
        add("--optimizer", muon ? whole ? "muon" : "dist_muon" : r.optimizer == Optimizer::sgd ? "sgd" : "adam");
        if (muon) {
            add("--muon-num-ns-steps", r.optimizer_options.muon_iterations);
            add("--muon-tp-mode", std::string(name_of(r.optimizer_options.muon_tensor)));
        }
        add_if(r.precision == Precision::fp16, "--fp16");
        add_if(r.precision == Precision::bf16 || r.precision == Precision::fp8, "--bf16");
        if (r.precision == Precision::fp8) narrow();
        states();
        add_if(r.document_length > 0, "--reset-position-ids");
        add_if(r.document_length > 0, "--reset-attention-mask");
        add("--train-iters", training_steps(s_));
        add("--save-interval", save_interval(s_));
    }

    void states() {
        const Recipe& r = s_.recipe;
        const StateFormat& f = r.state_format;
        const bool half = f.gradients == GradientFormat::half;
        if (r.precision == Precision::fp32) return;
        add_if(f.gradients == GradientFormat::fp32, "--accumulate-allreduce-grads-in-fp32");
        if (!wants_precision_aware(r)) {
            add_if(half && gradients_summed_in_fp32(r.precision), "--grad-reduce-in-bf16");
            return;
        }
        add_if(true, "--use-precision-aware-optimizer");
        if (half) add("--main-grads-dtype", "bf16");
        if (f.master == MasterFormat::fp16) add("--main-params-dtype", "fp16");
        if (f.first_moment != MomentFormat::fp32) add("--exp-avg-dtype", std::string(name_of(f.first_moment)));
        if (f.second_moment != MomentFormat::fp32) add("--exp-avg-sq-dtype", std::string(name_of(f.second_moment)));
    }

    // Products in fewer than 16 bits, and what keeps 16.
    void narrow() {
        const Recipe& r = s_.recipe;
        const bool four = matrix_format(r) == NumberFormat::fp4;
        add(four ? "--fp4-format" : "--fp8-format", four ? "e2m1" : "hybrid");
        add(four ? "--fp4-recipe" : "--fp8-recipe", std::string(name_of(r.fp8_recipe)));
        add_if(r.converted_weights_alone, four ? "--fp4-param-gather" : "--fp8-param-gather");
        add_if(r.converted_weights_alone && r.fp8_recipe == Fp8Recipe::mxfp8 && r.gathers_into_gradients,
               "--reuse-grad-buf-for-mxfp8-param-ag");
        const WideLayers& wide = s_.model.wide;
        if (wide.first + wide.last == 0) return;
        add("--first-last-layers-bf16");
        add("--num-layers-at-start-in-bf16", wide.first);
        add("--num-layers-at-end-in-bf16", wide.last);
    }

    const Scenario& s_;
    Arguments flags_;
};

// Megatron-Core (optimizer_config.py): Adam of Transformer Engine under the distributed optimizer. With it, bf16
// weights have remainders for master weights, unless fp8 products have scales of the same step.
void check_states(const Scenario& s, std::string_view who, Sentences& cannot) {
    const Recipe& r = s.recipe;
    const StateFormat& f = r.state_format;
    if (r.precision == Precision::fp32) return;
    const auto demand = [&](bool can, std::string_view why) { if (!can) cannot.push_back(phrase(why, who)); };
    const bool scaled = f.first_moment == MomentFormat::scaled_8bit || f.second_moment == MomentFormat::scaled_8bit;
    demand(f.weights == WeightFormat::as_products && f.gradients != GradientFormat::both
               && f.master != MasterFormat::none && !scaled,
           "{1} keeps 16-bit weights, gradients once, master weights, and moments in fp32, bf16, fp16 or fp8. Nearest: "
           "16, 18 bytes per parameter.");
    if (!wants_precision_aware(r) || f.master == MasterFormat::none) return;
    demand(r.optimizer == Optimizer::adam && s.layout.zero_stage == 1,
           "{1} gives states formats of their own under Adam and its distributed optimizer alone. Nearest: adam, ZeRO "
           "stage 1.");
    const bool whole = r.precision == Precision::fp16
                    || (r.precision == Precision::fp8 && r.fp8_recipe != Fp8Recipe::delayed);
    demand(whole ? f.master != MasterFormat::remainders : f.master != MasterFormat::fp32,
           whole ? "{1} keeps remainders beside bf16 weights alone. Nearest: master weights in fp32."
                 : "{1} keeps remainders where states have formats of their own. Nearest: master weights in "
                   "remainders.");
}

bool middle_stages_are_equal(const Scenario& s) {
    for (int i = 2; i + 1 < s.layout.pipeline_parallel; ++i)
        if (layers_of_stage(s, i) != layers_of_stage(s, 1)) return false;
    return true;
}

}  // namespace

Arguments megatron_flags(const Scenario& s) { return MegatronArguments(s).run(); }

Sentences beyond_megatron(const Scenario& s, std::string_view who) {
    const Layout& l = s.layout;
    Sentences cannot;
    const auto demand = [&](bool can, std::string_view why) { if (!can) cannot.push_back(phrase(why, who)); };
    demand(l.zero_stage <= 1,
           "{1}'s distributed optimizer is ZeRO stage 1; stages 2 and 3 are DeepSpeed's or FSDP's. Nearest: 0, "
           "1.");
    demand(!schedule_kind(l.schedule).splits_backward,
           "{1} has no zero-bubble schedule. Nearest: 1f1b, interleaved.");
    demand(l.schedule != Schedule::gpipe || l.pipeline_parallel == 1,
           "{1} has no GPipe schedule. Nearest: 1f1b.");
    demand(l.recompute != Recompute::selective || !l.recomputes_some(),
           "{1} recomputes selectively in every layer. Nearest: recomputed layers 0, or full recompute.");
    demand(l.context_parallel == 1 || l.state_mode == StateMode::all_to_all || !has_recurrence(s.model),
           "{1} exchanges the projections of mixers with a state. Nearest: context states all_to_all.");
    demand(!l.on_grid(), "{1} splits matrices in one dimension. Nearest: tensor mode 1d.");
    const Optimizer optimizer = s.recipe.optimizer;
    demand(optimizer == Optimizer::adam || optimizer == Optimizer::sgd || optimizer == Optimizer::muon,
           "{1} has neither 8-bit Adam, Adafactor, K-FAC, Shampoo nor, here, SOAP. Nearest: adam, sgd, muon.");
    const MuonSpread spread = s.recipe.optimizer_options.muon_spread;
    demand(optimizer != Optimizer::muon
               || (spread == MuonSpread::layer_wise && l.zero_stage == 1)
               || (spread == MuonSpread::redundant && l.zero_stage == 0),
           "{1} has Muon layer-wise with ZeRO stage 1 (dist_muon), or redundant without (muon). Nearest: layer-wise.");
    demand(s.recipe.precision != Precision::fp8 || s.recipe.fp8_recipe != Fp8Recipe::rowwise,
           "{1} has no fp8 scales by row. Nearest: delayed, tensorwise, blockwise, mxfp8.");
    check_states(s, who, cannot);
    const bool alone = s.recipe.precision == Precision::fp8 && s.recipe.converted_weights_alone;
    demand(!alone || l.zero_stage == 1,
           "{1} keeps converted weights alone with its distributed optimizer. Nearest: ZeRO stage 1.");
    demand(!s.model.wide.further
               && std::ranges::none_of(s.model.kinds, [](const LayerKind& k) { return k.in_16_bits; }),
           "{1} keeps the first and last layers in 16 bits, not those of further tokens nor kinds. Nearest: none.");
    demand(s.model.activation != Activation::relu && s.model.activation != Activation::geglu,
           "{1}'s switches know gelu, swiglu and squared_relu.");
    demand(s.model.out_bias == s.model.mlp_bias && (s.model.qkv_bias || !s.model.mlp_bias),
           "{1}'s linear layers have biases all together, or on queries, keys and values alone.");
    demand(!has_experts(s.model) || s.model.experts.order == ExpertOrder::cdac,
           "{1} exchanges tokens at full width (order cdac).");
    demand(s.model.positions != Positions::alibi, "{1} has no ALiBi positions.");
    demand(!has_pattern(s.model) || megatron_knows_kinds(s.model),
           "{1}'s hybrid models know attention, Mamba-2, Gated DeltaNet, dense blocks and experts, one after the other "
           "and without windows.");
    const int slots = l.pipeline_parallel * l.virtual_stages;
    const bool even =
        stage_split(s) == StageSplit::even && (s.model.layers % slots == 0 || (s.model.layers + 2) % slots == 0);
    demand(even || !l.stages.empty() || has_pattern(s.model) || middle_stages_are_equal(s),
           "{1} wants all stages but the first and last to hold as many layers.");
    Offload optimizer_alone;
    optimizer_alone.optimizer = l.offload.optimizer == Tier::host ? Tier::host : Tier::device;
    optimizer_alone.optimizer_share = l.offload.optimizer_share;
    Offload states = l.offload;
    if (l.offload.activations == Tier::host && sends_by_module(s.model, l.offload)) {
        states.activations = Tier::device;
        states.modules = {};
        states.solve_share = optimizer_alone.solve_share;
        states.activation_share = optimizer_alone.activation_share;
    }
    demand(!states.any() || (states == optimizer_alone && l.zero_stage == 1),
           "{1}'s switches here keep everything but the optimizer of ZeRO stage 1 on the device, and activations by "
           "module. Nearest: no offloading.");
    demand(l.mapping == Mapping::ordered || !any_cluster(s.machine.clusters),
           "{1} takes one transport for the whole job; whole stages on clusters of their own network are "
           "Holmes's. Nearest: mapping ordered.");
    return cannot;
}

// A plan as DeepSpeed's configuration and as the arguments of PyTorch's FSDP.

namespace {

// Both wrap a model in plain data parallelism.
void need_data_parallelism_alone(const Scenario& s, const std::string& who, Sentences& cannot) {
    const Layout& l = s.layout;
    if (l.tensor_parallel > 1)
        cannot.push_back(phrase("{1} does not split matrices by itself. Nearest: tensor parallel 1.", who));
    if (l.pipeline_parallel > 1)
        cannot.push_back(phrase("{1} has no stages by itself. Nearest: pipeline parallel 1.", who));
    if (l.context_parallel > 1)
        cannot.push_back(phrase("{1} does not split sequences by itself. Nearest: context parallel 1.", who));
    if (l.expert_parallel > 1)
        cannot.push_back(phrase("{1} does not spread experts by itself. Nearest: expert parallel 1.", who));
}

void need_known_optimizer(const Scenario& s, const std::string& who, Sentences& cannot) {
    if (kept_by(s.recipe.optimizer).by_matrix == MatrixState::factors)
        cannot.push_back(
            phrase("{1} shards no factors of K-FAC, Shampoo or SOAP. Nearest: adam, adam-8bit, sgd.", who));
}

void need_master_weights(const Scenario& s, const std::string& who, Sentences& cannot) {
    const StateFormat& f = s.recipe.state_format;
    const bool wide = f.first_moment == MomentFormat::fp32 && f.second_moment == MomentFormat::fp32
                   && (f.master == MasterFormat::fp32 || f.weights == WeightFormat::fp32);
    if (s.recipe.precision != Precision::fp32 && !wide)
        cannot.push_back(
            phrase("{1} keeps weights and moments in fp32 here. Nearest: 16 bytes per parameter.", who));
}

const char* optimizer_class(Optimizer o) {
    switch (o) {
        case Optimizer::sgd: return "SGD";
        case Optimizer::adam_8bit: return "Adam8bit";
        case Optimizer::adafactor: return "Adafactor";
        default: return "AdamW";
    }
}

}  // namespace

Sentences beyond_deepspeed(const Scenario& s) {
    Sentences cannot;
    need_data_parallelism_alone(s, phrase("DeepSpeed's configuration"), cannot);
    need_known_optimizer(s, "DeepSpeed", cannot);
    need_master_weights(s, "DeepSpeed", cannot);
    if (s.layout.secondary_shard == 1)
        cannot.push_back(phrase("DeepSpeed takes 1 for no second copy of the weights. Nearest: secondary shard 0, 2."));
    const Offload& o = s.layout.offload;
    if (o.swaps() || o.planned_memory)
        cannot.push_back(phrase("DeepSpeed's configuration keeps activations on the device. Nearest: device."));
    if (o.gradients != o.optimizer)
        cannot.push_back(
            phrase("DeepSpeed keeps gradients where the optimizer's state is. Nearest: both on one tier."));
    if (o.delayed_update)
        cannot.push_back(phrase("DeepSpeed's configuration does not delay updates. Nearest: no delayed update."));
    if (s.layout.recomputes_some())
        cannot.push_back(
            phrase("DeepSpeed's configuration does not say which layers are recomputed; the model does. Nearest: "
                   "recomputed layers 0."));
    if (s.recipe.optimizer == Optimizer::adafactor && s.layout.zero_stage > 0)
        cannot.push_back(phrase("ZeRO flattens matrices, so Adafactor finds no rows. Nearest: ZeRO stage 0, or adam."));
    return cannot;
}

std::string deepspeed_json(const Scenario& s, bool filled) {
    const Layout& l = s.layout;
    const Recipe& r = s.recipe;
    OrderedJson zero{{"stage", l.zero_stage}, {"overlap_comm", s.stack.gradients.overlap > 0 || l.zero_stage == 3}};
    // Elements, not bytes; 16-bit gradients.
    if (s.stack.gradients.bucket > Bytes{})
        zero["reduce_bucket_size"] = (long long)(s.stack.gradients.bucket / byte / state_bytes(r).gradients);
    if (l.zero_stage == 3) zero["stage3_gather_16bit_weights_on_model_save"] = true;
    if (l.zero_stage == 3 && l.shard_group > 0) zero["mics_shard_size"] = l.shard_group;
    if (l.secondary_shard > 0) zero["zero_hpz_partition_size"] = l.secondary_shard;
    const auto offload = [](Tier t) {
        OrderedJson tier{{"device", t == Tier::nvme ? "nvme" : "cpu"}, {"pin_memory", true}};
        if (t == Tier::nvme) tier["nvme_path"] = "/local_nvme";   // where the node's drives are mounted
        return tier;
    };
    if (l.offload.optimizer != Tier::device) zero["offload_optimizer"] = offload(l.offload.optimizer);
    if (l.offload.weights != Tier::device) zero["offload_param"] = offload(l.offload.weights);
    const int of_sample = sequences_of_sample(s);
    OrderedJson root{{"train_batch_size", r.global_batch_sequences / of_sample},
                     {"train_micro_batch_size_per_gpu", l.micro_batch / of_sample},
                     {"gradient_accumulation_steps", micro_batches(s)},
                     {"zero_optimization", zero}};
    if (r.precision == Precision::bf16) root["bf16"] = {{"enabled", true}};
    if (r.precision == Precision::fp16)
        root["fp16"] = {{"enabled", true}, {"loss_scale", 0}, {"initial_scale_power", 16}};
    if (r.state_format.gradients == GradientFormat::fp32) root["data_types"] = {{"grad_accum_dtype", "fp32"}};
    if (l.recompute == Recompute::full) root["activation_checkpointing"] = {{"partition_activations", false}};
    if (r.optimizer == Optimizer::adam) root["optimizer"] = {{"type", "AdamW"}};
    if (r.optimizer == Optimizer::adam && filled)
        for (const char* each : {"lr", "betas", "eps", "weight_decay"}) root["optimizer"]["params"][each] = "auto";
    return text_of(root);
}

Sentences beyond_fsdp(const Scenario& s) {
    Sentences cannot;
    need_data_parallelism_alone(s, "FSDP", cannot);
    need_known_optimizer(s, "FSDP", cannot);
    need_master_weights(s, "FSDP", cannot);
    if (s.layout.secondary_shard > 0)
        cannot.push_back(phrase("{1} keeps no second copy of the weights. Nearest: secondary shard 0.", "FSDP"));
    if (s.layout.offload.any())
        cannot.push_back(phrase("FSDP's arguments here keep everything on the device. Nearest: no offloading."));
    if (s.layout.zero_stage == 1)
        cannot.push_back(phrase("FSDP shards gradients with the optimizer's state. Nearest: ZeRO stage 0, 2, 3."));
    if (s.layout.recompute == Recompute::selective && s.stack.recomputation.selective_share <= 0
        && s.stack.kernels.attention != Attention::flash)
        cannot.push_back(phrase("FSDP's checkpoint wrapper takes whole layers. Nearest: full recompute, or none with "
                                "fused attention."));
    return cannot;
}

std::string fsdp_json(const Scenario& s) {
    const Layout& l = s.layout;
    const bool hybrid = l.shard_group > 0 && l.shard_group < l.data_parallel;
    const char* strategy = l.zero_stage == 0 ? "NO_SHARD"
                         : l.zero_stage == 2 ? (hybrid ? "_HYBRID_SHARD_ZERO2" : "SHARD_GRAD_OP")
                         : hybrid            ? "HYBRID_SHARD"
                                             : "FULL_SHARD";
    const char* type = s.recipe.precision == Precision::fp16 ? "float16"
                     : s.recipe.precision == Precision::fp32 ? "float32"
                                                             : "bfloat16";
    const char* reduce = state_bytes(s.recipe).gradients > 2 ? "float32" : type;
    OrderedJson root{{"sharding_strategy", strategy},
                     {"device_mesh", hybrid ? OrderedJson{l.data_parallel / l.shard_group, l.shard_group}
                                            : OrderedJson{l.data_parallel}},
                     {"mixed_precision", {{"param_dtype", type}, {"reduce_dtype", reduce}, {"buffer_dtype", type}}},
                     {"backward_prefetch", "BACKWARD_PRE"},
                     {"limit_all_gathers", true},
                     {"use_orig_params", true},
                     {"activation_checkpointing", l.recompute != Recompute::none},
                     {"micro_batch_size", l.micro_batch},
                     {"gradient_accumulation_steps", micro_batches(s)},
                     {"sequence_length", s.recipe.sequence_length},
                     {"optimizer", optimizer_class(s.recipe.optimizer)},
                     {"steps", training_steps(s)},
                     {"save_interval", save_interval(s)}};
    if (l.recomputes_some()) root["activation_checkpointing_layers"] = l.recompute_layers;  // what check_fn wraps
    return text_of(root);
}

}  // namespace plimsoll::files

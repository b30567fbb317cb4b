#include "core/costs/memory/activations.h"

#include "core/costs/kernels/products.h"
#include "core/costs/kernels/tensor.h"
#include "core/costs/pipeline/schedule.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace plimsoll {

namespace {

bool keeps_fp8(const Work& s, const LayerKind& kind) {
    return converts(s, kind) && s.stack.memory.fp8_storage != Fp8Storage::none;
}

// Queries, keys and values that all tensor ranks hold together: more ranks than key heads hold copies.
double held_qkv(const Work& s, const LayerKind& kind) { return s.layout.tensor_parallel * qkv_share(s, kind); }

class KeptList {
public:
    KeptList(const Work& s, const LayerKind& kind)
        : e_(s.element), copies_(keeps_fp8(s, kind)), in_(copies_ ? number_recipe(s).input() : s.element), s_(s) {}

    // An input of products is kept where a weight gradient reads it: their own, or that of an adapter beside one.
    unsigned input_of(std::initializer_list<std::string_view> products) const {
        const bool read = !trains_adapters(s_.method) || std::ranges::any_of(products, [&](std::string_view product) {
            return bool(adapter_of(s_.method, product));
        });
        return read ? plain | waiting : 0;
    }

    void residual_stream(const LayerKind& kind) {
        const double h = s_.tokens * s_.model.hidden, mask = s_.model.dropout ? 1 : 0;
        const double input = kind.shared.reads_embedding ? 2 * h : h;
        const bool latent = kind.attends() && attention_of(s_.model, kind).latent;
        add({"layer_input", "Layer input", HeldBy::stream, input, e_, plain | alternate | always, Module::none,
             sent(kind, !kind.mixes() ? SentModule::mlp_norm
                        : latent      ? SentModule::attn_norm
                                      : SentModule::qkv_linear)});
        if (kind.mixes()) {
            add({"attention_input", "Attention input, after the norm", HeldBy::stream, input, in_,
                 input_of({"qkv", "query_down", "query_up", "kv_down", "mixer_in"}),
                 latent ? Module::layernorm : Module::none, sent(kind, SentModule::qkv_linear)});
            if (kind.feeds())
                add({"middle", "Residual stream after attention", HeldBy::stream, h, e_, plain, Module::none,
                     sent(kind, SentModule::mlp_norm)});
            add({"attention_gradient", "Gradient of the attention block's output", HeldBy::stream, h, e_, waiting});
        }
        if (kind.feeds())
            add({"feed_forward_input", "Feed-forward input, after the norm", HeldBy::stream, h, in_,
                 input_of({"ffn_in", "shared_in", "experts_in"}),
                 kind.feed == Feed::experts ? Module::layernorm : Module::mlp});
        if (mask > 0) add({"masks", "Dropout masks", HeldBy::stream, kind.blocks() * h, mask, plain});
        if (!kind.feeds()) return;
        add({"feed_forward_gradient", "Gradient of the feed-forward block's output", HeldBy::stream, h, e_, waiting});
    }

    void attention(const LayerKind& kind) {
        const Model& m = s_.model;
        const AttentionSizes sizes = attention_of(m, kind);
        const double tok = s_.tokens, qkv = held_qkv(s_, kind), a = sizes.values(), keys = (qkv - a) / 2;
        // Layers that read the keys of this one are recomputed with them, and find them where they are.
        const unsigned lent = kind.keys == Keys::lent ? always | alternate : 0;
        const Module up = sizes.latent ? Module::mla_up_proj : Module::none;
        if (sizes.latent) {
            const double width = m.latent.q_rank + m.latent.kv_rank + m.latent.rope_dim;
            add({"latent", "Latent vectors before they are projected up", HeldBy::stream, tok * width, e_, plain,
                 Module::none, sent(kind, SentModule::qkv_linear)});
        }
        const SentModule core = sent(kind, SentModule::core_attn), projection = sent(kind, SentModule::attn_proj);
        if (sees_chosen_keys(m, kind)) {
            chosen_keys(kind, sizes);
        } else {
            add({"queries", "Queries", HeldBy::tensor_ranks, tok * a, e_, plain | alternate, up, core});
            if (kind.keys != Keys::borrowed) {
                add({"keys", "Keys", HeldBy::tensor_ranks, tok * keys, e_, plain | lent, up, core});
                add({"values", "Values", HeldBy::tensor_ranks, tok * keys, e_, plain | alternate | lent, up, core});
            }
        }
        // Before and after rotation; the fused kernel works in place.
        if (s_.stack.memory.eager_layers && m.positions == Positions::rotary)
            add({"rotated", "Queries, keys and values before rotation", HeldBy::tensor_ranks, tok * qkv, e_, plain,
                 up});
        add({"qkv_gradient", "Gradients of queries, keys and values", HeldBy::tensor_ranks, tok * qkv, e_, waiting});
        if (m.attention_gate)
            add({"attention_gate", "Gate of attention's output, and the product", HeldBy::tensor_ranks, 2 * tok * a, e_,
                 plain});
        add({"attention_output", "Attention output", HeldBy::tensor_ranks, tok * a, e_,
             plain | alternate | (copies_ ? 0 : waiting), Module::none, copies_ ? core : projection});
        if (copies_)
            add({"projection_input", "Attention output, converted", HeldBy::tensor_ranks, tok * a, in_,
                 plain | waiting, Module::none, projection});
        scores(sizes, core);
    }

    // Of a mixer with a state. Kernels that compute the convolution again keep the projections' result alone (mamba,
    // ops/triton/ssd_combined.py); those of flash-linear-attention keep its result, decay in fp32 and a matrix of each
    // chunk of 64 tokens, and two of them where every channel decays (ops/gated_delta_rule, ops/kda).
    void recurrence(const LayerKind& kind) {
        const Recurrence& r = kind.recurrence;
        constexpr double chunk = 64;
        const double tok = s_.tokens, v = r.width(), k = r.key_width();
        const bool mamba = kind.has(Mixer::mamba2), kda = kind.has(Mixer::kimi_delta),
                   fixed = kind.has(Mixer::lightning);
        const double projected = 2 * v + 2 * k + (mamba ? r.heads : fixed ? 0 : 2 * r.heads);
        add({"mixer_projected", "Results of the projections into the mixer", HeldBy::tensor_ranks, tok * projected, e_,
             plain | alternate});
        add({"mixer_gradient", "Gradients of these results", HeldBy::tensor_ranks, tok * projected, e_, waiting});
        if (!mamba && !fixed) {
            add({"convolved", "Queries, keys and values after the convolution", HeldBy::tensor_ranks,
                 tok * (v + 2 * k), e_, plain});
            add({"chunk_matrices", "Matrices of the chunks", HeldBy::tensor_ranks,
                 tok * (kda ? 2 : 1) * chunk * r.heads, e_, plain});
        }
        const double decays = mamba ? r.key_heads : kda ? v : fixed ? 0 : 2 * r.heads;
        if (decays > 0) add({"decays", "Decay", HeldBy::tensor_ranks, tok * decays, 4, plain});
        add({"mixer_output", "Output of the state, before gate and norm", HeldBy::tensor_ranks, tok * v, e_,
             plain | alternate});
        add({"mixer_projection_input", "Input of the mixer's output projection", HeldBy::tensor_ranks, tok * v, in_,
             plain | waiting});
    }

    // Feed-forward width that all tokens pass: of a dense block, or of the shared experts.
    void feed_forward(double width, bool dense) {
        if (width <= 0) return;
        const double f = s_.tokens * width, branches = gated(s_.model.activation) ? 2 : 1;
        const Module own = dense ? Module::mlp : Module::shared_experts;
        add({"feed_forward_inner", branches == 2 ? "Gate" : "Before the activation function", HeldBy::tensor_ranks, f,
             e_, dense ? plain | alternate : plain, own});
        if (branches == 2) add({"up", "Branch beside the gate", HeldBy::tensor_ranks, f, e_, plain, own});
        // Run one by one, SiLU keeps its result before it is multiplied.
        if (branches == 2 && s_.stack.memory.eager_layers)
            add({"activated", "Gate after the activation function", HeldBy::tensor_ranks, f, e_, plain, own});
        add({"feed_forward_out_input", "Input of the last product", HeldBy::tensor_ranks, f, in_,
             input_of({dense ? "ffn_out" : "shared_out"}), own});
        add({"inner_gradient", "Gradient before the activation function", HeldBy::tensor_ranks, branches * f, e_,
             waiting});
    }

    void dense_output() {
        add({"feed_forward_output", "Feed-forward output", HeldBy::stream, s_.tokens * s_.model.hidden, e_, alternate});
    }

    // fp32 scores of own tokens and, where experts work on narrow ones, those before and after; the copies dispatched
    // to this rank and both sides of their experts' activation function.
    void routing() {
        const Model& m = s_.model;
        const double w = exchange_width(m), rows = held_rows(s_), inner = rows * routed_ffn(s_);
        const double branches = gated(m.activation) ? 2 : 1;
        add({"router_scores", "Router scores", HeldBy::expert_ranks, s_.own_tokens * m.experts.count, 4, plain,
             Module::moe});
        if (w < m.hidden)
            add({"narrow", "Tokens before and after the exchange, narrow", HeldBy::expert_ranks,
                 s_.own_tokens * 2 * w, e_, plain, Module::moe});
        add({"copies", "Tokens of this rank's experts", HeldBy::expert_ranks, rows * w, in_,
             input_of({"experts_in"}) | (s_.layout.expert_parallel > 1 ? alternate : 0), Module::moe,
             SentModule::expert_fc1});
        add({"experts_inner", "Before the experts' activation function", HeldBy::expert_ranks, branches * inner, e_,
             plain, Module::moe, SentModule::moe_act});
        add({"experts_out_input", "Input of the experts' last product", HeldBy::expert_ranks, inner, in_,
             input_of({"experts_out"}), Module::moe_act});
        add({"experts_inner_gradient", "Gradient before the experts' activation function", HeldBy::expert_ranks,
             branches * inner, e_, waiting});
        add({"experts_gradient", "Gradient of the experts' output", HeldBy::expert_ranks, rows * w, e_, waiting});
    }

    // Of adapters their narrow results, which the second product's weight gradient reads.
    void adapters(const LayerKind& kind) {
        if (!trains_adapters(s_.method)) return;
        double common = 0, routed = 0;
        for (const Weight& w : weights_of(s_.model, kind, s_.method))
            if (is_adapter_down(w.id)) (w.group == ParameterGroup::routed ? routed : common) += w.out;
        if (s_.method.adapter_dropout) dropped_inputs(kind);
        if (s_.method.magnitudes) scaled_outputs(kind);
        if (common > 0)
            add({"tuned_adapters", "Results of the adapters' first products", HeldBy::stream, s_.tokens * common, e_,
                 plain | waiting});
        if (routed > 0)
            add({"expert_adapters", "Results of the experts' adapters' first products", HeldBy::expert_ranks,
                 held_rows(s_) * routed, e_, plain | waiting});
    }

    // Behind dropout every adapter has an input of its own, and a mask.
    void dropped_inputs(const LayerKind& kind) {
        const Elements n = elements_of(kind, [&](const Weight& w) {
            return is_adapter_down(w.id) ? w.in * w.out / s_.method.rank : 0;
        }, Split::rows);
        constexpr double mask = 1;
        const unsigned when = plain | waiting;
        add_those({"dropped_inputs", "Inputs of adapters after dropout", HeldBy::stream, n.whole, e_ + mask, when});
        add_those({"dropped_parts", "Inputs of adapters after dropout, split", HeldBy::tensor_ranks, n.split, e_ + mask,
                   when});
        add_those({"dropped_copies", "Inputs of the experts' adapters after dropout", HeldBy::expert_ranks, n.routed,
                   e_ + mask, when});
    }

    // Gradients of magnitudes read the results of a matrix and its adapter, each by itself.
    void scaled_outputs(const LayerKind& kind) {
        const Elements n = elements_of(kind, [&](const Weight& w) { return 2 * w.biases * is_adapter(w.id); },
                                       Split::columns);
        add_those({"scaled_outputs", "Results that magnitudes scale", HeldBy::stream, n.whole, e_, plain});
        add_those({"scaled_parts", "Results that magnitudes scale, split", HeldBy::tensor_ranks, n.split, e_, plain});
        add_those({"scaled_copies", "Results of experts that magnitudes scale", HeldBy::expert_ranks, n.routed, e_,
                   plain});
    }

    // What stands beside shared weights: the adapters' narrow results, and the input of the product behind the layer.
    void own_of_shared(const LayerKind& kind) {
        const SharedWeights& s = kind.shared;
        const double tok = s_.tokens;
        const int adapted = (kind.attends() && s.adapts_attention ? 3 : 0) + (kind.feed == Feed::dense);
        if (s.adapter_rank > 0)
            add({"adapters", "Results of the adapters' first products", HeldBy::stream,
                 tok * adapted * s.adapter_rank, e_, plain | waiting});
        if (s.projects_back)
            add({"projection_back_input", "Input of the product behind the layer", HeldBy::stream,
                 tok * s_.model.hidden, in_, plain | waiting});
    }

    KeptTensors take() const { return all_; }

private:
    // Attention over latent vectors: queries and output of every head are as wide as they, and the keys, which are the
    // values, are one copy that each tensor rank holds whole. So it does what its indexer keeps, for all tokens: its
    // projections, and of every key chosen the place and what the main attention made of it.
    void chosen_keys(const LayerKind& kind, const AttentionSizes& a) {
        const Model& m = s_.model;
        const double tok = s_.tokens, chosen = std::min<double>(m.indexer.top_k, s_.row.tokens);
        constexpr double place_and_target = 4 + 4;
        add({"queries", "Queries", HeldBy::tensor_ranks, tok * a.heads * a.score_dim, e_, plain | alternate});
        add({"latent_keys", "Latent keys of all tokens", HeldBy::scores, tok * a.score_dim, e_, plain | alternate});
        add({"latent_output", "Attention output in the latent space", HeldBy::tensor_ranks, tok * a.heads * a.sum_dim,
             e_, plain});
        if (!chooses_keys(m, kind)) return;
        const double projected = m.indexer.width() + m.indexer.head_dim + m.indexer.heads;
        add({"index", "Queries, keys and weights of the indexer", HeldBy::scores, tok * projected, e_, plain});
        add({"chosen", "Keys that were chosen", HeldBy::scores, tok * chosen, place_and_target, plain});
    }
    // Softmax output, dropout output and mask; without dropout the score matrix and the softmax output. Fused kernels
    // keep a number per row.
    void scores(const AttentionSizes& a, SentModule core) {
        const Model& m = s_.model;
        const double heads = double(s_.layout.micro_batch) * a.heads / s_.layout.tensor_parallel;
        const double rows = heads * (s_.row.tokens / s_.layout.context_parallel);
        if (s_.stack.kernels.attention == Attention::flash) {
            add({"row_statistics", "Statistics of the scores, by row", HeldBy::scores, rows, 4, plain});
            return;
        }
        add({"scores", "Attention scores", HeldBy::scores, rows * s_.row.tokens * pattern_density(m),
             2 * e_ + (m.dropout ? 1 : 0), plain, Module::core_attn, core});
    }
    SentModule sent(const LayerKind& kind, SentModule m) const {
        return has_module(s_.model, kind, m) ? m : SentModule::none;
    }
    void add(const Kept& k) { all_.add(k); }
    void add_those(const Kept& k) {
        if (k.elements > 0) add(k);
    }

    // Elements of a micro-batch, by what has them: all tensor ranks, each a part, or the rank of an expert.
    struct Elements {
        double whole = 0, split = 0, routed = 0;
    };
    template <class Of>
    Elements elements_of(const LayerKind& kind, Of of, Split split) const {
        Elements n;
        for (const Weight& w : weights_of(s_.model, kind, s_.method)) {
            if (w.group == ParameterGroup::routed) n.routed += held_rows(s_) * of(w);
            else (w.split == split ? n.split : n.whole) += s_.tokens * of(w);
        }
        return n;
    }

    static constexpr unsigned plain = Kept::plain, alternate = Kept::alternate, waiting = Kept::waiting,
                              always = Kept::always;
    double e_;
    bool copies_;   // of the inputs of products, in the recipe's format
    double in_;
    const Work& s_;
    KeptTensors all_;
};

// Tensor ranks that share such a tensor.
double sharers(const Work& s, HeldBy held) {
    if (held == HeldBy::tensor_ranks) return s.layout.tensor_parallel;
    return held == HeldBy::stream && s.layout.splits_activations() ? s.layout.tensor_parallel : 1;
}

bool keeps_alternate(const Work& s) {
    return s.layout.recompute == Recompute::selective && s.stack.recomputation.keeps_alternate_products;
}

}  // namespace

KeptTensors kept_tensors(const Work& s, const LayerKind& kind) {
    KeptList list(s, kind);
    list.residual_stream(kind);
    if (kind.attends()) list.attention(kind);
    if (kind.recurs()) list.recurrence(kind);
    if (kind.feed == Feed::dense) {
        list.feed_forward(ffn_of(s.model, kind), true);
        list.dense_output();
    } else if (kind.feed == Feed::experts) {
        list.feed_forward(double(s.model.experts.shared) * s.model.experts.shared_ffn, false);
        list.routing();
    }
    if (kind.shared.on) list.own_of_shared(kind);
    list.adapters(kind);
    return list.take();
}

LayerActivations layer_activations(const Work& s, const LayerKind& kind) {
    std::array<double, 4> plain{}, alternate{}, waiting{}, always{};   // bytes by who holds them
    std::array<Bytes, layer_modules> given{};
    std::array<std::array<Bytes, layer_modules + 1>, sent_modules> sent{};
    for (const Kept& k : kept_tensors(s, kind)) {
        if (k.module != Module::none && k.when & Kept::plain)
            given[int(k.module)] += k.elements * k.bytes / sharers(s, k.held) * byte;
        if (k.sent != SentModule::none && k.when & Kept::plain)
            sent[int(k.sent)][int(k.module)] += k.elements * k.bytes / sharers(s, k.held) * byte;
        const std::size_t held = std::size_t(k.held);
        if (k.when & Kept::plain) plain[held] += k.elements * k.bytes;
        if (k.when & Kept::alternate) alternate[held] += k.elements * s.element;
        if (k.when & Kept::waiting) waiting[held] += k.elements * s.element;
        if (k.when & Kept::always) always[held] += k.elements * s.element;
    }
    const auto of_rank = [&](const std::array<double, 4>& bytes, HeldBy held) {
        return bytes[std::size_t(held)] / sharers(s, held) * byte;
    };
    const auto all = [&](const std::array<double, 4>& bytes) {
        return of_rank(bytes, HeldBy::stream) + of_rank(bytes, HeldBy::tensor_ranks) + of_rank(bytes, HeldBy::scores)
             + of_rank(bytes, HeldBy::expert_ranks);
    };
    return {of_rank(plain, HeldBy::stream), of_rank(plain, HeldBy::tensor_ranks), of_rank(plain, HeldBy::scores),
            of_rank(plain, HeldBy::expert_ranks), all(alternate), all(waiting), all(always), given,
            sent};
}

Bytes kept_bytes(const Work& s, const LayerKind& kind, const Kept& k, Keeps what) {
    const auto of_rank = [&](double bytes) { return k.elements * bytes / sharers(s, k.held) * byte; };
    if (what == Keeps::waiting) return k.when & Kept::waiting ? of_rank(s.element) : Bytes{};
    const Bytes plain = k.when & Kept::plain ? of_rank(k.bytes) : Bytes{};
    if (what == Keeps::whole || s.layout.recompute == Recompute::none) return plain;
    if (s.layout.recompute == Recompute::full)
        return k.when & Kept::always ? of_rank(s.element) : Bytes{};
    if (s.by_module) return recomputes(s, kind, k.module) ? Bytes{} : plain;
    if (keeps_alternate(s)) return k.when & Kept::alternate ? of_rank(s.element) : Bytes{};
    if (s.stack.recomputation.selective_share > 0) return (1 - s.stack.recomputation.selective_share) * plain;
    return k.held == HeldBy::scores && s.stack.kernels.attention == Attention::materialised ? Bytes{} : plain;
}

const LayerActivations& layer_activations(const Work& s, Kind k) {
    return s.activations(k, [&](const LayerKind& kind) { return layer_activations(s, kind); });
}

Bytes layer_input(const Work& s) {
    return tensor_payload(s) / (s.layout.splits_activations() ? s.layout.tensor_parallel : 1);
}

Bytes attention_output(const Work& s, const LayerKind& kind) {
    const double e = s.element;
    return e * s.tokens * attention_of(s.model, kind).values() / s.layout.tensor_parallel * byte;
}

namespace {

bool keeps_input_alone(const LayerKind& k) { return k.keys != Keys::lent && !k.shared.reads_embedding; }

}  // namespace

Bytes stored_activations(const Work& s, Kind k) {
    // Also on a last stage that does not recompute: what is published of its memory shows no more than a checkpoint.
    if (s.layout.recompute == Recompute::full && keeps_input_alone(s.layers[k])) return layer_input(s);
    const LayerActivations& a = layer_activations(s, k);
    if (s.layout.recompute == Recompute::full) return a.always;
    if (s.layout.recompute == Recompute::none) return a.total();
    if (s.by_module) return a.total() - given_back(s, k);
    if (keeps_alternate(s)) return a.alternate;
    if (s.stack.recomputation.selective_share > 0) return (1 - s.stack.recomputation.selective_share) * a.total();
    return s.stack.kernels.attention == Attention::flash ? a.total() : a.replicated + a.sharded + a.routed;
}

bool brings_back_layers(const Work& s) {
    return s.layout.recompute == Recompute::full || (keeps_alternate(s) && !s.by_module);
}

namespace {

Bytes given_back_by(const Work& s, Kind k, std::initializer_list<Module> of) {
    Bytes sum;
    for (const Module m : of)
        if (recomputes(s, s.layers[k], m)) sum += layer_activations(s, k).by_module[int(m)];
    return sum;
}
Bytes given_back_by_mixer(const Work& s, Kind k) {
    return given_back_by(s, k, {Module::core_attn, Module::mla_up_proj});
}
Bytes given_back_by_feed(const Work& s, Kind k) {
    return given_back_by(s, k, {Module::layernorm, Module::moe_act, Module::mlp, Module::moe, Module::shared_experts});
}

}  // namespace

Bytes given_back(const Work& s, Kind k) { return given_back_by_mixer(s, k) + given_back_by_feed(s, k); }

Bytes sent_with_module(const Work& s, Kind k, SentModule m) {
    if (!s.layout.offload.modules[m]) return {};
    Bytes sum;
    for (int i = 0; i <= layer_modules; ++i)
        if (!s.by_module || !recomputes(s, s.layers[k], Module(i))) sum += layer_activations(s, k).sent[int(m)][i];
    return sum;
}

Bytes sent_with_modules(const Work& s, Kind k) {
    Bytes sum;
    for (int m = 0; m < sent_modules; ++m) sum += sent_with_module(s, k, SentModule(m));
    return sum;
}

Bytes modules_brought_back(const Work& s, Kind k) { return max(given_back_by_mixer(s, k), given_back_by_feed(s, k)); }

Bytes whole_layer(const Work& s, Kind k) {
    const bool gathers = s.layout.sequence_parallel && s.layout.tensor_parallel > 1;
    return layer_activations(s, k).total() + (gathers ? 2 : 0) * tensor_payload(s);
}

LossBytes loss_bytes(const Work& s) {
    switch (s.stack.loss.kernel) {
        case LossKernel::stated: return {s.stack.loss.logit_bytes, std::min(s.stack.loss.logit_bytes, 6.0)};
        case LossKernel::parallel: return {6, 4};
        case LossKernel::parallel_fused: return {10, 4};
        case LossKernel::parallel_copied: return {8, 6};
        case LossKernel::eager: return {s.layout.tensor_parallel > 1 ? 18.0 : 14.0, 6};
        case LossKernel::compiled: return {s.layout.tensor_parallel > 1 ? 10.0 : 4.0, 2};
        case LossKernel::fused_linear: return {2, 0};
    }
    return {};
}

int losses_waiting(const Work& s, int stage) {
    return schedule_kind(s.layout.schedule).forwards_first ? int(micro_batches_in_flight(s, stage)) : 1;
}

int logits_held(const Work& s, int stage) {
    // Every further token has logits of its own, until all losses of the stage are added up.
    const int sets = int(holds_loss(s, stage)) + (holds_modules(s, stage) ? s.model.further.depths : 0);
    return sets * losses_waiting(s, stage);
}

Bytes stage_logits(const Work& plan, int stage) {
    const Work& s = plan.longest();
    if (logits_held(s, stage) == 0) return {};
    const LossBytes each = loss_bytes(s);
    const Bytes one = s.tokens * s.vocabulary * byte;
    // A loss in pieces writes their gradient at once, and nothing of the logits waits.
    if (s.stack.loss.logits_at_once > Bytes{}) return min(each.peak * one, s.stack.loss.logits_at_once);
    const LossComputation& loss = s.stack.loss;
    if (loss.chunks > 1 && !loss.chunks_keep_logits) return each.peak / loss.chunks * one + 2 * layer_input(s);
    return ((each.peak - each.kept) / loss.chunks + logits_held(s, stage) * each.kept) * one;
}

}  // namespace plimsoll

#include "core/costs/kernels/layer.h"

#include "core/costs/kernels/context.h"
#include "core/costs/kernels/exchange.h"
#include "core/costs/kernels/indexer.h"
#include "core/costs/kernels/products.h"
#include "core/costs/kernels/recurrence.h"
#include "core/costs/kernels/tensor.h"
#include "core/values/basics/normal.h"

namespace plimsoll {

namespace {

constexpr double flash_backward_work = 2.5;   // recomputes the scores: five products against two
constexpr double causal = 0.5;                // fused kernels skip the masked half
// Elementwise kernels that each block of a layer launches in either pass, and those of experts besides: router scores,
// top-k, permutation there and back. Our own count of the operators of an unfused layer; no publication gives it.
constexpr int forward_kernels = 4, backward_kernels = 6, expert_kernels = 8, adapter_kernels = 2;
constexpr int magnitude_kernels = 6, dropout_kernels = 1;   // of an adapter besides

// Bytes that elementwise operators read and write per 16-bit element of each width (resources/help/model.md, "One
// layer"): two norms over the residual stream, the activation function over the feed-forward width, the position
// encoding over queries, keys and values. Our own count, by operator. Two residual additions come on top: two operands
// read and one written, 6 bytes, and the byte of a dropout mask.
struct ElementTraffic {
    double residual, ffn, qkv, expert_bias, unfused_norm, gate, convolution;
};

// What a root-mean-square norm moves beyond a fused one where it is written down operation by operation, per element of
// the residual stream. Forward: to fp32, square, mean, scale, back to 16 bit, weight, 36 bytes against 4. Backward:
// 12 of the weight, 6 and 6 of the two conversions, 24 of the product with the inverse root, 16 of mean and square, 12
// to add both paths up, 76 bytes against 8. Our own count of PyTorch's operators.
constexpr double norm_forward = 32, norm_backward = 68;
// A gate over a mixer's output, with the norm beside it where there is one, per element: forward both are read and the
// product written; backward all three are read and two gradients written.
constexpr double gate_forward = 6, gate_backward = 10;
// The short convolution with its activation: read and written; backward input and gradient are read, and one written.
constexpr double convolution_forward = 4, convolution_backward = 6;
constexpr ElementTraffic plain_forward{8, 4, 4, 4, norm_forward, gate_forward, convolution_forward},
    gated_forward{8, 6, 4, 8, norm_forward, gate_forward, convolution_forward};
constexpr ElementTraffic plain_backward{16, 6, 4, 6, norm_backward, gate_backward, convolution_backward},
    gated_backward{16, 10, 4, 12, norm_backward, gate_backward, convolution_backward};

double shard(double width, const Work& s) { return width / s.layout.tensor_parallel; }

// Elements of the residual stream a rank keeps.
double residual_elements(const Work& s) {
    const double x = s.tokens * s.model.hidden;
    return s.layout.splits_activations() ? x / s.layout.tensor_parallel : x;
}

// Blocks of keys and values that attention meets one after the other. Chosen keys are gathered before the core starts.
int ring_blocks(const Work& s, const LayerKind& kind) {
    return sees_chosen_keys(s.model, kind) ? 1 : s.layout.ring_ranks();
}
// Ranks that have other heads of the same queries; the others of a sequence have other queries.
int ranks_of_heads(const Work& s, const LayerKind& kind) {
    return sees_chosen_keys(s.model, kind) ? s.layout.context_parallel : s.layout.head_ranks();
}

// Materialised scores exist for all keys: windows and documents mask them. Fused kernels are told where documents end;
// of windows some skip nothing.
double computed_density(const Work& s, const LayerKind& kind) {
    const bool chosen = sees_chosen_keys(s.model, kind);
    if (!chosen && s.stack.kernels.attention != Attention::flash)
        return s.row.longest_of > 0 ? pattern_density(s.model) * window_density(0, false, s.row)
                                    : pattern_density(s.model);
    LayerKind seen = kind;
    if (!chosen && !s.stack.kernels.skips_windows) seen.window = 0;
    return score_density(s.model, seen, s.row);
}

// Products of the attention core: scores (s x s x d) and values (s x d x s), batched over heads.
// Of c ranks that share a sequence each has s/c of the queries, or 1/c of the heads. Sparse
// attention, windows and documents meet a share of the keys.
Gemm score_product(const Work& s, const LayerKind& kind) {
    const double queries = s.row.tokens, c = s.layout.context_parallel;
    const double keys = queries * computed_density(s, kind);
    const AttentionSizes a = attention_of(s.model, kind);
    const double heads = shard(double(s.layout.micro_batch) * a.heads, s);
    const double of_heads = ranks_of_heads(s, kind);
    return {"scores", "Attention scores", queries / (c / of_heads), keys, double(a.score_dim), heads / of_heads};
}
Gemm value_product(const Work& s, const LayerKind& kind) {
    const Gemm g = score_product(s, kind);
    return {"values", "Attention values", g.m, double(attention_of(s.model, kind).sum_dim), g.n, g.batch};
}

// Softmax, mask and dropout over the materialised s x s matrix.
Bytes softmax_bytes(const Work& s, const LayerKind& kind, double softmax, double dropout, double element) {
    const Gemm g = score_product(s, kind);
    const double per_element = (softmax + (s.model.dropout ? dropout : 0)) * element / 2;
    return s.machine.device.efficiency.softmax_traffic * g.batch * g.m * g.n * per_element * byte;
}

// Bytes of an element of the scores in 16 bits, read and written. One kernel: the scores and their softmax; backward
// the softmax, its gradient and theirs. Apart, forward: the mask is added (4), the sum converted to fp32 (6), the
// softmax (8), its conversion (6); backward: conversion (6), softmax (12), conversion (6), scale (4).
struct SoftmaxTraffic {
    double forward, backward;
};
SoftmaxTraffic softmax_traffic(const Work& s) {
    return s.stack.kernels.fuses_softmax ? SoftmaxTraffic{4, 6} : SoftmaxTraffic{24, 28};
}

AttentionTime materialised(const Work& s, const LayerKind& kind, const Rates& r, double passes, Bytes softmax) {
    AttentionTime t;
    for (const Gemm& g : {score_product(s, kind), value_product(s, kind)}) {
        const KernelTime k = time_of(g, r);
        t.compute += passes * max(k.compute, k.memory);
        t.floor += passes * k.floor;
    }
    t.memory = softmax / r.memory;
    t.floor += r.floor;
    return t;
}

// With the heads of such layers.
FlashRates flash_rates(const Work& s, const LayerKind& kind, const Rates& r) {
    const bool own = kind.head_dim > 0 && kind.head_dim != s.model.head_dim;
    return own ? flash_rates_of(s, kind.head_dim) : FlashRates(r);
}

AttentionTime flash(const Work& s, const LayerKind& kind, const Rates& r, double work, FlopRate rate, double half,
                    Bytes merge) {
    // What a query loses at the diagonal does not shrink with its document.
    const double shape = 1 + half / (s.row.tokens * window_density(0, false, s.row));
    // Of n ranks with queries in order the last has all keys before it but half of its own.
    const double last = s.in_order ? 1 - causal * ranks_of_heads(s, kind) / s.layout.context_parallel : causal;
    const Seconds compute =
        work * last * (flop_of(score_product(s, kind)) + flop_of(value_product(s, kind))) / rate * shape;
    // A query's own keys are read beside the products of all heads.
    const Seconds keys = sees_chosen_keys(s.model, kind) ? chosen_key_bytes(s, kind) / r.memory : Seconds{};
    return {compute, max(Seconds{}, keys - compute), ring_blocks(s, kind) * r.floor, merge / r.memory};
}

// What every step of a ring but the first adds up: its contribution is read, the fp32 sum read and written, 8 bytes. In
// the zigzag order a step works either on all queries with half of the keys or on half of the queries with all keys, in
// equal numbers: 3/4 of the queries on average.
Bytes merge_bytes(const Work& s, const LayerKind& kind, double width) {
    const int blocks = ring_blocks(s, kind);
    if (blocks == 1) return {};
    constexpr double touched = 0.75;
    const double element = s.element + 8;
    return (blocks - 1) * touched * element * s.tokens * shard(width, s) * byte;
}

}  // namespace

Bytes merge_forward_bytes(const Work& s, const LayerKind& kind) {
    return merge_bytes(s, kind, attention_of(s.model, kind).values());
}
Bytes merge_backward_bytes(const Work& s, const LayerKind& kind) {
    return merge_bytes(s, kind, attention_of(s.model, kind).all());
}

AttentionTime attention_forward(const Work& s, const LayerKind& kind, const Rates& r) {
    if (s.stack.kernels.attention == Attention::flash) {
        const FlashRates f = flash_rates(s, kind, r);
        return flash(s, kind, r, 1, f.flash_forward, f.flash_half_forward, merge_forward_bytes(s, kind));
    }
    return materialised(s, kind, r, 1, softmax_bytes(s, kind, softmax_traffic(s).forward, 5, r.element));
}

AttentionTime attention_backward(const Work& s, const LayerKind& kind, const Rates& r) {
    if (s.stack.kernels.attention == Attention::flash) {
        const FlashRates f = flash_rates(s, kind, r);
        return flash(s, kind, r, flash_backward_work, f.flash_backward, f.flash_half_backward,
                     merge_backward_bytes(s, kind));
    }
    return materialised(s, kind, r, 2, softmax_bytes(s, kind, softmax_traffic(s).backward, 5, r.element));
}

namespace {

// Elements of the feed-forward activations that all tokens pass.
double ffn_elements(const Work& s, const LayerKind& kind) {
    if (kind.feed == Feed::none) return 0;
    return s.tokens * (kind.feed == Feed::dense ? shard(ffn_of(s.model, kind), s) : shared_ffn(s));
}

// Bytes of a layer with experts beyond those of a dense one, for 16-bit elements. Three passes over the router's scores
// at 4 bytes each. Every row of an expert is read and written when it is permuted and when it is put back, at the width
// it travels, and passes the activation function; biases of experts read and write their products once more.
double routing_traffic(const Work& s) { return 12 * s.own_tokens * s.model.experts.count; }
double row_traffic(const Work& s, const ElementTraffic& traffic) {
    const double width = exchange_width(s.model), inner = routed_ffn(s);
    const double biases = s.model.mlp_bias ? traffic.expert_bias * inner + 8 * width : 0;
    return routed_rows(s) * (8 * width + traffic.ffn * inner + biases);
}

// Elements of a token, of all ranks, that a mixer's gate and its convolution pass.
double gated_width(const Work& s, const LayerKind& kind) {
    const bool attention = kind.attends() && s.model.attention_gate;
    return (attention ? attention_of(s.model, kind).values() : 0) + (kind.recurs() ? kind.recurrence.width() : 0);
}
double convolved_width(const LayerKind& kind) {
    const Recurrence& r = kind.recurrence;
    return kind.recurs() && r.conv > 0 ? r.width() + 2 * r.key_width() : 0;
}

Bytes elementwise_bytes(const Work& s, const LayerKind& kind, const ElementTraffic& traffic) {
    const double drop = s.model.dropout ? 1 : 0;
    const double tok = s.tokens;
    const double gate = tok * shard(gated_width(s, kind), s) * traffic.gate
                      + tok * shard(convolved_width(kind), s) * traffic.convolution;
    const double elements = residual_elements(s) * (traffic.residual + 2 * (6 + drop)) * (kind.blocks() / 2.0)
                          + ffn_elements(s, kind) * traffic.ffn
                          + (kind.attends() ? tok * qkv_share(s, kind) * traffic.qkv : 0)
                          + (kind.feed == Feed::experts ? routing_traffic(s) : 0) + gate;
    const double factor = s.stack.kernels.elementwise_factor * s.stack.kernels.fp32_residual_factor;
    const double rows = kind.feed == Feed::experts ? s.stack.experts.row_traffic * row_traffic(s, traffic) : 0;
    const bool apart = s.model.norm == Norm::rms_norm && !s.stack.kernels.fuses_rms_norms;
    // One norm before either block.
    const double norms = apart ? kind.blocks() * residual_elements(s) * traffic.unfused_norm : 0;
    return (factor * elements + rows + norms) * s.element / 2 * byte;
}

// Bytes that adapters of a layer move besides their products: forward their results are scaled and added to
// those of the matrices beside them, backward gradients are scaled, and those of the inputs are added up. Dropout reads
// and writes the input of each. Magnitudes scale both results and add these up, and before this, for the norms, scale
// the adapter multiplied out, add the matrix and read the sum; their gradients stop at the norms.
struct AdapterTraffic {
    double forward = 0, backward = 0;
    int kernels = 0;   // of either pass
};
AdapterTraffic adapter_traffic(const Work& s, const LayerKind& kind) {
    AdapterTraffic t;
    if (!trains_adapters(s.method)) return t;
    constexpr double scaled = 2, added = 3, normed = 1;
    const double dropped = s.method.adapter_dropout ? scaled : 0;
    const double magnitudes = s.method.magnitudes ? 2 * scaled + added : 0;
    for (const Gemm& g : layer_gemms(s, kind)) {
        if (!g.trained) continue;
        const double rows = g.batch * g.m;
        if (is_adapter_down(g.id)) {
            const double inputs = g.n / s.method.rank * rows * g.k;   // of adapters beside parts of one matrix, each
            t.forward += dropped * inputs;
            t.backward += added * rows * g.k + dropped * inputs;
        } else {
            t.forward += (scaled + added + magnitudes) * rows * g.n;
            t.backward += (scaled + magnitudes) * rows * g.n;
        }
    }
    t.kernels = adapters_of(s.model, kind, s.method)
              * (adapter_kernels + (s.method.magnitudes ? magnitude_kernels : 0)
                 + (s.method.adapter_dropout ? dropout_kernels : 0));
    const double factor = s.stack.kernels.elementwise_factor * (1 - s.stack.kernels.adapter_fusion) * s.element;
    t.forward *= factor;
    t.backward *= factor;
    const double of_weight = s.stack.kernels.elementwise_factor * (scaled + added + normed) * s.element;
    if (s.method.magnitudes)
        for (const Gemm& g : dense_updates(s, kind)) t.forward += of_weight * g.batch * g.m * g.n;
    return t;
}

Elementwise with_adapters(Elementwise e, double bytes, const AdapterTraffic& of) {
    return {e.bytes + bytes * byte, e.kernels + of.kernels};
}

}  // namespace

Elementwise elementwise_forward(const Work& s, const LayerKind& kind) {
    const ElementTraffic t = gated(s.model.activation) ? gated_forward : plain_forward;
    const int of_experts = kind.feed == Feed::experts ? expert_kernels : 0;
    const AdapterTraffic adapters = adapter_traffic(s, kind);
    return with_adapters({elementwise_bytes(s, kind, t), kind.blocks() * forward_kernels + of_experts},
                         adapters.forward, adapters);
}

Elementwise elementwise_backward(const Work& s, const LayerKind& kind) {
    const ElementTraffic t = gated(s.model.activation) ? gated_backward : plain_backward;
    const int of_experts = kind.feed == Feed::experts ? expert_kernels : 0;
    const AdapterTraffic adapters = adapter_traffic(s, kind);
    return with_adapters({elementwise_bytes(s, kind, t), kind.blocks() * backward_kernels + of_experts},
                         adapters.backward, adapters);
}

namespace {

// To decode weights that are kept in few bits reads them and writes them in the products' format, in every pass.
Bytes decoded(const Work& s, double weights) {
    return quantises_frozen(s.method) ? (frozen_bytes(s.method.frozen) + s.element) * weights * byte : Bytes{};
}

bool of_adapter(const Work& s, const Gemm& g) { return trains_adapters(s.method) && g.trained; }

// Adapters stay in 16 bits.
bool converts(const Work& s, const LayerKind& kind, const Gemm& g) {
    return plimsoll::converts(s, kind) && !of_adapter(s, g);
}

ConvertedBytes converted_inputs(const Work& s, double elements, double weights) {
    const bool anew = s.stack.kernels.quantises_each_micro_batch;
    const double of_weights = anew ? conversion_of_weight(s.recipe.fp8_recipe, s.machine.device) * weights : 0;
    const double factor = s.stack.kernels.quantisation_factor;
    const ConversionBytes& each = number_recipe(s).converted;
    return {factor * each.input * elements * byte, factor * each.transform * elements * byte, of_weights * byte};
}
Bytes quantised_inputs(const Work& s, const LayerKind& kind, const Gemm& g) {
    if (!g.trained && quantises_frozen(s.method)) return decoded(s, g.batch * g.k * g.n);
    if (!converts(s, kind, g)) return {};
    return converted_inputs(s, g.batch * g.m * g.k, g.batch * g.k * g.n).total();
}

// Of the weights of a layer's products that are kept in few bits; forward once more for their norms.
ConvertedBytes decoded_weights(const Work& s, const LayerKind& kind, bool forward) {
    double weights = 0;
    for (const Gemm& g : layer_gemms(s, kind))
        if (!g.trained) weights += g.batch * g.k * g.n;
    if (forward && s.method.magnitudes)
        for (const Gemm& g : dense_updates(s, kind)) weights += g.batch * g.m * g.n;
    return {{}, {}, decoded(s, weights)};
}

}  // namespace

ConvertedBytes conversion_forward(const Work& s, const LayerKind& kind) {
    if (quantises_frozen(s.method)) return decoded_weights(s, kind, true);
    if (!converts(s, kind)) return {};
    double elements = 0, weights = 0;
    for (const Gemm& g : layer_gemms(s, kind)) {
        if (!converts(s, kind, g)) continue;
        elements += g.batch * g.m * g.k;
        weights += g.batch * g.k * g.n;
    }
    return converted_inputs(s, elements, weights);
}

ConvertedBytes conversion_backward(const Work& s, const LayerKind& kind) {
    if (quantises_frozen(s.method)) return decoded_weights(s, kind, false);
    if (!converts(s, kind)) return {};
    double elements = 0;
    for (const Gemm& g : layer_gemms(s, kind))
        if (converts(s, kind, g)) elements += g.batch * g.m * g.n;
    const double factor = s.stack.kernels.quantisation_factor;
    const ConversionBytes& each = number_recipe(s).converted;
    return {factor * each.gradient * elements * byte, factor * each.transform * elements * byte};
}

LayerTime layer_time(const Work& s, const LayerKind& kind) {
    const Rates r = rates_of(s, kind);
    LayerTime t;
    for (const Gemm& g : layer_gemms(s, kind)) {
        const Seconds weight = g.trained ? time_of(weight_gradient(g), r).total() : Seconds{};
        const Seconds forward = time_of(g, r).total();
        t.forward.gemm += forward;
        if (!of_adapter(s, g))   // the router's gradient needs what experts put out
            t.last = kind.feed != Feed::experts ? forward : Seconds{};
        t.backward.gemm += time_of(data_gradient(g), r).total();
        t.backward.gemm += weight;
        t.weight += weight;
    }
    if (trains_magnitudes(s.method))
        for (const Gemm& g : dense_updates(s, kind)) t.forward.gemm += time_of(g, r).total();
    if (kind.attends()) {
        const AttentionTime forward = attention_forward(s, kind, r), backward = attention_backward(s, kind, r);
        t.forward.attention = forward.total();
        t.backward.attention = backward.total();
        if (fused_documents(s)) t.varies_forward = forward.compute, t.varies_backward = backward.compute;
        const ContextTime context = sees_chosen_keys(s.model, kind)
            ? chosen_context_time(s, kind) : context_time(s, kind, t.forward.attention, t.backward.attention);
        t.forward.context = context.forward;
        t.backward.context = context.backward;
    }
    if (chooses_keys(s.model, kind)) {
        const IndexTime index = index_time(s, kind, r);
        t.forward.attention += index.forward;
        t.backward.attention += index.backward;
    }
    if (kind.recurs()) {
        const StateTime state = state_time(s, kind, r);
        t.forward.attention += state.forward;
        t.backward.attention += state.backward;
        const ContextTime context = state_context_time(s, kind);
        t.forward.context += context.forward;
        t.backward.context += context.backward;
    }
    t.forward.elementwise = elementwise_forward(s, kind).time(r) + conversion_forward(s, kind).total() / r.memory;
    t.backward.elementwise = elementwise_backward(s, kind).time(r) + conversion_backward(s, kind).total() / r.memory;
    const TensorTime tensor = layer_tensor_time(s, kind);
    t.forward.tensor = s.stack.tensor.exposed * tensor.forward;
    t.backward.tensor = s.stack.tensor.exposed * tensor.backward;
    if (kind.feed == Feed::experts) t.forward.exchange = t.backward.exchange = exchanges_per_pass * exposed_exchange(s);
    return t;
}

bool fused_documents(const Work& s) {
    return s.recipe.document_length > 0 && s.stack.kernels.attention == Attention::flash;
}

namespace {

SlowestRank slowest_of(const Work& s, double ranks, double variation) {
    const bool meet = s.layout.zero_stage == 3 || (has_experts(s.model) && s.layout.expert_parallel > 1);
    return {ranks, double(s.layout.micro_batch) * (meet ? 1 : s.micro_batches), variation, largest_of(ranks)};
}

}  // namespace

SlowestRank slowest_rank(const Work& s, const LayerKind& kind) {
    if (!kind.attends() || !fused_documents(s)) return {};
    const double variation = score_variation(s.model, kind, s.row) - row_variation(s.row);
    return slowest_of(s, double(s.layout.weight_replicas()), std::max(0.0, variation));
}

SlowestRank slowest_rows(const Work& s) {
    if (s.row.longest_of == 0 || s.layout.data_parallel == 1) return {};
    SlowestRank rank = slowest_of(s, s.layout.data_parallel, row_variation(s.row));
    rank.most = std::max(0.0, s.row.cut / s.row.tokens - 1);
    return rank;
}

LayerTime on_slowest_rank(const Work& s, const LayerKind& kind, LayerTime t) {
    if (const double more = slowest_rank(s, kind).more(); more > 0) {
        t.forward.attention += more * t.varies_forward;
        t.backward.attention += more * t.varies_backward;
    }
    return t;
}

namespace {

// Of a module, what it moves besides products, in 16 bit, and its kernels: norms, activation functions, rotation, what
// routes tokens. As elementwise_forward counts them.
Elementwise module_elementwise(const Work& s, const LayerKind& kind, Module module) {
    const ElementTraffic& traffic = gated(s.model.activation) ? gated_forward : plain_forward;
    const double factor = s.stack.kernels.elementwise_factor * s.stack.kernels.fp32_residual_factor;
    const bool apart = s.model.norm == Norm::rms_norm && !s.stack.kernels.fuses_rms_norms;
    const double norm = residual_elements(s) * (factor * traffic.residual / 2 + (apart ? traffic.unfused_norm : 0));
    const double inner = factor * ffn_elements(s, kind) * traffic.ffn, rows = s.stack.experts.row_traffic;
    const auto moved = [&](double elements, int kernels) {
        return Elementwise{elements * s.element / 2 * byte, kernels};
    };
    switch (module) {
        case Module::layernorm: {
            const int norms = (kind.attends() && attention_of(s.model, kind).latent) + (kind.feed == Feed::experts);
            return moved(norms * norm, norms);
        }
        case Module::moe_act: return moved(rows * routed_rows(s) * traffic.ffn * routed_ffn(s), 1);
        case Module::mla_up_proj: return moved(factor * s.tokens * qkv_share(s, kind) * traffic.qkv, 1);
        case Module::mlp: return moved(norm + inner, forward_kernels);
        case Module::moe: return moved(factor * routing_traffic(s) + inner + rows * row_traffic(s, traffic),
                                       forward_kernels + expert_kernels);
        case Module::shared_experts: return moved(inner, 1);
        case Module::core_attn:
        case Module::none: break;
    }
    return {};
}

}  // namespace

PassTime module_time(const Work& s, const LayerKind& kind, Module module) {
    if (!has_module(s.model, kind, module)) return {};
    const Rates r = rates_of(s, kind);
    PassTime t;
    if (module == Module::core_attn) {
        // Fused attention kernels repeat their scores anyway: nothing is added.
        if (s.stack.kernels.attention == Attention::materialised) t.attention = attention_forward(s, kind, r).total();
        return t;
    }
    Bytes quantised;
    Seconds grid;
    for (const Gemm& g : layer_gemms(s, kind)) {
        if (!in_module(module_of_product(g.id), module)) continue;
        t.gemm += time_of(g, r).total();
        quantised += quantised_inputs(s, kind, g);
        if (s.layout.on_grid()) grid += grid_time(s, g).forward();
    }
    if (trains_magnitudes(s.method))
        for (const Gemm& g : dense_updates(s, kind)) {
            if (!in_module(module_of_product(g.id), module)) continue;
            t.gemm += time_of(g, r).total();
            quantised += decoded(s, g.batch * g.m * g.n);
        }
    t.elementwise = module_elementwise(s, kind, module).time(r) + quantised / r.memory;
    const bool reduced = module == Module::mlp || (module == Module::moe && s.model.experts.shared > 0)
                      || module == Module::shared_experts;
    if (s.layout.tensor_parallel > 1) {
        if (!s.layout.on_grid()) grid = reduced ? tensor_pair(s).time() : Seconds{};
        t.tensor = s.stack.tensor.exposed * grid;
    }
    if (module == Module::moe) t.exchange = exchanges_per_pass * exposed_exchange(s);
    return t;
}

namespace {

// A rank's elements of b s h: all of them unless they lie on a grid.
double token_elements(const Work& s) {
    return s.tokens * s.model.hidden / (s.layout.on_grid() ? s.layout.tensor_parallel : 1);
}

}  // namespace

// Look-up, position sum and dropout: 12 bytes an element of b s h in 16 bit.
Bytes embedding_forward_bytes(const Work& s) {
    return 6 * s.element * token_elements(s) * byte;
}

// The same back, and one pass over the gradient of the whole table.
Bytes embedding_backward_bytes(const Work& s) {
    if (!trains_tables(s.method)) return {};
    return embedding_forward_bytes(s)
         + s.element * s.table().trained.total() * byte;
}

// Logits that never leave the kernel: their gradient is written once in 16 bit, for the products behind it to read.
Bytes cross_entropy_bytes(const Work& s) {
    const LossComputation& loss = s.stack.loss;
    const double touched = loss.repeats_head() ? std::min(2.0, loss.cross_entropy_bytes) : loss.cross_entropy_bytes;
    return touched * s.tokens * s.vocabulary * byte;
}

EndTime embedding_time(const Work& s) {
    const Rates r = rates_of(s);
    const TensorTime tensor = embedding_tensor_time(s);
    const double exposed = s.stack.tensor.exposed;
    return {embedding_forward_bytes(s) / r.memory,
            embedding_backward_bytes(s) / r.memory,
            exposed * tensor.forward,
            exposed * tensor.backward,
            {}};
}

EndTime head_time(const Work& s) {
    const Rates r = head_rates_of(s);
    const auto gemms = head_gemms(s);
    const Seconds loss = cross_entropy_bytes(s) / r.memory / 2;
    const Seconds weight = gemms[0].trained ? time_of(gemms[2], r).total() : Seconds{};
    const Seconds forward = time_of(gemms[0], r).total();
    const Seconds again = s.stack.loss.repeats_head() ? forward : Seconds{};
    const TensorTime tensor = head_tensor_time(s);
    const double exposed = s.stack.tensor.exposed;
    return {forward + loss, time_of(gemms[1], r).total() + weight + loss + again,
            exposed * tensor.forward, exposed * tensor.backward, weight};
}

Gemm joining_gemm(const Work& s) {
    const double h = s.model.hidden;
    Gemm join = column_split(s.layout, {"join", "Product of stream and embedding", s.tokens, h, 2 * h});
    join.trained = !trains_adapters(s.method);
    return join;
}

EndTime module_end_time(const Work& s, const EndTime& embedding, const EndTime& head) {
    const Rates r = rates_of(s);
    const Gemm join = joining_gemm(s);
    const Seconds weight = join.trained ? time_of(weight_gradient(join), r).total() : Seconds{};
    EndTime t = head;
    t += embedding;
    t.forward += time_of(join, r).total();
    t.backward += time_of(data_gradient(join), r).total() + weight;
    t.weight += weight;
    return t;
}

LayerTimes layer_times(const Work& s) {
    LayerTimes t;
    const Layers& kinds = s.layers;
    for (Kind k = 0; k < kinds.kinds(); ++k) t.kinds.add(layer_time(s, kinds[k]));
    t.embedding = embedding_time(s);
    t.head = head_time(s);
    if (s.model.further.depths > 0) t.module_end = module_end_time(s, t.embedding, t.head);
    return t;
}

}  // namespace plimsoll

#include "core/costs/memory/activations.h"

#include "core/costs/kernels/products.h"
#include "core/costs/kernels/tensor.h"
#include "core/costs/pipeline/schedule.h"

#include <algorithm>

namespace plimsoll {

namespace {

// Width of the feed-forward activations every token passes, over all tensor ranks.
double common_ffn(const Work& s, const LayerKind& kind) {
    return kind.feed == Feed::dense ? s.model.ffn : double(s.model.experts.shared) * s.model.experts.shared_ffn;
}

// What routing keeps: fp32 scores of own tokens and, in BigMac's order, both narrow tokens; the copies
// dispatched to this rank and both sides of their experts' activation function.
Bytes routed_activations(const Work& s) {
    const Model& m = s.model;
    const double e = s.element, w = exchange_width(m);
    const double narrow = m.experts.order == ExpertOrder::dcca ? 2 * w * e : 0;
    return s.own_tokens * (4.0 * m.experts.count + narrow) * byte
         + routed_rows(s) * e * (w + routed_ffn(s) * (gated(m.activation) ? 3 : 2)) * byte;
}

bool keeps_fp8(const Work& s) {
    return s.recipe.precision == Precision::fp8 && s.stack.fp8_storage != Fp8Storage::none;
}

// Bytes per value of the feed-forward width: both sides of the activation function, of a gated one three. Run one by
// one, SiLU keeps its result before it is multiplied.
double ffn_bytes(const Work& s, double element, double product_input) {
    if (!gated(s.model.activation)) return element + product_input;
    return (s.stack.eager_layers ? 3 : 2) * element + product_input;
}

// Queries, keys and values that all tensor ranks hold together: more ranks than key heads hold copies.
double held_qkv(const Work& s) { return s.layout.tensor_parallel * qkv_share(s); }

// Queries, keys and values before and after rotation; the fused kernel works in place.
double rotated_copies(const Work& s) {
    return s.stack.eager_layers && s.model.positions == Positions::rotary ? held_qkv(s) : 0;
}

bool keeps_alternate(const Work& s) {
    return s.layout.recompute == Recompute::selective && s.stack.keeps_alternate_products;
}

Bytes alternate_products(const Work& s, const LayerKind& kind) {
    const Model& m = s.model;
    const double e = s.element, tok = s.tokens;
    const double t = s.layout.tensor_parallel, split = s.layout.splits_activations() ? t : 1;
    const double values = (held_qkv(s) - attention_width(m)) / 2;
    const double inner = 2 * attention_width(m) + values;
    if (kind.feed == Feed::dense) return tok * e * (2.0 * m.hidden / split + (inner + m.ffn) / t) * byte;
    const Bytes copies = s.layout.expert_parallel > 1 ? e * routed_rows(s) * exchange_width(m) * byte : Bytes{};
    return tok * e * (m.hidden / split + inner / t) * byte + copies;
}

}  // namespace

LayerActivations layer_activations(const Work& s, const LayerKind& kind) {
    const Model& m = s.model;
    const double t = s.layout.tensor_parallel, e = s.element;
    const double tok = s.tokens, h = m.hidden;
    const double mask = m.dropout ? 1 : 0;
    const double in = keeps_fp8(s) ? 1 : e;   // of a product's input
    // Two norm inputs, attention input, feed-forward input, and two dropout masks.
    const double residual = tok * h * (2 * e + 2 * in + 2 * mask);
    // Queries, keys and values, projection input; both sides of the activation function.
    const double projection = attention_width(m) * (keeps_fp8(s) ? e + in : e);
    const double inner =
        tok * (e * (held_qkv(s) + rotated_copies(s)) + projection + common_ffn(s, kind) * ffn_bytes(s, e, in));
    // Latent vectors of queries, keys and values, before they are projected up.
    const double latent =
        has_latent_attention(m) ? tok * e * (m.latent.q_rank + m.latent.kv_rank + m.latent.rope_dim) : 0;
    const double heads = double(s.layout.micro_batch) * m.heads / t;
    const double local = double(s.recipe.sequence_length) / s.layout.context_parallel;
    // Softmax output, dropout output and mask; without dropout the score matrix and the softmax output.
    const double matrix = heads * local * s.recipe.sequence_length * pattern_density(m) * (2 * e + mask);
    const double statistics = 4 * heads * local;
    const double split = s.layout.splits_activations() ? t : 1;
    return {(residual + latent) / split * byte, inner / t * byte,
            (s.stack.attention == Attention::flash ? statistics : matrix) * byte,
            kind.feed == Feed::experts ? routed_activations(s) : Bytes{}};
}

const LayerActivations& layer_activations(const Work& s, Kind k) {
    return s.activations(k, [&](const LayerKind& kind) { return layer_activations(s, kind); });
}

Bytes layer_input(const Work& s) {
    return tensor_payload(s) / (s.layout.splits_activations() ? s.layout.tensor_parallel : 1);
}

Bytes attention_output(const Work& s) {
    const double e = s.element;
    return e * s.tokens * attention_width(s.model) / s.layout.tensor_parallel * byte;
}

Bytes stored_activations(const Work& s, Kind k) {
    // Also on a last stage that does not recompute: what is published of its memory shows no more than a checkpoint.
    if (s.layout.recompute == Recompute::full) return layer_input(s);
    const LayerActivations& a = layer_activations(s, k);
    if (s.layout.recompute == Recompute::none) return a.total();
    if (keeps_alternate(s)) return alternate_products(s, s.layers[k]);
    if (s.stack.selective_share > 0) return (1 - s.stack.selective_share) * a.total();
    return s.stack.attention == Attention::flash ? a.total() : a.replicated + a.sharded + a.routed;
}

bool brings_back_layers(const Work& s) { return s.layout.recompute == Recompute::full || keeps_alternate(s); }

Bytes whole_layer(const Work& s, Kind k) {
    const bool gathers = s.layout.sequence_parallel && s.layout.tensor_parallel > 1;
    return layer_activations(s, k).total() + (gathers ? 2 : 0) * tensor_payload(s);
}

// Inputs and output gradients of the four products: 32 s b h in 16 bit for GPT (Qi et al. 2024, table 1).
Bytes waiting_activations(const Work& s, const LayerKind& kind) {
    const Model& m = s.model;
    const double t = s.layout.tensor_parallel, branches = gated(m.activation) ? 2 : 1;
    const double residual = 4.0 * m.hidden / (s.layout.splits_activations() ? t : 1);
    const double inner = (held_qkv(s) + attention_width(m) + (1 + branches) * common_ffn(s, kind)) / t;
    const double routed =
        kind.feed == Feed::experts ? routed_rows(s) * (2 * exchange_width(m) + (1 + branches) * routed_ffn(s)) : 0;
    return s.element * (s.tokens * (residual + inner) + routed) * byte;
}

LossBytes loss_bytes(const Work& s) {
    switch (s.stack.loss) {
        case LossKernel::stated: return {s.stack.logit_bytes, std::min(s.stack.logit_bytes, 6.0)};
        case LossKernel::parallel: return {6, 4};
        case LossKernel::parallel_fused: return {10, 4};
        case LossKernel::parallel_copied: return {8, 6};
        case LossKernel::eager: return {s.layout.tensor_parallel > 1 ? 18.0 : 14.0, 6};
        case LossKernel::compiled: return {4, 2};
    }
    return {};
}

int losses_waiting(const Work& s, int stage) {
    return s.layout.schedule == Schedule::gpipe ? int(micro_batches_in_flight(s, stage)) : 1;
}

Bytes stage_logits(const Work& s, int stage) {
    if (!holds_loss(s, stage)) return {};
    const LossBytes each = loss_bytes(s);
    const Bytes one = s.tokens * vocabulary_share(s) * byte;
    // A loss in pieces writes their gradient at once, and nothing of the logits waits.
    if (s.stack.logits_at_once > Bytes{}) return min(each.peak * one, s.stack.logits_at_once);
    if (s.stack.loss_chunks > 1) return each.peak / s.stack.loss_chunks * one + 2 * layer_input(s);
    return (each.peak + (losses_waiting(s, stage) - 1) * each.kept) * one;
}

}  // namespace plimsoll

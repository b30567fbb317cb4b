#include "core/costs/memory/activations.h"

#include "core/costs/kernels/products.h"
#include "core/costs/kernels/tensor.h"

namespace plimsoll {

namespace {

// Width of the feed-forward activations every token passes, over all tensor ranks.
double common_ffn(const Scenario& s, Block block) {
    return block == Block::dense ? s.model.ffn : double(s.model.experts.shared) * s.model.experts.shared_ffn;
}

// What routing keeps: fp32 scores of own tokens and, in BigMac's order, both narrow tokens; the copies
// dispatched to this rank and both sides of their experts' activation function.
Bytes routed_activations(const Scenario& s) {
    const Model& m = s.model;
    const double e = activation_bytes(s.recipe.precision), w = exchange_width(m);
    const double narrow = m.experts.order == ExpertOrder::dcca ? 2 * w * e : 0;
    return own_tokens(s) * (4.0 * m.experts.count + narrow) * byte
         + routed_rows(s) * e * (w + routed_ffn(s) * (gated(m.activation) ? 3 : 2)) * byte;
}

}  // namespace

LayerActivations layer_activations(const Scenario& s, Block block) {
    const Model& m = s.model;
    const double t = s.layout.tensor_parallel, e = activation_bytes(s.recipe.precision);
    const double tok = tokens_per_micro_batch(s), h = m.hidden;
    const double mask = m.dropout ? 1 : 0;
    // Two norm inputs, attention input, feed-forward input, and two dropout masks.
    const double residual = tok * h * (4 * e + 2 * mask);
    // Queries, keys and values, projection input; both sides of the activation function.
    const double inner =
        tok * e * (qkv_width(m) + attention_width(m) + common_ffn(s, block) * (gated(m.activation) ? 3.0 : 2.0));
    // Latent vectors of queries, keys and values, before they are projected up.
    const double latent =
        has_latent_attention(m) ? tok * e * (m.latent.q_rank + m.latent.kv_rank + m.latent.rope_dim) : 0;
    const double heads = double(s.layout.micro_batch) * m.heads / t;
    const double local = double(s.recipe.sequence_length) / s.layout.context_parallel;
    // Softmax output, dropout output and mask; without dropout the score matrix and the softmax output.
    const double matrix = heads * local * s.recipe.sequence_length * score_density(m) * (2 * e + mask);
    const double statistics = 4 * heads * local;
    const double split = s.layout.splits_activations() ? t : 1;
    return {(residual + latent) / split * byte, inner / t * byte,
            (s.stack.attention == Attention::flash ? statistics : matrix) * byte,
            block == Block::experts ? routed_activations(s) : Bytes{}};
}

Bytes layer_input(const Scenario& s) {
    return tensor_payload(s) / (s.layout.splits_activations() ? s.layout.tensor_parallel : 1);
}

Bytes attention_output(const Scenario& s) {
    const double e = activation_bytes(s.recipe.precision);
    return e * tokens_per_micro_batch(s) * attention_width(s.model) / s.layout.tensor_parallel * byte;
}

Bytes stored_activations(const Scenario& s, Block block) {
    // Also on a last stage that does not recompute: what is published of its memory shows no more than a checkpoint.
    if (s.layout.recompute == Recompute::full) return layer_input(s);
    const LayerActivations a = layer_activations(s, block);
    if (s.layout.recompute == Recompute::none) return a.total();
    if (s.stack.selective_share > 0) return (1 - s.stack.selective_share) * a.total();
    return s.stack.attention == Attention::flash ? a.total() : a.replicated + a.sharded + a.routed;
}

// Inputs and output gradients of the four products: 32 s b h in 16 bit for GPT (Qi et al. 2024, table 1).
Bytes waiting_activations(const Scenario& s, Block block) {
    const Model& m = s.model;
    const double t = s.layout.tensor_parallel, branches = gated(m.activation) ? 2 : 1;
    const double residual = 4.0 * m.hidden / (s.layout.splits_activations() ? t : 1);
    const double inner = (qkv_width(m) + attention_width(m) + (1 + branches) * common_ffn(s, block)) / t;
    const double routed =
        block == Block::experts ? routed_rows(s) * (2 * exchange_width(m) + (1 + branches) * routed_ffn(s)) : 0;
    return activation_bytes(s.recipe.precision) * (tokens_per_micro_batch(s) * (residual + inner) + routed) * byte;
}

}  // namespace plimsoll

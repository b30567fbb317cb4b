#include "core/costs/kernels/products.h"

namespace plimsoll {

namespace {

double branches(const Scenario& s) { return gated(s.model.activation) ? 2 : 1; }

void add_attention(const Scenario& s, Gemms& out) {
    const double tok = tokens_per_micro_batch(s), h = s.model.hidden;
    if (!has_latent_attention(s.model)) {
        const double width = qkv_share(s) * s.layout.tensor_parallel;
        out.add(column_split(s.layout, {"qkv", "Query, key, value projection", tok, width, h}));
    } else {
        const LatentAttention& l = s.model.latent;
        const double own = own_tokens(s), keys = double(s.model.heads) * (l.nope_dim + l.value_dim);
        if (l.q_rank > 0) out.add({"query_down", "Query projection down", own, double(l.q_rank), h});
        const double query_in = l.q_rank > 0 ? double(l.q_rank) : h;
        out.add(
            column_split(s.layout, {"query_up", "Query projection up", tok, double(query_width(s.model)), query_in}));
        out.add({"kv_down", "Key-value projection down", own, double(l.kv_rank + l.rope_dim), h});
        out.add(column_split(s.layout, {"kv_up", "Key-value projection up", tok, keys, double(l.kv_rank)}));
    }
    out.add(row_split(s.layout,
                      {"attention_out", "Attention output projection", tok, h, double(attention_width(s.model))}));
}

void add_dense(const Scenario& s, Gemms& out) {
    const double tok = tokens_per_micro_batch(s), h = s.model.hidden;
    out.add(column_split(s.layout, {"ffn_in", "Feed-forward in", tok, branches(s) * s.model.ffn, h}));
    out.add(row_split(s.layout, {"ffn_out", "Feed-forward out", tok, h, double(s.model.ffn)}));
}

void add_experts(const Scenario& s, Gemms& out) {
    const double tok = tokens_per_micro_batch(s), own = own_tokens(s), h = s.model.hidden, w = exchange_width(s.model);
    const double here = local_experts(s), rows = routed_rows(s) / here, inner = routed_ffn(s);
    const double rate = s.stack.experts.grouped_gemm_factor;
    const bool projected = s.model.experts.order == ExpertOrder::dcca;
    out.add({"router", "Router", own, double(s.model.experts.count), h});
    if (projected) out.add({"exchange_down", "Projection before the exchange", own, w, h});
    out.add({"experts_in", "Experts in", rows, branches(s) * inner, w, here, 1, rate, true});
    out.add({"experts_out", "Experts out", rows, w, inner, here, 1, rate, true});
    if (projected) out.add({"exchange_up", "Projection after the exchange", own, h, w});
    if (s.model.experts.shared == 0) return;
    out.add({"shared_in", "Shared experts in", tok, branches(s) * shared_ffn(s), h});
    out.add({"shared_out", "Shared experts out", tok, h, shared_ffn(s)});
}

}  // namespace

double qkv_share(const Scenario& s) {
    const Model& m = s.model;
    const double t = s.layout.tensor_parallel;
    if (has_latent_attention(m) || s.layout.on_grid() || m.kv_heads >= t) return qkv_width(m) / t;
    return query_width(m) / t + 2 * m.head_dim;
}

double routed_rows(const Scenario& s) {
    const Experts& e = s.model.experts;
    return own_tokens(s) * e.top_k * s.layout.expert_tensor_parallel * expert_load(e);
}

// As many weights as at full width: ffn h / (r h) in BigMac's order.
double routed_ffn(const Scenario& s) {
    return s.model.experts.ffn * (s.model.hidden / exchange_width(s.model)) / s.layout.expert_tensor_parallel;
}

double shared_ffn(const Scenario& s) {
    return double(s.model.experts.shared) * s.model.experts.shared_ffn / s.layout.tensor_parallel;
}

Gemms layer_gemms(const Scenario& s, Block block) {
    Gemms out;
    add_attention(s, out);
    if (block == Block::dense) add_dense(s, out);
    else add_experts(s, out);
    return out;
}

namespace {

Gemm on_grid(const Layout& l, Gemm g) {
    const int side = l.grid_side();
    g.m /= side * l.grid_depth();
    g.n /= side;
    g.steps = side;
    return g;
}

}  // namespace

Gemm column_split(const Layout& l, Gemm g) {
    if (l.on_grid()) return on_grid(l, g);
    g.n /= l.tensor_parallel;
    return g;
}

Gemm row_split(const Layout& l, Gemm g) {
    if (l.on_grid()) return on_grid(l, g);
    g.k /= l.tensor_parallel;
    return g;
}

Gemm data_gradient(const Gemm& g) {
    return {g.id, g.label, g.m, g.k / g.steps, g.n * g.steps, g.batch, g.steps, g.rate, g.grouped};
}

Gemm weight_gradient(const Gemm& g) {
    return {g.id, g.label, g.k / g.steps, g.n, g.m * g.steps, g.batch, g.steps, g.rate, g.grouped, true};
}

}  // namespace plimsoll

#include "core/values/plan/weights.h"

namespace plimsoll {

namespace {

double norm_elements(const Model& m, double width) { return m.norm == Norm::layer_norm ? 2 * width : width; }

Weight norm(const Model& m, const char* id, double width) {
    using enum ParameterGroup;
    return {id, "Norm", vectors, Split::none, 1, norm_elements(m, width)};
}

void add_norms(const Model& m, const LayerKind& kind, Weights& out) {
    const double each = double(m.norms_per_layer) * kind.blocks() / 2;
    if (each > 0) out.add(norm(m, "norms", each * m.hidden));
    if (m.qk_norm_width > 0 && kind.mixes()) out.add(norm(m, "qk_norms", 2.0 * m.qk_norm_width));
}

void add_plain_attention(const Model& m, Weights& out) {
    using enum ParameterGroup;
    const double q = query_width(m), k = kv_width(m), width = qkv_width(m);
    out.add({"qkv", "Query, key, value projection", matrices, Split::columns, double(m.hidden), width, 1,
             m.qkv_bias ? width : 0, {q, k, width - q - k}});
}

// Down to the latent widths, which every tensor rank does for its own tokens, and up again per head.
void add_latent_attention(const Model& m, Weights& out) {
    using enum ParameterGroup;
    const LatentAttention& l = m.latent;
    const double h = m.hidden, q = query_width(m), keys_and_values = qkv_width(m) - q;
    if (l.q_rank > 0)
        out.add({"query_down", "Query projection down", matrices, Split::none, h, double(l.q_rank)});
    out.add({"query_up", "Query projection up", matrices, Split::columns, l.q_rank > 0 ? double(l.q_rank) : h, q,
             1, m.qkv_bias ? q : 0});
    out.add({"kv_down", "Key-value projection down", matrices, Split::none, h, double(l.kv_rank + l.rope_dim)});
    out.add({"kv_up", "Key-value projection up", matrices, Split::columns, double(l.kv_rank),
             double(m.heads) * (l.nope_dim + l.value_dim), 1, m.qkv_bias ? keys_and_values : 0});
    out.add(norm(m, "latent_norms", l.q_rank + l.kv_rank));
}

void add_attention(const Model& m, Weights& out) {
    using enum ParameterGroup;
    const double h = m.hidden;
    has_latent_attention(m) ? add_latent_attention(m, out) : add_plain_attention(m, out);
    out.add({"attention_out", "Attention output projection", matrices, Split::rows, double(attention_width(m)), h,
             1, m.out_bias ? h : 0});
}

struct FeedForward {
    Weight in, out;
};

// Both matrices of a feed-forward block of this width over `outer` elements of a token.
FeedForward feed_forward(const Model& m, ParameterGroup group, double width, double outer, double copies = 1) {
    const double branches = gated(m.activation) ? 2 : 1;
    FeedForward f{{"ffn_in", "Feed-forward in", group, Split::columns, outer, branches * width, copies},
                  {"ffn_out", "Feed-forward out", group, Split::rows, width, outer, copies}};
    if (m.mlp_bias) f.in.biases = branches * width, f.out.biases = outer;
    if (branches == 2) f.in.parts = {width, width};
    return f;
}

void add_named(Weights& out, FeedForward f, const char* in, const char* in_label, const char* back,
               const char* back_label) {
    f.in.id = in;
    f.in.label = in_label;
    f.out.id = back;
    f.out.label = back_label;
    out.add(f.in);
    out.add(f.out);
}

void add_experts(const Model& m, Weights& out) {
    using enum ParameterGroup;
    const Experts& e = m.experts;
    const double h = m.hidden, w = exchange_width(m);
    const bool projected = e.order == ExpertOrder::dcca;
    out.add({"router", "Router", router, Split::none, h, double(e.count), 1,
             e.router_bias ? double(e.count) : 0});
    if (projected) out.add({"exchange_down", "Projection before the exchange", matrices, Split::none, h, w});
    add_named(out, feed_forward(m, routed, expert_width(m), w, e.count), "experts_in", "Experts in",
              "experts_out", "Experts out");
    if (projected) out.add({"exchange_up", "Projection after the exchange", matrices, Split::none, w, h});
    if (e.shared == 0) return;
    // Side by side they are one block; each adds a bias to what it puts out.
    FeedForward shared = feed_forward(m, matrices, double(e.shared) * e.shared_ffn, h);
    shared.out.biases *= e.shared;
    add_named(out, shared, "shared_in", "Shared experts in", "shared_out", "Shared experts out");
}

}  // namespace

double expert_width(const Model& m) { return m.experts.ffn * (m.hidden / exchange_width(m)); }

Weights weights_of(const Model& m, const LayerKind& kind) {
    using enum ParameterGroup;
    Weights out;
    add_norms(m, kind, out);
    if (kind.mixes()) add_attention(m, out);
    if (kind.feed == Feed::experts) {
        add_experts(m, out);
    } else {
        const FeedForward f = feed_forward(m, matrices, m.ffn, m.hidden);
        out.add(f.in);
        out.add(f.out);
    }
    return out;
}

Parameters layer_parameters(const Model& m, const LayerKind& kind) {
    using enum ParameterGroup;
    Parameters p;
    for (const Weight& w : weights_of(m, kind)) {
        p.add(w.group, w.copies * w.matrix());
        p.add(w.group == routed ? routed_vectors : vectors, w.copies * w.biases);
    }
    return p;
}

Parameters grouped_parameters(const Model& m) {
    using enum ParameterGroup;
    const Layers layers(m);
    const LayerCounts counts = layers.all();
    Parameters p;
    p.add(tables, embedding_parameters(m, m.vocabulary) * (m.tied_embeddings ? 1 : 2));
    p.add(tables, double(m.position_rows) * m.hidden);
    p.add(vectors, (int(m.final_norm) + int(m.embedding_norm)) * norm_elements(m, m.hidden));
    for (Kind k = 0; k < layers.kinds(); ++k) p.add(counts[k], layer_parameters(m, layers[k]));
    return p;
}

double expert_parameters(const Model& m) {
    using enum ParameterGroup;
    double sum = 0;
    for (const Weight& w : weights_of(m, expert_layer))
        if (w.group == routed) sum += w.matrix() + w.biases;
    return sum;
}

double layer_matrix_parameters(const Model& m, const LayerKind& kind) {
    using enum ParameterGroup;
    double sum = 0;
    for (const Weight& w : weights_of(m, kind)) {
        if (w.group == matrices) sum += w.matrix();
        if (w.group == routed) sum += m.experts.top_k * w.matrix();
    }
    return sum;
}

double matrix_parameters(const Model& m) {
    const Layers layers(m);
    const LayerCounts counts = layers.all();
    double sum = 0;
    for (Kind k = 0; k < layers.kinds(); ++k) sum += counts[k] * layer_matrix_parameters(m, layers[k]);
    return sum;
}

}  // namespace plimsoll

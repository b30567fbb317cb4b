#include "core/costs/kernels/products.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace plimsoll {

namespace {

// Ranks that share one expert's matrices cut them as tensor ranks cut others: the inner width is split.
Gemm grouped(const Work& s, const Weight& w) {
    const double held = local_experts(s), rows = routed_rows(s) / held, split = s.layout.expert_tensor_parallel;
    const double in = w.split == Split::rows ? w.in / split : w.in;
    const double out = w.split == Split::columns ? w.out / split : w.out;
    // One expert a rank is an ordinary product where the software calls the library for it.
    if (held == 1 && !s.stack.experts.groups_one_expert) return {w.id, w.label, rows, out, in};
    return {w.id, w.label, rows, out, in, held, 1, s.stack.experts.grouped_gemm_factor, true};
}

Gemm product(const Work& s, const Weight& w) {
    if (w.group == ParameterGroup::routed) return grouped(s, w);
    if (w.split == Split::none) return {w.id, w.label, s.own_tokens, w.out, w.in};
    const Gemm whole{w.id, w.label, s.tokens, w.out, w.in};
    if (w.split == Split::repeated) return whole;
    return w.split == Split::columns ? column_split(s.layout, whole) : row_split(s.layout, whole);
}

bool of_queries_and_keys(const Weight& w) { return w.id == std::string_view("qkv"); }

// A tensor rank's share of them as they are projected, over all ranks. Where there are more ranks than key heads,
// several compute the same keys; those that are values as well are computed once.
double projected(const Work& s, const LayerKind& kind) {
    const double held = qkv_share(s, kind), queries = attention_of(s.model, kind).queries() / s.layout.tensor_parallel;
    return (kind.keys_are_values ? (held + queries) / 2 : held) * s.layout.tensor_parallel;
}

}  // namespace

double qkv_share(const Work& s, const LayerKind& kind) {
    const AttentionSizes a = attention_of(s.model, kind);
    const double t = s.layout.tensor_parallel;
    if (a.whose == Keys::borrowed) return a.queries() / t;
    if (a.latent || s.layout.on_grid() || a.kv_heads >= t) return a.all() / t;
    return a.queries() / t + 2 * a.head_dim;
}

double routed_rows(const Work& s) {
    const Experts& e = s.model.experts;
    return s.own_tokens * e.top_k * s.layout.expert_tensor_parallel * expert_load(e);
}

double held_rows(const Work& s) {
    const Experts& e = s.model.experts;
    return s.own_tokens * e.top_k * s.layout.expert_tensor_parallel * expert_room(e);
}

double routed_ffn(const Work& s) { return expert_width(s.model) / s.layout.expert_tensor_parallel; }

double shared_ffn(const Work& s) {
    return double(s.model.experts.shared) * s.model.experts.shared_ffn / s.layout.tensor_parallel;
}

Gemms layer_gemms(const Work& s, const LayerKind& kind, Whose whose) {
    Gemms out;
    for (Weight w : weights_of(s.model, kind, s.method)) {
        if (w.group == ParameterGroup::vectors) continue;
        if (whose != Whose::all && w.shared != (whose == Whose::shared)) continue;
        if (of_queries_and_keys(w)) w.out = projected(s, kind);
        Gemm g = product(s, w);
        g.trained = w.trained;
        out.add(g);
    }
    return out;
}

Gemms dense_updates(const Work& s, const LayerKind& kind) {
    Gemms out;
    if (!trains_magnitudes(s.method)) return out;
    double inputs = 0, parts = 1;
    for (const Gemm& g : layer_gemms(s, kind)) {
        if (is_adapter_down(g.id)) {
            inputs = g.k;
            parts = std::max(1.0, std::round(g.n / s.method.rank));
        } else if (is_adapter(g.id)) {
            for (int i = 0; i < parts; ++i) out.add({g.id, g.label, g.n / parts, inputs, g.k, g.batch});
        }
    }
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

std::array<Gemm, 3> head_gemms(const Work& s) {
    const double v = s.vocabulary * s.layout.tensor_parallel, h = s.model.hidden;
    Gemm forward = column_split(s.layout, {"head", "LM head", s.tokens, v, h});
    forward.trained = trains_tables(s.method);
    return {{forward, data_gradient(forward), weight_gradient(forward)}};
}

}  // namespace plimsoll

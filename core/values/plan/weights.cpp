#include "core/values/plan/weights.h"

#include <algorithm>

namespace plimsoll {

namespace {

double norm_elements(const Model& m, double width) { return m.norm == Norm::layer_norm ? 2 * width : width; }

Weight norm(const Model& m, const char* id, double width) {
    using enum ParameterGroup;
    return {id, "Norm", vectors, Split::none, 1, norm_elements(m, width)};
}

void add_norms(const Model& m, const LayerKind& kind, Weights& out) {
    const double each = double(m.norms_per_layer) * kind.blocks() / 2;
    const double of_embedding = kind.shared.reads_embedding ? 1 : 0;   // the first norm is over both
    if (each > 0) out.add(norm(m, "norms", (each + of_embedding) * m.hidden));
    const double normed = kind.keys == Keys::borrowed ? 1 : 2;
    if (m.qk_norm_width > 0 && kind.attends()) out.add(norm(m, "qk_norms", normed * m.qk_norm_width));
}

// Hyper-connections, of one block: from n streams of h to the weights of what it reads and writes, n each, and of an
// n x n mix of the streams; their biases and three scales. In front of the head a projection to n weights alone.
double stream_mappings(const Model& m, const LayerKind& kind) {
    const double n = m.streams, weights = n * n + 2 * n;
    return n > 1 ? kind.blocks() * (n * m.hidden * weights + weights + 3) : 0;
}
double stream_contraction(const Model& m) {
    const double n = m.streams;
    return n > 1 ? n * m.hidden * n + n + 1 : 0;
}

// The short convolution over some elements of a token, and what a mixer learns besides its matrices.
void add_vectors(Weights& out, const char* id, double elements) {
    using enum ParameterGroup;
    if (elements > 0) out.add({id, "Convolution and other vectors of the mixer", vectors, Split::none, 1, elements});
}

void add_plain_attention(const Model& m, const AttentionSizes& a, Weights& out) {
    using enum ParameterGroup;
    const double q = a.queries(), width = q + a.projected_keys(), k = std::min<double>(a.keys(), width - q);
    out.add({"qkv", "Query, key, value projection", matrices, Split::columns, double(a.input), width, 1,
             m.qkv_bias ? width : 0, {q, k, width - q - k}});
}

// Down to the latent widths, which every tensor rank does for its own tokens, and up again per head.
void add_latent_attention(const Model& m, const AttentionSizes& a, Weights& out) {
    using enum ParameterGroup;
    const LatentAttention& l = m.latent;
    const double h = m.hidden, q = a.queries(), keys_and_values = a.all() - q;
    if (l.q_rank > 0)
        out.add({"query_down", "Query projection down", matrices, Split::none, h, double(l.q_rank)});
    out.add({"query_up", "Query projection up", matrices, Split::columns, l.q_rank > 0 ? double(l.q_rank) : h, q,
             1, m.qkv_bias ? q : 0});
    out.add({"kv_down", "Key-value projection down", matrices, Split::none, h, double(l.kv_rank + l.rope_dim)});
    out.add({"kv_up", "Key-value projection up", matrices, Split::columns, double(l.kv_rank),
             double(a.heads) * (l.nope_dim + l.value_dim), 1, m.qkv_bias ? keys_and_values : 0});
    out.add(norm(m, "latent_norms", l.q_rank + l.kv_rank));
}

// Queries of all heads; a key with a norm of its own, and a weight for every head's scores. Every tensor rank works on
// all tokens (Megatron-Core, experimental_attention_variant/dsa.py, parallel_mode "duplicated").
void add_indexer(const Model& m, Weights& out) {
    using enum ParameterGroup;
    const Indexer& i = m.indexer;
    const double h = m.hidden, key = i.head_dim;
    out.add({"index_query", "Indexer: queries", matrices, Split::repeated,
             m.latent.q_rank > 0 ? double(m.latent.q_rank) : h, i.width()});
    out.add({"index_key", "Indexer: key, and weights of its heads", matrices, Split::repeated, h, key + i.heads, 1, 0,
             {key, double(i.heads)}});
    add_vectors(out, "index_norm", 2 * key);
}

void add_attention(const Model& m, const LayerKind& kind, Weights& out) {
    using enum ParameterGroup;
    const AttentionSizes a = attention_of(m, kind);
    const double h = m.hidden, width = a.values();
    a.latent ? add_latent_attention(m, a, out) : add_plain_attention(m, a, out);
    if (chooses_keys(m, kind)) add_indexer(m, out);
    if (m.attention_gate) out.add({"attention_gate", "Gate of attention's output", matrices, Split::columns, h, width});
    out.add({"attention_out", "Attention output projection", matrices, Split::rows, width, h, 1, m.out_bias ? h : 0});
    if (m.attention_sinks) add_vectors(out, "sinks", a.heads);
}

// From the stream to keys that stand for `tokens` tokens each: values and their gates, a position within the group, and
// a norm of one entry. Groups of an indexer's layer overlap: every entry is made of two halves.
void add_compressor(const Model& m, const char* id, double entry, double width, double tokens, Weights& out) {
    using enum ParameterGroup;
    out.add({id, "Compression of keys", matrices, Split::none, double(m.hidden), 2 * width});
    add_vectors(out, "compressor_vectors", tokens * width + entry);
}

void add_compressed_attention(const Model& m, const LayerKind& kind, Weights& out) {
    using enum ParameterGroup;
    const AttentionSizes a = attention_of(m, kind);
    const CompressedAttention& c = m.compressed;
    const double h = m.hidden, d = a.head_dim, q = a.queries(), latent = c.q_rank;
    const double narrow = double(c.out_groups) * c.out_rank;
    out.add({"query_down", "Query projection down", matrices, Split::none, h, latent});
    out.add({"query_up", "Query projection up", matrices, Split::columns, latent, q});
    out.add({"kv_down", "Key projection", matrices, Split::none, h, d});
    out.add({"attention_narrow", "Attention output by groups, down", matrices, Split::columns, q / c.out_groups,
             narrow});
    out.add({"attention_out", "Attention output projection", matrices, Split::rows, narrow, h});
    add_vectors(out, "latent_norms", latent + d + (m.attention_sinks ? a.heads : 0));
    if (kind.compression == 0) return;
    const bool indexed = has_indexer(m) && kind.index == Index::own;
    add_compressor(m, "compressor", d, indexed ? 2 * d : d, kind.compression, out);
    if (!indexed) return;
    const double key = m.indexer.head_dim;
    out.add({"index_query", "Indexer: queries", matrices, Split::repeated, latent, m.indexer.width()});
    out.add({"index_weights", "Indexer: weights of its heads", matrices, Split::repeated, h, double(m.indexer.heads)});
    add_compressor(m, "index_compressor", key, 2 * key, kind.compression, out);
}

// One matrix into all that the mixer reads and one back to the stream.
void add_projections(const Model& m, double in, double back, Weights& out,
                     ParameterGroup group_in = ParameterGroup::matrices) {
    using enum ParameterGroup;
    const double h = m.hidden;
    out.add({"mixer_in", "Projections into the mixer", group_in, Split::columns, h, in});
    out.add({"mixer_out", "Mixer output projection", matrices, Split::rows, back, h});
}

// Values, gate, the groups' inputs and outputs of the state, and a step a head. Vectors: the convolution with a bias;
// decay, skip and bias of the step a head; a norm behind the gate.
void add_mamba2(const Model& m, const Recurrence& r, Weights& out) {
    const double d = r.width(), convolved = d + 2 * r.key_width();
    // Megatron-Core (mamba_mixer.py) keeps it from Muon: it is five matrices in one.
    add_projections(m, 2 * d + 2 * r.key_width() + r.heads, d, out, ParameterGroup::packed);
    const double convolution = r.conv > 0 ? (r.conv + 1) * convolved : 0;
    add_vectors(out, "mixer_vectors", convolution + 3 * r.heads + (r.gated_norm ? d : 0));
}

// Queries, keys, values, the gate, and decay and strength a head. Vectors: the convolution; decay and its bias a head;
// a norm of one head.
void add_gated_delta(const Model& m, const Recurrence& r, Weights& out) {
    const double k = r.key_width(), v = r.width();
    add_projections(m, 2 * k + 2 * v + 2 * r.heads, v, out);
    add_vectors(out, "mixer_vectors", r.conv * (2 * k + v) + 2 * r.heads + r.head_dim);
}

// Queries, keys, values and strength a head. Decay of every channel passes the width of one head, and so does the gate
// unless it is full. Vectors: the convolution; decay a head and its bias a channel; a norm of one head.
void add_kimi_delta(const Model& m, const Recurrence& r, Weights& out) {
    using enum ParameterGroup;
    const double h = m.hidden, w = r.width(), d = r.head_dim;
    add_projections(m, 3 * w + r.heads + (r.full_gate ? w : 0), w, out);
    const double low = r.full_gate ? d : 2 * d;
    out.add({"decay_down", "Decay and gate, down", matrices, Split::none, h, low});
    out.add({"decay_up", "Decay and gate, up", matrices, Split::columns, d, low / d * w});
    add_vectors(out, "mixer_vectors", r.conv * 3 * w + r.heads + w + d);
}

// Queries, keys, values and the gate; a norm over all heads.
void add_lightning(const Model& m, const Recurrence& r, Weights& out) {
    add_projections(m, 2 * r.key_width() + 2 * r.width(), r.width(), out);
    add_vectors(out, "mixer_vectors", r.width());
}

void add_mixer(const Model& m, const LayerKind& kind, Mixer mixer, Weights& out) {
    switch (mixer) {
        case Mixer::attention: return add_attention(m, kind, out);
        case Mixer::mamba2: return add_mamba2(m, kind.recurrence, out);
        case Mixer::gated_delta: return add_gated_delta(m, kind.recurrence, out);
        case Mixer::kimi_delta: return add_kimi_delta(m, kind.recurrence, out);
        case Mixer::lightning: return add_lightning(m, kind.recurrence, out);
        case Mixer::compressed: return add_compressed_attention(m, kind, out);
        case Mixer::none: return;
    }
}

// Of a kind whose other weights are shared: products of low rank beside the shared ones, and one behind them.
void add_own_of_shared(const Model& m, const LayerKind& kind, Weights& out) {
    using enum ParameterGroup;
    const SharedWeights& s = kind.shared;
    const double h = m.hidden, rank = s.adapter_rank;
    if (rank > 0 && s.adapts_attention && kind.attends()) {
        const AttentionSizes a = attention_of(m, kind);
        const double q = a.queries(), keys = a.projected_keys(), k = std::min<double>(a.keys(), keys);
        const double adapted = 1 + (k > 0) + (keys > k);
        out.add({"qkv_adapter_down", "Adapters of queries, keys, values, down", matrices, Split::none, double(a.input),
                 adapted * rank});
        out.add({"qkv_adapter_up", "Adapters of queries, keys, values, up", matrices, Split::columns, rank, q + keys, 1,
                 0, {q, k, keys - k}});
    }
    if (rank > 0 && kind.feed == Feed::dense) {
        const double branches = gated(m.activation) ? 2 : 1;
        out.add({"ffn_adapter_down", "Adapter of the feed-forward block, down", matrices, Split::none, h, rank});
        out.add({"ffn_adapter_up", "Adapter of the feed-forward block, up", matrices, Split::columns, rank,
                 branches * ffn_of(m, kind)});
    }
    if (s.projects_back) out.add({"projection_back", "Product behind the layer", matrices, Split::none, h, h});
}

// A layer's own embedding enters behind a gate and a projection, with a norm.
void add_per_layer_embedding(const Model& m, Weights& out) {
    using enum ParameterGroup;
    const double h = m.hidden, width = m.per_layer_embedding;
    if (width == 0) return;
    out.add({"per_layer_gate", "Gate of the layer's own embedding", matrices, Split::none, h, width});
    out.add({"per_layer_up", "Projection of the layer's own embedding", matrices, Split::none, width, h});
    out.add(norm(m, "per_layer_norm", h));
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
    const bool projected = e.latent_width > 0 || e.order == ExpertOrder::dcca;
    out.add({"router", "Router", router, Split::none, h, double(e.count), 1,
             e.router_bias ? double(e.count) : 0});
    if (projected) out.add({"exchange_down", "Projection before the exchange", matrices, Split::none, h, w});
    add_named(out, feed_forward(m, routed, expert_width(m), w, e.count), "experts_in", "Experts in",
              "experts_out", "Experts out");
    if (projected) out.add({"exchange_up", "Projection after the exchange", matrices, Split::none, w, h});
    add_vectors(out, "latent_norm", e.latent_norm ? e.latent_width : 0);
    if (e.shared == 0) return;
    add_vectors(out, "shared_gate", e.shared_gate ? h : 0);
    // Side by side they are one block; each adds a bias to what it puts out.
    FeedForward shared = feed_forward(m, matrices, double(e.shared) * e.shared_ffn, h);
    shared.out.biases *= e.shared;
    add_named(out, shared, "shared_in", "Shared experts in", "shared_out", "Shared experts out");
}

}  // namespace

bool in_module(Module of_product, Module module) {
    return of_product == module || (module == Module::moe && of_product == Module::shared_experts);
}

Module module_of_product(std::string_view id) {
    struct Row {
        std::string_view id;
        Module module;
    };
    constexpr Row rows[] = {{"query_up", Module::mla_up_proj},      {"kv_up", Module::mla_up_proj},
                            {"ffn_in", Module::mlp},                {"ffn_out", Module::mlp},
                            {"router", Module::moe},                {"exchange_down", Module::moe},
                            {"exchange_up", Module::moe},           {"experts_in", Module::moe},
                            {"experts_out", Module::moe},           {"shared_in", Module::shared_experts},
                            {"shared_out", Module::shared_experts}};
    for (const Row& row : rows)
        if (row.id == product_of_adapter(id)) return row.module;
    return Module::none;
}

double expert_width(const Model& m) {
    return m.experts.order == ExpertOrder::dcca ? m.experts.ffn * (m.hidden / exchange_width(m)) : m.experts.ffn;
}

namespace {

// All but what each layer of a kind with shared weights has beside them.
Weights weights_of_block(const Model& m, const LayerKind& kind) {
    using enum ParameterGroup;
    Weights out;
    add_norms(m, kind, out);
    add_vectors(out, "stream_mappings", stream_mappings(m, kind));
    add_mixer(m, kind, kind.mixer, out);
    add_mixer(m, kind, kind.beside, out);
    if (kind.feed == Feed::experts) add_experts(m, out);
    if (kind.feed != Feed::dense) return out;
    const FeedForward f = feed_forward(m, matrices, ffn_of(m, kind), m.hidden);
    out.add(f.in);
    out.add(f.out);
    return out;
}

void add_parameters(Parameters& sum, const Weight& w) {
    using enum ParameterGroup;
    sum.add(w.group, w.copies * w.matrix(), w.trained, is_adapter(w.id));
    sum.add(w.group == routed ? routed_vectors : vectors, w.copies * w.biases, w.trained);
}

// Every matrix that is adapted keeps a pair of products beside it: down to the rank, and up to the outputs of the parts
// that are adapted. Tensor ranks cut them as they cut the matrix: what a rank lacks of a side, the narrow side has.
void add_adapter(const Method& method, const Weight& w, Weights& out) {
    const AdapterOf adapter = adapter_of(method, w.id);
    if (!adapter) return;
    double outputs = 0, parts = 0;
    for (int i = 0; i < 3; ++i) {
        const double part = w.parts[i];
        if (part > 0 && adapter.parts[i]) outputs += part, ++parts;
    }
    if (w.parts[0] == 0) outputs = w.out, parts = 1;   // one matrix
    if (parts == 0) return;
    const double rank = method.rank, narrow = method.fused_adapters ? rank : parts * rank;
    const bool columns = w.split == Split::columns, rows = w.split == Split::rows;
    Weight down{adapter.down, adapter.down_label, w.group, columns ? Split::repeated : w.split, w.in, narrow, w.copies};
    Weight up{adapter.up, adapter.up_label, w.group, rows ? Split::none : w.split, rank, outputs, w.copies};
    down.shared = up.shared = w.shared;
    if (method.magnitudes) up.biases = outputs;
    out.add(down);
    out.add(up);
}

Weights with_adapters(const Weights& weights, const Method& method) {
    Weights out;
    for (Weight w : weights) {
        w.trained = false;
        out.add(w);
        add_adapter(method, w, out);
    }
    return out;
}

}  // namespace

Weights weights_of(const Model& m, const LayerKind& kind, const Method& method) {
    Weights out = weights_of_block(m, kind);
    if (kind.shared.on) {
        Weights shared;
        for (Weight w : out) {
            w.shared = true;
            shared.add(w);
        }
        out = shared;
        add_own_of_shared(m, kind, out);
    }
    add_per_layer_embedding(m, out);
    return trains_adapters(method) ? with_adapters(out, method) : out;
}

int adapters_of(const Model& m, const LayerKind& kind, const Method& method) {
    if (!trains_adapters(method)) return 0;
    double ranks = 0;
    for (const Weight& w : weights_of(m, kind, method))
        if (is_adapter_down(w.id)) ranks += w.out;
    return int(ranks / method.rank + 0.5);
}

Parameters layer_parameters(const Model& m, const LayerKind& kind, const Method& method) {
    Parameters p;
    for (const Weight& w : weights_of(m, kind, method)) add_parameters(p, w);
    if (kind.in_16_bits) p.converted = {};
    return p;
}

KindParameters kind_parameters(const Model& m, const LayerKind& kind, const Method& method) {
    KindParameters p;
    for (const Weight& w : weights_of(m, kind, method)) {
        add_parameters(p.layer, w);
        add_parameters(w.shared ? p.shared : p.own, w);
    }
    if (kind.in_16_bits) p.layer.converted = p.own.converted = p.shared.converted = {};
    return p;
}

namespace {

// A row of all layers' embeddings a token, and what the stream's embedding adds to them: a projection and a norm.
void add_per_layer_tables(const Model& m, Parameters& p, bool all, bool of_tables) {
    using enum ParameterGroup;
    const double width = double(m.layers) * m.per_layer_embedding;
    if (width == 0) return;
    p.add(tables, m.vocabulary * width, of_tables);
    p.add(matrices, m.hidden * width, all);
    p.add(vectors, norm_elements(m, m.per_layer_embedding), all);
}

}  // namespace

Parameters grouped_parameters(const Model& m, const Method& method) {
    using enum ParameterGroup;
    const Layers layers(m);
    const LayerCounts counts = layers.all();
    const bool all = !trains_adapters(method), of_tables = trains_tables(method);
    Parameters p;
    p.add(tables, embedding_parameters(m, m.vocabulary) * (m.tied_embeddings ? 1 : 2), of_tables);
    p.add(tables, double(m.position_rows) * m.hidden, of_tables);
    p.add(vectors, (int(m.final_norm) + int(m.embedding_norm)) * norm_elements(m, m.hidden), all);
    p.add(vectors, stream_contraction(m), all);
    for (Kind k = 0; k < layers.kinds(); ++k) kind_parameters(m, layers[k], method).add_to(p, counts[k]);
    add_per_layer_tables(m, p, all, of_tables);
    if (m.further.depths > 0) p.add(modules_held(m), module_parameters(m, method));
    return p;
}

Parameters module_parameters(const Model& m, const Method& method) {
    using enum ParameterGroup;
    const Layers layers(m);
    const LayerCounts counts = layers.of_module();
    const bool all = !trains_adapters(method);
    Parameters p;
    p.add(matrices, 2.0 * m.hidden * m.hidden, all);
    p.add(vectors, 3 * norm_elements(m, m.hidden), all);
    p.add(vectors, stream_contraction(m), all);
    for (Kind k = 0; k < layers.kinds(); ++k)
        if (counts[k] > 0) p.add(counts[k], layer_parameters(m, layers[k], method));
    return p;
}

double expert_parameters(const Model& m) {
    using enum ParameterGroup;
    double sum = 0;
    for (const Weight& w : weights_of(m, expert_layer))
        if (w.group == routed) sum += w.matrix() + w.biases;
    return sum;
}

namespace {

// Weights of one token's way through a layer, as far as `counts` says so of their products.
template <class Counts>
double matrix_parameters_of(const Model& m, const LayerKind& kind, const Method& method, Counts counts) {
    using enum ParameterGroup;
    double sum = 0;
    for (const Weight& w : weights_of(m, kind, method)) {
        if (!counts(w)) continue;
        if (w.group == matrices || w.group == packed) sum += w.matrix();
        if (w.group == routed) sum += m.experts.top_k * w.matrix();
    }
    return sum;
}

}  // namespace

double layer_matrix_parameters(const Model& m, const LayerKind& kind, const Method& method) {
    return matrix_parameters_of(m, kind, method, [](const Weight&) { return true; });
}

double module_matrix_parameters(const Model& m, const LayerKind& kind, Module module, const Method& method) {
    if (!has_module(m, kind, module)) return 0;
    return matrix_parameters_of(m, kind, method,
                                [&](const Weight& w) { return in_module(module_of_product(w.id), module); });
}

double matrix_parameters(const Model& m, const LayerCounts& counts, const Method& method) {
    const Layers layers(m);
    double sum = 0;
    for (Kind k = 0; k < layers.kinds(); ++k)
        if (counts[k] > 0) sum += counts[k] * layer_matrix_parameters(m, layers[k], method);
    return sum;
}

double matrix_parameters(const Model& m) { return matrix_parameters(m, Layers(m).all()); }

}  // namespace plimsoll

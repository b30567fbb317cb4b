#include "core/values/plan/model.h"

#include <algorithm>

namespace plimsoll {

bool gated(Activation a) { return a == Activation::swiglu || a == Activation::geglu; }

int padded_vocabulary(const Model& m, int tensor_parallel) {
    const int multiple = m.vocabulary_padding > 1 ? m.vocabulary_padding * tensor_parallel : tensor_parallel;
    return (m.vocabulary + multiple - 1) / multiple * multiple;
}

namespace {

double norm_parameters(const Model& m, double width) { return width * (m.norm == Norm::layer_norm ? 2 : 1); }

}  // namespace

double window_density(const AttentionWindow& w, int sequence) {
    if (w.tokens <= 0 || w.tokens >= sequence) return 1;
    const double s = sequence, width = w.tokens;
    if (!w.chunks) return width * (2 * s - width) / (s * s);
    const double rest = sequence % w.tokens;
    return (sequence / w.tokens * width * width + rest * rest) / (s * s);
}

double score_density(const Model& m, int sequence) {
    const double windowed = has_window(m) ? double(std::min(m.window.layers, m.layers)) / m.layers : 0;
    return pattern_density(m) * (1 - windowed * (1 - window_density(m.window, sequence)));
}

int expert_layers_before(const Model& m, int layers) {
    const Experts& e = m.experts;
    if (e.count == 0 || layers <= e.dense_layers) return 0;
    const auto multiples = [&](int below) { return (below + e.every - 1) / e.every; };
    return multiples(layers) - multiples(e.dense_layers);
}

double exchange_width(const Model& m) {
    return m.experts.order == ExpertOrder::dcca ? m.experts.ratio * m.hidden : m.hidden;
}

namespace {

double matrices(const Model& m) { return gated(m.activation) ? 3 : 2; }
double branches(const Model& m) { return gated(m.activation) ? 2 : 1; }

double attention_matrix_parameters(const Model& m) {
    const double h = m.hidden, out = h * attention_width(m);
    if (!has_latent_attention(m)) return h * qkv_width(m) + out;
    const LatentAttention& l = m.latent;
    const double query = l.q_rank > 0 ? (h + query_width(m)) * l.q_rank : h * query_width(m);
    return query + h * (l.kv_rank + l.rope_dim) + double(l.kv_rank) * m.heads * (l.nope_dim + l.value_dim) + out;
}

double ffn_biases(const Model& m, double inner, double outer) { return m.mlp_bias ? branches(m) * inner + outer : 0; }

double expert_matrix_parameters(const Model& m) { return matrices(m) * m.hidden * m.experts.ffn; }

double shared_matrix_parameters(const Model& m) {
    const Experts& e = m.experts;
    const double projections = e.order == ExpertOrder::dcca ? 2 * exchange_width(m) * m.hidden : 0;
    return matrices(m) * m.hidden * e.shared * e.shared_ffn + projections;
}

// Everything of a layer's feed-forward block but its routed experts and matrices.
double shared_rest_parameters(const Model& m) {
    const Experts& e = m.experts;
    const double router = double(m.hidden) * e.count + (e.router_bias ? e.count : 0);
    return router + e.shared * ffn_biases(m, e.shared_ffn, m.hidden);
}

}  // namespace

double expert_parameters(const Model& m) {
    const double narrowing = exchange_width(m) / m.hidden;
    return expert_matrix_parameters(m) + ffn_biases(m, m.experts.ffn / narrowing, exchange_width(m));
}

double layer_matrix_parameters(const Model& m, Block block) {
    const double ffn = block == Block::dense
                         ? matrices(m) * m.hidden * m.ffn
                         : m.experts.top_k * expert_matrix_parameters(m) + shared_matrix_parameters(m);
    return attention_matrix_parameters(m) + ffn;
}

double matrix_parameters(const Model& m) {
    const int routed = expert_layers(m);
    return (m.layers - routed) * layer_matrix_parameters(m) + routed * layer_matrix_parameters(m, Block::experts);
}

LayerParameters layer_parameter_parts(const Model& m, Block block) {
    double rest = 0;
    if (m.qkv_bias) rest += qkv_width(m);
    if (m.out_bias) rest += m.hidden;
    rest += m.norms_per_layer * norm_parameters(m, m.hidden) + 2 * norm_parameters(m, m.qk_norm_width);
    if (has_latent_attention(m)) rest += norm_parameters(m, m.latent.q_rank + m.latent.kv_rank);
    const double attention = attention_matrix_parameters(m);
    if (block == Block::dense)
        return {attention + matrices(m) * m.hidden * m.ffn, rest + ffn_biases(m, m.ffn, m.hidden)};
    return {attention + shared_matrix_parameters(m), rest + shared_rest_parameters(m),
            m.experts.count * expert_parameters(m)};
}

double layer_parameters(const Model& m, Block block) { return layer_parameter_parts(m, block).total(); }

double embedding_parameters(const Model& m, int vocabulary) { return double(vocabulary) * m.hidden; }

namespace {

// Of experts that a token does not pass.
double idle_parameters(const Model& m) {
    return expert_layers(m) * double(std::max(0, m.experts.count - m.experts.top_k)) * expert_parameters(m);
}

}  // namespace

double parameters(const Model& m) {
    const double ends = embedding_parameters(m, m.vocabulary) * (m.tied_embeddings ? 1 : 2)
                      + double(m.position_rows) * m.hidden
                      + (m.final_norm ? norm_parameters(m, m.hidden) : 0)
                      + (m.embedding_norm ? norm_parameters(m, m.hidden) : 0);
    const int routed = expert_layers(m);
    const double blocks = (m.layers - routed) * layer_parameters(m) + routed * layer_parameters(m, Block::experts);
    const double counted = blocks + ends;
    // The extra of a preset may be negative, where its published count is below that of its shape. In a shape that was
    // made much smaller it could exceed all parameters; half of those that a token passes are left then.
    const double least = (idle_parameters(m) - counted) / 2;
    return counted + std::max(m.extra_parameters, least);
}

double active_parameters(const Model& m) { return parameters(m) - idle_parameters(m); }

Flop attention_core_flop(const Model& m, double sequences, int s) {
    return 4.0 * s * core_width(m) * score_density(m, s) * (sequences * s) * m.layers * flop;
}

namespace {

Flop layers_forward(const Model& m, double sequences, int s) {
    return 2.0 * matrix_parameters(m) * sequences * s * flop + attention_core_flop(m, sequences, s);
}
Flop head_forward(const Model& m, double sequences, int s, int vocabulary) {
    return 2.0 * m.hidden * vocabulary * sequences * s * flop;
}

}  // namespace

Flop model_flop(const Model& m, double sequences, int s, int vocabulary) {
    return 3 * (layers_forward(m, sequences, s) + head_forward(m, sequences, s, vocabulary));
}

Flop full_recompute_flop(const Model& m, double sequences, int s, int vocabulary) {
    return 4 * layers_forward(m, sequences, s) + 3 * head_forward(m, sequences, s, vocabulary);
}

Flop selective_recompute_flop(const Model& m, double sequences, int s, int vocabulary) {
    return model_flop(m, sequences, s, vocabulary) + 3 * attention_core_flop(m, sequences, s);
}

}  // namespace plimsoll

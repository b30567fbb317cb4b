#include "core/values/plan/model.h"

namespace plimsoll {

bool gated(Activation a) { return a == Activation::swiglu || a == Activation::geglu; }

int padded_vocabulary(const Model& m, int tensor_parallel) {
    const int multiple = m.vocabulary_padding > 1 ? m.vocabulary_padding * tensor_parallel : tensor_parallel;
    return (m.vocabulary + multiple - 1) / multiple * multiple;
}

namespace {

double norm_parameters(const Model& m, double width) { return width * (m.norm == Norm::layer_norm ? 2 : 1); }

}  // namespace

double layer_matrix_parameters(const Model& m) {
    const double h = m.hidden, f = m.ffn;
    return h * qkv_width(m) + h * attention_width(m) + (gated(m.activation) ? 3 : 2) * h * f;
}

double layer_parameters(const Model& m) {
    double biases = 0;
    if (m.qkv_bias) biases += qkv_width(m);
    if (m.out_bias) biases += m.hidden;
    if (m.mlp_bias) biases += (gated(m.activation) ? 2.0 : 1.0) * m.ffn + m.hidden;
    const double norms = m.norms_per_layer * norm_parameters(m, m.hidden) + 2 * norm_parameters(m, m.qk_norm_width);
    return layer_matrix_parameters(m) + biases + norms;
}

double embedding_parameters(const Model& m, int vocabulary) { return double(vocabulary) * m.hidden; }

double parameters(const Model& m) {
    const double ends = embedding_parameters(m, m.vocabulary) * (m.tied_embeddings ? 1 : 2)
                      + double(m.position_rows) * m.hidden
                      + (m.final_norm ? norm_parameters(m, m.hidden) : 0)
                      + (m.embedding_norm ? norm_parameters(m, m.hidden) : 0);
    return m.layers * layer_parameters(m) + ends + m.extra_parameters;
}

Flop attention_core_flop(const Model& m, double sequences, int s) {
    return 4.0 * s * attention_width(m) * (sequences * s) * m.layers * flop;
}

namespace {

Flop layers_forward(const Model& m, double sequences, int s) {
    return 2.0 * layer_matrix_parameters(m) * m.layers * sequences * s * flop + attention_core_flop(m, sequences, s);
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

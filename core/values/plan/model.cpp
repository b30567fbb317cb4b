#include "core/values/plan/model.h"

#include "core/values/plan/weights.h"

#include <algorithm>

namespace plimsoll {

bool gated(Activation a) { return a == Activation::swiglu || a == Activation::geglu; }

int padded_vocabulary(const Model& m, int tensor_parallel) {
    const int multiple = m.vocabulary_padding > 1 ? m.vocabulary_padding * tensor_parallel : tensor_parallel;
    return (m.vocabulary + multiple - 1) / multiple * multiple;
}

namespace {


}  // namespace

double window_density(const AttentionWindow& w, int sequence) {
    if (w.tokens <= 0 || w.tokens >= sequence) return 1;
    const double s = sequence, width = w.tokens;
    if (!w.chunks) return width * (2 * s - width) / (s * s);
    const double rest = sequence % w.tokens;
    return (sequence / w.tokens * width * width + rest * rest) / (s * s);
}

bool leaves_out_scores(const Model& m, int sequence) {
    return pattern_density(m) < 1 || (has_window(m) && window_density(m.window, sequence) < 1);
}

double exchange_width(const Model& m) {
    return m.experts.order == ExpertOrder::dcca ? m.experts.ratio * m.hidden : m.hidden;
}

double embedding_parameters(const Model& m, int vocabulary) { return double(vocabulary) * m.hidden; }

namespace {

// Of experts that a token does not pass.
double idle_parameters(const Model& m) {
    if (!has_experts(m)) return 0;
    return Layers(m).with_experts() * double(std::max(0, m.experts.count - m.experts.top_k)) * expert_parameters(m);
}

}  // namespace

double parameters(const Model& m) {
    const double counted = grouped_parameters(m).all.total();
    // The extra of a preset may be negative, where its published count is below that of its shape. In a shape that was
    // made much smaller it could exceed all parameters; half of those that a token passes are left then.
    const double least = (idle_parameters(m) - counted) / 2;
    return counted + std::max(m.extra_parameters, least);
}

double active_parameters(const Model& m) { return parameters(m) - idle_parameters(m); }

Flop attention_core_flop(const Model& m, double sequences, int s) {
    const Layers layers(m);
    const LayerCounts counts = layers.all();
    Flop sum;
    for (Kind k = 0; k < layers.kinds(); ++k) sum += counts[k] * attention_core_flop(m, layers[k], sequences, s);
    return sum;
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

}  // namespace plimsoll

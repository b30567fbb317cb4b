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

// Some layer of the model that `is` holds of. A kind that no layer is of counts, too.
template <class Is>
bool some_kind(const Model& m, Is is) {
    return has_pattern(m) && std::ranges::any_of(m.kinds, is);
}

}  // namespace

bool has_window(const Model& m) {
    if (!has_pattern(m)) return m.window.tokens > 0 && m.window.layers > 0;
    return some_kind(m, [](const LayerKind& k) { return k.attends() && k.window > 0; });
}

bool has_recurrence(const Model& m) {
    return some_kind(m, [](const LayerKind& k) { return k.recurs(); });
}

bool carries_embedding(const Model& m) {
    return some_kind(m, [](const LayerKind& k) { return k.shared.reads_embedding; });
}

bool leaves_out_scores(const Model& m, const Sequence& sequence) {
    const Layers layers(m);
    for (Kind k = 0; k < layers.kinds(); ++k)
        if (layers[k].attends() && score_density(m, layers[k], sequence) < 1) return true;
    return false;
}

double exchange_width(const Model& m) {
    if (m.experts.latent_width > 0) return m.experts.latent_width;
    return m.experts.order == ExpertOrder::dcca ? m.experts.ratio * m.hidden : m.hidden;
}

double embedding_parameters(const Model& m, int vocabulary) { return double(vocabulary) * m.hidden; }

namespace {

// Of experts that a token does not pass.
double idle_parameters(const Model& m) {
    if (!has_experts(m)) return 0;
    const Layers layers(m);
    const double routed = layers.with_experts() + modules_held(m) * layers.with_experts(layers.of_module());
    return routed * std::max(0, m.experts.count - m.experts.top_k) * expert_parameters(m);
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

Flop attention_core_flop(const Model& m, double sequences, const Sequence& s) {
    const Layers layers(m);
    const LayerCounts counts = layers.all();
    Flop sum;
    for (Kind k = 0; k < layers.kinds(); ++k) sum += counts[k] * attention_core_flop(m, layers[k], sequences, s);
    return sum;
}

Flop recurrence_flop(const LayerKind& kind, double tokens) {
    constexpr double lightning_chunk = 256;
    const Recurrence& r = kind.recurrence;
    const double width = r.width();
    double each = 0;
    if (kind.has(Mixer::mamba2)) each += 7 * width * r.key_dim;
    if (kind.has(Mixer::gated_delta) || kind.has(Mixer::kimi_delta)) each += 8 * width * r.key_dim;
    if (kind.has(Mixer::lightning)) each += width * (4 * r.key_dim + 2 * lightning_chunk);
    return each * tokens * flop;
}

namespace {

// What Megatron counts of such a layer beyond its work.
Flop counted_by_megatron(const Model& m, const LayerKind& kind, double tokens) {
    const Recurrence& r = kind.recurrence;
    const double width = r.width();
    double each = 0;
    // Values, gate and output of the projections, and the state.
    if (kind.has(Mixer::mamba2)) each += (2.0 * m.hidden - width) * (6.0 * m.hidden + 7.0 * r.key_dim);
    if (kind.has(Mixer::gated_delta))
        each += 2.0 * r.conv * (2.0 * r.key_width() + width) + 8 * width * (r.head_dim - r.key_dim);
    return each * tokens * flop;
}

// Of the products with weights, of all else.
struct ForwardFlop {
    Flop products, rest;
    Flop total() const { return products + rest; }
};
ForwardFlop layers_forward(const Model& m, const LayerCounts& counts, double sequences, const Sequence& s,
                    FlopConvention convention) {
    const Layers layers(m);
    const double tokens = sequences * s.tokens, scores = convention == FlopConvention::full ? 1 : 0.5;
    Flop sum;
    for (Kind k = 0; k < layers.kinds(); ++k) {
        if (counts[k] == 0) continue;
        const Flop core = scores * attention_core_flop(m, layers[k], sequences, s);
        sum += counts[k] * (core + recurrence_flop(layers[k], tokens));
        if (convention == FlopConvention::megatron) sum += counts[k] * counted_by_megatron(m, layers[k], tokens);
    }
    return {2.0 * matrix_parameters(m, counts) * tokens * flop, sum};
}
// Of the adapters that a token passes.
double adapter_parameters(const Model& m, const Method& method) {
    const Layers layers(m);
    const auto of = [&](const LayerCounts& counts) {
        return matrix_parameters(m, counts, method) - matrix_parameters(m, counts);
    };
    return of(layers.all()) + (m.further.depths > 0 ? m.further.depths * of(layers.of_module()) : 0);
}

Flop head_forward(const Model& m, double sequences, double s, int vocabulary) {
    return 2.0 * m.hidden * vocabulary * sequences * s * flop;
}

}  // namespace

Flop model_flop(const Model& m, double sequences, const Sequence& window, int vocabulary,
                FlopConvention convention, const Method& method) {
    const Layers layers(m);
    const double s = window.tokens;
    const double tokens = sequences * s;
    const Flop head = head_forward(m, sequences, s, vocabulary);
    const ForwardFlop body = layers_forward(m, layers.all(), sequences, window, convention);
    Flop forward = body.total() + head, frozen = body.products;
    if (m.per_layer_embedding > 0) {   // of the stream's embedding to those of all layers
        const Flop projected = 2.0 * m.hidden * m.layers * m.per_layer_embedding * sequences * s * flop;
        forward += projected;
        frozen += projected;
    }
    if (m.further.depths > 0) {
        const bool halves = some_kind(m, [](const LayerKind& k) { return k.blocks() == 1; });
        const bool joins = convention != FlopConvention::megatron || !halves;
        const Flop joined = joins ? 4.0 * m.hidden * m.hidden * sequences * s * flop : Flop{};   // of 2 h x h
        const ForwardFlop module = layers_forward(m, layers.of_module(), sequences, window, convention);
        forward += m.further.depths * (module.total() + joined + head);
        frozen += m.further.depths * (module.products + joined);
    }
    const double passes = runs_reference(method) ? 4 : 3;
    if (!trains_adapters(method)) return passes * forward;
    if (!method.trains_tables) frozen += (1 + m.further.depths) * head;
    return passes * forward + 6 * adapter_parameters(m, method) * tokens * flop - frozen;
}

}  // namespace plimsoll

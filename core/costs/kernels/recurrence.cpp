#include "core/costs/kernels/recurrence.h"

#include <algorithm>

namespace plimsoll {

namespace {

constexpr StatePasses delta_rule{5.8, 20.4, 12, 20};

// Elements of a token, of all ranks, between the mixer's input projection and its kernels.
double projected_width(const Recurrence& r, Mixer mixer, int context) {
    const double values = r.width(), keys = r.key_width();
    if (mixer == Mixer::mamba2) return 2 * values + 2.0 * std::max(r.key_heads, context) * r.key_dim + r.heads;
    return 2 * values + 2 * keys + (mixer == Mixer::lightning ? 0 : 2 * r.heads);
}

}  // namespace

Mixer state_mixer(const LayerKind& kind) { return passes_state(kind.mixer) ? kind.mixer : kind.beside; }

StatePasses state_passes(Mixer mixer) {
    if (mixer == Mixer::mamba2) return {1.2 * delta_rule.forward, 1.2 * delta_rule.backward, 5, 10};
    if (mixer == Mixer::lightning) return {0.6 * delta_rule.forward, 0.55 * delta_rule.backward, 4, 8};
    return delta_rule;
}

Bytes state_pass_bytes(const Work& s, const LayerKind& kind) {
    const Recurrence& r = kind.recurrence;
    const double elements = r.heads * (2.0 * r.key_dim + 2.0 * r.head_dim);
    return s.element * s.tokens * elements / s.layout.tensor_parallel * byte;
}

StateTime state_time(const Work& s, const LayerKind& kind, const Rates& rates) {
    const StatePasses p = state_passes(state_mixer(kind));
    const Seconds one = state_pass_bytes(s, kind) / rates.memory;
    return {p.forward * one + p.forward_kernels * rates.floor, p.backward * one + p.backward_kernels * rates.floor};
}

double state_exchange_width(const Work& s, const LayerKind& kind) {
    const Recurrence& r = kind.recurrence;
    const double in = projected_width(r, state_mixer(kind), s.layout.context_parallel);
    return (in + r.width()) / s.layout.tensor_parallel;
}

Bytes gathered_states(const Work& s, const LayerKind& kind) {
    constexpr double fp32 = 4;
    const Recurrence& r = kind.recurrence;
    const Mixer mixer = state_mixer(kind);
    const bool multiplies = mixer == Mixer::gated_delta || mixer == Mixer::kimi_delta;
    const double of_head = r.key_dim * (double(r.head_dim) + (multiplies ? r.key_dim : 0));
    const double heads = double(r.heads) / s.layout.tensor_parallel * s.layout.micro_batch;
    return fp32 * heads * of_head * s.layout.context_parallel * byte;
}

ContextTime state_context_time(const Work& s, const LayerKind& kind) {
    if (s.layout.context_parallel == 1) return {};
    if (s.in_order) {
        const Seconds pass = all_gather(s.context_ranks(), gathered_states(s, kind)).time;
        return {pass, pass};
    }
    const Bytes bytes = s.element * s.tokens * state_exchange_width(s, kind) * byte;
    const Seconds pass = all_to_all(s.context_ranks(), bytes).time;
    return {pass, pass};
}

}  // namespace plimsoll

#include "core/costs/kernels/context.h"

#include "core/costs/kernels/layer.h"
#include "core/costs/network/placement.h"

#include <algorithm>

namespace plimsoll {

Span context_span(const Scenario& s) {
    return span_of(s.machine, {s.layout.context_parallel, s.layout.tensor_parallel}, network_of_layers(s));
}

namespace {

// One rank's part of a tensor that is `width` elements wide.
Bytes held(const Scenario& s, double width) {
    return activation_bytes(s.recipe.precision) * tokens_per_micro_batch(s) * width * byte;
}

// Fewer key-value heads than tensor ranks are replicated: a rank holds one at least. A grid's
// ranks share the sequences of a micro-batch as well as its heads.
double kv_width_held(const Scenario& s) {
    if (s.layout.on_grid()) return double(kv_width(s.model)) / s.layout.tensor_parallel;
    return std::max(double(kv_width(s.model)) / s.layout.tensor_parallel, double(s.model.head_dim));
}

ContextTime ring_time(const Scenario& s, Seconds forward, Seconds backward) {
    const int steps = s.layout.context_parallel - 1;
    const RingStep home = ring_step(s, 1, {});
    return {steps * ring_step(s, 1, forward).wait(), steps * ring_step(s, 2, backward).wait() + home.wait()};
}

ContextTime ulysses_time(const Scenario& s) {
    const Seconds pass = 2 * (ulysses_exchange(s, attention_width(s.model)) + ulysses_exchange(s, kv_width(s.model)));
    return {pass, pass};
}

}  // namespace

Bytes ring_block(const Scenario& s) { return held(s, 2 * kv_width_held(s)); }

RingStep ring_step(const Scenario& s, int blocks, Seconds attention) {
    const Transfer t = point_to_point(context_span(s), blocks * ring_block(s));
    return {t.latency, t.time - t.latency, attention / s.layout.context_parallel};
}

Bytes ulysses_payload(const Scenario& s, int width) { return held(s, double(width) / s.layout.tensor_parallel); }

Seconds ulysses_exchange(const Scenario& s, int width) {
    return all_to_all(context_span(s), ulysses_payload(s, width)).time;
}

ContextTime context_time(const Scenario& s, Seconds forward, Seconds backward) {
    if (s.layout.context_parallel == 1) return {};
    return s.layout.context_mode == ContextMode::ring ? ring_time(s, forward, backward) : ulysses_time(s);
}

}  // namespace plimsoll

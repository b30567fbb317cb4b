#include "core/costs/kernels/context.h"

#include "core/values/plan/placement.h"

#include <algorithm>

namespace plimsoll {

Span context_span(const Work& s) { return s.context_ranks(); }

namespace {

// One rank's part of a tensor that is `width` elements wide.
Bytes held(const Work& s, double width) {
    return s.element * s.tokens * width * byte;
}

// Fewer key-value heads than tensor ranks are replicated: a rank holds one at least. A grid's
// ranks share the sequences of a micro-batch as well as its heads.
double kv_width_held(const Work& s, const AttentionSizes& a) {
    const double share = double(a.keys()) / s.layout.tensor_parallel;
    return s.layout.on_grid() ? share : std::max(share, double(a.head_dim));
}

}  // namespace

Bytes ring_block(const Work& s, const LayerKind& kind) {
    return held(s, 2 * kv_width_held(s, attention_of(s.model, kind)));
}

RingStep ring_step(const Work& s, const LayerKind& kind, int blocks, Seconds attention) {
    const Transfer t = point_to_point(s.ring_ranks(), blocks * ring_block(s, kind));
    return {t.latency, t.time - t.latency, attention / s.layout.ring_ranks()};
}

RingPasses ring_passes(const Work& s, const LayerKind& kind, Seconds forward, Seconds backward) {
    return {s.layout.ring_ranks() - 1, ring_step(s, kind, 1, forward), ring_step(s, kind, 2, backward),
            ring_step(s, kind, 1, {})};
}

Bytes gathered_sequence(const Work& s, const LayerKind& kind) {
    return s.layout.context_parallel * ring_block(s, kind);
}

GatherPasses gather_passes(const Work& s, const LayerKind& kind) {
    const Bytes all = gathered_sequence(s, kind);
    return {all_gather(s.context_ranks(), all).time, reduce_scatter(s.context_ranks(), all).time};
}

Bytes ulysses_payload(const Work& s, int width) { return held(s, double(width) / s.layout.tensor_parallel); }

UlyssesPass ulysses_pass(const Work& s, const LayerKind& kind) {
    const AttentionSizes a = attention_of(s.model, kind);
    const Span& ranks = s.head_ranks();
    const auto exchange = [&](int width) { return all_to_all(ranks, ulysses_payload(s, width)).time; };
    return {exchange(a.values()), exchange(a.keys())};
}

ContextTime context_time(const Work& s, const LayerKind& kind, Seconds forward, Seconds backward) {
    if (s.layout.context_parallel == 1) return {};
    if (s.layout.context_mode == ContextMode::all_gather) return gather_passes(s, kind).time();
    ContextTime t;
    if (s.layout.ring_ranks() > 1) t = ring_passes(s, kind, forward, backward).time();
    if (s.layout.head_ranks() == 1) return t;
    const Seconds pass = ulysses_pass(s, kind).time();
    return {t.forward + pass, t.backward + pass};
}

}  // namespace plimsoll

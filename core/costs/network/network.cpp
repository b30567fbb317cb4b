#include "core/costs/network/network.h"

#include <algorithm>
#include <bit>

namespace plimsoll {

Span span_of(const Machine& machine, Group group) {
    Span span;
    span.size = group.size;
    int inside = 1;
    for (std::size_t i = 0; i < machine.levels.size() && inside < group.size; ++i) {
        const Level& level = machine.levels[i];
        const bool last = i + 1 == machine.levels.size();
        const int members = last ? group.size : std::clamp(level.devices / group.stride, 1, group.size);
        if (members <= inside || span.hops == int(span.hop.size())) continue;
        const int fan = (members + inside - 1) / inside;
        span.hop[span.hops++] = {int(i), fan, inside, level.bandwidth * level.efficiency, level.latency};
        inside = members;
    }
    return span;
}

namespace {

int rounds_of_tree(int fan) { return int(std::bit_width(unsigned(fan - 1))); }

// Slowest link of one ring through all members: entering a sub-group it may use
// the shares of every member inside.
Transfer flat_ring(const Span& span, Bytes payload, double passes) {
    ByteRate rate = span.hop[0].rate;
    Seconds step;
    for (int i = 0; i < span.hops; ++i) {
        rate = min(rate, span.hop[i].rate * span.hop[i].inside);
        step = max(step, span.hop[i].latency);
    }
    const double n = span.size;
    const Seconds latency = passes * (n - 1) * step;
    return {latency + passes * (n - 1) / n * payload / rate, latency, Algorithm::ring};
}

Transfer nested_rings(const Span& span, Bytes payload, double passes) {
    Transfer t{{}, {}, Algorithm::nested_rings};
    for (int i = 0; i < span.hops; ++i) {
        const Hop& hop = span.hop[i];
        const double fan = hop.fan;
        const Seconds latency = passes * (fan - 1) * hop.latency;
        t.latency += latency;
        t.time += latency + passes * (fan - 1) / fan * (payload / hop.inside) / hop.rate;
    }
    return t;
}

Transfer tree(const Span& span, Bytes payload, double passes) {
    Transfer t{{}, {}, Algorithm::tree};
    ByteRate rate = span.hop[0].rate;
    for (int i = 0; i < span.hops; ++i) {
        t.latency += passes * rounds_of_tree(span.hop[i].fan) * span.hop[i].latency;
        rate = min(rate, span.hop[i].rate * span.hop[i].inside);
    }
    t.time = t.latency + passes * payload / rate;
    return t;
}

Transfer cheapest(const Span& span, Bytes payload, double passes) {
    if (span.hops == 0) return {};
    Transfer best = flat_ring(span, payload, passes);
    for (const Transfer& other : {nested_rings(span, payload, passes), tree(span, payload, passes)})
        if (other.time < best.time) best = other;
    return best;
}

}  // namespace

Transfer all_reduce(const Span& span, Bytes payload) { return cheapest(span, payload, 2); }

Transfer all_gather(const Span& span, Bytes payload) { return cheapest(span, payload, 1); }

Transfer all_to_all(const Span& span, Bytes payload) {
    Transfer slowest;
    for (int i = 0; i < span.hops; ++i) {
        const Hop& hop = span.hop[i];
        const double peers = (hop.fan - 1.0) * hop.inside;  // reached over this level
        const Seconds latency = peers * hop.latency;
        const Seconds time = latency + peers / span.size * payload / hop.rate;
        if (time > slowest.time) slowest = {time, latency, Algorithm::pairwise};
    }
    return slowest;
}

Transfer point_to_point(const Span& span, Bytes payload) {
    if (span.hops == 0) return {};
    const Hop& hop = span.outermost();
    return {hop.latency + payload / hop.rate, hop.latency, Algorithm::ring};
}

}  // namespace plimsoll

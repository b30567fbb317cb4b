#include "core/costs/network/network.h"

#include <algorithm>
#include <bit>

namespace plimsoll {

Span span_of(const Machine& machine, Group group, int cluster) {
    Span span;
    span.size = group.size;
    int inside = 1;
    for (std::size_t i = 0; i < machine.levels.size() && inside < group.size; ++i) {
        const Level& level = machine.levels[i];
        const bool last = i + 1 == machine.levels.size();
        const int members = last ? group.size : std::clamp(level.devices / group.stride, 1, group.size);
        if (members <= inside || span.hops == int(span.hop.size())) continue;
        const int fan = (members + inside - 1) / inside;
        span.hop[span.hops++] = {int(i), fan, inside, level.bandwidth * level.efficiency, level.large_from,
                                 level.large_bandwidth * level.efficiency, level.latency,
                                 level.gather_factor, level.scatter_factor, level.message_factor};
        inside = members;
        if (last && cluster >= 0) {
            const Cluster& own = machine.clusters[cluster];
            Hop& hop = span.hop[span.hops - 1];
            hop.rate = own.bandwidth * own.efficiency;
            hop.large_rate = {};
            hop.gather = hop.scatter = hop.message = 1;
            hop.latency = own.latency;
            hop.cluster = cluster;
        }
    }
    return span;
}

ByteRate rate_at(const Hop& hop, Bytes message) {
    if (hop.large_rate <= ByteRate{} || message <= hop.large_from) return hop.rate;
    return message / (hop.large_from / hop.rate + (message - hop.large_from) / hop.large_rate);
}

double factor_of(const Hop& hop, Collective c) {
    switch (c) {
        case Collective::all_reduce: return 1;
        case Collective::all_gather: return hop.gather;
        case Collective::reduce_scatter: return hop.scatter;
        case Collective::message: return hop.message;
    }
    return 1;
}

namespace {

// The group as this operation finds it.
Span rated(Span span, Collective c) {
    for (int i = 0; i < span.hops; ++i) {
        const double factor = factor_of(span.hop[i], c);
        span.hop[i].rate = factor * span.hop[i].rate;
        span.hop[i].large_rate = factor * span.hop[i].large_rate;
    }
    return span;
}

int rounds_of_tree(int fan) { return int(std::bit_width(unsigned(fan - 1))); }

// Every one of `messages` is encoded where it is sent and decoded where it arrives, `sent` bytes of payload in all.
CodecWork at_every_hop(Bytes sent, double messages) { return {sent, sent, 2 * messages}; }

Transfer coded(Transfer wire, const Coding& coding, const CodecWork& work) {
    if (coding.kind == CodecKind::none) return wire;
    wire.work = work;
    wire.codec = time_of(work, coding);
    wire.time += wire.codec;
    return wire;
}

// Slowest link of one ring through all members: entering a sub-group it may use
// the shares of every member inside.
Transfer flat_ring(const Span& span, Bytes payload, double passes, const Coding& coding) {
    const Bytes message = payload / coding.ratio;
    ByteRate rate = rate_at(span.hop[0], message);
    Seconds step;
    for (int i = 0; i < span.hops; ++i) {
        rate = min(rate, rate_at(span.hop[i], message) * span.hop[i].inside);
        step = max(step, span.hop[i].latency);
    }
    const double n = span.size;
    const Seconds latency = passes * (n - 1) * step;
    const Bytes sent = passes * (n - 1) / n * payload;
    return coded({latency + sent / coding.ratio / rate, latency, Algorithm::ring}, coding, at_every_hop(sent, passes * (n - 1)));
}

Transfer nested_rings(const Span& span, Bytes payload, double passes, const Coding& coding) {
    Transfer t{{}, {}, Algorithm::nested_rings};
    Bytes all;
    double messages = 0;
    for (int i = 0; i < span.hops; ++i) {
        const Hop& hop = span.hop[i];
        const double fan = hop.fan;
        const Seconds latency = passes * (fan - 1) * hop.latency;
        const Bytes sent = passes * (fan - 1) / fan * (payload / hop.inside);
        t.latency += latency;
        t.time += latency + sent / coding.ratio / rate_at(hop, payload / hop.inside / coding.ratio);
        all += sent;
        messages += passes * (fan - 1);
    }
    return coded(t, coding, at_every_hop(all, messages));
}

Transfer tree(const Span& span, Bytes payload, double passes, const Coding& coding) {
    Transfer t{{}, {}, Algorithm::tree};
    const Bytes message = payload / coding.ratio;
    ByteRate rate = rate_at(span.hop[0], message);
    double rounds = 0;
    for (int i = 0; i < span.hops; ++i) {
        const int here = rounds_of_tree(span.hop[i].fan);
        t.latency += passes * here * span.hop[i].latency;
        rounds += here;
        rate = min(rate, rate_at(span.hop[i], message) * span.hop[i].inside);
    }
    const Bytes sent = passes * payload;
    t.time = t.latency + sent / coding.ratio / rate;
    return coded(t, coding, at_every_hop(sent, passes * rounds));
}

Transfer cheapest(const Span& span, Bytes payload, double passes, const Coding& coding) {
    if (span.hops == 0) return {};
    Transfer best = flat_ring(span, payload, passes, coding);
    for (const Transfer& other : {nested_rings(span, payload, passes, coding), tree(span, payload, passes, coding)})
        if (other.time < best.time) best = other;
    return best;
}

}  // namespace

Transfer all_reduce(const Span& span, Bytes payload, const Coding& coding) {
    if (!coding.once) return cheapest(span, payload, 2, coding);
    Transfer t = reduce_scatter(span, payload, coding);
    const Transfer gather = all_gather(span, payload, coding);
    t.time += gather.time;
    t.latency += gather.latency;
    t.codec += gather.codec;
    return t;
}

Transfer all_gather(const Span& span, Bytes payload, const Coding& coding) {
    if (!coding.once || span.hops == 0) return cheapest(rated(span, Collective::all_gather), payload, 1, coding);
    // Its own share is encoded, everybody else's decoded; what passes through stays as it is.
    const double n = span.size;
    return coded(cheapest(rated(span, Collective::all_gather), payload / coding.ratio, 1, {}), coding, {payload / n, (n - 1) / n * payload, n});
}

Transfer reduce_scatter(const Span& span, Bytes payload, const Coding& coding) {
    return coding.once ? all_to_all(span, payload, coding) : cheapest(rated(span, Collective::reduce_scatter), payload, 1, coding);
}

int busiest_hop(const Span& span, Bytes sent) {
    const auto time = [&](const Hop& h) { return peers_over(h) * h.latency + peers_over(h) / span.size * sent / rate_at(h, sent); };
    int slowest = 0;
    for (int i = 1; i < span.hops; ++i)
        if (time(span.hop[i]) > time(span.hop[slowest])) slowest = i;
    return slowest;
}

Transfer all_to_all(const Span& span, Bytes payload, const Coding& coding) {
    if (span.hops == 0) return {};
    const double n = span.size;
    const Hop& hop = span.hop[busiest_hop(span, payload / coding.ratio)];
    const Seconds latency = peers_over(hop) * hop.latency;
    const Seconds time = latency + peers_over(hop) / n * payload / coding.ratio / rate_at(hop, payload / coding.ratio);
    return coded({time, latency, Algorithm::pairwise}, coding, at_every_hop((n - 1) / n * payload, n - 1));
}

Transfer point_to_point(const Span& span, Bytes payload, const Coding& coding) {
    if (span.hops == 0) return {};
    const Hop& hop = span.outermost();
    return coded({hop.latency + payload / coding.ratio / (hop.message * rate_at(hop, payload / coding.ratio)), hop.latency, Algorithm::ring}, coding, at_every_hop(payload, 1));
}

Transfer transfer(Collective c, const Span& span, Bytes payload, const Coding& coding) {
    switch (c) {
        case Collective::all_reduce: return all_reduce(span, payload, coding);
        case Collective::all_gather: return all_gather(span, payload, coding);
        case Collective::reduce_scatter: return reduce_scatter(span, payload, coding);
        case Collective::message: return point_to_point(span, payload, coding);
    }
    return {};
}

}  // namespace plimsoll

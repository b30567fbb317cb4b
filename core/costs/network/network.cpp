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

Transport transport_of(const Machine& m, const Span& span) {
    if (span.hops == 0 || m.levels[span.outermost().level].devices <= m.devices_per_node) return Transport::node;
    if (span.outermost().cluster < 0) return Transport::tcp;
    switch (m.clusters[span.outermost().cluster].nic) {
        case Nic::infiniband: return Transport::infiniband;
        case Nic::roce: return Transport::roce;
        case Nic::ethernet: return Transport::tcp;
    }
    return Transport::tcp;
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

// The slowest link on a way through all members: entering a sub-group it may use the
// shares of every member inside.
struct SlowestLink {
    int hop = 0;
    ByteRate rate;
};
SlowestLink slowest_link(const Span& span, Bytes message) {
    SlowestLink slowest{0, rate_at(span.hop[0], message)};
    for (int i = 1; i < span.hops; ++i)
        if (const ByteRate rate = rate_at(span.hop[i], message) * span.hop[i].inside; rate < slowest.rate)
            slowest = {i, rate};
    return slowest;
}

// Each algorithm calls note(Leg) for what takes time on the wire; pricing ignores it.
template <class Note>
Transfer flat_ring(const Span& span, Bytes payload, double passes, const Coding& coding, Note note) {
    const Bytes message = payload / coding.ratio;
    const SlowestLink link = slowest_link(span, message);
    Seconds step;
    for (int i = 0; i < span.hops; ++i) step = max(step, span.hop[i].latency);
    const double n = span.size;
    const Seconds latency = passes * (n - 1) * step;
    const Bytes sent = passes * (n - 1) / n * payload;
    note(Leg{link.hop, sent, message, span.hop[link.hop].inside});
    return coded({latency + sent / coding.ratio / link.rate, latency, Algorithm::ring}, coding,
                 at_every_hop(sent, passes * (n - 1)));
}

template <class Note>
Transfer nested_rings(const Span& span, Bytes payload, double passes, const Coding& coding, Note note) {
    Transfer t{{}, {}, Algorithm::nested_rings};
    Bytes all;
    double messages = 0;
    for (int i = 0; i < span.hops; ++i) {
        const Hop& hop = span.hop[i];
        const double fan = hop.fan;
        const Seconds latency = passes * (fan - 1) * hop.latency;
        const Bytes sent = passes * (fan - 1) / fan * (payload / hop.inside);
        t.latency += latency;
        const Bytes message = payload / hop.inside / coding.ratio;
        note(Leg{i, sent, message});
        t.time += latency + sent / coding.ratio / rate_at(hop, message);
        all += sent;
        messages += passes * (fan - 1);
    }
    return coded(t, coding, at_every_hop(all, messages));
}

template <class Note>
Transfer tree(const Span& span, Bytes payload, double passes, const Coding& coding, Note note) {
    Transfer t{{}, {}, Algorithm::tree};
    const Bytes message = payload / coding.ratio;
    const SlowestLink link = slowest_link(span, message);
    double rounds = 0;
    for (int i = 0; i < span.hops; ++i) {
        const int here = rounds_of_tree(span.hop[i].fan);
        t.latency += passes * here * span.hop[i].latency;
        rounds += here;
    }
    const Bytes sent = passes * payload;
    note(Leg{link.hop, sent, message, span.hop[link.hop].inside});
    t.time = t.latency + sent / coding.ratio / link.rate;
    return coded(t, coding, at_every_hop(sent, passes * rounds));
}

Transfer cheapest(const Span& span, Bytes payload, double passes, const Coding& coding, Legs* legs) {
    if (span.hops == 0) return {};
    const auto ignore = [](const Leg&) {};
    Transfer best = flat_ring(span, payload, passes, coding, ignore);
    for (const Transfer& other :
         {nested_rings(span, payload, passes, coding, ignore), tree(span, payload, passes, coding, ignore)})
        if (other.time < best.time) best = other;
    if (!legs) return best;
    const auto note = [legs](const Leg& leg) { legs->add(leg); };
    if (best.algorithm == Algorithm::ring) return flat_ring(span, payload, passes, coding, note);
    if (best.algorithm == Algorithm::tree) return tree(span, payload, passes, coding, note);
    return nested_rings(span, payload, passes, coding, note);
}

}  // namespace

std::span<const Collective> steps_of(Collective c, const Coding& coding) {
    static constexpr Collective alone[] = {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter,
                                           Collective::message};
    static constexpr Collective encoded_once[] = {Collective::reduce_scatter, Collective::all_gather};
    if (c == Collective::all_reduce && coding.once) return encoded_once;
    return {&alone[int(c)], 1};
}

Transfer all_reduce(const Span& span, Bytes payload, const Coding& coding, Legs* legs) {
    if (!coding.once) return cheapest(span, payload, 2, coding, legs);
    Transfer t = reduce_scatter(span, payload, coding, legs);
    const Transfer gather = all_gather(span, payload, coding, legs);
    t.time += gather.time;
    t.latency += gather.latency;
    t.codec += gather.codec;
    return t;
}

Transfer all_gather(const Span& span, Bytes payload, const Coding& coding, Legs* legs) {
    if (!coding.once || span.hops == 0) return cheapest(rated(span, Collective::all_gather), payload, 1, coding, legs);
    // Its own share is encoded, everybody else's decoded; what passes through stays as it is.
    const double n = span.size;
    const int noted = legs ? legs->count : 0;
    const Transfer wire = cheapest(rated(span, Collective::all_gather), payload / coding.ratio, 1, {}, legs);
    if (legs)
        for (int i = noted; i < legs->count; ++i) legs->all[i].sent = coding.ratio * legs->all[i].sent;
    return coded(wire, coding, {payload / n, (n - 1) / n * payload, n});
}

Transfer reduce_scatter(const Span& span, Bytes payload, const Coding& coding, Legs* legs) {
    if (coding.once) return all_to_all(span, payload, coding, legs);
    return cheapest(rated(span, Collective::reduce_scatter), payload, 1, coding, legs);
}

namespace {

double peers_over(const Hop& h) { return (h.fan - 1.0) * h.inside; }  // reached over this level

// The one an all-to-all of `sent` on the wire waits for.
int busiest_hop(const Span& span, Bytes sent) {
    const auto time = [&](const Hop& h) {
        return peers_over(h) * h.latency + peers_over(h) / span.size * sent / rate_at(h, sent);
    };
    int slowest = 0;
    for (int i = 1; i < span.hops; ++i)
        if (time(span.hop[i]) > time(span.hop[slowest])) slowest = i;
    return slowest;
}

}  // namespace

Transfer all_to_all(const Span& span, Bytes payload, const Coding& coding, Legs* legs) {
    if (span.hops == 0) return {};
    const double n = span.size;
    const Bytes message = payload / coding.ratio;
    const int busiest = busiest_hop(span, message);
    const Hop& hop = span.hop[busiest];
    const Seconds latency = peers_over(hop) * hop.latency;
    const Bytes sent = peers_over(hop) / n * payload;
    if (legs) legs->add({busiest, sent, message});
    const Seconds time = latency + sent / coding.ratio / rate_at(hop, message);
    return coded({time, latency, Algorithm::pairwise}, coding, at_every_hop((n - 1) / n * payload, n - 1));
}

Transfer point_to_point(const Span& span, Bytes payload, const Coding& coding, Legs* legs) {
    if (span.hops == 0) return {};
    const Hop& hop = span.outermost();
    const Bytes message = payload / coding.ratio;
    if (legs) legs->add({span.hops - 1, payload, message});
    const Seconds time = hop.latency + message / (hop.message * rate_at(hop, message));
    return coded({time, hop.latency, Algorithm::ring}, coding, at_every_hop(payload, 1));
}

Transfer transfer(Collective c, const Span& span, Bytes payload, const Coding& coding, Legs* legs) {
    switch (c) {
        case Collective::all_reduce: return all_reduce(span, payload, coding, legs);
        case Collective::all_gather: return all_gather(span, payload, coding, legs);
        case Collective::reduce_scatter: return reduce_scatter(span, payload, coding, legs);
        case Collective::message: return point_to_point(span, payload, coding, legs);
    }
    return {};
}

Coding coding_of(const Scenario& s, Traffic t) {
    const Codec codec = codec_of(s, t);
    if (codec.kind == CodecKind::none) return {};
    const Device& d = s.machine.device;
    const CodecSpeed speed = d.codecs.of(codec.kind);
    return {codec.kind, compression_ratio(codec, value_bytes(s, t)), 1 / (speed.encode * d.bandwidth),
            1 / (speed.decode * d.bandwidth), d.efficiency.kernel_floor, s.compression.encoding == Encoding::once};
}

bool gains(const Coding& c, ByteRate rate) { return (1 - 1 / c.ratio) / rate > c.encode + c.decode; }

}  // namespace plimsoll

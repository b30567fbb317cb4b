#include "core/costs/network/network.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace plimsoll {

namespace {

// More devices than any server has.
constexpr int largest_server = 16;

// Members of the group that one domain of the level holds. A group that fits in a node but whose like do not divide
// it is as slow as those that lie half on either side of a boundary. Switches that join several servers are handed out
// server by server, in segments that hold whole groups (Slurm's block topology; NVIDIA's launchers of Megatron-Bridge
// take 64 of an NVL72's 72 devices). Further out few groups cross, at rates that are the share of each when all do: a
// boundary there costs nothing more.
int held_by(const Machine& machine, const Level& level, const Group& group) {
    const int places = std::clamp(level.devices / group.stride, 1, group.size);
    const long long block = 1LL * group.size * group.stride;
    const bool one_server = level.devices <= std::min(machine.devices_per_node, largest_server);
    const bool straddles =
        places == group.size && one_server && level.devices < group.ranks && level.devices % block != 0;
    return straddles ? (group.size + 1) / 2 : places;
}

// The same, and no more than the domains around it hold.
int held_within(const Machine& machine, std::size_t at, const Group& group) {
    if (at + 1 == machine.levels.size()) return group.size;
    int held = group.size;
    for (std::size_t i = at; i + 1 < machine.levels.size(); ++i) {
        held = std::min(held, held_by(machine, machine.levels[i], group));
        if (machine.levels[i].devices > machine.devices_per_node) break;
    }
    return held;
}

// Along a torus a group has its axes, all but one where ranks between its members have that. Each doubling of the
// domains slows a transfer.
double spread_of(const Level& level, const Group& group, int fan) {
    double spread = 1;
    if (level.axes > 0) spread *= std::max(1, std::min(group.axes, level.axes - (group.stride > 1 ? 1 : 0)));
    if (level.per_doubling > 0 && fan > 2) spread /= 1 + level.per_doubling * std::log2(fan / 2.0);
    return spread;
}

Hop hop_over(const Machine& machine, int at, const Group& group, int inside, int members) {
    const Level& level = machine.levels[at];
    Hop hop;
    hop.level = at;
    hop.fan = (members + inside - 1) / inside;
    hop.inside = inside;
    hop.spread = spread_of(level, group, hop.fan);
    hop.rate = level.bandwidth * level.efficiency * hop.spread;
    hop.large_from = level.large_from;
    hop.large_rate = level.large_bandwidth * level.efficiency * hop.spread;
    hop.latency = level.latency;
    hop.gather = level.gather_factor;
    hop.scatter = level.scatter_factor;
    hop.message = level.message_factor;
    hop.exchange = level.exchange_factor;
    hop.start = level.start;
    hop.half_size = level.half_size;
    hop.switch_reduction = level.switch_reduction;
    hop.chained = at == 0 && level.devices <= machine.devices_per_node;
    return hop;
}

// The outermost level's place is taken by the cluster's network.
Hop over_cluster(const Machine& machine, int cluster, const Hop& level) {
    const Cluster& own = machine.clusters[cluster];
    Hop hop;
    hop.level = level.level;
    hop.fan = level.fan;
    hop.inside = level.inside;
    hop.rate = own.bandwidth * own.efficiency;
    hop.latency = own.latency;
    hop.cluster = cluster;
    return hop;
}

}  // namespace

Span span_of(const Machine& machine, Group group, int cluster) {
    Span span;
    span.size = group.size;
    int inside = 1;
    for (std::size_t i = 0; i < machine.levels.size() && inside < group.size; ++i) {
        const int members = held_within(machine, i, group);
        if (members <= inside || span.hops == int(span.hop.size())) continue;
        const Hop hop = hop_over(machine, int(i), group, inside, members);
        const bool own = i + 1 == machine.levels.size() && cluster >= 0;
        span.hop[span.hops++] = own ? over_cluster(machine, cluster, hop) : hop;
        inside = members;
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

Bytes with_half_size(const Hop& hop, Bytes sent, double members) {
    if (hop.half_size <= Bytes{}) return sent;
    return sent + std::sqrt(sent / byte * (members * hop.half_size / byte)) * byte;
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

constexpr double all_reduce_passes = 2;   // the buffer is scattered while it is added up, then gathered

// NCCL's trees are binary between nodes and chains inside them.
int rounds_of_tree(const Hop& hop) { return hop.chained ? hop.fan - 1 : int(std::bit_width(unsigned(hop.fan - 1))); }

Seconds start_of(const Span& span) {
    Seconds start;
    for (int i = 0; i < span.hops; ++i) start += span.hop[i].start;
    return start;
}

// Steps of a ring through all members that cross this hop: one enters each of its domains, and the ring is open.
double ring_steps(const Span& span, int i) {
    const Hop& hop = span.hop[i];
    const double entered = double(span.size) / hop.inside;
    return i + 1 < span.hops ? entered - double(span.size) / span.hop[i + 1].inside : entered - 1;
}

// Every one of `messages` is encoded where it is sent and decoded where it arrives, `sent` bytes of payload in all.
CodecWork at_every_hop(Bytes sent, double messages) { return {sent, sent, 2 * messages}; }

Transfer coded(Transfer wire, const Coding& coding, const CodecWork& work) {
    if (coding.kind == CodecKind::none) return wire;
    wire.work = work;
    wire.codec = time_of(work, coding);
    wire.time += wire.codec;
    return wire;
}

// The slowest link on a way of `sent` bytes through all members: entering a sub-group they may use the shares of
// every member inside.
struct SlowestLink {
    int hop = 0;
    Seconds time;
};
SlowestLink slowest_link(const Span& span, Bytes message, Bytes sent) {
    SlowestLink slowest;
    for (int i = 0; i < span.hops; ++i) {
        const Hop& hop = span.hop[i];
        const Seconds time = with_half_size(hop, sent, hop.inside) / (rate_at(hop, message) * hop.inside);
        if (i == 0 || time > slowest.time) slowest = {i, time};
    }
    return slowest;
}

// Each algorithm calls note(Leg) for what takes time on the wire; pricing ignores it.
template <class Note>
Transfer flat_ring(const Span& span, Bytes payload, double passes, const Coding& coding, Note note) {
    const Bytes message = payload / coding.ratio;
    const double n = span.size;
    const Bytes sent = passes * (n - 1) / n * payload;
    const SlowestLink link = slowest_link(span, message, sent / coding.ratio);
    Seconds latency = start_of(span);
    for (int i = 0; i < span.hops; ++i) latency += passes * ring_steps(span, i) * span.hop[i].latency;
    note(Leg{link.hop, sent, message, span.hop[link.hop].inside});
    return coded({latency + link.time, latency, Algorithm::ring}, coding, at_every_hop(sent, passes * (n - 1)));
}

// What a rank sends over this hop as if in a ring: a switch that adds up may need less.
double shares_sent(const Hop& hop, double passes, const Coding& coding) {
    const double fan = hop.fan, ring = passes * (fan - 1) / fan;
    const bool adds_up = passes == all_reduce_passes && hop.switch_reduction > 0 && coding.kind == CodecKind::none;
    return adds_up ? std::min(ring, (1 + 1 / fan) / hop.switch_reduction) : ring;
}

template <class Note>
Transfer nested_rings(const Span& span, Bytes payload, double passes, const Coding& coding, Note note) {
    Transfer t{{}, start_of(span), Algorithm::nested_rings};
    const bool side_by_side = passes == all_reduce_passes;
    Bytes all;
    double messages = 0;
    Seconds moving;
    Leg slowest;
    for (int i = 0; i < span.hops; ++i) {
        const Hop& hop = span.hop[i];
        const double steps = passes * (hop.fan - 1.0);
        const Bytes sent = shares_sent(hop, passes, coding) * (payload / hop.inside);
        t.latency += steps * hop.latency;
        const Leg leg{i, sent, payload / hop.inside / coding.ratio};
        const Seconds time = with_half_size(hop, sent / coding.ratio) / rate_at(hop, leg.message);
        if (!side_by_side) note(leg), moving += time;
        else if (i == 0 || time > moving) slowest = leg, moving = time;
        all += sent;
        messages += steps;
    }
    if (side_by_side) note(slowest);
    t.time = t.latency + moving;
    return coded(t, coding, at_every_hop(all, messages));
}

template <class Note>
Transfer tree(const Span& span, Bytes payload, double passes, const Coding& coding, Note note) {
    Transfer t{{}, start_of(span), Algorithm::tree};
    const Bytes message = payload / coding.ratio;
    double rounds = 0;
    for (int i = 0; i < span.hops; ++i) {
        const int here = rounds_of_tree(span.hop[i]);
        t.latency += passes * here * span.hop[i].latency;
        rounds += here;
    }
    const Bytes sent = passes * payload;
    const SlowestLink link = slowest_link(span, message, sent / coding.ratio);
    note(Leg{link.hop, sent, message, span.hop[link.hop].inside});
    t.time = t.latency + link.time;
    return coded(t, coding, at_every_hop(sent, passes * rounds));
}

Transfer cheapest(const Span& span, Bytes payload, double passes, const Coding& coding, Legs* legs) {
    if (span.hops == 0) return {};
    const auto ignore = [](const Leg&) {};
    Transfer best = flat_ring(span, payload, passes, coding, ignore);
    const auto consider = [&](const Transfer& other) {
        if (other.time < best.time) best = other;
    };
    consider(nested_rings(span, payload, passes, coding, ignore));
    if (passes == all_reduce_passes) consider(tree(span, payload, passes, coding, ignore));
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
    if (!coding.once) return cheapest(span, payload, all_reduce_passes, coding, legs);
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
        return h.start + peers_over(h) * h.latency
             + with_half_size(h, peers_over(h) / span.size * sent) / rate_at(h, sent);
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
    const Seconds latency = hop.start + peers_over(hop) * hop.latency;
    const Bytes sent = peers_over(hop) / n * payload;
    if (legs) legs->add({busiest, sent, message});
    const Seconds time = latency + with_half_size(hop, sent / coding.ratio) / rate_at(hop, message);
    return coded({time, latency, Algorithm::pairwise}, coding, at_every_hop((n - 1) / n * payload, n - 1));
}

Transfer point_to_point(const Span& span, Bytes payload, const Coding& coding, Legs* legs) {
    if (span.hops == 0) return {};
    const Hop& hop = span.outermost();
    const Bytes message = payload / coding.ratio;
    if (legs) legs->add({span.hops - 1, payload, message});
    const Seconds latency = hop.start + hop.latency;
    const Seconds time = latency + with_half_size(hop, message) / (hop.message * rate_at(hop, message));
    return coded({time, latency, Algorithm::ring}, coding, at_every_hop(payload, 1));
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
    if (!coded(s.compression, t)) return {};
    const double bytes = value_bytes(s, t);
    const Codec codec = effective(s.compression, t, bytes);
    const Device& d = s.machine.device;
    const CodecSpeed speed = d.codecs.of(codec.kind);
    return {codec.kind, compression_ratio(codec, bytes), 1 / (speed.encode * d.bandwidth),
            1 / (speed.decode * d.bandwidth), d.efficiency.kernel_floor, s.compression.encoding == Encoding::once};
}

bool gains(const Coding& c, ByteRate rate) { return (1 - 1 / c.ratio) / rate > c.encode + c.decode; }

}  // namespace plimsoll

#pragma once
// Collectives on a nested network: package, node, group, system.
//
// A group of ranks spans some of the levels; at each it has a fan-out. Three
// algorithms are priced and the cheapest wins: one flat ring over all members,
// rings nested level by level, and for all-reduces a tree (latency-bound payloads):
// NCCL has no tree for gathers and scatters. The phases of a nested all-reduce run
// side by side on parts of the buffer, so the slowest counts; those of a nested
// gather follow each other. Level bandwidths are already the share of one device
// when all devices send, so groups that run side by side do not share a second time.
//
//   time = start of each level + steps x latency + V / rate x (1 + sqrt(half_size / V))
//
// Measured inside nodes of 2, 4 and 8 with NCCL 2.27 (aiconfigurator's nccl-tests), the
// form is within 6 % on A100 and Hopper and 10 % on Blackwell from 1 MiB on.
//
// A switch that adds up takes each rank's data once and returns the sum once, (1 + 1/n) of
// the payload against 2 (n-1)/n in a ring, at a share of the rate (NVLink SHARP).
//
// A collective may pass through a codec: its messages shrink, and every sender
// encodes and every receiver decodes, at each hop or once.
//
//   Span s = span_of(machine, {8, 1});          // 8 neighbours
//   Seconds t = all_reduce(s, 2 * gigabyte).time;

#include "core/values/plan/scenario.h"

#include <array>
#include <span>

namespace plimsoll {

// ---- Groups of ranks and the levels they span

// Ranks base, base + stride, ... : `size` of them. Groups that fill the plan's ranks lie behind each
// other; where they do not divide a node some lie across two, and the collective is as slow as there.
struct Group {
    int size = 1;
    int stride = 1;
    int ranks = 0;      // that such groups fill; 0: there is this one alone, from rank 0
    int axes = 2;       // of a torus that it lies along at most; one less where an inner group has one
};

struct Hop {
    int level = 0;      // its index in the machine
    int fan = 1;        // sub-groups joined at this level
    int inside = 1;     // members of the group in one sub-group
    ByteRate rate;      // achieved, per device
    Bytes large_from;   // what a message has beyond this moves at large_rate, where there is one
    ByteRate large_rate;
    Seconds latency;
    double gather = 1, scatter = 1, message = 1;  // rates of these operations over the all-reduce's, which `rate` is
    double exchange = 1;          // and of tokens to their experts
    Seconds start;
    Bytes half_size;
    double switch_reduction = 0;  // Level::switch_reduction
    bool chained = false;         // links inside a node, along which a tree is a chain
    double spread = 1;  // on the level's rate: less where many domains are joined, more along several axes; in `rate`
    double share = 1;   // of the level's rate that the software reaches; `rate` has it
    int cluster = -1;   // whose network takes this level's place; -1 for the level itself
};

struct Span {
    int size = 1;
    int hops = 0;                // levels with a fan-out above one
    std::array<Hop, 8> hop{};
    const Hop& outermost() const { return hop[hops - 1]; }
};

// Achieved over the whole of a message: of a collective, what each rank has of the full buffer here.
ByteRate rate_at(const Hop&, Bytes message);
// What `sent` bytes take as long as at the full rate, where `members` share it: more, if they are few.
Bytes with_half_size(const Hop&, Bytes sent, double members = 1);

// Where the group stays inside a cluster, that cluster's network takes the place of
// the outermost level (placement.h says where).
Span span_of(const Machine&, Group, int cluster = -1);

// The slowest family of links a group uses.
enum class Transport { node, infiniband, roce, tcp };
Transport transport_of(const Machine&, const Span&);

// ---- Codecs

// A codec as a collective sees it: messages shrink by a ratio, and each byte of
// payload that is sent costs its sender and its receiver time.
//
//   T(S) = S / encode + latency + (S / ratio) / rate + S / decode
//
// It gains where 1 - 1/ratio of the time on the wire is more than the codec's:
//   (1/rate)(1 - 1/ratio) > 1/encode + 1/decode     (Xu et al. 2024; gains())
struct Coding {
    using TimePerByte = decltype(second / byte);
    CodecKind kind = CodecKind::none;
    double ratio = 1;             // payload over message
    TimePerByte encode, decode;   // zero without a codec, and so is all that follows
    Seconds call;                 // shortest kernel, of each encoding and decoding
    bool once = false;            // sums are encoded once rather than at every hop
};

// What one device encodes and decodes in a collective, in payload, and in how many calls.
struct CodecWork {
    Bytes encoded, decoded;
    double calls = 0;
};
inline Seconds time_of(const CodecWork& w, const Coding& c) {
    return w.encoded * c.encode + w.decoded * c.decode + w.calls * c.call;
}

// No codec: {}.
Coding coding_of(const Scenario&, Traffic);

// Whether a large message over a link of this rate takes less time encoded.
bool gains(const Coding&, ByteRate);

// ---- Collectives

enum class Algorithm { none, ring, nested_rings, tree, pairwise };

struct Transfer {
    Seconds time;
    Seconds latency;       // the part that does not shrink with bandwidth
    Algorithm algorithm = Algorithm::none;
    Seconds codec{};       // of `time`, encoding and decoding
    CodecWork work{};
};

// What of a transfer takes time on the wire: `sent` bytes over one level, which `members` of the
// group enter together and share its rate:
//   time = with_half_size(sent / ratio) / (members x rate_at(hop, message))
struct Leg {
    int hop = 0;           // its index in the span
    Bytes sent;            // payload, before any codec
    Bytes message;         // on the wire, of one rank: decides which of the level's rates it reaches
    int members = 1;
};
struct Legs {
    std::array<Leg, 16> all{};   // every level of two collectives that follow each other
    int count = 0;
    void add(const Leg& leg) { all[count++] = leg; }
    const Leg* begin() const { return all.data(); }
    const Leg* end() const { return all.data() + count; }
};

// `payload` is the full buffer, before sharding; zero for a group of one.
// Ring all-reduce: a latency for each of 2(n-1) steps + 2(n-1)/n x payload / rate.
// An all-reduce whose codec encodes once is a reduce_scatter() and an all_gather().
// Each of them notes its legs where somebody asks for them.
Transfer all_reduce(const Span&, Bytes payload, const Coding& = {}, Legs* = nullptr);
// A buffer whose full size is `payload`, every rank holding a share of it before.
Transfer all_gather(const Span&, Bytes payload, const Coding& = {}, Legs* = nullptr);
// The sum of everybody's buffer of size `payload`, every rank holding a share of it after.
Transfer reduce_scatter(const Span&, Bytes payload, const Coding& = {}, Legs* = nullptr);
// Every rank sends an equal share of its `payload` to every other. Levels work side
// by side, the slowest counts: latency and transfer of the messages that cross it.
Transfer all_to_all(const Span&, Bytes payload, const Coding& = {}, Legs* = nullptr);
// One message between neighbours of the group, over its outermost level.
Transfer point_to_point(const Span&, Bytes payload, const Coding& = {}, Legs* = nullptr);

// Any of them.
enum class Collective { all_reduce, all_gather, reduce_scatter, message };
double factor_of(const Hop&, Collective);   // its rate over the all-reduce's
Transfer transfer(Collective, const Span&, Bytes payload, const Coding& = {}, Legs* = nullptr);
// What one of them consists of under this codec: itself, or the two that follow each other.
std::span<const Collective> steps_of(Collective, const Coding&);

}  // namespace plimsoll

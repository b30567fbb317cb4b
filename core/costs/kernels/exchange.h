#pragma once
// Taking tokens to their experts and back: the all-to-all among the ranks that
// share the experts of a layer. Two in each pass (dispatch, combine).
//
// A token chooses k experts. Sent to each of them on its own, k (G-1)/G copies
// leave a node of G. Sent once to each of G nodes and handed on inside, a copy goes
// to G (1 - (1 - 1/G)^k) (G-1)/G others, as expected over even choices. Inside the
// nodes k copies move then, or one for each rank visited, of e ranks
// e (1 - (1 - 1/e)^k), of which the share beyond the own rank moves (DeepEP, HybridEP).
// Levels work side by side: the slowest decides.
//
//   expert_exchange(s).time;           // one of them, before the exposed share
//   exchange_volume(s) / gibibyte;   // what all ranks put into all of them in one step

#include "core/costs/kernels/work.h"

namespace plimsoll {

constexpr int exchanges_per_pass = 2;

Span expert_span(const Work&);        // the ranks that share the experts of a layer
Span expert_slice_span(const Work&);  // those that share one expert's matrices

// What the busiest rank sends in one exchange if each of its tokens left it once.
Bytes routed_payload(const Work&);
// Expected copies of a token that cross hop `i` of expert_span().
double copies_across(const Work&, const Span&, int i);
// What crosses it in one exchange.
struct ExchangeLevel {
    double copies;   // of a token
    Bytes bytes;     // payload x copies
    ByteRate rate;   // achieved
    Seconds time() const { return bytes / rate; }
};
ExchangeLevel exchange_level(const Work&, const Span&, int i);
Bytes slices_payload(const Work&);   // what the slices of one expert gather, or scatter

struct ExchangeTime {
    Seconds latency, transfer;   // the slowest level's transfer
    Seconds slices;              // tokens gathered (results scattered) among the slices of an expert
    Seconds total() const { return latency + transfer + slices; }
};
ExchangeTime expert_exchange(const Work&);
// By how much of an exchange the kernels of its hidden part slow what runs beside it.
double exchange_slows(const Work&);
Seconds exposed_exchange(const Work&);   // what the step waits for, of one

// Bytes all ranks send to all experts in one step, forward and backward:
// 8 B s L h k (e-1)/e in 16 bit (BigMac, 2502.16927), h becoming r h in its own
// order; recomputed passes exchange again. One copy per expert, however sent.
struct ExchangeVolume {
    double passes = 0, repeated_passes = 0;   // of layers with experts; the latter recomputed
    double tokens = 0, copies = 0, load = 1;  // per step; experts per token; capacity factor
    double ranks = 1;                         // that share the experts of a layer
    double width = 0, element = 0;            // of an exchanged token; bytes
    Bytes total() const {
        return (passes + repeated_passes) * exchanges_per_pass * tokens * load * copies * (ranks - 1) / ranks * width
             * element * byte;
    }
    double leaving() const { return (ranks - 1) / ranks; }   // share that leaves its rank
};
ExchangeVolume exchange_volume_parts(const Work&);   // of a model with experts
Bytes exchange_volume(const Work&);

}  // namespace plimsoll

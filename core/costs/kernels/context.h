#pragma once
// Context parallelism: what one layer waits for because c ranks share a sequence.
//
// Each rank holds s/c tokens, in the zigzag order that gives all of them the same
// share of the causal mask; in order where mixers with a state pass these on.
// Everything but attention works on its own tokens.
//
// Ring (Liu et al. 2023): the keys and values of one rank, 2 b s/c kv elements,
// pass round in c-1 steps while the block that arrived before is at work. The
// backward pass sends their gradients along, which take one step more to come home.
//   wait = steps x (latency + max(0, transfer - attention of a block))
// Ulysses (Jacobs et al. 2023): an all-to-all each for queries, keys, values and
// output turns s/c tokens of all heads into s tokens of 1/c of them, and back;
// nothing hides it.
// All-gather (Llama 3, 2407.21783, section 3.3.2): keys and values of all ranks before
// attention, again in the backward pass, and a reduce-scatter of their gradients; nothing
// hides it.
// Ulysses in a ring (USP, 2405.07719; Transformer Engine's a2a+p2p): the exchanges among
// c1 neighbours, then a ring of c / c1 such groups, in which 1/c1 of the heads of c1
// ranks' tokens pass: as many bytes as in a ring alone.
//
//   ContextTime t = context_time(s, kind, forward.total(), backward.total());

#include "core/costs/kernels/work.h"

namespace plimsoll {

struct ContextTime { Seconds forward, backward; };
// Of one layer and micro-batch; the attention core's time in either pass is what the ring hides behind.
ContextTime context_time(const Work&, const LayerKind&, Seconds attention_forward, Seconds attention_backward);

Span context_span(const Work&);

// Ring: one rank's keys and values, and what passing `blocks` of that size on takes.
Bytes ring_block(const Work&, const LayerKind&);
struct RingStep {
    Seconds latency, transfer;   // the transfer may hide, the latency does not
    Seconds attention;           // of the block at work meanwhile
    Seconds hidden() const { return min(transfer, attention); }
    Seconds wait() const { return latency + transfer - hidden(); }
};
RingStep ring_step(const Work&, const LayerKind&, int blocks, Seconds attention);
// Both passes of a layer: each takes `steps` of its steps, then the gradients come home.
struct RingPasses {
    int steps;
    RingStep forward, backward, home;
    ContextTime time() const { return {steps * forward.wait(), steps * backward.wait() + home.wait()}; }
};
RingPasses ring_passes(const Work&, const LayerKind&, Seconds attention_forward, Seconds attention_backward);

// All-gather: keys and values of all ranks, whole.
Bytes gathered_sequence(const Work&, const LayerKind&);
struct GatherPasses {
    Seconds gather, scatter;
    ContextTime time() const { return {gather, gather + scatter}; }
};
GatherPasses gather_passes(const Work&, const LayerKind&);

// Ulysses: exchange of one tensor `width` elements wide over all heads.
Bytes ulysses_payload(const Work&, int width);
// Either pass: queries and output are as wide as each other, and so are keys and values.
struct UlyssesPass {
    Seconds queries, keys;   // one exchange
    static constexpr int exchanges = 2;   // of either width
    Seconds time() const { return exchanges * (queries + keys); }
};
UlyssesPass ulysses_pass(const Work&, const LayerKind&);

}  // namespace plimsoll

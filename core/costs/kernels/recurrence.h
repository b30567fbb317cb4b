#pragma once
// Mixers with a state, Mamba-2, delta rules and lightning attention, on one rank and micro-batch: what their kernels
// take besides the products of their projections, and what ranks that share a sequence exchange for them.
//
// Kernels work on chunks of a sequence; launches and traffic bound them, not FLOP. With T tokens of n heads, whose keys
// are k wide and whose values are v wide, one pass over queries, keys, values and output is T n (2 k + 2 v) elements:
//   time = passes x bytes of one pass / bandwidth + kernels x floor
//
// Context ranks exchange all projections of their tokens for those of all tokens of their heads, and the output back,
// as Ulysses does for attention (Megatron-Core, ssm/mamba_context_parallel.py, ssm/gated_delta_net); nothing hides it.
// Or every rank gathers what the tokens of each do to a state, in fp32: of n heads the state they leave, n k v
// elements, and of delta rules the k x k matrix that they multiply one with (flash-linear-attention, fla/ops/cp).

#include "core/costs/kernels/context.h"

namespace plimsoll {

// Of one mixer. Gated DeltaNet: flash-linear-attention's table on a GB200 (README, "Benchmarks") is
// 0.57 + 0.93 x ms forward and 1.5 + 4.2 x ms both ways for x million tokens of heads of 128; what does not grow is the
// host's. The others are ratios to it: lightning attention's kernel class takes 0.6 and 0.55 of its time in the same
// table. No table of Mamba-2's kernels was found: its ratio is the one constant with which Nemotron 3 Nano's published
// steps on H100, GB200, GB300 and B300 come within 9 %, and holds whatever else such layers do that no term tells.
struct StatePasses {
    double forward, backward;   // passes over queries, keys, values and output
    int forward_kernels, backward_kernels;
};
StatePasses state_passes(Mixer);
// Which of a layer's mixers has a state.
Mixer state_mixer(const LayerKind&);

Bytes state_pass_bytes(const Work&, const LayerKind&);   // one pass over queries, keys, values and output

struct StateTime {
    Seconds forward, backward;
};
StateTime state_time(const Work&, const LayerKind&, const Rates&);

// Elements of a token that one tensor rank hands to the context ranks, in and out.
double state_exchange_width(const Work&, const LayerKind&);
Bytes gathered_states(const Work&, const LayerKind&);   // where they are passed on: of all context ranks
ContextTime state_context_time(const Work&, const LayerKind&);

}  // namespace plimsoll

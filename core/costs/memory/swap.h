#pragma once
// Activations that leave the device between forward and backward pass.
//
// Kept behind (SSDTrain, Wu et al. 2024; checkpoints of ZeRO-Infinity): a share
// of what every layer keeps is written in one half of the time both passes take
// and read in the other, so that S bytes per step need S / (T/2). Stages of a
// pipeline work on another micro-batch next: there each pass has its own traffic.
// Recomputed (MEMO, Zhao et al. 2024): layer input and attention output always
// go, the share alpha of the rest goes too and 1 - alpha is computed again:
//   (S_in + S_attn + alpha S_oth) / B <= T_layer,
//   layers (S_in + S_attn + alpha S_oth) <= capacity,
//   extra time (1 - alpha)(T_layer - T_attn).
// By module (Megatron-Core's fine-grained offloading): of every layer what the listed modules store goes, or a share of
// it; it is written in the forward pass and read in the backward pass. Layers differ: a mean one of the stage counts.

#include "core/costs/kernels/work.h"
#include "core/costs/kernels/layer.h"
#include "core/costs/offload/tiers.h"
#include "core/values/plan/breakdown.h"

namespace plimsoll {

// The layer computed and the one on its way stay on the device: MEMO's two rounding buffers, hence its
// (L - 2) layers in host memory; SSDTrain's tail and the tensors still queued for writing.
constexpr double layers_on_device = 2;

// The same for every layer of the plan; by module, of the model's mean layer. Bytes are those of the longest
// micro-batch; passes send those of the mean one.
struct Swap {
    Tier tier = Tier::device;
    StayBehind stay_behind = StayBehind::keep;
    Bytes always, elective;  // what goes in any case and what may go, per layer and micro-batch
    double share = 0;        // of `elective` that goes
    double in_time = 1;      // the largest share whose traffic hides behind the layers
    double in_capacity = 1;  // the largest share that the tier holds
    bool on() const { return tier != Tier::device; }
    Bytes moved() const { return always + share * elective; }
    // Part of a layer's forward pass, attention aside, that is computed again.
    double recomputed() const { return on() && stay_behind == StayBehind::recompute ? 1 - share : 0; }
};
Swap swap_of(const Work&, const LayerTimes&);
Swap swap_of(const Work&);

// Share of the elective activations of `layers` layers that fits into a capacity beside what always goes; 0 to 1.
double share_that_holds(Bytes capacity, double layers, Bytes always, Bytes elective);

// A layer-pass of a stage whose activations are away: what may go of it, and what goes.
Bytes elective_of(const Work&, const Swap&, int stage);
Bytes moved_by(const Work&, const Swap&, int stage);
// Layer-passes of a stage whose activations are away when most micro-batches are in flight.
double layers_away(const Work&, int stage);
// Of all that the stage keeps for in-flight micro-batches, what stays on the device: some layer-passes
// whole, of the others a share.
struct Residue {
    double whole, others;    // layer-passes
    Bytes each, elective;    // what one of them keeps, and what of it may go
    double stays;            // share of the elective
    Bytes beside;            // what of one of the others never goes: modules that are not listed
    Bytes total() const { return whole * each + others * (beside + stays * elective); }
};
Residue residue_of(const Work&, const Swap&, int stage);

// What the ranks of a node keep in a tier, on the node that keeps most: states alone, and with activations.
TierUse node_states(const Work&, Tier);
TierUse node_use(const Work&, Tier, const Swap&);

// One micro-batch on one stage, states and activations, and the time that hides each: its
// pass or, where activations are written while both passes compute, half of the two.
struct PassFlows {
    Flow forward, backward;
    Seconds behind_forward, behind_backward;
};
PassFlows pass_flows(const Work&, const Swap&, int stage, Seconds forward, Seconds backward);

}  // namespace plimsoll

#pragma once
// Which tier of a node keeps what: weights, gradients and optimizer state by
// kind (ZeRO-Offload, Ren et al. 2021; ZeRO-Infinity, Rajbhandari et al. 2021),
// activations by share (MEMO, Zhao et al. 2024; SSDTrain, Wu et al. 2024).
//
//   layout.offload.optimizer = layout.offload.gradients = Tier::host;   // ZeRO-Offload
//   layout.offload.activations = Tier::nvme;                            // SSDTrain

namespace plimsoll {

enum class Tier { device, host, nvme };

// What becomes of activations that do not leave: they stay on the device
// (SSDTrain), or are computed again token by token (MEMO).
enum class StayBehind { keep, recompute };

struct Offload {
    Tier weights = Tier::device;
    Tier gradients = Tier::device;
    Tier optimizer = Tier::device;
    // The optimizer step runs on the host while the next step computes with weights one update old.
    bool delayed_update = false;
    Tier activations = Tier::device;
    StayBehind stay_behind = StayBehind::keep;
    bool solve_share = true;        // the largest share nobody waits for and the tier holds
    double activation_share = 1;    // otherwise; with recomputation the share of what may stay behind
    bool planned_memory = false;    // transient memory placed offline: nothing is lost between blocks
    friend bool operator==(const Offload&, const Offload&) = default;

    bool states() const { return weights != Tier::device || gradients != Tier::device || optimizer != Tier::device; }
    bool swaps() const { return activations != Tier::device; }
    bool any() const { return states() || swaps(); }
    bool uses(Tier t) const { return weights == t || gradients == t || optimizer == t || activations == t; }
};

}  // namespace plimsoll

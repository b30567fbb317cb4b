#pragma once
// What one rank moves between its device and the tiers below it, and how long
// that takes on the links, host memory and drives it shares with its node.
//
//   Flow f = state_flows(scenario, parameters).forward;
//   Seconds t = time_of(f, tier_rates(scenario));
//
// Per step and parameter a rank owns (bytes of the recipe, 1/d of the stage
// under ZeRO): ZeRO-Offload sends gradients down and weights up, 2 + 2 bytes
// (Ren et al. 2021, section 4); ZeRO-Infinity fetches weights once per pass
// over every rank's own link (Rajbhandari et al. 2021, section 5.2).

#include "core/costs/kernels/work.h"

namespace plimsoll {

// Of one rank. `memory` is what crosses host memory; states reach drives through a buffer there.
struct Flow {
    Bytes up, down;       // host link: to the device, and from it
    Bytes memory;
    Bytes read, write;    // drives
    Flow& operator+=(const Flow&);
    friend Flow operator+(Flow a, const Flow& b) { return a += b; }
    friend Flow operator*(double k, const Flow& f) {
        return {k * f.up, k * f.down, k * f.memory, k * f.read, k * f.write};
    }
};
// `tier` to device and device to `tier`.
Flow fetched(Tier, Bytes);
Flow sent(Tier, Bytes);

// Host memory also carries what drives read and write: any offloading uses it.
bool tier_used(const Offload&, Tier);
Bytes tier_capacity(const Machine&, Tier);   // of a node

// One rank's share when all ranks of a node use them at once.
struct TierRates {
    ByteRate link, memory, read, write;
};
// Copies reach this share of a host's memory bandwidth (usual for STREAM on servers).
constexpr double host_copy_share = 0.8;
TierRates tier_rates(const Work&);
int ranks_per_node(const Work&);  // that the plan uses

// What of it leaves the device for host memory, and what comes to it from there; drives take part in neither.
Flow downwards(const Flow&);
Flow upwards(const Flow&);

// Links carry both directions at once, drives one after the other; the slowest of
// link up, link down, host memory and drives decides.
Seconds time_of(const Flow&, const TierRates&);
// At most this share of `part` goes, with `always`, in `window`; 0 to 1.
double share_that_fits(const Flow& always, const Flow& part, const TierRates&, Seconds window);

// States of a stage's parameters: per micro-batch and pass, and once after the last.
struct StateFlows {
    Flow forward, backward, update;
};
StateFlows state_flows(const Work&, const Parameters&);
// What one rank holds of them in a tier.
struct StateShare {
    Bytes weights, gradients;
    Bytes optimizer;   // of the parameters that the CPUs update, where they do
    Bytes updated;     // of the weights, those that are trained
    // For the update of all of them on CPUs: gradients that go down and weights that come back.
    Bytes gradients_down, weights_up;
};
StateShare owned_states(const Work&, const Parameters&);
// Of so many bytes that the optimizer keeps of a parameter, those that stay on the device: in the mean over the
// parameters that the device updates and those that the CPUs do.
double optimizer_bytes_on_device(const Work&, double kept);

// The update on the CPUs of a node, whose memory all its ranks share: bytes touched
// per parameter, states and their new values, gradient and 16-bit weight, over the
// memory bandwidth. Adam of a 16-byte recipe touches 28. ZeRO-Offload reports 10 billion
// parameters in 2.57 s on a DGX-2 (quoted from memory of the paper): 109 GB/s of the 256 GB/s
// of its memory, the share below.
constexpr double adam_bytes_touched = 28, host_update_share = 0.43;
double update_bytes_touched(const Work&);       // per parameter: rules that CPUs run treat all alike
double node_update_rate(const Work&);           // parameters per second
struct HostUpdate {
    int ranks;                      // that share the node's CPUs
    double parameters;              // of each of them
    double rate;                    // of the node
    Seconds time() const { return ranks * parameters / rate * second; }
};
HostUpdate host_update(const Work&, const Parameters&);    // of a stage's
Seconds host_update_time(const Work&, const Parameters&);  // zero where the device updates
bool moves_in_turn(const Work&);   // CPUs update and the software moves, updates and moves back

}  // namespace plimsoll

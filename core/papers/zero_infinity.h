#pragma once
// ZeRO-Infinity's closed forms (Rajbhandari et al. 2021, sections 3 and 4): what
// a GPT block of width h needs, and how efficient a bandwidth lets it be.
//
//   infinity::efficiency(infinity::intensity_states(1024, 1), 70 * GBps, 70 * TFLOPS) == 0.506
//
// Beside the estimate, which prices the same traffic with its own windows.

#include "core/answers/campaign/cards.h"

namespace plimsoll::infinity {

// States of 12 L h^2 parameters at 20 bytes.
inline Bytes state_bytes(double layers, double hidden) { return 240 * layers * hidden * hidden * byte; }
// Inputs of every `interval`-th layer.
inline Bytes checkpoint_bytes(double batch, double sequence, double hidden, double layers, double interval) {
    return 2 * batch * sequence * hidden * layers / interval * byte;
}
// The widest operator, h x 4h: its 16-bit weights and gradients.
inline Bytes working_weights(double hidden) { return 16 * hidden * hidden * byte; }
// Activations between two checkpoints.
inline Bytes working_activations(double batch, double sequence, double interval, double hidden, double heads) {
    return batch * sequence * interval * (16 * hidden + 2 * heads * sequence) * byte;
}

// FLOP per byte moved: of weights and gradients, of optimizer state, of checkpoints.
inline double intensity_states(double sequence, double batch) { return sequence * batch; }
inline double intensity_optimizer(double sequence, double batch) { return sequence * batch / 4; }
inline double intensity_activations(double hidden, double interval) { return 24 * hidden * interval; }

// Of the peak, when nothing hides the traffic.
inline double efficiency(double intensity, ByteRate bandwidth, FlopRate peak) {
    const FlopRate fed = intensity * flop / byte * bandwidth;
    return fed / (fed + peak);
}
inline ByteRate bandwidth_for(double intensity, double efficiency, FlopRate peak) {
    return efficiency / (1 - efficiency) * peak / (intensity * flop / byte);
}

// What they say of the links of a plan that offloads, against the rate of an infinitely large product.
std::vector<CardRow> card(const Scenario&);

}  // namespace plimsoll::infinity

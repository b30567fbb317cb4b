#pragma once
// The subject's model, small enough for a trial: the same kind of layer, heads as
// wide, as many of them for each key-value head, the same share of feed-forward.
//
//   const ScaledModel small = scaled_model(subject, place);   small.note says how
//
// What the engine cannot train is replaced by what is nearest to it, and said.

#include "core/evidence/calibration/plan/experiments.h"

namespace plimsoll {

struct ScaledModel {
    Model model;
    Precision precision = Precision::fp32;
    int sequence_length = 64, micro_batch = 4;
    std::string note;            // a sentence or two
};
ScaledModel scaled_model(const Scenario& subject, const CalibrationPlace&);

// Held-out sizes of it: two thirds more layers, a third more width (in whole heads), twice the sequence.
Model deeper(Model);
Model wider(Model);

}  // namespace plimsoll

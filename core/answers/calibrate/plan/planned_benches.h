#pragma once
// The benches of a calibration: kernels on all ranks at once, at the trial's own
// shapes, and messages over every dimension that the trial's layouts talk over.
//
//   for (const PlannedRun& run : planned_benches(ranks, 0.05, false)) run.id   // "gemm", "attention", ...
//
// A bench's id is that of the experiment its points belong to; "collective" is the
// data ranks', whose gradients are not in a cache when they are sent, "collective-tensor"
// and "p2p" send what a product has just written.

#include "core/answers/calibrate/plan/experiments.h"

namespace plimsoll {

// `seconds`: of a point and visit. Without plans and steps; words but for the model's.
std::vector<PlannedRun> planned_benches(int ranks, double seconds, bool accelerator);

}  // namespace plimsoll

#pragma once
// The benches of a calibration: kernels on all ranks at once, at the trial's own
// shapes, and messages over every dimension that the trial's layouts talk over.
//
//   for (const PlannedRun& run : planned_benches(subject, place, 0.05)) run.id   // "gemm", "attention", ...
//
// A bench's id is that of the experiment its points belong to; "collective" is the
// data ranks', whose gradients are not in a cache when they are sent, "collective-tensor"
// and "p2p" send what a product has just written.
// The host's link is measured where devices have one, overlap where the subject's
// software counts on it, power where counters may be read.

#include "core/evidence/calibration/plan/experiments.h"

namespace plimsoll {

// `seconds`: of a point and visit. Without plans and steps; words but for the model's.
std::vector<PlannedRun> planned_benches(const Scenario& subject, const CalibrationPlace&, double seconds);

// Whether the software is taken to hide communication behind computation.
bool overlaps(const Stack&);

}  // namespace plimsoll

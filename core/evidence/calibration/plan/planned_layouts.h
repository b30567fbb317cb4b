#pragma once
// Which training layouts a calibration runs: few that the fit may use, and those
// that are held back, each different from all of them in one thing.
//
//   for (const PlannedRun& run : planned_layouts(scaled, place, 10)) estimate(run.plan);
//
// Two ranks: one rank, two data ranks, two tensor ranks; held back a pipeline,
// ZeRO-3, sequence parallelism, full recompute, a deeper and a wider model, and on
// processors twice as many ranks as there are, which nothing fair can be said of
// (where mpirun is ours to start them with).
// One rank: one size; held back a deeper, a wider and a longer one and recompute.
// Four and more: data, tensor x data, pipeline x data; held back all three at once
// and ZeRO-3 with recompute.

#include "core/evidence/calibration/plan/scaled_model.h"

namespace plimsoll {

// Without words and expected seconds. `steps`: of each.
std::vector<PlannedRun> planned_layouts(const Scenario& subject, const ScaledModel&, const CalibrationPlace&, int steps);

// Ranks that are used of those there are: all up to three, then whole fours.
int ranks_used(const CalibrationPlace&);

// The machine as `ranks` of the place share it: processors' cores one each, or less where they outnumber them.
Machine machine_of(const CalibrationPlace&, int ranks);

}  // namespace plimsoll

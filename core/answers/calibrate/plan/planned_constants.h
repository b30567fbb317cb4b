#pragma once
// The numbers a prediction depends on, each with the bench or run that tells it, or
// with the reason why nothing short does.
//
//   for (const PlannedConstant& c : planned_constants(runs)) show(c.label, c.measured() ? c.experiment : "assumed", c.why);

#include "core/answers/calibrate/plan/experiments.h"

namespace plimsoll {

// Constants whose run is not among `runs` are assumed.
std::vector<PlannedConstant> planned_constants(const std::vector<PlannedRun>& runs);

}  // namespace plimsoll

#pragma once
// The numbers a prediction depends on, each with the bench or run that tells it, or
// with the reason why nothing short does.
//
//   for (const PlannedConstant& c : planned_constants(runs)) show(c.label, c.measured() ? c.experiment : "assumed", c.why);

#include "core/evidence/calibration/plan/experiments.h"

#include <string_view>

namespace plimsoll {

// A constant whose run is not among `runs` is assumed, and left out where nothing in the plan depends on it.
std::vector<PlannedConstant> planned_constants(const std::vector<PlannedRun>& runs);

// What a plan calls the number at a pointer; empty where none has it.
std::string_view planned_name(std::string_view pointer);

}  // namespace plimsoll

#pragma once
// A run of the engine as a table on the terminal, line by line, and at its end
// what was measured beside what was predicted.

#include "core/evidence/calibration/fit/measurements.h"
#include "core/answers/plan/estimate.h"
#include "core/files/measured/engine_log.h"

#include <string>

namespace plimsoll {

// What the event adds to the table; empty for those that have no place in it.
std::string row_of(const EngineEvent&);
// How the run ended, and its typical step.
std::string end_of(const EngineLog&);
// Parts of the typical step and peak memory beside the estimate's. Empty without a step.
std::string beside(const EngineLog&, const Scenario&, const Estimate&);

}  // namespace plimsoll

#pragma once
// What the lines of a log so far say of the layouts that come.
//
//   for (const auto& line : predictions(plan, log.kept())) ...    // fields of `predict` lines

#include "core/evidence/calibration/plan/experiments.h"

#include <nlohmann/json.hpp>

#include <string_view>
#include <vector>

namespace plimsoll::engine {

// One for every layout that fits or is held back, in the plan's order: PROTOCOL.md, `predict`, without the hash.
std::vector<nlohmann::ordered_json> predictions(const ExperimentPlan&, std::string_view lines);

}  // namespace plimsoll::engine

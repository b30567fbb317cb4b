#pragma once
// How a number came about: an operator tree whose leaves carry their source.
//
//   Term t = *explain(scenario, "step_seconds");
//   evaluate(t) == t.value   // within rounding, always: a test over random plans
//
// Built on demand from the same cost functions that estimate() calls.

#include "core/answers/plan/estimate.h"
#include "core/answers/explain/term.h"

#include <string>
#include <vector>

namespace plimsoll {

// Ids that can be explained: headline numbers and every step and memory part.
std::vector<std::string> explainable();

// The tree, or the plan's obstacles. An unknown id gives an empty list of obstacles.
Expected<Term, std::vector<Obstacle>> explain(const Scenario&, const std::string& id);

}  // namespace plimsoll

#pragma once
// Comparisons, goals and tornados as JSON text.

#include "core/answers/compare/compare.h"
#include "core/answers/curves/tornado.h"
#include "core/answers/search/goal.h"

#include <string>
#include <vector>

namespace plimsoll {

std::string to_json(const Comparison&, const std::vector<std::string>& plans);
std::string to_json(const GoalAnswer&, const GoalLimits&);
std::string to_json(const std::vector<TornadoBar>&, TornadoOf, double value);

}  // namespace plimsoll

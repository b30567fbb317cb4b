#pragma once
// Comparisons, goals and tornados as JSON text.

#include "core/answers/compare/compare.h"
#include "core/answers/curves/tornado.h"
#include "core/answers/search/goal.h"
#include "core/evidence/published/band.h"

#include <string>
#include <vector>

namespace plimsoll {

std::string to_json(const Comparison&, const std::vector<std::string>& plans);
std::string to_json(const GoalAnswer&, const GoalLimits&, GoalAim);
// With a band, also what the likely range of the value is made of.
std::string to_json(const std::vector<TornadoBar>&, TornadoOf, double value, const Band* band = nullptr);

}  // namespace plimsoll

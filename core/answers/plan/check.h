#pragma once
// Every structural reason why a plan cannot be computed, all at once.
//
// Divisibility, batch arithmetic, device counts and capability of the device.
// Whether it fits in memory is not asked here: that has a number.

#include "core/values/basics/obstacle.h"
#include "core/values/plan/scenario.h"

#include <vector>

namespace plimsoll {

std::vector<Obstacle> check(const Scenario&);  // empty: estimate() has an answer

}  // namespace plimsoll

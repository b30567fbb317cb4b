#pragma once
// Which tier may keep what, on this machine and beside the plan's other choices.

#include "core/values/basics/obstacle.h"
#include "core/values/plan/scenario.h"

#include <vector>

namespace plimsoll {

void check_offload(const Scenario&, std::vector<Obstacle>&);  // adds to them

}  // namespace plimsoll

#pragma once
// Whether a machine's clusters add up, hold whole stages where the mapping needs
// it, and leave every stage a layer.

#include "core/values/basics/obstacle.h"
#include "core/values/plan/scenario.h"

#include <vector>

namespace plimsoll {

void check_clusters(const Scenario&, std::vector<Obstacle>& found);

}  // namespace plimsoll

#pragma once
// Rules of a mixture of experts and of latent attention; part of check().

#include "core/values/basics/obstacle.h"
#include "core/values/plan/scenario.h"

#include <vector>

namespace plimsoll {

// Values no cost can be computed with; everything else divides by these.
void check_expert_ranges(const Scenario&, std::vector<Obstacle>&);
// How experts divide over ranks, and what they ask of the rest of the plan.
void check_experts(const Scenario&, std::vector<Obstacle>&);

}  // namespace plimsoll

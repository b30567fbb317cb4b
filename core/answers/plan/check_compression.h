#pragma once
// Which codec settings cannot be computed: rates beyond the bits of a value,
// and sparse sums that are encoded at every hop.

#include "core/values/basics/obstacle.h"
#include "core/values/plan/scenario.h"

#include <vector>

namespace plimsoll {

void check_compression(const Scenario&, std::vector<Obstacle>& found);

}  // namespace plimsoll

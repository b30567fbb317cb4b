#pragma once
// Rules of tensor parallelism: what has to divide so that every rank of a line, a
// grid or a Tesseract holds equal parts; part of check().

#include "core/values/basics/obstacle.h"
#include "core/values/plan/scenario.h"

#include <vector>

namespace plimsoll {

void check_tensor(const Scenario&, std::vector<Obstacle>&);

}  // namespace plimsoll

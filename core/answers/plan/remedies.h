#pragma once
// What to change so that a plan runs: single edits, tried with estimate(),
// ranked by time to train.

#include "core/answers/plan/estimate.h"

#include <string>
#include <vector>

namespace plimsoll {

struct Remedy {
    std::string name;       // "Tensor parallel 8", "Full recompute": one undo step
    Scenario scenario;
    Estimate estimate;
};

// At most `most`, fastest first; empty when the plan runs or nothing single or
// paired helps. Tries recompute, ZeRO stages, sequence parallel, micro-batch,
// tensor and pipeline degrees, and more nodes; obstacles use their valid values.
std::vector<Remedy> remedies(const Scenario&, int most = 3);

}  // namespace plimsoll

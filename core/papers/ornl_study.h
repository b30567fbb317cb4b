#pragma once
// The ORNL study's back-of-envelope for a plan, beside the full model's figure.

#include "core/answers/plan/estimate.h"

#include <string>
#include <vector>

namespace plimsoll {

struct PaperRow {
    std::string id, label;
    double printed = 0;    // by the equation as printed
    double corrected = 0;  // by the equation as it has to be read, or by the full model
    std::string unit;
    std::string formula;   // both forms, in symbols
};

// Empty when the plan has obstacles.
std::vector<PaperRow> paper_study(const Scenario&);

}  // namespace plimsoll

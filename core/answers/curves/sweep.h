#pragma once
// The same plan with one knob turned: an Outcome per value, in order.

#include "core/answers/plan/estimate.h"
#include "core/answers/plan/valid_values.h"

#include <span>
#include <vector>

namespace plimsoll {

struct SweepPoint {
    double value = 0;
    Scenario scenario;   // as estimated
    Outcome outcome;
};

std::vector<SweepPoint> sweep(const Scenario&, const Knob&, std::span<const double> values);

}  // namespace plimsoll

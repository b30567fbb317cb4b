#pragma once
// The same plan with one knob turned: an Outcome per value, in order.

#include "core/answers/plan/estimate.h"
#include "core/values/knobs/knobs.h"

#include <span>
#include <vector>

namespace plimsoll {

struct SweepPoint {
    double value = 0;
    Scenario scenario;   // as estimated
    Outcome outcome;
};

std::vector<SweepPoint> sweep(const Scenario&, const Knob&, std::span<const double> values);

// Node counts worth drawing for this plan: fixed global batch and model
// parallelism, data parallelism running over the divisors of the batch, from
// the smallest whole node to the machine or the batch, at most `most` of them
// spread evenly in the logarithm, the present count always included.
std::vector<double> node_counts(const Scenario&, int most = 40);

}  // namespace plimsoll

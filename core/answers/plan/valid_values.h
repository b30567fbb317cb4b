#pragma once
// Which values leave the plan computable: what a spin box steps through, a remedy tries and a curve over node counts
// draws.
//
//   valid_values(s, *find_knob("layout.tensor_parallel"));         // 1, 2, 4, 8

#include "core/values/knobs/knobs.h"

#include <vector>

namespace plimsoll {

// Values for which the plan has no obstacle at all or, where other knobs keep
// one, none on this knob; ascending, at most `most` of them nearest the present
// value. Only divisors are tried for integers with a divisibility rule; empty
// for continuous knobs. Well under a millisecond.
std::vector<double> valid_values(const Scenario&, const Knob&, int most = 64);

// Node counts worth drawing for this plan: fixed global batch and model
// parallelism, data parallelism running over the divisors of the batch, from
// the smallest whole node to the machine or the batch, at most `most` of them
// spread evenly in the logarithm, the present count always included.
std::vector<double> node_counts(const Scenario&, int most = 40);

}  // namespace plimsoll

#pragma once
// Which values leave the plan computable: what a spin box steps through, a remedy tries, an
// obstacle offers and a curve over node counts draws.
//
//   valid_values(s, *find_knob("layout.tensor_parallel"));         // 1, 2, 4, 8
//   nearest_divisors(96, 36);                                      // 24, 32, 48, 96
//   nearest_divisors(96, 36, [](int d) { return d % 3 != 0; });    // 8, 16, 32

#include "core/values/basics/integers.h"
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

// ---- Values near one that a rule of divisibility forbids

// The few values closest to `found` (by ratio), ascending.
std::vector<double> nearest(std::vector<double> values, double found);

template <class Keep>
std::vector<double> nearest_divisors(int of, double found, Keep keep) {
    std::vector<double> values;
    for (int d : divisors(of))
        if (keep(d)) values.push_back(d);
    return nearest(std::move(values), found);
}
inline std::vector<double> nearest_divisors(int of, double found) {
    return nearest_divisors(of, found, [](int) { return true; });
}

// Multiples of `step` on either side of `found`, at least one step, at most `limit`.
std::vector<double> nearest_multiples(double step, double found, double limit);

}  // namespace plimsoll

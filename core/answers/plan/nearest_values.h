#pragma once
// Values near a given one that a rule of divisibility allows: what an obstacle
// offers in its place.
//
//   nearest_divisors(96, 36);                                      // 24, 32, 48, 96
//   nearest_divisors(96, 36, [](int d) { return d % 3 != 0; });    // 8, 16, 32

#include "core/values/basics/divisors.h"

#include <vector>

namespace plimsoll {

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

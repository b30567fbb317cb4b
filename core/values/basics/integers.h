#pragma once
// Whole numbers: divisors of small counts (heads, layers, batches, devices), and the values near one that a rule of
// divisibility forbids.
//
//   nearest_divisors(96, 36);                                      // 24, 32, 48, 96
//   nearest_divisors(96, 36, [](int d) { return d % 3 != 0; });    // 8, 16, 32

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace plimsoll {

// Ascending, 1 and n included; empty below 1.
inline std::vector<int> divisors(int n) {
    std::vector<int> found;
    for (int i = 1; i <= n / i; ++i)
        if (n % i == 0) {
            found.push_back(i);
            if (i != n / i) found.push_back(n / i);
        }
    std::sort(found.begin(), found.end());
    return found;
}

// The few values closest to `found` (by ratio), ascending.
inline std::vector<double> nearest(std::vector<double> values, double found) {
    constexpr std::size_t most = 4;
    const auto distance = [found](double v) { return std::abs(std::log(v / std::max(found, 1.0))); };
    std::stable_sort(values.begin(), values.end(), [&](double a, double b) { return distance(a) < distance(b); });
    if (values.size() > most) values.resize(most);
    std::sort(values.begin(), values.end());
    return values;
}

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
inline std::vector<double> nearest_multiples(double step, double found, double limit) {
    const double below = std::floor(found / step) * step;
    std::vector<double> values;
    for (double v : {below - step, below, below + step, below + 2 * step})
        if (v >= step && v <= limit && v != found) values.push_back(v);
    return nearest(std::move(values), found);
}

}  // namespace plimsoll

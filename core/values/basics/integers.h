#pragma once
// Whole numbers: divisors of small counts (heads, layers, batches, devices), and ranks of sorted values.

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

// Which of n sorted values is the median, and which two hold it between them 95
// times of 100: ranks of the binomial about n/2 (Conover 1999, section 3.2), whatever
// the values are distributed like.
struct MedianRanks { std::size_t low = 0, middle = 0, high = 0; };

// n at least 1.
inline MedianRanks median_ranks(std::size_t n) {
    const double half = 1.96 * std::sqrt(double(n)) / 2;
    const auto at = [&](double rank) { return std::size_t(std::clamp(std::lround(rank), 0L, long(n) - 1)); };
    return {at(double(n) / 2 - half), n / 2, at(double(n) / 2 + half)};
}

}  // namespace plimsoll

#pragma once
// Which of n sorted values is the median, and which two hold it between them 95
// times of 100: ranks of the binomial about n/2 (Conover 1999, section 3.2), whatever
// the values are distributed like.

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace plimsoll {

struct MedianRanks { std::size_t low = 0, middle = 0, high = 0; };

// n at least 1.
inline MedianRanks median_ranks(std::size_t n) {
    const double half = 1.96 * std::sqrt(double(n)) / 2;
    const auto at = [&](double rank) { return std::size_t(std::clamp(std::lround(rank), 0L, long(n) - 1)); };
    return {at(double(n) / 2 - half), n / 2, at(double(n) / 2 + half)};
}

}  // namespace plimsoll

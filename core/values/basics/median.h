#pragma once
// The median of values, and which two of n sorted ones hold the true one between them, whatever the values are
// distributed like: order statistics by the binomial distribution (Conover 1999, section 3.2).
//
//   median({1, 4, 2, 3}) == 2.5
//   const MedianRanks at = median_ranks(steps.size());   // steps[at.low] to steps[at.high]
//   at.confidence;                                       // 0.961 of eight values, 0.75 of three

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace plimsoll {

inline double median(std::vector<double> values) {   // 0 of none
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

struct MedianRanks {
    std::size_t low = 0, middle = 0, high = 0;
    double confidence = 0;   // that low and high hold the median between them; below 0.95 of fewer than six values
};

// The narrowest symmetric pair that reaches 95 %, else the extremes. n at least 1.
inline MedianRanks median_ranks(std::size_t n) {
    // Of n values each lies below the median with one half: `tail` is the chance that at most k do.
    double chance = std::exp2(-double(n)), tail = chance;
    MedianRanks at{0, n / 2, n - 1, 1 - 2 * tail};
    for (std::size_t k = 1; 2 * k + 1 < n; ++k) {
        chance *= double(n - k + 1) / double(k);
        tail += chance;
        if (1 - 2 * tail < 0.95) break;
        at.low = k;
        at.high = n - 1 - k;
        at.confidence = 1 - 2 * tail;
    }
    if (n == 1) at.confidence = 0;
    return at;
}

}  // namespace plimsoll

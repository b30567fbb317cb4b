#pragma once
// Whole numbers: divisors of small counts (heads, layers, batches, devices).

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

}  // namespace plimsoll

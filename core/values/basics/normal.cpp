#include "core/values/basics/normal.h"

#include <cmath>
#include <numbers>

namespace plimsoll {

// Newton's method on the error function, which is exact in few steps.
double deviations_within(double share) {
    double z = 1.6;
    for (int i = 0; i < 20; ++i) {
        const double density = std::exp(-z * z / 2) * std::sqrt(2 / std::numbers::pi), before = z;
        z -= (std::erf(z / std::sqrt(2.0)) - share) / density;
        if (z == before) break;
    }
    return z;
}

double largest_of(double numbers) {
    if (numbers < 2) return 0;
    constexpr double most = 1e9;   // beyond, the error function is 1
    const double n = numbers < most ? numbers : most;
    return deviations_within(2 * (n - 0.375) / (n + 0.25) - 1);
}

}  // namespace plimsoll

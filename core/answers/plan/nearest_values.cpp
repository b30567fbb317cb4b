#include "core/answers/plan/nearest_values.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

namespace {

constexpr int nearest_count = 4;

}  // namespace

std::vector<double> nearest(std::vector<double> values, double found) {
    const auto distance = [found](double v) { return std::abs(std::log(v / std::max(found, 1.0))); };
    std::stable_sort(values.begin(), values.end(), [&](double a, double b) { return distance(a) < distance(b); });
    if (values.size() > nearest_count) values.resize(nearest_count);
    std::sort(values.begin(), values.end());
    return values;
}

std::vector<double> nearest_multiples(double step, double found, double limit) {
    const double below = std::floor(found / step) * step;
    std::vector<double> values;
    for (double v : {below - step, below, below + step, below + 2 * step})
        if (v >= step && v <= limit && v != found) values.push_back(v);
    return nearest(std::move(values), found);
}

}  // namespace plimsoll

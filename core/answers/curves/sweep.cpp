#include "core/answers/curves/sweep.h"

#include "core/answers/plan/rules.h"
#include "core/values/basics/integers.h"

#include <algorithm>
#include <iterator>

namespace plimsoll {
namespace {

SweepPoint point(const Scenario& s, const Knob& k, double value) {
    const Expected<Scenario, Obstacle> turned = with(s, k, value);
    if (!turned) return {value, s, Unexpected{std::vector{turned.error()}}};
    return {value, *turned, estimate(*turned)};
}

}  // namespace

std::vector<SweepPoint> sweep(const Scenario& s, const Knob& k, std::span<const double> values) {
    std::vector<SweepPoint> points;
    points.reserve(values.size());
    std::transform(values.begin(), values.end(), std::back_inserter(points), [&](double v) { return point(s, k, v); });
    return points;
}

}  // namespace plimsoll

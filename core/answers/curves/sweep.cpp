#include "core/answers/curves/sweep.h"

#include "core/answers/plan/check.h"
#include "core/values/basics/divisors.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace plimsoll {
namespace {

SweepPoint point(const Scenario& s, const Knob& k, double value) {
    const Expected<Scenario, Obstacle> turned = with(s, k, value);
    if (!turned) return {value, s, Unexpected{std::vector{turned.error()}}};
    return {value, *turned, estimate(*turned)};
}

// Whole nodes, or one node in part.
bool aligned(int devices, int per_node) { return devices % per_node == 0 || devices < per_node; }

// Node counts of every data-parallel degree the batch divides into, computable or not.
std::vector<double> possible_counts(const Scenario& s) {
    const Layout& l = s.layout;
    std::vector<double> counts;
    for (int d : divisors(s.recipe.global_batch_sequences / std::max(1, l.micro_batch))) {
        const double devices = 1.0 * d * l.model_parallel();
        if (devices > s.machine.devices()) break;
        if (aligned(static_cast<int>(devices), s.machine.devices_per_node))
            counts.push_back(std::ceil(devices / s.machine.devices_per_node));
    }
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
}

bool computable(const Scenario& s, const Knob& nodes, double count) {
    const Expected<Scenario, Obstacle> turned = with(s, nodes, count);
    return turned && check(*turned).empty();
}

// At most `most` of them: the ones nearest to steps even in the logarithm.
std::vector<double> thinned(const std::vector<double>& values, std::size_t most) {
    if (values.size() <= most) return values;
    const double first = std::log(values.front()), span = std::log(values.back()) - first;
    std::vector<double> kept;
    for (std::size_t i = 0; i < most; ++i) {
        const double wanted = first + span * static_cast<double>(i) / static_cast<double>(most - 1);
        const auto nearer = [&](double a, double b) {
            return std::abs(std::log(a) - wanted) < std::abs(std::log(b) - wanted);
        };
        const double value = *std::min_element(values.begin(), values.end(), nearer);
        if (kept.empty() || kept.back() != value) kept.push_back(value);
    }
    return kept;
}

// `here` among them: in its place, and for its nearest neighbour where there is no room.
void include(std::vector<double>& ascending, double here, std::size_t most) {
    const auto at = std::lower_bound(ascending.begin(), ascending.end(), here);
    if (at != ascending.end() && *at == here) return;
    if (ascending.size() < most) {
        ascending.insert(at, here);
        return;
    }
    const auto nearer = [here](double a, double b) {
        return std::abs(std::log(a / here)) < std::abs(std::log(b / here));
    };
    *std::min_element(ascending.begin(), ascending.end(), nearer) = here;
}

}  // namespace

std::vector<SweepPoint> sweep(const Scenario& s, const Knob& k, std::span<const double> values) {
    std::vector<SweepPoint> points;
    points.reserve(values.size());
    std::transform(values.begin(), values.end(), std::back_inserter(points), [&](double v) { return point(s, k, v); });
    return points;
}

std::vector<double> node_counts(const Scenario& scenario, int most) {
    const Scenario s = without_sources(scenario);
    const Knob& nodes = *find_knob("nodes");
    std::vector<double> counts = possible_counts(s);
    std::erase_if(counts, [&](double n) { return !computable(s, nodes, n); });
    const auto room = static_cast<std::size_t>(std::max(2, most));
    counts = thinned(counts, room);
    if (check(s).empty()) include(counts, nodes.get(s), room);
    return counts;
}

}  // namespace plimsoll

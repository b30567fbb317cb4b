#include "core/answers/plan/valid_values.h"

#include "core/answers/plan/rules.h"
#include "core/values/basics/integers.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <set>

namespace plimsoll {
namespace {

using Values = std::set<double>;

void add_divisors(Values& values, int of, double times = 1) {
    for (int d : divisors(of)) values.insert(d * times);
}

// The multiples of `step` around `here`: what an integer that something divides can be.
void add_multiples(Values& values, double step, double here, int count = 64) {
    const double first = std::max(1.0, std::round(here / step) - count / 2);
    for (int i = 0; i < count; ++i) values.insert((first + i) * step);
}

void add_powers_of_two(Values& values, double low, double high) {
    for (double v = 1; v <= high; v *= 2) {
        if (v >= low) values.insert(v);
        if (1.5 * v >= low && 1.5 * v <= high && v > 1) values.insert(1.5 * v);
    }
}

// Data-parallel degrees a batch can be split over, as devices.
void add_device_counts(Values& values, const Scenario& s, double per) {
    const Layout& l = s.layout;
    for (int d : divisors(s.recipe.global_batch_sequences)) values.insert(1.0 * d * l.model_parallel() / per);
}

void add_layout_candidates(Values& values, const Scenario& s, const std::string& id) {
    const Layout& l = s.layout;
    const int batch = s.recipe.global_batch_sequences;
    const int stages = std::max(1, l.pipeline_parallel);
    if (id == "layout.tensor_parallel") {
        add_divisors(values, s.model.heads);
        if (l.on_grid())
            for (int q : divisors(s.model.heads)) values.insert(1.0 * q * q * l.grid_depth());
    }
    if (id == "layout.pipeline_parallel") {
        add_divisors(values, s.model.layers);
        add_divisors(values, l.devices / std::max(1, l.tensor_parallel * l.context_parallel));
    }
    if (id == "layout.context_parallel") add_divisors(values, s.recipe.sequence_length);
    if (id == "layout.data_parallel") add_divisors(values, batch);
    if (id == "layout.devices") add_device_counts(values, s, 1);
    if (id == "nodes") add_device_counts(values, s, s.machine.devices_per_node);
    if (id == "layout.micro_batch") add_divisors(values, std::max(1, batch / std::max(1, l.data_parallel)));
    if (id == "layout.virtual_stages") {
        add_divisors(values, std::max(1, s.model.layers / stages));
        if ((s.model.layers + 2) % stages == 0)
            add_divisors(values, (s.model.layers + 2) / stages);  // an empty slot on either end
    }
    if (id == "layout.secondary_shard") values.insert(0), add_divisors(values, std::max(1, l.shards()));
    if (id == "layout.shard_group")
        values.insert(0), add_divisors(values, int(std::min<long long>(l.weight_replicas(), INT_MAX)));
}

void add_shape_candidates(Values& values, const Scenario& s, const Knob& k) {
    const Layout& l = s.layout;
    const Model& m = s.model;
    const double here = k.get(s);
    if (k.id == "recipe.global_batch_sequences") {
        const double step = 1.0 * l.data_parallel * l.micro_batch;
        add_multiples(values, step, here);
        add_multiples(values, step * l.pipeline_parallel, here);  // what an interleaved schedule asks for
    }
    if (k.id == "recipe.sequence_length" || k.id == "model.sequence_length") add_powers_of_two(values, 16, k.high);
    if (k.id == "model.heads") add_divisors(values, m.hidden);
    if (k.id == "model.kv_heads") add_divisors(values, m.heads);
    if (k.id == "model.hidden") add_multiples(values, m.heads, here);
    if (k.id == "model.ffn") add_multiples(values, l.tensor_parallel, here);
    if (k.id == "model.layers") add_multiples(values, 1.0 * l.pipeline_parallel * l.virtual_stages, here);
}

void add_neighbours(Values& values, double here) {
    for (int i = -32; i <= 32; ++i) values.insert(here + i);
}

// Divisors where a rule asks for them, all of a short range, else what is near.
Values candidates(const Scenario& s, const Knob& k) {
    Values values;
    if (k.kind == KnobKind::real) return values;
    if (k.high - k.low < 64) {
        for (double v = k.low; v <= k.high; ++v) values.insert(v);
        return values;
    }
    add_layout_candidates(values, s, k.id);
    add_shape_candidates(values, s, k);
    if (values.empty()) add_neighbours(values, k.get(s));
    values.insert(k.get(s));
    std::erase_if(values, [&](double v) { return v < k.low || v > k.high || v != std::floor(v); });
    return values;
}

double gap(double a, double b) {
    return a > 0 && b > 0 ? std::abs(std::log(a / b)) : std::abs(a - b);
}

// A set would otherwise be checked hundreds of times for a batch with many divisors.
std::vector<double> nearest_of(const Values& values, double here, std::size_t most) {
    std::vector<double> kept(values.begin(), values.end());
    if (kept.size() <= most) return kept;
    std::sort(kept.begin(), kept.end(), [&](double a, double b) { return gap(a, here) < gap(b, here); });
    kept.resize(most);
    return kept;
}

bool names(const std::vector<Obstacle>& obstacles, const std::string& id) {
    return std::any_of(obstacles.begin(), obstacles.end(),
                       [&](const Obstacle& o) { return o.knob == id || o.of == id; });
}

}  // namespace

std::vector<double> valid_values(const Scenario& scenario, const Knob& k, int most) {
    const Scenario bare = without_sources(scenario);
    std::vector<double> clean, unnamed;  // no obstacle at all; none on this knob
    const double here = k.get(bare);
    for (double v : nearest_of(candidates(bare, k), here, 256)) {
        Scenario turned = bare;
        k.set(turned, v);
        const std::vector<Obstacle> obstacles = check(turned);
        if (obstacles.empty()) clean.push_back(v);
        if (!names(obstacles, k.id)) unnamed.push_back(v);
    }
    const std::vector<double>& valid = clean.empty() ? unnamed : clean;
    std::vector<double> kept = nearest_of(Values(valid.begin(), valid.end()), here, std::max(0, most));
    std::sort(kept.begin(), kept.end());
    return kept;
}

// ---- Node counts

namespace {

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

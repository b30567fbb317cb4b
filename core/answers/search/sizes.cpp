#include "core/answers/search/sizes.h"

#include "core/answers/plan/rules.h"
#include "core/values/knobs/knobs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

namespace plimsoll {

namespace {

constexpr double widest_aspect = 128, furthest_aspect = 2;
constexpr int smallest_size = -20, largest_size = 20;   // in fifths of a doubling

// The smallest step of the query heads that keeps every width whole, and that the tensor ranks divide.
int step_of_heads(const Scenario& s) {
    const Model& m = s.model;
    long long step = m.heads / std::gcd(m.heads, m.hidden);
    const auto take = [&](long long divisor, int least_widths) {
        const long long both = std::lcm(step, divisor);
        if (m.heads % both == 0 && m.heads / both >= least_widths) step = both;
    };
    take(m.kv_heads > 1 ? m.heads / m.kv_heads : 1, 1);
    take(s.layout.tensor_parallel, 1);
    // Other degrees divide them too, as long as the widths do not lie too far apart.
    for (const int degree : {2, 4, 8}) take(degree, 4);
    return int(step);
}

int step_of_layers(const Scenario& s, bool layout_stays) {
    const int layers = s.model.layers, chunks = s.layout.pipeline_parallel * s.layout.virtual_stages;
    // The embedding and the head may stand for a layer each.
    if (layout_stays && (layers % chunks == 0 || (layers + 2) % chunks == 0))
        return std::lcm(chunks, std::gcd(layers, 4));
    return std::gcd(layers, 4);
}

Model with_heads(const Scenario& s, int heads) {
    Model m = s.model;
    const int ranks = s.layout.tensor_parallel;
    const double times = double(heads) / m.heads;
    // Feed-forward widths stay multiples of 128 and of the tensor ranks where they are.
    const auto in_proportion = [&](int width) {
        const int tile = std::gcd(width, 128);
        const int whole = width % std::lcm(tile, ranks) == 0 ? std::lcm(tile, ranks) : tile;
        return std::max(1, int(std::lround(width * times / whole))) * whole;
    };
    m.hidden = int(std::lround(m.hidden * times));
    if (m.kv_heads > 1) m.kv_heads = int(std::lround(m.kv_heads * times));
    m.ffn = in_proportion(m.ffn);
    if (has_experts(m)) m.experts.ffn = in_proportion(m.experts.ffn);
    if (m.experts.shared > 0) m.experts.shared_ffn = in_proportion(m.experts.shared_ffn);
    if (m.qk_norm_width > m.head_dim) m.qk_norm_width = int(std::lround(m.qk_norm_width * times));
    m.heads = heads;
    return m;
}

double parameters_without_layers(const Model& m) { return parameters(with_depth(m, 0)); }

// The nearest number of layers to `depth` that differs from the plan's by whole steps.
int layers_near(double depth, int plans, int step) {
    return plans + step * int(std::lround((depth - plans) / step));
}

double aspect(const Model& m) { return double(m.hidden) / m.layers; }

class Family {
public:
    Family(const Scenario& s, bool layout_stays)
        : plan_(s), checked_(s), heads_(step_of_heads(s)), layers_(step_of_layers(s, layout_stays)) {
        if (!layout_stays) checked_.layout = {};
        obstacles_ = check(checked_).size();
    }

    // The shape with about so many parameters whose aspect is nearest to the usual one.
    std::optional<Model> nearest(double wanted) {
        static const int most_heads = int(find_knob("model.heads")->high);
        std::optional<Model> best;
        double off = std::log(furthest_aspect);
        for (int heads = heads_; heads <= most_heads; heads += heads_) {
            const Model wide = with_heads(plan_, heads);
            const double ends = parameters_without_layers(wide);
            const double depth = (wanted - ends) / (parameters(wide) - ends) * wide.layers;
            if (depth < 1) break;                     // too wide for so few parameters, and so is all that follows
            const int layers = layers_near(depth, plan_.model.layers, layers_);
            if (layers < 1) continue;
            const Model m = with_depth(wide, layers);
            const double here = std::abs(std::log(aspect(m) / usual_aspect(plan_.model, m.hidden)));
            if (here >= off || !obeys_rules(m)) continue;
            off = here;
            best = m;
        }
        return best;
    }

private:
    // No rule is broken that the plan does not break itself.
    bool obeys_rules(const Model& m) {
        checked_.model = m;
        return check(checked_).size() <= obstacles_;
    }

    const Scenario& plan_;
    Scenario checked_;
    int heads_, layers_;
    std::size_t obstacles_;
};

}  // namespace

double usual_aspect(const Model& own, double hidden) {
    const double here = aspect(own), grown = here * std::pow(hidden / own.hidden, 0.25);
    return hidden > own.hidden ? std::min(grown, std::max(here, widest_aspect)) : grown;
}

std::vector<Model> family_sizes(const Scenario& s, bool layout_stays) {
    const Model& own = s.model;
    // What no cost can be computed with has no family either.
    if (std::min({own.layers, own.hidden, own.heads, own.kv_heads, own.head_dim, own.ffn, s.layout.tensor_parallel,
                  s.layout.pipeline_parallel, s.layout.virtual_stages}) < 1)
        return {own};
    std::map<double, Model> sizes{{parameters(own), own}};
    Family family(s, layout_stays);
    for (int fifths = smallest_size; fifths <= largest_size; ++fifths) {
        if (fifths == 0) continue;
        if (const auto m = family.nearest(parameters(own) * std::exp2(fifths / 5.0))) sizes.emplace(parameters(*m), *m);
    }
    std::vector<Model> all;
    for (auto& [count, m] : sizes) all.push_back(std::move(m));
    return all;
}

}  // namespace plimsoll

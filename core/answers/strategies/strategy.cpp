#include "core/answers/strategies/strategy.h"

#include "core/values/basics/integers.h"

#include <algorithm>

namespace plimsoll {

namespace {

constexpr Dimension dimensions[] = {Dimension::data, Dimension::sharded, Dimension::tensor};

bool holds(const Decomposition& d, Dimension kind) {
    return std::any_of(d.begin(), d.end(), [kind](const Cut& c) { return c.dimension == kind; });
}

void extend(int devices, Decomposition& so_far, std::vector<Decomposition>& all) {
    if (devices == 1) {
        all.push_back(so_far);
        return;
    }
    for (const Dimension kind : dimensions) {
        if (holds(so_far, kind)) continue;
        for (const int degree : divisors(devices)) {
            if (degree == 1) continue;
            so_far.push_back({kind, degree});
            extend(devices / degree, so_far, all);
            so_far.pop_back();
        }
    }
}

}  // namespace

std::vector<Decomposition> decompositions(int devices) {
    std::vector<Decomposition> all;
    Decomposition none;
    if (devices >= 1) extend(devices, none, all);
    return all;
}

bool mixes_data_with_sharded(const Decomposition& d) {
    return holds(d, Dimension::data) && holds(d, Dimension::sharded);
}

std::string say(const LayerStrategy& s) {
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (s.tensor > 1) add("tensor " + std::to_string(s.tensor));
    if (s.sequence > 1) add("Ulysses " + std::to_string(s.sequence));
    if (s.data > 1) add("data " + std::to_string(s.data));
    if (s.sharding != Sharding::none) add(s.sharding == Sharding::zero2 ? "ZeRO-2" : "ZeRO-3");
    if (s.checkpoint) add("checkpointed");
    return text.empty() ? "one device" : text;
}

std::vector<int> pipeline_degrees(const StrategySpace& space) {
    std::vector<int> degrees = divisors(space.devices);
    std::erase_if(degrees, [&](int p) { return p > space.layers; });
    return degrees;
}

std::vector<LayerStrategy> strategies_of(const StrategySpace& space, int pipeline) {
    std::vector<LayerStrategy> all;
    const int stage = space.devices / pipeline;
    for (const int width : divisors(stage)) {
        if (width > space.widest) continue;
        for (const bool ulysses : {false, true}) {
            if (ulysses && (!space.ulysses || width == 1)) continue;
            LayerStrategy s{pipeline, ulysses ? 1 : width, ulysses ? width : 1, stage / width, Sharding::none, false};
            // As in Galvatron-2's list, a lone Ulysses group shards nothing.
            for (const Sharding sharding : {space.least, Sharding::zero3}) {
                if (sharding == Sharding::zero3 && (!space.zero3 || s.data == 1)) continue;
                s.sharding = s.data == 1 ? Sharding::none : sharding;
                for (const bool checkpoint : {false, true}) {
                    s.checkpoint = checkpoint;
                    if (!checkpoint || space.checkpoint) all.push_back(s);
                }
            }
        }
    }
    return all;
}

std::vector<LayerStrategy> strategies_of(const StrategySpace& space) {
    std::vector<LayerStrategy> all;
    for (const int p : pipeline_degrees(space)) {
        const auto some = strategies_of(space, p);
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

StrategyCount count_strategies(const StrategySpace& space) {
    StrategyCount n;
    for (const int p : pipeline_degrees(space))
        for (const Decomposition& d : decompositions(space.devices / p)) {
            ++n.ordered;
            if (!mixes_data_with_sharded(d)) ++n.pruned;
        }
    return n;
}

}  // namespace plimsoll

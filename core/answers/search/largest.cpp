#include "core/answers/search/largest.h"

#include "core/answers/plan/rules.h"
#include "core/values/basics/phrase.h"

#include <algorithm>
#include <iterator>

namespace plimsoll {

namespace {

struct Strategy {
    const char* name;
    int zero_stage;
    bool tensor;       // as many tensor ranks as heads allow, instead of data-parallel ones
    Tier weights, gradients, optimizer, activations;
};
constexpr Tier device = Tier::device, host = Tier::host, nvme = Tier::nvme;
constexpr Strategy strategies[] = {
    {"Replicated", 0, false, device, device, device, device},
    {"ZeRO-2", 2, false, device, device, device, device},
    {"ZeRO-3", 3, false, device, device, device, device},
    {"Tensor parallel", 2, true, device, device, device, device},
    {"ZeRO-Offload", 2, false, device, host, host, device},
    {"ZeRO-Offload, tensor parallel", 2, true, device, host, host, device},
    {"ZeRO-Infinity, host memory", 3, false, host, host, host, host},
    {"ZeRO-Infinity, drives", 3, false, nvme, nvme, nvme, host},
    {"ZeRO-Infinity, drives, tensor parallel", 3, true, nvme, nvme, nvme, host},
};

constexpr int most_layers = 1 << 16;

int tensor_ranks(const Scenario& s, int devices) {
    const int wanted = std::min(devices, s.machine.devices_per_node);
    for (int t = wanted; t > 1; --t)
        if (devices % t == 0 && s.model.heads % t == 0 && s.model.ffn % t == 0 && s.model.kv_heads % t == 0) return t;
    return 1;
}

Scenario plan_of(Scenario s, const Strategy& how, int devices) {
    Layout& l = s.layout;
    l = {};
    l.devices = devices;
    l.tensor_parallel = how.tensor ? tensor_ranks(s, devices) : 1;
    l.data_parallel = devices / l.tensor_parallel;
    l.zero_stage = how.zero_stage;
    l.recompute = Recompute::full;
    l.offload.weights = how.weights;
    l.offload.gradients = how.gradients;
    l.offload.optimizer = how.optimizer;
    l.offload.activations = how.activations;
    s.recipe.global_batch_sequences = l.data_parallel;
    s.model.extra_parameters = 0;
    return s;
}

Scenario with_layers(Scenario s, int layers) {
    s.model.layers = layers;
    return s;
}

// Of a plan that can be computed with the layers it has.
int fewest_layers(const Scenario& s) {
    int layers = 1;
    while (layers < s.model.layers && !check(with_layers(s, layers)).empty()) ++layers;
    return layers;
}

// More layers never need less: the last that fits, by bisection.
int most_that_fit(const Scenario& s, int fewest) {
    const auto fits = [&](int layers) { return runs(estimate(with_layers(s, layers))); };
    if (!fits(fewest)) return 0;
    int low = fewest, high = 2 * fewest;
    while (high <= most_layers && fits(high)) low = high, high *= 2;
    if (high > most_layers) return low;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        (fits(middle) ? low : high) = middle;
    }
    return low;
}

LargestModel solve(const Scenario& plan, const Strategy& how, int devices) {
    LargestModel m;
    m.strategy = how.name;
    const Scenario s = plan_of(plan, how, devices);
    m.obstacles = check(s);
    if (!m.obstacles.empty()) return m;
    m.fewest = fewest_layers(s);
    m.layers = most_that_fit(s, m.fewest);
    m.scenario = with_layers(s, std::max(m.fewest, m.layers));
    m.parameters = m.layers > 0 ? parameters(m.scenario.model) : 0;
    if (const Outcome o = estimate(m.scenario)) m.estimate = *o;
    else m.obstacles = o.error();
    return m;
}

}  // namespace

std::string say_none_fits(const LargestModel& m) {
    if (m.fewest == 1) return phrase("not one layer fits");
    return phrase("the {1} layers that the model has at least do not fit", m.fewest);
}

std::vector<LargestModel> largest_models(const Scenario& plan, int devices, std::stop_token stop,
                                         const SearchProgress& progress) {
    const Scenario s = without_sources(plan);
    if (devices <= 0) devices = s.machine.devices_per_node;
    std::vector<LargestModel> all;
    for (const Strategy& how : strategies) {
        if (stop.stop_requested()) break;
        if (progress) progress(&how - strategies, (long long)std::size(strategies));
        // One device has nobody to share states or layers with.
        const bool shares = how.tensor || (how.zero_stage > 0 && how.weights == device && how.optimizer == device);
        if (devices == 1 && shares) continue;
        all.push_back(solve(s, how, devices));
    }
    return all;
}

}  // namespace plimsoll

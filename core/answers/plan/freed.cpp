#include "core/answers/plan/freed.h"

#include "core/answers/plan/valid_values.h"

namespace plimsoll {

namespace {

Scenario without_swapping(Scenario s) {
    s.layout.offload.activations = Tier::device;
    return s;
}

// Of the knob's valid values, the largest or the smallest that fits.
int extreme_that_fits(const Scenario& s, const char* id, bool largest) {
    const Knob& knob = *find_knob(id);
    const std::vector<double> values = valid_values(s, knob);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double v = values[largest ? values.size() - 1 - i : i];
        const auto turned = with(s, knob, v);
        if (turned && runs(estimate(*turned))) return int(v);
    }
    return 0;
}

}  // namespace

FreedMemory freed_memory(const Scenario& plan) {
    const Scenario sent = without_sources(plan), kept = without_swapping(sent);
    return {extreme_that_fits(kept, "layout.micro_batch", true), extreme_that_fits(sent, "layout.micro_batch", true),
            extreme_that_fits(kept, "layout.pipeline_parallel", false), extreme_that_fits(sent, "layout.pipeline_parallel", false)};
}

}  // namespace plimsoll

#include "core/answers/search/fit_first.h"

#include "core/answers/plan/rules.h"
#include "core/values/plan/share.h"
#include "core/values/basics/integers.h"

#include <algorithm>
#include <tuple>

namespace plimsoll {

Scenario with_split(const Scenario& s, int tensor, int pipeline) {
    Scenario next = s;
    Layout& l = next.layout;
    l.tensor_parallel = tensor;
    l.pipeline_parallel = pipeline;
    l.data_parallel = int(std::max(1LL, l.devices / l.model_parallel()));
    if (tensor == 1) l.sequence_parallel = false;
    if (pipeline == 1) {
        if (schedule_kind(l.schedule).needs_stages()) l.schedule = usual_schedule(1);
        l.virtual_stages = 1;
        l.micro_batch_group = 0;
    } else {
        if (schedule_kind(l.schedule).pairs) l.schedule = usual_schedule(l.virtual_stages);
        l.micro_batch_group = 0;
        l.zero_stage = std::min(l.zero_stage, s.stack.sharding.stage_with_pipeline);
        if (l.zero_stage == 0) l.shard_group = 0;
        if (l.zero_stage < 3) l.secondary_shard = 0;
    }
    l.recompute_layers = std::min(l.recompute_layers, largest_chunk(next));
    return next;
}

namespace {

// Interleaved chunks where the layers allow them, else one per stage.
Scenario computable(Scenario s) {
    if (s.layout.virtual_stages > 1 && !check(s).empty()) {
        s.layout.virtual_stages = 1;
        s.layout.schedule = usual_schedule(1);
    }
    return s;
}

bool is_tight(const PricedSplit& p, const Headroom& asked) { return room_of(p.estimate, asked) == Room::tight; }

// Smallest first; of equal products the one with more tensor ranks: no bubble.
auto rule_order(const PricedSplit& p, const Headroom& asked) {
    return std::tuple(is_tight(p, asked), p.model_parallel(), p.scenario.layout.pipeline_parallel);
}
auto time_order(const PricedSplit& p, const Headroom& asked) { return std::tuple(is_tight(p, asked), p.step()); }

void keep_better(std::optional<PricedSplit>& best, const PricedSplit& candidate, bool better) {
    if (!best || better) best = candidate;
}

}  // namespace

Splits splits(const Scenario& scenario, const Headroom& asked) {
    const Scenario bare = without_sources(scenario);
    Splits found;
    for (const int t : divisors(bare.model.heads))
        for (const int p : divisors(bare.layout.devices)) {
            if (p > bare.model.layers || bare.layout.devices % (1LL * t * p) != 0) continue;
            const Scenario split = computable(with_split(bare, t, p));
            const Outcome outcome = estimate(split);
            ++found.tried;
            if (!runs(outcome)) continue;
            ++found.fitting;
            const PricedSplit priced{split, *outcome};
            found.tight += is_tight(priced, asked);
            keep_better(found.fastest, priced,
                        found.fastest && time_order(priced, asked) < time_order(*found.fastest, asked));
            if (inside_node(split))
                keep_better(found.rule, priced,
                            found.rule && rule_order(priced, asked) < rule_order(*found.rule, asked));
        }
    for (std::optional<PricedSplit>* split : {&found.rule, &found.fastest}) {
        if (!*split) continue;
        const Layout layout = (*split)->scenario.layout;
        (*split)->scenario = scenario;  // with its sources again
        (*split)->scenario.layout = layout;
    }
    return found;
}

}  // namespace plimsoll

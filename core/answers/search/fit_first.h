#pragma once
// The rule "fit with model parallelism first, then scale with data parallelism"
// beside a search of all splits by predicted time.
//
//   Splits s = splits(plan);
//   if (s.rule) apply(s.rule->scenario);
//
// The rule (Narayanan et al. 2021, takeaways 1 and 2): of all tensor x pipeline
// degrees that fit in memory the smallest product, tensor groups inside a node,
// of equal products the widest tensor group; what is left of the devices is data
// parallel. Published runs break it and are right to: Summit's best layout of
// 16B crosses the node with 12 tensor ranks. So the fastest split stands beside it.
//
// Devices, context and expert degrees, batch, recomputation stay. What a split
// rules out follows: without tensor ranks no sequence parallelism, without stages
// 1F1B, with stages the highest ZeRO stage the stack combines with them.

#include "core/answers/plan/headroom.h"
#include "core/values/plan/placement.h"

#include <optional>
#include <vector>

namespace plimsoll {

struct PricedSplit {
    Scenario scenario;
    Estimate estimate;
    int model_parallel() const { return scenario.layout.tensor_parallel * scenario.layout.pipeline_parallel; }
    Seconds step() const { return estimate.step.total(); }
};

struct Splits {
    std::optional<PricedSplit> rule;     // the rule's pick; none where no split inside a node fits
    std::optional<PricedSplit> fastest;  // of all that fit, by step time; a search turns more than the split
    int tried = 0, fitting = 0, tight = 0;  // tight: of the fitting, taken only where no other fits
};
Splits splits(const Scenario&, const Headroom& = {});

// The plan with other degrees on the same devices; not checked.
Scenario with_split(const Scenario&, int tensor_parallel, int pipeline_parallel);

}  // namespace plimsoll

#pragma once
// The one composition of the cost model: what a plan's layers, stages, step, memory and
// tiers take, each computed once.
//
//   const Priced p = price(scenario);         // of a plan without obstacles
//   p.step.parts.total() / second;            // what estimate() reports
//   p.stages[p.step.busiest_stage].forward;   // what explanations, timelines and tables take apart
//
// estimate() is this with the checks before it and the headline figures after it. The search
// composes the same cost functions step by step (answers/search/composed.h), because neighbouring
// layouts share most of them; a test compares the two.

#include "core/costs/memory/memory.h"
#include "core/costs/step/ledger.h"
#include "core/costs/memory/swap.h"
#include "core/costs/step/step.h"

#include <vector>

namespace plimsoll {

struct Priced {
    LayerTimes layers;               // one layer of either kind and the ends, on the machine's device
    Swap swap;                       // the activations that leave the device
    std::vector<StageTime> stages;   // first to last, one micro-batch
    Step step;
    std::vector<MemoryUse> memory;   // of one device of each stage
    TierLedger host, nvme;           // of the node that keeps most there; empty without offloading

    const StageTime& busiest() const { return stages[step.busiest_stage]; }
    int fullest_stage() const;       // whose devices need most memory; the first of equals
};

Priced price(const Work&);

}  // namespace plimsoll

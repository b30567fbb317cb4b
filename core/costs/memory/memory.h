#pragma once
// Device memory of a pipeline stage, component by component.
//
// Activation bytes per layer and micro-batch follow Korthikanti et al. 2022
// (34 s b h + 5 a s^2 b for the GPT block without parallelism), generalised to
// grouped-query attention, gated feed-forward and missing dropout.
//
// Zero-bubble schedules: once a micro-batch's input gradient is done, a layer
// keeps the operands of its weight products until they run, inputs and output
// gradients, and drops the rest; the head keeps the gradient of its logits.

#include "core/values/plan/breakdown.h"
#include "core/values/plan/scenario.h"

#include <vector>

namespace plimsoll {

// What one layer keeps for its backward pass, per micro-batch and rank.
struct LayerActivations {
    Bytes replicated;   // on every tensor rank unless sequence parallelism splits it
    Bytes sharded;      // split over the tensor ranks
    Bytes scores;       // attention matrix or, fused, its row statistics
    Bytes routed;       // of the busiest rank: token copies and what its experts make of them, router scores
    Bytes total() const { return replicated + sharded + scores + routed; }
};
LayerActivations layer_activations(const Scenario&, Block = Block::dense);  // nothing recomputed
Bytes stored_activations(const Scenario&, Block = Block::dense);   // per recomputed layer and micro-batch: what the layout keeps
Bytes waiting_activations(const Scenario&, Block = Block::dense);  // per layer and micro-batch whose weight gradients wait
Bytes layer_input(const Scenario&);                         // per layer and micro-batch
Bytes attention_output(const Scenario&);                    // before its projection, likewise

struct Swap;                                                // offload/swap.h: what leaves the device
// Of the layers, for all in-flight micro-batches.
Bytes kept_activations(const Scenario&, const Swap&, int stage);
// The same with waiting micro-batches and the ends.
Bytes stage_activations(const Scenario&, const Swap&, int stage);

Bytes stage_logits(const Scenario&, int stage);             // none but on the last

MemoryUse stage_memory(const Scenario&, const Swap&, int stage);
MemoryUse stage_memory(const Scenario&, int stage);         // with what the plan itself swaps
std::vector<MemoryUse> stage_memories(const Scenario&, const Swap&);

// What of a stage's memory neither the ZeRO stage nor the tiers of the states change.
struct WorkMemory { Bytes activations, logits; };
WorkMemory work_memory(const Scenario&, const Swap&, int stage);
// With the parameters the rank holds (pipeline/share.h).
struct Owned;
MemoryUse stage_memory(const Scenario&, const WorkMemory&, const Owned&, int stage);
// Stages among which the one with most memory is: of stages alike the first has most micro-batches in flight.
std::vector<int> stages_that_may_fill(const Scenario&);

}  // namespace plimsoll

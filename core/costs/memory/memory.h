#pragma once
// Device memory of a pipeline stage, component by component.
//
//   MemoryUse m = stage_memory(s, swap_of(s), 0);
//
// Model states by recipe and ZeRO stage, activations of all micro-batches in flight
// (activations.h has one layer's), logits, buffers, context. What goes to the tiers below is
// left out.

#include "core/costs/memory/activations.h"
#include "core/costs/offload/swap.h"
#include "core/costs/pipeline/schedule.h"
#include "core/values/plan/share.h"
#include "core/values/plan/breakdown.h"

#include <vector>

namespace plimsoll {

// ---- States

// One kind of state on one device: so many bytes for each parameter, which some ranks share.
struct HeldState {
    double bytes;
    Owned own;                     // parameters of the stage and tensor rank
    int shards, expert_shards;     // ranks that share the common and the routed ones
    double parameters() const { return own.common / shards + own.routed / expert_shards; }
    Bytes total() const { return bytes * parameters() * byte; }
};
HeldState held_weights(const Scenario&, const Owned&);
HeldState held_gradients(const Scenario&, const Owned&);
HeldState held_optimizer(const Scenario&, const Owned&);   // by parameter; what goes by matrix is optimizer.h's

// ---- Activations

// Layers of a stage that keep the same bytes, for so many micro-batches: what recomputation leaves, everything, or what
// their weight gradients wait for.
enum class Keeps { recomputed, whole, waiting };
struct KeptLayers {
    Keeps what;
    Block block;
    double micro_batches;
    int layers;
    Bytes each;
    Bytes total() const { return micro_batches * layers * each; }
};
// visit(KeptLayers) for the layers that keep activations of micro-batches in flight; nothing swapped.
template <class Visit>
void layers_in_flight(const Scenario& s, int stage, Visit visit) {
    const LayerMix blocks = blocks_of_stage(s, stage), recomputed = recomputed_of_stage(s, stage, blocks);
    const LayerMix whole = blocks - recomputed;
    const double in_flight = micro_batches_in_flight(s, stage);
    for (const Block block : all_blocks) {
        if (const int layers = recomputed.of(block); layers > 0)
            visit(KeptLayers{Keeps::recomputed, block, in_flight, layers, stored_activations(s, block)});
        if (const int layers = whole.of(block); layers > 0)
            visit(KeptLayers{Keeps::whole, block, in_flight, layers, layer_activations(s, block).total()});
    }
}
// Zero-bubble: the same for micro-batches whose weight gradients wait.
template <class Visit>
void layers_waiting(const Scenario& s, int stage, Visit visit) {
    const double waiting = weight_gradients_waiting(s, stage);
    if (waiting == 0) return;
    const LayerMix blocks = blocks_of_stage(s, stage);
    for (const Block block : all_blocks)
        if (const int layers = blocks.of(block); layers > 0)
            visit(KeptLayers{Keeps::waiting, block, waiting, layers, waiting_activations(s, block)});
}

struct StageActivations {
    Bytes kept;              // of the layers, for all micro-batches in flight
    Bytes waiting;           // operands of weight gradients
    Bytes ends;              // head input and final-norm input, dropout mask of the embedding
    Bytes recomputed_layer;  // the one that is being recomputed
    Bytes total() const { return kept + waiting + ends + recomputed_layer; }
};
StageActivations stage_activations(const Scenario&, const Swap&, int stage);

Bytes stage_logits(const Scenario&, int stage);             // none but on the last

// ---- A stage

MemoryUse stage_memory(const Scenario&, const Swap&, int stage);
MemoryUse stage_memory(const Scenario&, int stage);         // with what the plan itself swaps
std::vector<MemoryUse> stage_memories(const Scenario&, const Swap&);

// What of a stage's memory neither the ZeRO stage nor the tiers of the states change.
struct WorkMemory {
    Bytes activations, logits;
};
WorkMemory work_memory(const Scenario&, const Swap&, int stage);
// With the parameters the rank holds.
MemoryUse stage_memory(const Scenario&, const WorkMemory&, const Owned&, int stage);
// Stages among which the one with most memory is: of stages alike the first has most micro-batches in flight.
std::vector<int> stages_that_may_fill(const Scenario&);

}  // namespace plimsoll

#pragma once
// The fastest plan whose layers may each be spread in another way, and what the best plan with one way for all loses.
//
//   PerLayer found = best_per_layer({.space = {.devices = 8, .layers = 28}, .batches = {64}, .memory = 36 * gibibyte}, prices);
//   found.best->throughput();        // sequences per second
//
// Every pipeline degree, number of micro-batches and strategy of the ends is tried; within a stage the assignment is
// exact (assign.h). Layers are all alike; stages take equal numbers, the last one what is left over, or, where asked,
// the first and the last up to two fewer: they hold embedding and head, the first also most micro-batches. Handing over
// between ends and layers is priced, but the assignment does not weigh it.

#include "core/answers/strategies/tables.h"

#include <optional>

namespace plimsoll {

// What the assignment adds up per layer: its share of the whole step, or, as Galvatron does, one micro-batch with its
// gradient reduction, and handing activations on only to choose, not in the step's time.
enum class Weigh { whole_step, one_micro_batch };

struct PerLayerQuestion {
    StrategySpace space;
    std::vector<int> batches;         // sequences per step to choose from
    std::vector<int> micro_batches;   // per step to choose from; all that divide the batch when empty
    Bytes memory;                     // of one device
    Weigh weigh = Weigh::whole_step;
    bool uneven_stages = false;
};

// Layers of each stage: equal ones first, then those that relieve the ends. None twice.
std::vector<std::vector<int>> partitions_of(int layers, int pipeline, bool uneven);

struct PerLayerPlan {
    int batch = 0, micro_batches = 0, pipeline = 0;
    std::vector<int> stages;             // layers of each
    std::vector<LayerStrategy> layers;   // first to last
    LayerStrategy ends;                  // of embedding and head; its checkpointing means nothing
    Seconds step;
    std::vector<Bytes> memory;           // of each stage
    double throughput() const { return batch / (step / second); }
};

// Neighbours with the same strategy, which do not reach over stages.
struct StrategyRun {
    int stage = 0, first = 0, layers = 0;
    LayerStrategy strategy;
};
std::vector<StrategyRun> runs_of(const PerLayerPlan&);

struct PerLayer {
    std::optional<PerLayerPlan> best, uniform;   // uniform: one strategy for all layers and the ends
    int strategies = 0;          // of the space
    int unpriced = 0;            // of them, those no table has a price for
    long long pipelines = 0;     // combinations of batch, micro-batches, pipeline degree and layers of the stages
    long long assignments = 0;   // stages assigned
    double lists = 0;            // of strategies, over all combinations: what trying all would go through
    long long labels = 0;        // kept by the assignments instead
    // Share of the throughput that one strategy for all gives away.
    double lost() const { return best && uniform ? 1 - uniform->throughput() / best->throughput() : 0; }
};
PerLayer best_per_layer(const PerLayerQuestion&, const PriceList&);

}  // namespace plimsoll

#pragma once
// The fastest plan whose layers may each be spread in another way, and what the best plan with one way for all loses.
//
//   PerLayerQuestion question{.space = {.devices = 8, .layers = 28}, .batches = {64}, .memory = 36 * gibibyte};
//   best_per_layer(question, prices).best->throughput();        // sequences per second
//
// Every pipeline degree, number of micro-batches and strategy of the ends is tried; within a stage the assignment is
// exact (assign() below). Layers are all alike; stages take equal numbers, the last one what is left over, or, where
// asked, the first and the last up to two fewer: they hold embedding and head, the first also most micro-batches.
// Handing over between ends and layers is priced, but the assignment does not weigh it.

#include "core/answers/strategies/strategy.h"

#include <functional>
#include <limits>
#include <optional>
#include <stop_token>
#include <vector>

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
    long long most_labels = 200'000'000;   // after which the search ends: some ten seconds
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
    bool cut_off = false;        // it took too much: what was found is not known to be the best
    // Share of the throughput that one strategy for all gives away.
    double lost() const { return best && uniform ? 1 - uniform->throughput() / best->throughput() : 0; }
};
// Ended early by `stop` it is cut off. `progress` counts combinations of batch, micro-batches and pipeline degree.
PerLayer best_per_layer(const PerLayerQuestion&, const PriceList&, std::stop_token stop = {},
                        const std::function<void(long long done, long long count)>& progress = {});

// ---- One stage

// Which strategy every layer of a pipeline stage should have: the fastest that fits the memory, exactly.
//
//   const Assigned all = assign(choices, reshard, budget);
//   if (const auto best = all.within(budget)) best->strategy;   // one per layer
//
// Minimises the layers' times plus what it takes to hand activations on between neighbours of different strategy,
// with the layers' memory, in whole units, at most the budget. Galvatron's recurrence (Miao et al. 2022, section 3.3)
// fills a table of layers x memory units x strategies from all strategies of the layer before: O(L E S^2). Three
// things keep the same optimum and leave little of that:
// - strategies from and to which every hand-over costs the same are one class, so a layer looks back at K classes
//   rather than S strategies: O(L E (S + K^2));
// - within a class, one that takes no less time and no less memory than another is never needed;
// - of E, only the amounts of memory at which the time falls are kept (the Pareto front), and none from which the
//   layers to come would burst the budget.

struct LayerChoice {
    double seconds = 0;
    int units = 0;      // of memory, rounded up
};
using LayerChoices = std::vector<std::vector<LayerChoice>>;  // layer x strategy, the same strategies for every layer
using Reshard = std::vector<std::vector<double>>;        // seconds from strategy x to strategy

struct Assignment {
    double seconds = 0;
    int units = 0;
    std::vector<int> strategy;   // one per layer
};

class Assigned {
public:
    // The fastest that needs no more than `units` (at most the budget assigned for); nothing when none does.
    std::optional<Assignment> within(int units) const;
    long long labels() const;    // pairs of memory and time that were kept, over all layers

private:
    friend Assigned assign(const LayerChoices&, const Reshard&, int budget, long long most_labels);
    struct Label {
        double seconds;
        int units, strategy;
        int before_class, before;   // the label of the layer before that it continues
    };
    using Front = std::vector<Label>;            // ascending units, descending seconds
    std::vector<std::vector<Front>> layers_;     // layer x class
    bool whole_ = true;
};

// Nothing fits within what gave up because it would have kept more labels than `most_labels`.
Assigned assign(const LayerChoices&, const Reshard&, int budget,
                long long most_labels = std::numeric_limits<long long>::max());

}  // namespace plimsoll

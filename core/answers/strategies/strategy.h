#pragma once
// How one layer may be spread over the devices of its pipeline stage, and how many ways there are.
//
//   strategies_of({.devices = 8}).size() == 50;     // Galvatron-2's list for 8 devices
//   decompositions(8).size() == 21;                 // ordered, of one stage of 8
//
// Two counts from the literature. Galvatron (Miao et al. 2022, section 3.2) cuts the devices of a stage into an
// ordered list of dimensions, each of another kind out of data, sharded data and tensor parallel: 1 + 3 + 9 + 21 = 34
// over the pipeline degrees of 8 devices. Data beside sharded data never wins (sharding all of it costs the same
// messages and holds less), which leaves 1 + 3 + 7 + 11 = 22. Its second version puts the width innermost, adds Ulysses
// (Jacobs et al. 2023) beside tensor parallelism, and lists 24 + 16 + 8 + 2 = 50 with and without checkpointing.

#include "core/values/basics/units.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace plimsoll {

enum class Dimension { data, sharded, tensor };
struct Cut {
    Dimension dimension = Dimension::data;
    int degree = 2;
    friend bool operator==(const Cut&, const Cut&) = default;
};
using Decomposition = std::vector<Cut>;   // innermost first; empty for one device

// Every ordered one of `devices` with degrees above one, no kind twice.
std::vector<Decomposition> decompositions(int devices);
bool mixes_data_with_sharded(const Decomposition&);

// What the data-parallel ranks of a layer share out.
enum class Sharding { none, zero2, zero3 };

struct LayerStrategy {
    int pipeline = 1;
    int tensor = 1;        // with sequence parallelism
    int sequence = 1;      // Ulysses: ranks that share a sequence, by heads in the attention; tensor is 1 then
    int data = 1;
    Sharding sharding = Sharding::none;
    bool checkpoint = false;
    friend auto operator<=>(const LayerStrategy&, const LayerStrategy&) = default;

    int width() const { return tensor > sequence ? tensor : sequence; }  // ranks that share a sample
    int replicas() const { return data * sequence; }  // ranks that hold the same weights, before sharding
};
std::string say(const LayerStrategy&);   // "tensor 4, data 2, ZeRO-3, checkpointed"

struct StrategySpace {
    int devices = 1;
    int layers = 1 << 20;               // pipelines are no longer than this
    int widest = 1 << 20;               // tensor or Ulysses
    Sharding least = Sharding::zero2;   // of layers that keep their weights: ZeRO-2 or none
    bool ulysses = true, checkpoint = true, zero3 = true;
};
std::vector<int> pipeline_degrees(const StrategySpace&);                      // ascending
std::vector<LayerStrategy> strategies_of(const StrategySpace&);               // of all pipeline degrees
std::vector<LayerStrategy> strategies_of(const StrategySpace&, int pipeline);

// Without Ulysses and checkpointing, over all pipeline degrees.
struct StrategyCount {
    int ordered = 0;   // decompositions
    int pruned = 0;    // without data beside sharded data
};
StrategyCount count_strategies(const StrategySpace&);

// ---- What the strategies of one pipeline cost, whoever prices them

// core/papers/galvatron.h prices them from measured layers, own_tables.h from our own model; per_layer.h searches them
// without knowing which.

struct PipelineTask {
    int batch = 1;            // sequences per step
    int micro_batches = 1;
    int pipeline = 1;
    int layers = 1;           // of the model
    std::vector<LayerStrategy> strategies;   // those of this pipeline whose data ranks get whole micro-batches
};

inline constexpr Bytes memory_unit = mebibyte;   // the assignment counts in whole ones, rounded up
inline constexpr int most_units = 1 << 22;       // 4 TiB: no device has more, and sums stay whole
inline int units_of(Bytes b) { return int(std::min(std::ceil(b / memory_unit), double(most_units))); }

// One layer, or the embedding or head of a stage.
struct LayerCost {
    Seconds forward, backward;   // of one micro-batch
    Seconds after;               // once per step: gradient reduction nothing hides, optimizer
    int units = 0;               // of memory, with as many micro-batches as the stage holds at once
    Seconds micro() const { return forward + backward; }
};

// All of a stage, of one micro-batch.
struct StageSum {
    Seconds forward, backward, after;
    Seconds ends;     // of `forward` and `backward`
    Seconds micro() const { return forward + backward; }
};

struct StrategyTables {
    std::vector<LayerStrategy> strategies;       // those that have a price
    std::vector<std::vector<LayerCost>> layer, ends;  // stage x strategy
    std::vector<std::vector<Seconds>> reshard;   // from strategy x to strategy, both passes of one micro-batch
    // Per strategy: memory units that a stage needs once if any layer or end has it; the largest counts.
    std::vector<int> transient;
    std::function<Seconds(std::span<const StageSum>)> step;   // of the whole pipeline
    bool zero3_as_a_whole = false;   // ZeRO-3 ends have a price only where all layers are ZeRO-3 too
};
using PriceList = std::function<StrategyTables(const PipelineTask&)>;

}  // namespace plimsoll

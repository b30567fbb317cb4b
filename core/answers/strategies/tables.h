#pragma once
// What the strategies of one pipeline cost, whoever prices them: profiled_tables.h from measured layers, own_tables.h
// from our own model. per_layer.h searches them without knowing which.

#include "core/answers/strategies/strategy.h"
#include "core/values/basics/units.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

namespace plimsoll {

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
struct Cost {
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

struct Tables {
    std::vector<LayerStrategy> strategies;       // those that have a price
    std::vector<std::vector<Cost>> layer, ends;  // stage x strategy
    std::vector<std::vector<Seconds>> reshard;   // from strategy x to strategy, both passes of one micro-batch
    std::vector<int> transient;   // per strategy: units a stage needs once if any layer or end has it; the largest counts
    std::function<Seconds(std::span<const StageSum>)> step;   // of the whole pipeline
    bool zero3_as_a_whole = false;   // ZeRO-3 ends have a price only where all layers are ZeRO-3 too
};
using PriceList = std::function<Tables(const PipelineTask&)>;

}  // namespace plimsoll

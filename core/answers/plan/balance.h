#pragma once
// Which stage of a pipeline the others wait for because of the kinds of layers it holds, and how the layers would be
// listed so that none waits longer than it must.
//
//   if (const auto slow = slow_stage(work, priced)) slow->of_kinds;   // 0.18: of the mean of the stages

#include "core/answers/plan/price.h"

#include <optional>
#include <vector>

namespace plimsoll {

struct DearLayers {
    Kind kind;
    int layers;      // on the stage
    double mean;     // of all stages
};
struct SlowStage {
    int stage = 0;               // from 0
    double longer = 0;           // than the mean of the stages, as a share of it
    double of_kinds = 0;         // of that, what it holds other kinds than the mean stage for
    // More than the mean stage, of kinds that take longer than the mean layer: those first that add most.
    std::vector<DearLayers> holds;
};

// The longest stage, if its kinds make it more than a few per cent longer than the mean, and a third of what it is
// longer at least: those it holds against as many layers of the model's mean. Not across clusters, whose devices differ
// in speed.
std::optional<SlowStage> slow_stage(const Work&, const Priced&);

// Of the same chunks in all, so that by the times of this plan the longest of them is as short as any list makes it.
StageList even_list(const Work&, const Priced&);

}  // namespace plimsoll

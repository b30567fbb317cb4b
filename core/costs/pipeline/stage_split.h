#pragma once
// Uneven shares of layers for stages of uneven speed.
//
//   floor_share(48, 197, 197 + 160) == 26     // Holmes: the fast cluster's share, rounded down
//   least_maximum({...}, 48)                  // so that max (layers + extra) / rate is least

#include "core/values/plan/scenario.h"

#include <span>

namespace plimsoll {

// floor(layers x rate / all rates), Yang et al. 2024 (Holmes), section 3.3.
int floor_share(int layers, double rate, double all_rates);

// Stages that take the same number of layers, give or take one.
struct StageClass {
    int count = 0;      // stages
    double rate = 1;    // layers per unit of time
    double extra = 0;   // work besides the layers, in layers: the head
    int layers = 0;     // of each stage, out
    int with_one_more = 0;  // of them, the first so many, out
};
// Gives every stage at least one layer, and each further one to the stage that is done with it first.
void least_maximum(std::span<StageClass>, int layers);

// Layers of a stage by Layout::stage_split, which is not even.
int uneven_layers(const Scenario&, int stage);

}  // namespace plimsoll

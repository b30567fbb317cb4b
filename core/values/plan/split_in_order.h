#pragma once
// Layers that cost differently over the stages of a pipeline: each stage takes some that follow one another, in the
// order of the model.
//
//   const std::vector<double> layers{1, 1, 1, 6, 1, 1};
//   const std::vector<StageRoom> stages(3);
//   balanced_split(layers, stages) == std::vector{3, 1, 2};     // no split has a shorter longest stage than 6

#include <span>
#include <vector>

namespace plimsoll {

// A stage takes (cost of its layers + extra) / rate.
struct StageRoom {
    double rate = 1;
    double extra = 0;   // work besides the layers: the head
};

// Layers of each stage, at least one, so that the longest stage is as short as any split makes it. Of several such
// splits one of even stages: that of the least squares among those it meets. `may_begin` tells of each layer whether a
// stage may begin with it; empty, or where no split obeys it: any layer may.
std::vector<int> balanced_split(std::span<const double> layers, std::span<const StageRoom>,
                                std::span<const char> may_begin = {});

// Nanotron's walk (share.h) where layers cost differently.
struct WalkedSplit {
    std::vector<int> layers;    // of each stage
    int head_stage = 0, loss_stage = 0;
};
WalkedSplit walked_split(std::span<const double> layers, double head, int stages);

}  // namespace plimsoll

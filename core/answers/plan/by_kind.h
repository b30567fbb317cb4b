#pragma once
// What the layers of each kind cost, of the same functions as the estimate.
//
//   for (const KindCost& k : costs_by_kind(plan)) k.all / estimate(plan)->step.total();   // shares of a step
//
// Times are those of device and exchanges between ranks; what devices wait for hosts, other tiers and other stages
// belongs to no kind. Layers of a module that predicts further tokens count where a stage holds them.

#include "core/answers/plan/estimate.h"
#include "core/values/plan/layer.h"

#include <string>
#include <vector>

namespace plimsoll {

struct KindCost {
    char letter = 0;
    std::string name;             // in words: "Mamba-2 alone"
    int layers = 0;               // of the model
    double parameters = 0;        // of one layer
    Seconds one;                  // forward and backward pass of one layer and micro-batch
    Seconds all;                  // of the busiest stage's layers in a step
    Bytes kept;                   // by one layer of one micro-batch for its backward pass
    int layers_busiest = 0, layers_fullest = 0;            // on these stages
    // What the fullest stage's layers hold on a device.
    Bytes weights, gradients, optimizer, activations;
    Bytes held() const { return weights + gradients + optimizer + activations; }
};

// Names and numbers of the model alone: what there is to say of a plan with obstacles.
std::vector<KindCost> kinds_in_words(const Model&);
// In the order of the kinds; of a plan without obstacles.
std::vector<KindCost> costs_by_kind(const Scenario&);

// Both passes of the layers of a kind on a stage, of one micro-batch.
Seconds passes_of_kind(const Work&, const Priced&, Kind, int stage);

std::string mixer_in_words(Mixer);
// "Mamba-2, with experts", "attention beside Mamba-2, with a dense block", "experts alone".
std::string kind_in_words(const LayerKind&);
// "Layers M: Mamba-2 alone"; without letters "Dense layers, with a window".
std::string layers_in_words(const LayerKind&, const Layers&);

}  // namespace plimsoll

#pragma once
// The order in which a pipeline stage runs its micro-batches: 1F1B, plain or
// interleaved (Narayanan et al. 2021, section 2.2, as Megatron-LM orders them).
//
//   for (const Task& task : schedule(stage, layout)) ...
//
// With interleaving a stage holds `chunks` pieces of the model; block number
// chunk * stages + stage follows another around the ring of stages.

#include "engine/options.h"

#include <vector>

namespace plimsoll::engine {

struct Task {
    bool forward;
    int chunk, micro_batch;
};
std::vector<Task> schedule(int stage, const LayoutOptions&);

// Most micro-batches of a chunk between forward and backward pass at once: the activations to keep.
std::vector<int> in_flight(const std::vector<Task>&, int chunks);

}  // namespace plimsoll::engine

#pragma once
// Keeping the replicas alike: gradient reduction, and gathering what is sharded.
// Context-parallel ranks hold the same weights as data-parallel ones and take part: d below is
// data x context.
//
// `stage`: where a machine has several clusters, stages reduce over different networks.
//
// Volumes per step and rank in units of (d-1)/d P (Rajbhandari et al. 2020):
// plain 2, ZeRO-1 2, ZeRO-2 1 per micro-batch + 1, ZeRO-3 3 per micro-batch
// (priced per layer in stage.h, since it hides behind that layer's compute).

#include "core/costs/network/network.h"
#include "core/values/plan/share.h"
#include "core/values/plan/scenario.h"

#include <vector>

namespace plimsoll {

Span data_span(const Scenario&, int stage = 0);     // all ranks that hold the same weights: data x context
Span shard_span(const Scenario&, int stage = 0);  // those that share one sharded copy, at the rate the software reaches
Span replica_span(const Scenario&, int stage = 0);  // across sharded copies (hybrid sharding)
Span expert_data_span(const Scenario&, int stage = 0);   // the copies of one expert: they reduce its gradients
Span expert_shard_span(const Scenario&,
                       int stage = 0);  // those, where they share its states, at the rate the software reaches

struct GradientTime {
    Seconds reduce;      // all communication of one step, nothing hidden
    Seconds exposed;     // what the step waits for
    Seconds codec{};     // of `reduce`, encoding and decoding
    Seconds crossing{};  // besides: what the software adds where the group crosses nodes
};
// One of the collectives it adds up.
struct Reduction {
    Collective kind;
    Traffic traffic;
    Span ranks;
    Bytes payload;
    bool experts;               // of the routed experts, which have replicas of their own
    bool across_copies;         // between sharded copies (hybrid sharding)
    bool per_micro_batch;       // else once a step
};
// `window`: backward time of one micro-batch, behind which reduction may hide.
// Notes the collectives of a step where somebody asks for them.
GradientTime gradient_time(const Scenario&, const Owned&, Seconds window, int stage = 0,
                           std::vector<Reduction>* = nullptr);
// First and last stage add up the gradients of a tied embedding.
Seconds tied_embedding_time(const Scenario&);

// ZeRO-3: fetching one layer's weights, and scattering its gradients.
struct LayerBytes {
    Bytes common, routed;   // routed experts have other replicas
};
LayerBytes layer_weights(const Scenario&, Block = Block::dense);       // in the recipe's format
LayerBytes layer_gather_bytes(const Scenario&, Block = Block::dense);  // as fetched: fp32 under autocast
// Zero where nothing is sharded.
Seconds layer_gather_time(const Scenario&, Block = Block::dense, int stage = 0);
Seconds layer_scatter_time(const Scenario&, Block = Block::dense, int stage = 0);
// The model's first layer: its gather and its scatter have nothing to hide behind.
inline Block unhidden_block(const Scenario& s) {
    return expert_layers_before(s.model, 1) > 0 ? Block::experts : Block::dense;
}

}  // namespace plimsoll

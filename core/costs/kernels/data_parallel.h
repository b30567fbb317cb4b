#pragma once
// Keeping the replicas alike: gradient reduction, and gathering what is sharded.
// Context-parallel ranks hold the same weights as data-parallel ones and take part: d below is
// data x context.
//
// `stage`: where a machine has several clusters, stages reduce over different networks.
//
// Volumes per step and rank in units of (d-1)/d P (Rajbhandari et al. 2020):
// plain 2, ZeRO-1 2, ZeRO-2 1 per micro-batch + 1, ZeRO-3 3 per micro-batch
// (priced per layer in stage.h, since it hides behind that layer's compute; embedding and head, which are kept
// between the passes, 2). Software that all-reduces under ZeRO-1 moves 2 P of gradients and P of weights.
//
// Reductions hide behind the backward pass of a micro-batch, gathers of updated weights behind a forward pass,
// bucket by bucket:
//   wait = u T + max(0, (1 - u) T - overlap x pass)    u: the last bucket's share, or `gradient_exposed`
// and what hides lengthens the pass by `hidden_reduction_tax` of its time.

#include "core/costs/kernels/work.h"

#include <vector>

namespace plimsoll {

Span data_span(const Work&, int stage = 0);     // all ranks that hold the same weights: data x context
Span shard_span(const Work&, int stage = 0);  // those that share one sharded copy, at the rate the software reaches
Span replica_span(const Work&, int stage = 0);  // across sharded copies (hybrid sharding)
Span expert_data_span(const Work&, int stage = 0);   // the copies of one expert: they reduce its gradients
// Those that share its states, at the rate the software reaches, and across such groups (hybrid sharding).
Span expert_shard_span(const Work&, int stage = 0);
Span expert_replica_span(const Work&, int stage = 0);

// Behind which reductions and gathers may hide: the passes of one micro-batch. Of its time on a stage, whatever that
// waits for, two thirds are the backward pass. The stage's own passes are not taken: where the host sets the pace of a
// stage, attention that gets faster in one pass leaves the time of both as it was and only moves the border between
// them. What hides behind the shorter pass would then be waited for longer, and faster hardware would lengthen a step.
struct HidingPasses { Seconds backward, forward; };
inline HidingPasses hiding_passes(Seconds micro_batch) { return {2.0 / 3 * micro_batch, 1.0 / 3 * micro_batch}; }

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
// Notes the collectives of a step where somebody asks for them.
GradientTime gradient_time(const Work&, const Parameters&, HidingPasses, int stage = 0,
                           std::vector<Reduction>* = nullptr);
// First and last stage add up the gradients of a tied embedding.
Seconds tied_embedding_time(const Work&);
// Stages that hold layers of a kind whose weights are shared add up these weights' gradients.
Seconds shared_weights_time(const Work&);

// ZeRO-3: fetching one layer's weights, and scattering its gradients.
struct LayerBytes {
    Bytes common, routed;   // routed experts have other replicas
};
double gathered_bytes(const Work&);   // of a weight as it is fetched: fp32 under autocast
LayerBytes layer_gather_bytes(const Work&, const LayerKind&);
LayerBytes layer_scatter_bytes(const Work&, const LayerKind&);  // of its gradients, in the weights' format
// Zero where nothing is sharded.
Seconds layer_gather_time(const Work&, const LayerKind&, int stage);
// For the backward pass: the same, or from the second copy of the weights (hpZ, Wang et al. 2023, section 3.2.2).
Seconds layer_regather_time(const Work&, const LayerKind&, int stage);
Seconds layer_scatter_time(const Work&, const LayerKind&, int stage);
// The same of the embedding, or the head.
Seconds table_gather_time(const Work&, int stage);
Seconds table_scatter_time(const Work&, int stage);
// Kind of the model's first layer: its gather and its scatter have nothing to hide behind.
inline LayerKind first_layer(const Work& s) {
    const Layers& layers = s.layers;
    return layers[layers.of_layer(0)];
}

}  // namespace plimsoll

#pragma once
// Keeping the replicas alike: gradient reduction, sharded optimizer and
// weights, and the optimizer step itself. Context-parallel ranks hold the same
// weights as data-parallel ones and take part: d below is data x context.
//
// Volumes per step and rank in units of (d-1)/d P (Rajbhandari et al. 2020):
// plain 2, ZeRO-1 2, ZeRO-2 1 per micro-batch + 1, ZeRO-3 3 per micro-batch
// (priced per layer in stage.h, since it hides behind that layer's compute).

#include "core/costs/network/network.h"
#include "core/values/plan/scenario.h"

namespace plimsoll {

Span data_span(const Scenario&);     // all ranks that hold the same weights: data x context
Span shard_span(const Scenario&);    // those that share one sharded copy
Span replica_span(const Scenario&);  // across sharded copies (hybrid sharding)

struct GradientTime {
    Seconds reduce;      // all communication of one step, nothing hidden
    Seconds exposed;     // what the step waits for
    Seconds codec{};     // of `reduce`, encoding and decoding
    Seconds crossing{};  // besides: what the software adds where the group crosses nodes
};
// `window`: backward time of one micro-batch, behind which reduction may hide.
GradientTime gradient_time(const Scenario&, double parameters, Seconds window);
// First and last stage add up the gradients of a tied embedding.
Seconds tied_embedding_time(const Scenario&);

// ZeRO-3: fetching one layer's weights, and scattering its gradients.
Bytes layer_weights(const Scenario&);       // in the recipe's format
Bytes layer_gather_bytes(const Scenario&);  // as fetched: fp32 under autocast
Transfer layer_gather(const Scenario&);     // at the network's full rate
Transfer layer_scatter(const Scenario&);
Seconds layer_gather_time(const Scenario&); // at the share of it the stack reaches; zero where nothing is sharded
Seconds layer_scatter_time(const Scenario&);

struct OptimizerTime {
    Seconds update;        // states read and written, or the host issuing the work
    Seconds accumulation;  // adding up gradients over micro-batches
    Seconds constant;
    Seconds total() const { return update + accumulation + constant; }
};
OptimizerTime optimizer_time(const Scenario&, double parameters, int layers);
Bytes optimizer_traffic(const Scenario&, double parameters);
Bytes accumulation_traffic(const Scenario&, double parameters);  // per step

}  // namespace plimsoll

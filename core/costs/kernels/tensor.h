#pragma once
// What the ranks that share a layer's matrices exchange, per micro-batch.
//
// One dimension: two all-reduces of b s h in each pass of a layer (Shoeybi et al.
// 2019). Sequence parallelism turns each into the gather of what goes into a pair of
// products and the scatter of what comes out; the backward pass gathers the two layer
// inputs once more, behind the product that does not need them (Korthikanti et al.
// 2022), or in front of it (`gathers_inputs_again`). One pair instead of two
// where attention and feed-forward block run in parallel (PaLM, Chowdhery et al. 2022), and one pair at the ends
// of the model: after the embedding, before the head, and backward. Experts work on
// their rank's own tokens: beside shared experts only the attention is reduced.
//
// Grid of side q and depth d (SUMMA): every product gathers blocks of its input along
// a row and of its weights down a column, and each of its two gradients does the same
// or scatters; weight gradients are added up over the depth. A rank receives, over
// both passes,
//   3 (q-1) [m k/(d q^2) + k n/q^2] + 2 (d-1)/d k n/q^2    elements.
// Weights travel with every micro-batch: few tokens favour one dimension, many a grid.
// Ranks of a row are neighbours, then those of a column, then the depth.

#include "core/costs/kernels/work.h"

namespace plimsoll {

// Before the exposed share of the stack.
struct TensorTime { Seconds forward, backward; };
TensorTime layer_tensor_time(const Work&, const LayerKind&);
TensorTime embedding_tensor_time(const Work&);
TensorTime head_tensor_time(const Work&);

// One dimension: payload of an all-reduce, the full b s h activation.
Bytes tensor_payload(const Work&);
Span tensor_span(const Work&);
Transfer tensor_all_reduce(const Work&);
// What the ranks exchange before and after a pair of products: nothing and an all-reduce, or with sequence
// parallelism a gather and a scatter.
struct TensorPair {
    Seconds before, after;
    Seconds time() const { return before + after; }
};
TensorPair tensor_pair(const Work&);
Seconds tensor_crossing(const Work&);   // of each of them, what the software adds where the group leaves its node

// Grid: the ranks of a row, a column and through the depth.
// Of one product as it was split: what a row and a column gather in all, and one block of weights.
struct GridPayload { Bytes inputs, weights, block; };
GridPayload grid_payload(const Work&, const Gemm&);
struct GridTime {
    static constexpr int gathering_passes = 3;   // forward and both gradients
    Seconds inputs, weights, depth;
    Seconds forward() const { return inputs + weights; }
    Seconds backward() const { return (gathering_passes - 1) * forward() + depth; }
};
GridTime grid_time(const Work&, const Gemm&);
// Embedding: what every column adds up, the rows of the table that its ranks found.
Bytes grid_embedding_payload(const Work&);

}  // namespace plimsoll

#pragma once
// The matrix products of one layer and of the head on one rank, per micro-batch, by shape.
//
//   for (const Gemm& g : layer_gemms(s, expert_layer)) time_of(g, rates);
//
// They are the layer's weights (weights.h), each cut over the ranks that share it.

#include "core/costs/kernels/work.h"

#include <array>

namespace plimsoll {

using Gemms = ShortList<Gemm, 44>;
// Of all weights that a layer works with, of those that it holds alone, or of those that its kind shares.
enum class Whose { all, own, shared };
Gemms layer_gemms(const Work&, const LayerKind&, Whose = Whose::all);  // forward
// sum of `of(Gemms)` over what so many layers of a kind hold.
template <class Of>
auto sum_held(const Work& s, const LayerKind& kind, int layers, Of of) {
    auto sum = double(layers) * of(layer_gemms(s, kind, Whose::own));
    if (layers > 0 && kind.shared.on) sum = sum + of(layer_gemms(s, kind, Whose::shared));
    return sum;
}

// Of adapters whose matrices have magnitudes (DoRA) the two multiplied out, in every forward pass and whatever the
// batch: of each the part beside the rank's own of the matrix. Adapters of parts of one matrix, each by itself, are
// taken to be alike. None without magnitudes.
Gemms dense_updates(const Work&, const LayerKind&);

// Queries and the layer's own keys and values that one tensor rank has of a token. Fewer key-value heads than ranks are
// computed by several ranks each; a grid splits them all the same.
double qkv_share(const Work&, const LayerKind&);

// Token copies that all experts of the busiest rank work on together: tok k e_t / t with balanced
// routing, times capacity factor or imbalance.
double routed_rows(const Work&);
double held_rows(const Work&);   // the same, as memory has room for them
// Experts one rank holds, or holds a slice of.
inline double local_experts(const Work& s) { return double(s.model.experts.count) / s.layout.expert_parallel; }
// Inner width of one routed expert on one rank; of all shared experts together on one.
double routed_ffn(const Work&);
double shared_ffn(const Work&);

// One product X[m x k] W[k x n] cut over the tensor ranks, and its two gradients.
//
// In one dimension a column-split weight leaves each rank n/t columns, a row-split
// one k/t rows. On a q x q grid of depth d (SUMMA; Xu et al. 2021, Wang et al. 2021)
// a rank holds a block of both, m/(q d) x k/q and k/q x n/q, and adds up its block
// of the result in q steps as the blocks of its row and column arrive. The FLOP are
// the same: 2 m n k / t.
Gemm column_split(const Layout&, Gemm whole);
Gemm row_split(const Layout&, Gemm whole);
// dX = dY W^T and dW = X^T dY of a product as it was split.
Gemm data_gradient(const Gemm&);
Gemm weight_gradient(const Gemm&);
std::array<Gemm, 3> head_gemms(const Work&);   // forward, data gradient, weight gradient

}  // namespace plimsoll

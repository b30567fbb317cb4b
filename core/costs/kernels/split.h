#pragma once
// One product X[m x k] W[k x n] cut over the tensor ranks, and its two gradients.
//
// In one dimension a column-split weight leaves each rank n/t columns, a row-split
// one k/t rows. On a q x q grid of depth d (SUMMA; Xu et al. 2021, Wang et al. 2021)
// a rank holds a block of both, m/(q d) x k/q and k/q x n/q, and adds up its block
// of the result in q steps as the blocks of its row and column arrive. The FLOP are
// the same: 2 m n k / t.

#include "core/costs/kernels/kernel.h"

namespace plimsoll {

Gemm column_split(const Layout&, Gemm whole);
Gemm row_split(const Layout&, Gemm whole);

// dX = dY W^T and dW = X^T dY of a product as it was split.
Gemm data_gradient(const Gemm&);
Gemm weight_gradient(const Gemm&);

}  // namespace plimsoll

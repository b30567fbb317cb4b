#pragma once
// Products of fp32 matrices whose factors are rounded to bf16 on their way into the
// cache, sums kept in fp32: twice the rate of fp32 where the processor multiplies
// bf16 pairs (AVX512_BF16: Zen 4, Cooper Lake, Sapphire Rapids). An element of c is
// off by 2^-8 of the terms it sums up, at most.
//
//   if (has_bf16_products()) bf16_gemm(Flip::no, Flip::yes, {m, n, k}, 1, a, lda, b, ldb, 0, c, ldc);

#include "engine/kernels/blas.h"

namespace plimsoll::engine {

bool has_bf16_products();

// As gemm in blas.h. Only where has_bf16_products(). Safe to call from several threads, each of which keeps 0.6 MB.
void bf16_gemm(Flip a_flip, Flip b_flip, ProductShape, float alpha, const float* a, int lda, const float* b, int ldb,
               float beta, float* c, int ldc);

}  // namespace plimsoll::engine

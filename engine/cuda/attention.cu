// Attention: which kernel takes a shape, and what both backward kernels start from.
#include "operations.h"
#include "rows.cuh"

#include <type_traits>

namespace plimsoll::device {

namespace {

// delta[b, h, t] = sum over d of dout out: what every score of a row has subtracted from its gradient. One warp a row and head.
template <class Real> __global__ void row_deltas(float* delta, const Real* dout, const Real* out, std::size_t rows, PlimsollAttention s) {
    const std::size_t r = std::size_t(blockIdx.x) * rows_per_block + threadIdx.x / warp;  // (b T + t) H + h
    if (r >= rows) return;
    float sum = 0;
    for (int d = threadIdx.x % warp; d < s.D; d += warp) sum += to_float(dout[r * s.D + d]) * to_float(out[r * s.D + d]);
    sum = over_warp(sum, Sum{});
    const std::size_t h = r % s.H, t = r / s.H % s.T, b = r / s.H / s.T;
    if (threadIdx.x % warp == 0) delta[(b * s.H + h) * s.T + t] = sum;
}

#if defined(PLIMSOLL_NO_TILES)
template <class Real> constexpr bool has_tiles = false;
#else
template <class Real> constexpr bool has_tiles = std::is_same_v<Real, bf16>;
#endif

template <class Real, class... Pointers> bool fused(int D, Pointers... p) { return (D == 64 || D == 128) && packed<Real>(D, p...); }

}  // namespace

template <class Real> int attention(Real* out, float* logsum, const Real* qkv, PlimsollAttention s) {
    if constexpr (has_tiles<Real>)
        if (fused<Real>(s.D, out, qkv)) return s.D == 64 ? attention_fused<64>(out, logsum, qkv, s) : attention_fused<128>(out, logsum, qkv, s);
    return attention_plain<Real>(out, logsum, qkv, s);
}

template <class Real>
int attention_gradient(Real* dqkv, const Real* dout, const Real* out, const float* logsum, const Real* qkv, PlimsollAttention s) {
    const std::size_t rows = std::size_t(s.B) * s.T * s.H;
    float* delta = static_cast<float*>(scratch(rows * sizeof(float)));
    if (!delta) return plimsoll_memory;
    PLIMSOLL_PASS(launch(row_deltas<Real>, dim3(blocks_for(rows, rows_per_block)), dim3(rows_per_block * warp), 0, delta, dout, out, rows, s));
    if constexpr (has_tiles<Real>)
        if (fused<Real>(s.D, dqkv, dout, qkv))
            return s.D == 64 ? attention_fused_gradient<64>(dqkv, dout, delta, logsum, qkv, s)
                             : attention_fused_gradient<128>(dqkv, dout, delta, logsum, qkv, s);
    return attention_plain_gradient<Real>(dqkv, dout, delta, logsum, qkv, s);
}

#define PLIMSOLL_FOR(Real)                                                         \
    template int attention(Real*, float*, const Real*, PlimsollAttention);         \
    template int attention_gradient(Real*, const Real*, const Real*, const float*, const Real*, PlimsollAttention);
PLIMSOLL_FOR(bf16)
PLIMSOLL_FOR(float)

}  // namespace plimsoll::device

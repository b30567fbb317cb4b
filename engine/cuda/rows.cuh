#pragma once
// Pieces that kernels over rows share: 16-byte loads, conversions, sums over the
// lanes of a warp and over a block. Sums are taken in an order fixed by the shape.
//
//   if (packed<Real>(C, y, x)) launch(k<Real, wide<Real>>, ...) else launch(k<Real, 1>, ...);

#include "device.cuh"

#include <cstring>

namespace plimsoll::device {

inline constexpr int warp = 32, rows_per_block = 4;

__device__ inline float to_float(float v) { return v; }
__device__ inline float to_float(bf16 v) { return __bfloat162float(v); }
template <class Real> __device__ inline Real to_real(float v);
template <> __device__ inline float to_real<float>(float v) { return v; }
template <> __device__ inline bf16 to_real<bf16>(float v) { return __float2bfloat16(v); }

template <class Real> inline constexpr int wide = int(16 / sizeof(Real));  // elements of a 16-byte load

// N consecutive elements as floats: one load of 16 bytes, or one element.
template <int N> struct Pack { float at[N]; };

template <int N, class Real> __device__ inline Pack<N> load(const Real* x) {
    Pack<N> p;
    if constexpr (N == 1) {
        p.at[0] = to_float(*x);
    } else {
        static_assert(N == wide<Real>);
        const uint4 raw = *reinterpret_cast<const uint4*>(x);
        Real values[N];
        std::memcpy(values, &raw, sizeof raw);
        for (int i = 0; i < N; ++i) p.at[i] = to_float(values[i]);
    }
    return p;
}

template <int N, class Real> __device__ inline void store(Real* y, const Pack<N>& p) {
    if constexpr (N == 1) {
        *y = to_real<Real>(p.at[0]);
    } else {
        static_assert(N == wide<Real>);
        Real values[N];
        for (int i = 0; i < N; ++i) values[i] = to_real<Real>(p.at[i]);
        uint4 raw;
        std::memcpy(&raw, values, sizeof raw);
        *reinterpret_cast<uint4*>(y) = raw;
    }
}

// Can rows of C elements at these addresses be read 16 bytes at a time? Null counts as yes.
template <class Real, class... Pointers> bool packed(int C, Pointers... p) {
    return C % wide<Real> == 0 && ((reinterpret_cast<std::uintptr_t>(p) % 16 == 0) && ...);
}

struct Sum { __device__ float operator()(float a, float b) const { return a + b; } };
struct Max { __device__ float operator()(float a, float b) const { return fmaxf(a, b); } };

// Every lane receives the result.
template <class Operation> __device__ inline float over_warp(float v, Operation both) {
    for (int m = warp / 2; m > 0; m /= 2) v = both(v, __shfl_xor_sync(0xffffffffu, v, m, warp));
    return v;
}

// Every thread receives the result; all threads of a block of whole warps take part.
template <class Operation> __device__ inline float over_block(float v, Operation both) {
    __shared__ float part[warp];
    v = over_warp(v, both);
    __syncthreads();  // the last use of `part` is over
    if (threadIdx.x % warp == 0) part[threadIdx.x / warp] = v;
    __syncthreads();
    v = part[0];
    for (unsigned w = 1; w < blockDim.x / warp; ++w) v = both(v, part[w]);
    return v;
}

}  // namespace plimsoll::device

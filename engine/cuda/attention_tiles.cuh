#pragma once
// Pieces of the fused attention kernels: tiles of rows in shared memory, products of
// bf16 by tensor cores with fp32 sums, and sums that become an operand in place.
//
// A block has four warps. Of a product's left operand each owns R strips of 16 rows,
// so a fragment of the right operand is read once for R products. A lane holds of each
// strip rows l / 4 and l / 4 + 8, and of every eight columns 2 (l % 4) and the next.

#include "rows.cuh"

namespace plimsoll::device {

inline constexpr int strip = 16, attention_threads = 128, attention_warps = attention_threads / warp;
inline constexpr int tile = 64;  // rows of the operand that a block walks over
// Elements from one row to the next in shared memory: 16 bytes off a power of two, so that rows fall into different
// banks.
template <int D> inline constexpr int pitch = D + 8;

// Sums of R strips and N columns, as a lane holds them.
template <int R, int N> using Sums = float[R][N / 8][4];
__device__ inline int lane_row() { return int(threadIdx.x) % warp / 4; }
__device__ inline int lane_column() { return int(threadIdx.x) % 4 * 2; }

// Calls f(strip, 0 or 8, row of the first strip, column, sum) for every sum of the lane.
template <int R, int N, class F> __device__ void each_sum(Sums<R, N>& sums, F f) {
#pragma unroll
    for (int r = 0; r < R; ++r)
#pragma unroll
        for (int n = 0; n < N / 8; ++n)
#pragma unroll
            for (int i = 0; i < 4; ++i)
                f(r, i / 2, r * strip + i / 2 * 8 + lane_row(), n * 8 + lane_column() + i % 2, sums[r][n][i]);
}
template <int R, int N> __device__ void clear(Sums<R, N>& sums) {
    each_sum<R, N>(sums, [](int, int, int, int, float& sum) { sum = 0; });
}

// Starts copying rows first .. first + rows - 1 of a matrix [T, D] whose rows are `stride` apart to shared memory; rows
// from T on become zero. All threads of the block take part.
template <int D, int rows>
__device__ void load_tile(bf16* to, const bf16* from, std::size_t stride, int first, int T) {
    constexpr int chunks = D / wide<bf16>;
    for (int i = threadIdx.x; i < rows * chunks; i += attention_threads) {
        const int row = i / chunks, column = i % chunks * wide<bf16>;
        const bool there = first + row < T;
        tensor::copy_later(to + row * pitch<D> + column,
                           from + std::size_t(there ? first + row : 0) * stride + column, there);
    }
}

// The right operand of two products, 16 columns of D: of rows that are its columns, or of its own rows.
template <int D> __device__ void load_right(unsigned (&b)[4], const bf16* at) {
    const int lane = threadIdx.x % warp;
    tensor::load_matrices(b, at + (lane % 8 + lane / 16 * 8) * pitch<D> + lane / 8 % 2 * 8);
}
template <int D> __device__ void load_right_transposed(unsigned (&b)[4], const bf16* at) {
    const int lane = threadIdx.x % warp;
    tensor::load_transposed_matrices(b, at + lane % 16 * pitch<D> + lane / 16 * 8);
}

// s[R strips, N] = left[R strips, D] right[N, D]^T
template <int D, int R, int N>
__device__ void multiply_transposed(Sums<R, N>& s, const bf16* left, const bf16* right) {
    const int lane = threadIdx.x % warp;
    clear<R, N>(s);
#pragma unroll
    for (int k = 0; k < D; k += strip) {
        unsigned a[R][4];
#pragma unroll
        for (int r = 0; r < R; ++r)
            tensor::load_matrices(a[r], left + (r * strip + lane % 16) * pitch<D> + k + lane / 16 * 8);
#pragma unroll
        for (int n = 0; n < N; n += 16) {
            unsigned b[4];
            load_right<D>(b, right + n * pitch<D> + k);
#pragma unroll
            for (int r = 0; r < R; ++r) {
                tensor::multiply(s[r][n / 8], a[r], b[0], b[1]);
                tensor::multiply(s[r][n / 8 + 1], a[r], b[2], b[3]);
            }
        }
    }
}

// o[R strips, D] += left[R strips, N] right[N, D]; the sums of `left` are its bf16 operand where they are.
template <int D, int R, int N>
__device__ void accumulate(Sums<R, D>& o, const Sums<R, N>& left, const bf16* right) {
#pragma unroll
    for (int k = 0; k < N; k += 16) {
        unsigned a[R][4];
#pragma unroll
        for (int r = 0; r < R; ++r)
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const float* two = left[r][k / 8 + i / 2] + i % 2 * 2;
                a[r][i] = tensor::pack(two[0], two[1]);
            }
#pragma unroll
        for (int n = 0; n < D; n += 16) {
            unsigned b[4];
            load_right_transposed<D>(b, right + k * pitch<D> + n);
#pragma unroll
            for (int r = 0; r < R; ++r) {
                tensor::multiply(o[r][n / 8], a[r], b[0], b[1]);
                tensor::multiply(o[r][n / 8 + 1], a[r], b[2], b[3]);
            }
        }
    }
}

// A warp's R strips to rows first and on of a matrix [T, D] in global memory, through as many rows of shared memory
// that this warp alone uses.
template <int D, int R>
__device__ void store_strips(bf16* to, std::size_t stride, int first, int T, Sums<R, D>& sums, bf16* through) {
    each_sum<R, D>(sums, [&](int, int, int row, int column, float sum) {
        through[row * pitch<D> + column] = __float2bfloat16(sum);
    });
    __syncwarp();
    constexpr int chunks = D / wide<bf16>;
    for (int i = threadIdx.x % warp; i < R * strip * chunks; i += warp) {
        const int row = i / chunks, column = i % chunks * wide<bf16>;
        if (first + row < T)
            *reinterpret_cast<uint4*>(to + std::size_t(first + row) * stride + column) =
                *reinterpret_cast<const uint4*>(through + row * pitch<D> + column);
    }
}

// exp(x) is 2^(x log2 e): the scale of the scores takes the factor along.
inline constexpr float log2_e = 1.4426950408889634f, ln_2 = 0.6931471805599453f;

}  // namespace plimsoll::device

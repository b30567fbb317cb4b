#pragma once
// Pieces of the fused attention kernels: tiles of 64 rows in shared memory and
// 16 x 16 x 16 matrix products by tensor cores (WMMA), bf16 in, fp32 sums.
//
// A block has four warps; each owns 16 of the tile's 64 rows. How a fragment's
// elements lie in the lanes' registers is not specified, so each lane learns which
// elements it holds by loading a tile that holds their numbers (`FragmentElements`).

#include "rows.cuh"

namespace plimsoll::device {

inline constexpr int tile = 64, strip = 16, attention_threads = 128;
// Elements from one row to the next in shared memory: 16 bytes off a power of two, so that rows fall into different
// banks; 16 rows are a multiple of the 32 bytes that fragments are aligned to.
template <int D> inline constexpr int pitch = D + 8;
inline constexpr int score_pitch = tile + 8;

using Left = wmma::fragment<wmma::matrix_a, 16, 16, 16, bf16, wmma::row_major>;
using Right = wmma::fragment<wmma::matrix_b, 16, 16, 16, bf16, wmma::row_major>;
using RightTransposed = wmma::fragment<wmma::matrix_b, 16, 16, 16, bf16, wmma::col_major>;
using Total = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

// Row and column of each element of a Total that this lane holds.
struct FragmentElements {
    int at[Total::num_elements];
    __device__ int row(int i) const { return at[i] / strip; }
    __device__ int column(int i) const { return at[i] % strip; }
};

// `numbers` is 256 floats of shared memory that this warp alone uses.
__device__ inline FragmentElements learn_layout(float* numbers) {
    for (int i = threadIdx.x % warp; i < strip * strip; i += warp) numbers[i] = float(i);
    __syncwarp();
    Total t;
    wmma::load_matrix_sync(t, numbers, strip, wmma::mem_row_major);
    FragmentElements held;
    for (int i = 0; i < Total::num_elements; ++i) held.at[i] = int(t.x[i]);
    __syncwarp();
    return held;
}

// Rows first .. first + 63 of a matrix [T, D] whose rows are `stride` apart, to shared memory; rows from T on become
// zero. All threads of the block take part; 16 bytes a load.
template <int D> __device__ void load_tile(bf16* to, const bf16* from, std::size_t stride, int first, int T) {
    constexpr int chunks = D / wide<bf16>;
    for (int i = threadIdx.x; i < tile * chunks; i += attention_threads) {
        const int row = i / chunks, column = i % chunks * wide<bf16>;
        uint4 v = make_uint4(0, 0, 0, 0);
        if (first + row < T) v = *reinterpret_cast<const uint4*>(from + std::size_t(first + row) * stride + column);
        *reinterpret_cast<uint4*>(to + row * pitch<D> + column) = v;
    }
}

// A warp's 16 x D totals, each times scale[its row], to rows first .. first + 15 of a matrix [T, D] in global memory,
// through 16 rows of shared memory that this warp alone uses.
template <int D>
__device__ void store_strip(bf16* to, std::size_t stride, int first, int T, const Total (&totals)[D / strip],
                            const float* scale, const FragmentElements& held, bf16* through) {
    for (int n = 0; n < D / strip; ++n)
        for (int i = 0; i < Total::num_elements; ++i) {
            const float factor = scale ? scale[held.row(i)] : 1.0f;
            through[held.row(i) * pitch<D> + n * strip + held.column(i)] = __float2bfloat16(totals[n].x[i] * factor);
        }
    __syncwarp();
    constexpr int chunks = D / wide<bf16>;
    for (int i = threadIdx.x % warp; i < strip * chunks; i += warp) {
        const int row = i / chunks, column = i % chunks * wide<bf16>;
        if (first + row < T)
            *reinterpret_cast<uint4*>(to + std::size_t(first + row) * stride + column) =
                *reinterpret_cast<const uint4*>(through + row * pitch<D> + column);
    }
}

// s[n][16, 16] = left[16, D] right[rows 16 n .. 16 n + 15, D]^T
template <int D, int N> __device__ void multiply_transposed(Total (&s)[N], const bf16* left, const bf16* right) {
#pragma unroll
    for (int n = 0; n < N; ++n) wmma::fill_fragment(s[n], 0.0f);
#pragma unroll
    for (int k = 0; k < D; k += strip) {
        Left a;
        wmma::load_matrix_sync(a, left + k, pitch<D>);
#pragma unroll
        for (int n = 0; n < N; ++n) {
            RightTransposed b;
            wmma::load_matrix_sync(b, right + n * strip * pitch<D> + k, pitch<D>);
            wmma::mma_sync(s[n], a, b, s[n]);
        }
    }
}

// o[16, D] += left[16, 64] right[64, D]; left has score_pitch.
template <int D> __device__ void accumulate(Total (&o)[D / strip], const bf16* left, const bf16* right) {
#pragma unroll
    for (int k = 0; k < tile; k += strip) {
        Left a;
        wmma::load_matrix_sync(a, left + k, score_pitch);
#pragma unroll
        for (int n = 0; n < D / strip; ++n) {
            Right b;
            wmma::load_matrix_sync(b, right + k * pitch<D> + n * strip, pitch<D>);
            wmma::mma_sync(o[n], a, b, o[n]);
        }
    }
}

// exp(x) is 2^(x log2 e): the scale of the scores takes the factor along.
inline constexpr float log2_e = 1.4426950408889634f, ln_2 = 0.6931471805599453f;

}  // namespace plimsoll::device

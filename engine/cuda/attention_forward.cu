// Fused causal attention, forward: scores never leave the registers.
//
// Dao et al. 2022 (FlashAttention), query tiles outside as in Dao 2023: a block
// walks over the key tiles at or before its queries, keeps each row's running
// maximum and sum, and rescales what it has when the maximum grows. The next tile
// is on its way while one is at work.
#include "names.h"
#if !defined(PLIMSOLL_NO_TILES)
#include "attention_tiles.cuh"
#include "device.cuh"

#include <cmath>

namespace plimsoll::device {

namespace {

constexpr int query_strips = 2, rows_of_warp = query_strips * strip, rows_of_block = attention_warps * rows_of_warp;

template <int D> struct ForwardShared {
    bf16 q[rows_of_block * pitch<D>], k[2][tile * pitch<D>], v[2][tile * pitch<D>];
};

// Of the two rows that a lane has of each strip. The sum is of the lane's own columns, and of all four lanes of the row
// at the end.
struct RowStates {
    float maximum[query_strips][2], sum[query_strips][2];
};

// Every one of the four lanes that share a row receives the result.
template <class Operation> __device__ float over_row(float v, Operation both) {
    v = both(v, __shfl_xor_sync(0xffffffffu, v, 1, warp));
    return both(v, __shfl_xor_sync(0xffffffffu, v, 2, warp));
}

// Scores become probabilities exp(c (s - maximum)); what came before is rescaled. Keys behind a query are not seen;
// `ahead` is how far the first query lies behind the first key.
template <int D>
__device__ void exponentiate(Sums<query_strips, tile>& s, Sums<query_strips, D>& o, RowStates& state, float c,
                             int ahead) {
    float highest[query_strips][2], rescale[query_strips][2];
    if (ahead < tile - 1)
        each_sum<query_strips, tile>(s, [&](int, int, int row, int column, float& score) {
            if (column > row + ahead) score = -INFINITY;
        });
#pragma unroll
    for (int r = 0; r < query_strips; ++r)
#pragma unroll
        for (int h = 0; h < 2; ++h) highest[r][h] = state.maximum[r][h];
    each_sum<query_strips, tile>(s, [&](int r, int h, int, int, float score) {
        highest[r][h] = fmaxf(highest[r][h], score);
    });
#pragma unroll
    for (int r = 0; r < query_strips; ++r)
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            highest[r][h] = over_row(highest[r][h], Max{});  // finite: the first key is always seen
            rescale[r][h] = tensor::power_of_two((state.maximum[r][h] - highest[r][h]) * c);
            state.maximum[r][h] = highest[r][h];
            state.sum[r][h] *= rescale[r][h];
            highest[r][h] *= c;
        }
    each_sum<query_strips, tile>(s, [&](int r, int h, int, int, float& score) {
        score = tensor::power_of_two(score * c - highest[r][h]);
        state.sum[r][h] += score;
    });
    each_sum<query_strips, D>(o, [&](int r, int h, int, int, float& sum) { sum *= rescale[r][h]; });
}

template <int D>
__global__ void __launch_bounds__(attention_threads)
    forward_tiles(bf16* out, float* logsum, const bf16* qkv, AttentionShape shape) {
    PLIMSOLL_SHARED(memory);
    ForwardShared<D>& shared = *reinterpret_cast<ForwardShared<D>*>(memory);
    const int b = blockIdx.z, h = blockIdx.y, T = shape.T;
    const int first = int(gridDim.x - 1 - blockIdx.x) * rows_of_block;  // the longest first
    const int of_warp = threadIdx.x / warp * rows_of_warp, kv = h / (shape.H / shape.K);
    const std::size_t stride = std::size_t(shape.H + 2 * shape.K) * D;
    const bf16* sequence = qkv + std::size_t(b) * T * stride;
    const bf16 *keys = sequence + std::size_t(shape.H + kv) * D, *values = keys + std::size_t(shape.K) * D;
    bf16* queries = shared.q + of_warp * pitch<D>;
    const float c = log2_e / sqrtf(float(D));
    const int tiles = (min(first + rows_of_block, T) + tile - 1) / tile;
    const auto fetch = [&](int n) {
        if (n < tiles) {
            load_tile<D, tile>(shared.k[n % 2], keys, stride, n * tile, T);
            load_tile<D, tile>(shared.v[n % 2], values, stride, n * tile, T);
        }
        tensor::end_group();
    };

    load_tile<D, rows_of_block>(shared.q, sequence + std::size_t(h) * D, stride, first, T);
    fetch(0);
    RowStates state;
    for (int r = 0; r < query_strips; ++r)
        for (int i = 0; i < 2; ++i) {
            state.maximum[r][i] = -INFINITY;
            state.sum[r][i] = 0;
        }
    Sums<query_strips, D> o;
    clear<query_strips, D>(o);
    for (int n = 0; n < tiles; ++n) {
        fetch(n + 1);
        tensor::wait_for_groups<1>();
        __syncthreads();
        const int ahead = first + of_warp - n * tile;
        if (ahead + rows_of_warp > 0) {  // some query of this warp sees the tile
            Sums<query_strips, tile> s;
            multiply_transposed<D, query_strips, tile>(s, queries, shared.k[n % 2]);
            exponentiate<D>(s, o, state, c, ahead);
            accumulate<D, query_strips, tile>(o, s, shared.v[n % 2]);
        }
        __syncthreads();  // before the tile after the next takes its place
    }
#pragma unroll
    for (int r = 0; r < query_strips; ++r)
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const float sum = over_row(state.sum[r][i], Sum{});
            const int query = first + of_warp + r * strip + i * 8 + lane_row();
            if (lane_column() == 0 && query < T)
                logsum[(std::size_t(b) * shape.H + h) * T + query] = state.maximum[r][i] * c * ln_2 + logf(sum);
            state.sum[r][i] = 1 / sum;
        }
    each_sum<query_strips, D>(o, [&](int r, int i, int, int, float& sum) { sum *= state.sum[r][i]; });
    const std::size_t wide_row = std::size_t(shape.H) * D;
    store_strips<D, query_strips>(out + std::size_t(b) * T * wide_row + std::size_t(h) * D, wide_row, first + of_warp,
                                  T, o, queries);
}

}  // namespace

template <int D> int attention_fused(bf16* out, float* logsum, const bf16* qkv, AttentionShape s) {
    constexpr std::size_t bytes = sizeof(ForwardShared<D>);
    PLIMSOLL_TRY(cudaFuncSetAttribute(forward_tiles<D>, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)));
    return launch(forward_tiles<D>, dim3(blocks_for(s.T, rows_of_block), s.H, s.B), dim3(attention_threads), bytes,
                  out, logsum, qkv, s);
}

template int attention_fused<64>(bf16*, float*, const bf16*, AttentionShape);
template int attention_fused<128>(bf16*, float*, const bf16*, AttentionShape);

}  // namespace plimsoll::device
#endif

// Fused causal attention, backward: scores are recomputed from the row's logsum.
//
// p = exp(scale q k - logsum); dv += p^T do; ds = p (do v^T - delta);
// dq += scale ds k; dk += scale ds^T q (Dao et al. 2022, algorithm 4). One kernel owns query
// tiles and one owns key tiles, so nothing is added to by two blocks: seven
// products instead of five, no atomics, the same bits every time. The next tile is
// on its way while one is at work.
#include "names.h"
#if !defined(PLIMSOLL_NO_TILES)
#include "attention_tiles.cuh"
#include "device.cuh"

#include <cmath>

namespace plimsoll::device {

namespace {

// What a lane's registers hold: strips of a warp, and how many columns of scores at once.
template <int D> constexpr int strips = D == 64 ? 2 : 1;
template <int D> constexpr int at_once = tile / strips<D>;
template <int D> constexpr int own_rows = attention_warps * strips<D> * strip;  // of a block

// The block's own rows of two matrices, and the tiles of two others that it walks over.
template <int D> struct BackwardShared {
    bf16 own[2][own_rows<D> * pitch<D>], walked[2][2][tile * pitch<D>];
    float logsum[2][tile], delta[2][tile];  // of walked rows, where these are queries
};

// Where things of one key head or query head lie; blockIdx.z is a sequence.
struct Heads {
    std::size_t stride, out_stride, origin, out_origin, rows;
    int T;
    template <class Integer> __device__ Heads(AttentionShape s, Integer D)
        : stride(std::size_t(s.H + 2 * s.K) * D), out_stride(std::size_t(s.H) * D),
          origin(std::size_t(blockIdx.z) * s.T * stride), out_origin(std::size_t(blockIdx.z) * s.T * out_stride),
          rows(std::size_t(blockIdx.z) * s.H * s.T), T(s.T) {}
};

// A row's logsum in units of log 2; past the end one that makes every probability zero.
__device__ float logsum_of(const float* logsum, std::size_t rows, int t, int T) {
    return t < T ? logsum[rows + t] * log2_e : INFINITY;
}

// Probabilities of pairs that are not seen become zero. What they were is finite or infinite, not NaN.
template <int R, int N, class Seen> __device__ void forget_unseen(Sums<R, N>& probabilities, Seen seen) {
    each_sum<R, N>(probabilities, [&](int, int, int row, int column, float& p) {
        if (!seen(row, column)) p = 0;
    });
}

template <int D>
__global__ void __launch_bounds__(attention_threads)
    query_tiles(bf16* dqkv, const bf16* dout, const float* delta, const float* logsum, const bf16* qkv,
                AttentionShape shape) {
    PLIMSOLL_SHARED(memory);
    BackwardShared<D>& shared = *reinterpret_cast<BackwardShared<D>*>(memory);
    constexpr int R = strips<D>, N = at_once<D>;
    const Heads at(shape, D);
    const int h = blockIdx.y, first = int(gridDim.x - 1 - blockIdx.x) * own_rows<D>, T = shape.T;
    const int of_warp = threadIdx.x / warp * R * strip;
    const std::size_t queries = at.origin + std::size_t(h) * D, rows = at.rows + std::size_t(h) * T;
    const bf16 *keys = qkv + at.origin + std::size_t(shape.H + h / (shape.H / shape.K)) * D,
               *values = keys + std::size_t(shape.K) * D;
    const float scale = 1 / sqrtf(float(D)), c = scale * log2_e;
    const int tiles = (min(first + own_rows<D>, T) + tile - 1) / tile;
    const auto fetch = [&](int n) {
        if (n < tiles) {
            load_tile<D, tile>(shared.walked[n % 2][0], keys, at.stride, n * tile, T);
            load_tile<D, tile>(shared.walked[n % 2][1], values, at.stride, n * tile, T);
        }
        tensor::end_group();
    };

    load_tile<D, own_rows<D>>(shared.own[0], qkv + queries, at.stride, first, T);
    load_tile<D, own_rows<D>>(shared.own[1], dout + at.out_origin + std::size_t(h) * D, at.out_stride, first, T);
    fetch(0);
    float own_logsum[R][2], own_delta[R][2];
#pragma unroll
    for (int r = 0; r < R; ++r)
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const int t = first + of_warp + r * strip + i * 8 + lane_row();
            own_logsum[r][i] = logsum_of(logsum, rows, t, T);
            own_delta[r][i] = t < T ? delta[rows + t] : 0.0f;
        }
    bf16 *q = shared.own[0] + of_warp * pitch<D>, *d = shared.own[1] + of_warp * pitch<D>;
    Sums<R, D> dq;
    clear<R, D>(dq);
    for (int n = 0; n < tiles; ++n) {
        fetch(n + 1);
        tensor::wait_for_groups<1>();
        __syncthreads();
        for (int part = 0; part < tile; part += N) {
            const int ahead = first + of_warp - n * tile - part;  // how far the first query lies behind the first key
            if (ahead + R * strip <= 0) break;                    // no query of this warp sees these keys
            const bf16 *k = shared.walked[n % 2][0] + part * pitch<D>, *v = shared.walked[n % 2][1] + part * pitch<D>;
            Sums<R, N> s, dp;
            multiply_transposed<D, R, N>(s, q, k);
            multiply_transposed<D, R, N>(dp, d, v);
            each_sum<R, N>(s, [&](int r, int i, int, int, float& score) {
                score = tensor::power_of_two(score * c - own_logsum[r][i]);
            });
            if (ahead < N - 1) forget_unseen<R, N>(s, [&](int row, int column) { return column <= row + ahead; });
#pragma unroll
            for (int r = 0; r < R; ++r)
#pragma unroll
                for (int m = 0; m < N / 8; ++m)
#pragma unroll
                    for (int i = 0; i < 4; ++i) s[r][m][i] *= dp[r][m][i] - own_delta[r][i / 2];
            accumulate<D, R, N>(dq, s, k);
        }
        __syncthreads();  // before the tile after the next takes its place
    }
    each_sum<R, D>(dq, [&](int, int, int, int, float& sum) { sum *= scale; });
    store_strips<D, R>(dqkv + queries, at.stride, first + of_warp, T, dq, q);
}

template <int D>
__global__ void __launch_bounds__(attention_threads)
    key_tiles(bf16* dqkv, const bf16* dout, const float* delta, const float* logsum, const bf16* qkv,
              AttentionShape shape) {
    PLIMSOLL_SHARED(memory);
    BackwardShared<D>& shared = *reinterpret_cast<BackwardShared<D>*>(memory);
    constexpr int R = strips<D>, N = at_once<D>;
    const Heads at(shape, D);
    const int kv = blockIdx.y, first = int(blockIdx.x) * own_rows<D>, T = shape.T, group = shape.H / shape.K;
    const int of_warp = threadIdx.x / warp * R * strip;
    const std::size_t keys = at.origin + std::size_t(shape.H + kv) * D, values = keys + std::size_t(shape.K) * D;
    const float scale = 1 / sqrtf(float(D)), c = scale * log2_e;
    const int tiles = (T - first + tile - 1) / tile, all = group * tiles;  // the queries of one head after another's
    const auto query_of = [&](int n) { return first + n % tiles * tile; };
    const auto fetch = [&](int n) {
        if (n < all) {
            const int h = kv * group + n / tiles, query = query_of(n);
            load_tile<D, tile>(shared.walked[n % 2][0], qkv + at.origin + std::size_t(h) * D, at.stride, query, T);
            load_tile<D, tile>(shared.walked[n % 2][1], dout + at.out_origin + std::size_t(h) * D, at.out_stride, query,
                               T);
            const int i = threadIdx.x, t = query + i;
            if (i < tile) {
                const std::size_t rows = at.rows + std::size_t(h) * T;
                shared.logsum[n % 2][i] = logsum_of(logsum, rows, t, T);
                shared.delta[n % 2][i] = t < T ? delta[rows + t] : 0.0f;
            }
        }
        tensor::end_group();
    };

    load_tile<D, own_rows<D>>(shared.own[0], qkv + keys, at.stride, first, T);
    load_tile<D, own_rows<D>>(shared.own[1], qkv + values, at.stride, first, T);
    fetch(0);
    bf16 *k = shared.own[0] + of_warp * pitch<D>, *v = shared.own[1] + of_warp * pitch<D>;
    Sums<R, D> dk, dv;
    clear<R, D>(dk);
    clear<R, D>(dv);
    for (int n = 0; n < all; ++n) {
        fetch(n + 1);
        tensor::wait_for_groups<1>();
        __syncthreads();
        for (int part = 0; part < tile; part += N) {
            // How far the first key lies before the first query; none of these queries may see a key of this warp.
            const int behind = query_of(n) + part - first - of_warp;
            if (behind + N <= 0) continue;
            const bf16 *q = shared.walked[n % 2][0] + part * pitch<D>, *d = shared.walked[n % 2][1] + part * pitch<D>;
            const float *of_logsum = shared.logsum[n % 2] + part, *of_delta = shared.delta[n % 2] + part;
            Sums<R, N> p, ds;  // transposed: rows are keys
            multiply_transposed<D, R, N>(p, k, q);
            each_sum<R, N>(p, [&](int, int, int, int column, float& score) {
                score = tensor::power_of_two(score * c - of_logsum[column]);
            });
            if (behind < R * strip - 1)
                forget_unseen<R, N>(p, [&](int row, int column) { return row <= column + behind; });
            accumulate<D, R, N>(dv, p, d);
            multiply_transposed<D, R, N>(ds, v, d);
#pragma unroll
            for (int r = 0; r < R; ++r)
#pragma unroll
                for (int m = 0; m < N / 8; ++m)
#pragma unroll
                    for (int i = 0; i < 4; ++i)
                        ds[r][m][i] = p[r][m][i] * (ds[r][m][i] - of_delta[m * 8 + lane_column() + i % 2]);
            accumulate<D, R, N>(dk, ds, q);
        }
        __syncthreads();  // before the tile after the next takes its place
    }
    each_sum<R, D>(dk, [&](int, int, int, int, float& sum) { sum *= scale; });
    store_strips<D, R>(dqkv + keys, at.stride, first + of_warp, T, dk, k);
    store_strips<D, R>(dqkv + values, at.stride, first + of_warp, T, dv, v);
}

}  // namespace

template <int D>
int attention_fused_gradient(bf16* dqkv, const bf16* dout, const float* delta, const float* logsum, const bf16* qkv,
                             AttentionShape s) {
    constexpr std::size_t bytes = sizeof(BackwardShared<D>);
    PLIMSOLL_TRY(cudaFuncSetAttribute(query_tiles<D>, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)));
    PLIMSOLL_TRY(cudaFuncSetAttribute(key_tiles<D>, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)));
    const unsigned tiles = blocks_for(s.T, own_rows<D>);
    PLIMSOLL_PASS(launch(query_tiles<D>, dim3(tiles, s.H, s.B), dim3(attention_threads), bytes, dqkv, dout, delta,
                         logsum, qkv, s));
    return launch(key_tiles<D>, dim3(tiles, s.K, s.B), dim3(attention_threads), bytes, dqkv, dout, delta, logsum, qkv,
                  s);
}

template int attention_fused_gradient<64>(bf16*, const bf16*, const float*, const float*, const bf16*, AttentionShape);
template int attention_fused_gradient<128>(bf16*, const bf16*, const float*, const float*, const bf16*, AttentionShape);

}  // namespace plimsoll::device
#endif

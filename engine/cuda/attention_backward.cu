// Fused causal attention, backward: scores are recomputed from the row's logsum.
//
// p = exp(scale q k - logsum); dv += p^T do; ds = p (do v^T - delta) scale;
// dq += ds k; dk += ds^T q (Dao et al. 2022, algorithm 4). One kernel owns query
// tiles and one owns key tiles, so nothing is added to by two blocks: seven
// products instead of five, no atomics, the same bits every time.
#include "names.h"
#if !defined(PLIMSOLL_NO_TILES)
#include "attention_tiles.cuh"
#include "device.cuh"

#include <cmath>

namespace plimsoll::device {

namespace {

constexpr int strips = tile / strip;
// How many 16-wide blocks of scores a warp holds in registers at once, beside its totals.
template <int D> constexpr int at_once = D == 64 ? 2 : 1;

template <int D> struct QueryShared {
    bf16 q[tile * pitch<D>], d[tile * pitch<D>], k[tile * pitch<D>], v[tile * pitch<D>];
    bf16 ds[tile * score_pitch];  // of each warp 16 rows
    float logsum[tile], delta[tile];
};

template <int D> struct KeyShared {
    bf16 q[tile * pitch<D>], d[tile * pitch<D>], k[tile * pitch<D>], v[tile * pitch<D>];
    bf16 p[tile * score_pitch], ds[tile * score_pitch];  // transposed: rows are keys
    float logsum[tile], delta[tile];
};

// A row's logsum in units of log 2, and its delta; past the end a logsum that makes every probability zero.
__device__ void load_rows(float* logsum, float* delta, const float* all_logsum, const float* all_delta, std::size_t row,
                          int first, int T) {
    const int i = threadIdx.x;
    if (i >= tile) return;
    logsum[i] = first + i < T ? all_logsum[row + first + i] * log2_e : INFINITY;
    delta[i] = first + i < T ? all_delta[row + first + i] : 0.0f;
}

template <int D>
__global__ void __launch_bounds__(attention_threads)
    query_tiles(bf16* dqkv, const bf16* dout, const float* delta, const float* logsum, const bf16* qkv,
                AttentionShape shape) {
    PLIMSOLL_SHARED(memory);
    QueryShared<D>& shared = *reinterpret_cast<QueryShared<D>*>(memory);
    const int b = blockIdx.z, h = blockIdx.y, first = int(gridDim.x - 1 - blockIdx.x) * tile, w = threadIdx.x / warp,
              T = shape.T;
    const std::size_t stride = std::size_t(shape.H + 2 * shape.K) * D, out_stride = std::size_t(shape.H) * D;
    const std::size_t origin = std::size_t(b) * T * stride, queries = origin + std::size_t(h) * D;
    const std::size_t keys = origin + std::size_t(shape.H + h / (shape.H / shape.K)) * D,
                      values = keys + std::size_t(shape.K) * D;
    const float scale = 1 / sqrtf(float(D)), c = scale * log2_e;

    load_tile<D>(shared.q, qkv + queries, stride, first, T);
    load_tile<D>(shared.d, dout + std::size_t(b) * T * out_stride + std::size_t(h) * D, out_stride, first, T);
    load_rows(shared.logsum, shared.delta, logsum, delta, (std::size_t(b) * shape.H + h) * T, first, T);
    const FragmentElements held = learn_layout(reinterpret_cast<float*>(shared.ds + w * strip * score_pitch));
    bf16 *q = shared.q + w * strip * pitch<D>, *d = shared.d + w * strip * pitch<D>,
         *ds = shared.ds + w * strip * score_pitch;
    Total dq[D / strip];
    for (int n = 0; n < D / strip; ++n) wmma::fill_fragment(dq[n], 0.0f);
    for (int key = 0; key <= first; key += tile) {
        __syncthreads();
        load_tile<D>(shared.k, qkv + keys, stride, key, T);
        load_tile<D>(shared.v, qkv + values, stride, key, T);
        __syncthreads();
        for (int n = 0; n < strips; n += at_once<D>) {
            Total s[at_once<D>], dp[at_once<D>];
            multiply_transposed<D>(s, q, shared.k + n * strip * pitch<D>);
            multiply_transposed<D>(dp, d, shared.v + n * strip * pitch<D>);
            for (int j = 0; j < at_once<D>; ++j)
                for (int i = 0; i < Total::num_elements; ++i) {
                    const int row = w * strip + held.row(i), column = (n + j) * strip + held.column(i);
                    const bool seen = key + column <= first + row;
                    const float p = seen ? exp2f(s[j].x[i] * c - shared.logsum[row]) : 0.0f;
                    ds[held.row(i) * score_pitch + column] =
                        __float2bfloat16(p * (dp[j].x[i] - shared.delta[row]) * scale);
                }
        }
        __syncwarp();
        accumulate<D>(dq, ds, shared.k);
    }
    __syncwarp();
    store_strip<D>(dqkv + queries, stride, first + w * strip, T, dq, nullptr, held, q);
}

template <int D>
__global__ void __launch_bounds__(attention_threads)
    key_tiles(bf16* dqkv, const bf16* dout, const float* delta, const float* logsum, const bf16* qkv,
              AttentionShape shape) {
    PLIMSOLL_SHARED(memory);
    KeyShared<D>& shared = *reinterpret_cast<KeyShared<D>*>(memory);
    const int b = blockIdx.z, kv = blockIdx.y, first = int(blockIdx.x) * tile, w = threadIdx.x / warp, T = shape.T;
    const int group = shape.H / shape.K;
    const std::size_t stride = std::size_t(shape.H + 2 * shape.K) * D, out_stride = std::size_t(shape.H) * D;
    const std::size_t origin = std::size_t(b) * T * stride, keys = origin + std::size_t(shape.H + kv) * D;
    const std::size_t values = keys + std::size_t(shape.K) * D;
    const float scale = 1 / sqrtf(float(D)), c = scale * log2_e;

    load_tile<D>(shared.k, qkv + keys, stride, first, T);
    load_tile<D>(shared.v, qkv + values, stride, first, T);
    const FragmentElements held = learn_layout(reinterpret_cast<float*>(shared.ds + w * strip * score_pitch));
    bf16 *k = shared.k + w * strip * pitch<D>, *v = shared.v + w * strip * pitch<D>;
    bf16 *p = shared.p + w * strip * score_pitch, *ds = shared.ds + w * strip * score_pitch;
    Total dk[D / strip], dv[D / strip];
    for (int n = 0; n < D / strip; ++n) {
        wmma::fill_fragment(dk[n], 0.0f);
        wmma::fill_fragment(dv[n], 0.0f);
    }
    for (int h = kv * group; h < (kv + 1) * group; ++h)
        for (int query = first; query < T; query += tile) {
            __syncthreads();
            load_tile<D>(shared.q, qkv + origin + std::size_t(h) * D, stride, query, T);
            load_tile<D>(shared.d, dout + std::size_t(b) * T * out_stride + std::size_t(h) * D, out_stride, query, T);
            load_rows(shared.logsum, shared.delta, logsum, delta, (std::size_t(b) * shape.H + h) * T, query, T);
            __syncthreads();
            for (int n = 0; n < strips; n += at_once<D>) {
                Total s[at_once<D>], dp[at_once<D>];
                multiply_transposed<D>(s, k, shared.q + n * strip * pitch<D>);
                multiply_transposed<D>(dp, v, shared.d + n * strip * pitch<D>);
                for (int j = 0; j < at_once<D>; ++j)
                    for (int i = 0; i < Total::num_elements; ++i) {
                        const int row = w * strip + held.row(i), column = (n + j) * strip + held.column(i);
                        const bool seen = first + row <= query + column;
                        const float one = seen ? exp2f(s[j].x[i] * c - shared.logsum[column]) : 0.0f;
                        const int at = held.row(i) * score_pitch + column;
                        p[at] = __float2bfloat16(one);
                        ds[at] = __float2bfloat16(one * (dp[j].x[i] - shared.delta[column]) * scale);
                    }
            }
            __syncwarp();
            accumulate<D>(dv, p, shared.d);
            accumulate<D>(dk, ds, shared.q);
        }
    __syncwarp();
    store_strip<D>(dqkv + keys, stride, first + w * strip, T, dk, nullptr, held, k);
    store_strip<D>(dqkv + values, stride, first + w * strip, T, dv, nullptr, held, v);
}

}  // namespace

template <int D>
int attention_fused_gradient(bf16* dqkv, const bf16* dout, const float* delta, const float* logsum, const bf16* qkv,
                             AttentionShape s) {
    constexpr std::size_t for_queries = sizeof(QueryShared<D>), for_keys = sizeof(KeyShared<D>);
    PLIMSOLL_TRY(cudaFuncSetAttribute(query_tiles<D>, cudaFuncAttributeMaxDynamicSharedMemorySize, int(for_queries)));
    PLIMSOLL_TRY(cudaFuncSetAttribute(key_tiles<D>, cudaFuncAttributeMaxDynamicSharedMemorySize, int(for_keys)));
    const unsigned tiles = blocks_for(s.T, tile);
    PLIMSOLL_PASS(launch(query_tiles<D>, dim3(tiles, s.H, s.B), dim3(attention_threads), for_queries, dqkv, dout, delta,
                         logsum, qkv, s));
    return launch(key_tiles<D>, dim3(tiles, s.K, s.B), dim3(attention_threads), for_keys, dqkv, dout, delta, logsum,
                  qkv, s);
}

template int attention_fused_gradient<64>(bf16*, const bf16*, const float*, const float*, const bf16*, AttentionShape);
template int attention_fused_gradient<128>(bf16*, const bf16*, const float*, const float*, const bf16*, AttentionShape);

}  // namespace plimsoll::device
#endif

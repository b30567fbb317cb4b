// Fused causal attention, forward: scores never leave the chip.
//
// Dao et al. 2022 (FlashAttention), query tiles outside as in Dao 2023: a block
// walks over the key tiles at or before its 64 queries, keeps each row's running
// maximum and sum, and rescales what it has when the maximum grows.
#include "names.h"
#if !defined(PLIMSOLL_NO_TILES)
#include "attention_tiles.cuh"
#include "device.cuh"

#include <cmath>

namespace plimsoll::device {

namespace {

template <int D> struct ForwardShared {
    bf16 q[tile * pitch<D>], k[tile * pitch<D>], v[tile * pitch<D>];
    float scores[tile * score_pitch];  // of each warp 16 rows: fp32 scores, then in their place bf16 probabilities
    float factor[tile];                // what a row's output is multiplied by
};

// One row of scores is shared by two lanes, which take every other group of four columns.
struct RowState {
    float maximum = -INFINITY, sum = 0;
};

// Scores [16, 64] to probabilities exp(c (s - maximum)) in bf16, in the same place; factor[row] rescales what came
// before. `allowed` is the last column that the lane's row may see.
__device__ void rescale_and_exponentiate(float* scores, float* factor, RowState& state, float c, int allowed) {
    const int lane = threadIdx.x % warp, row = lane / 2, half = lane % 2;
    float s[tile / 2], highest = state.maximum;
#pragma unroll
    for (int i = 0; i < tile / 2; ++i) {
        const int column = i / 4 * 8 + half * 4 + i % 4;
        s[i] = column <= allowed ? scores[row * score_pitch + column] : -INFINITY;
        highest = fmaxf(highest, s[i]);
    }
    highest = fmaxf(highest, __shfl_xor_sync(0xffffffffu, highest, 1, warp));  // finite: column 0 is always allowed
    const float rescale = exp2f((state.maximum - highest) * c);
    __syncwarp();  // everyone has read
    bf16* probabilities = reinterpret_cast<bf16*>(scores);
    float sum = 0;
#pragma unroll
    for (int i = 0; i < tile / 2; ++i) {
        const float p = exp2f((s[i] - highest) * c);
        sum += p;
        probabilities[row * score_pitch + i / 4 * 8 + half * 4 + i % 4] = __float2bfloat16(p);
    }
    state.sum = state.sum * rescale + sum + __shfl_xor_sync(0xffffffffu, sum, 1, warp);
    state.maximum = highest;
    if (half == 0) factor[row] = rescale;
    __syncwarp();
}

template <int D>
__global__ void __launch_bounds__(attention_threads)
    forward_tiles(bf16* out, float* logsum, const bf16* qkv, AttentionShape shape) {
    PLIMSOLL_SHARED(memory);
    ForwardShared<D>& shared = *reinterpret_cast<ForwardShared<D>*>(memory);
    const int b = blockIdx.z, h = blockIdx.y, first = int(gridDim.x - 1 - blockIdx.x) * tile;  // the longest first
    const int w = threadIdx.x / warp, lane = threadIdx.x % warp, T = shape.T;
    const int kv = h / (shape.H / shape.K);
    const std::size_t stride = std::size_t(shape.H + 2 * shape.K) * D;
    const bf16* sequence = qkv + std::size_t(b) * T * stride;
    const bf16 *keys = sequence + std::size_t(shape.H + kv) * D, *values = keys + std::size_t(shape.K) * D;
    float *scores = shared.scores + w * strip * score_pitch, *factor = shared.factor + w * strip;
    bf16* queries = shared.q + w * strip * pitch<D>;
    const float c = log2_e / sqrtf(float(D));

    load_tile<D>(shared.q, sequence + std::size_t(h) * D, stride, first, T);
    const FragmentElements held = learn_layout(scores);
    const int query = first + w * strip + lane / 2;
    RowState state;
    Total o[D / strip];
    for (int n = 0; n < D / strip; ++n) wmma::fill_fragment(o[n], 0.0f);
    for (int key = 0; key <= first; key += tile) {
        __syncthreads();
        load_tile<D>(shared.k, keys, stride, key, T);
        load_tile<D>(shared.v, values, stride, key, T);
        __syncthreads();
        Total s[tile / strip];
        multiply_transposed<D>(s, queries, shared.k);
        for (int n = 0; n < tile / strip; ++n)
            wmma::store_matrix_sync(scores + n * strip, s[n], score_pitch, wmma::mem_row_major);
        __syncwarp();
        rescale_and_exponentiate(scores, factor, state, c, query - key);
        for (int n = 0; n < D / strip; ++n)
            for (int i = 0; i < Total::num_elements; ++i) o[n].x[i] *= factor[held.row(i)];
        accumulate<D>(o, reinterpret_cast<const bf16*>(scores), shared.v);
        __syncwarp();
    }
    if (lane % 2 == 0) {
        factor[lane / 2] = 1 / state.sum;
        if (query < T) logsum[(std::size_t(b) * shape.H + h) * T + query] = state.maximum * c * ln_2 + logf(state.sum);
    }
    __syncwarp();
    const std::size_t wide_row = std::size_t(shape.H) * D;
    store_strip<D>(out + std::size_t(b) * T * wide_row + std::size_t(h) * D, wide_row, first + w * strip, T, o, factor,
                   held, queries);
}

}  // namespace

template <int D> int attention_fused(bf16* out, float* logsum, const bf16* qkv, AttentionShape s) {
    constexpr std::size_t bytes = sizeof(ForwardShared<D>);
    PLIMSOLL_TRY(cudaFuncSetAttribute(forward_tiles<D>, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)));
    return launch(forward_tiles<D>, dim3(blocks_for(s.T, tile), s.H, s.B), dim3(attention_threads), bytes, out, logsum,
                  qkv, s);
}

template int attention_fused<64>(bf16*, float*, const bf16*, AttentionShape);
template int attention_fused<128>(bf16*, float*, const bf16*, AttentionShape);

}  // namespace plimsoll::device
#endif

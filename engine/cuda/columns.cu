// Sums down the columns of a matrix, for the gradients of biases and norm gains:
// slabs of rows first, then the slabs in order. No atomics, so the same bits every time.
#include "operations.h"
#include "rows.cuh"

#include <algorithm>

namespace plimsoll::device {

namespace {

constexpr int across = 32, down = 8, most_slabs = 64;

int slab_rows(int R) { return std::max(64, (R + most_slabs - 1) / most_slabs); }

// plain[slab, c] = sum of dy, scaled[slab, c] = sum of dy x-hat over the rows of the slab; either may be null.
template <class Real>
__global__ void slab_sums(float* plain, float* scaled, const Real* dy, const Real* x, const float* stats, int R, int C, int slab) {
    __shared__ float part[2][down][across + 1];
    const int c = blockIdx.x * across + threadIdx.x;
    const int end = min(R, int(blockIdx.y + 1) * slab);
    float sum = 0, along = 0;
    if (c < C)
        for (int r = blockIdx.y * slab + threadIdx.y; r < end; r += down) {
            const std::size_t at = std::size_t(r) * C + c;
            const float d = to_float(dy[at]);
            sum += d;
            if (scaled) along += d * (to_float(x[at]) - stats[2 * std::size_t(r)]) * stats[2 * std::size_t(r) + 1];
        }
    part[0][threadIdx.y][threadIdx.x] = sum;
    part[1][threadIdx.y][threadIdx.x] = along;
    __syncthreads();
    if (threadIdx.y != 0 || c >= C) return;
    for (int i = 1; i < down; ++i) sum += part[0][i][threadIdx.x], along += part[1][i][threadIdx.x];
    const std::size_t to = std::size_t(blockIdx.y) * C + c;
    if (plain) plain[to] = sum;
    if (scaled) scaled[to] = along;
}

// out[c] += partial[0, c] + partial[1, c] + ...
__global__ void add_slabs(float* out, const float* partial, int slabs, int C) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= C) return;
    float sum = 0;
    for (int s = 0; s < slabs; ++s) sum += partial[std::size_t(s) * C + c];
    out[c] += sum;
}

template <class Real> int column_sums(float* plain, float* scaled, const Real* dy, const Real* x, const float* stats, int R, int C) {
    const int slab = slab_rows(R), slabs = int(blocks_for(R, slab));
    const std::size_t each = std::size_t(slabs) * C;
    float* partial = static_cast<float*>(scratch(2 * each * sizeof(float)));
    if (!partial) return plimsoll_memory;
    float *first = plain ? partial : nullptr, *second = scaled ? partial + each : nullptr;
    PLIMSOLL_PASS(launch(slab_sums<Real>, dim3(blocks_for(C, across), slabs), dim3(across, down), 0, first, second, dy, x, stats, R, C,
                         slab));
    if (plain) PLIMSOLL_PASS(launch(add_slabs, dim3(blocks_for(C, 128)), dim3(128), 0, plain, first, slabs, C));
    if (scaled) PLIMSOLL_PASS(launch(add_slabs, dim3(blocks_for(C, 128)), dim3(128), 0, scaled, second, slabs, C));
    return plimsoll_ok;
}

}  // namespace

template <class Real> int bias_gradient(float* db, const Real* dy, int m, int n) {
    return column_sums<Real>(db, nullptr, dy, nullptr, nullptr, m, n);
}

template <class Real> int norm_parameters(float* dgain, float* dbias, const Real* dy, const Real* x, const float* stats, int R, int C) {
    return column_sums<Real>(dbias, dgain, dy, x, stats, R, C);
}

#define PLIMSOLL_FOR(Real)                                      \
    template int bias_gradient(float*, const Real*, int, int); \
    template int norm_parameters(float*, float*, const Real*, const Real*, const float*, int, int);
PLIMSOLL_FOR(bf16)
PLIMSOLL_FOR(float)

}  // namespace plimsoll::device

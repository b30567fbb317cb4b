// LayerNorm and RMSNorm, forward, backward and again: one warp a row. Their parameters'
// gradients and those of biases are sums down columns: slabs of rows first, then the
// slabs in order. No atomics, so the same bits every time.
#include "device.cuh"
#include "rows.cuh"

#include <algorithm>

namespace plimsoll::device {

namespace {

constexpr int across = 32, down = 8;

int slab_rows(int R) { return std::max(64, (R + most_slabs - 1) / most_slabs); }

// plain[slab, c] = sum of dy, scaled[slab, c] = sum of dy x-hat over the rows of the slab; either may be null.
template <class Real>
__global__ void slab_sums(float* plain, float* scaled, const Real* dy, const Real* x, const float* stats, int R, int C,
                          int slab) {
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
    for (int i = 1; i < down; ++i) {
        sum += part[0][i][threadIdx.x];
        along += part[1][i][threadIdx.x];
    }
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

template <class Real>
int column_sums(float* plain, float* scaled, const Real* dy, const Real* x, const float* stats, int R, int C) {
    const int slab = slab_rows(R), slabs = int(blocks_for(R, slab));
    const std::size_t each = std::size_t(slabs) * C;
    float* partial = static_cast<float*>(scratch(scratch_of_columns(slabs, C)));
    if (!partial) return plimsoll_memory;
    float *first = plain ? partial : nullptr, *second = scaled ? partial + each : nullptr;
    PLIMSOLL_PASS(launch(slab_sums<Real>, dim3(blocks_for(C, across), slabs), dim3(across, down), 0, first, second, dy,
                         x, stats, R, C, slab));
    if (plain) PLIMSOLL_PASS(launch(add_slabs, dim3(blocks_for(C, 128)), dim3(128), 0, plain, first, slabs, C));
    if (scaled) PLIMSOLL_PASS(launch(add_slabs, dim3(blocks_for(C, 128)), dim3(128), 0, scaled, second, slabs, C));
    return plimsoll_ok;
}

}  // namespace

template <class Real> int bias_gradient(float* db, const Real* dy, int m, int n) {
    return column_sums<Real>(db, nullptr, dy, nullptr, nullptr, m, n);
}

namespace {

constexpr float epsilon = 1e-5f;  // norm_epsilon

// Two passes over the row (the second from cache): the sum of squares about the mean loses no digits.
template <int N, class Real>
__device__ void statistics(float& mean, float& inverse, const Real* row, int C, int lane, bool rms) {
    mean = 0;
    if (!rms) {
        for (int c = lane * N; c < C; c += warp * N) {
            const Pack<N> p = load<N>(row + c);
            for (int i = 0; i < N; ++i) mean += p.at[i];
        }
        mean = over_warp(mean, Sum{}) / C;
    }
    float square = 0;
    for (int c = lane * N; c < C; c += warp * N) {
        const Pack<N> p = load<N>(row + c);
        for (int i = 0; i < N; ++i) square += (p.at[i] - mean) * (p.at[i] - mean);
    }
    inverse = rsqrtf(over_warp(square, Sum{}) / C + epsilon);
}

// `fresh` receives the statistics; where it is null they are read from `known`.
template <class Real, int N>
__global__ void norm_rows(Real* y, float* fresh, const float* known, const Real* x, const Real* gain, const Real* bias,
                          int R, int C, bool rms) {
    const int r = blockIdx.x * rows_per_block + threadIdx.x / warp, lane = threadIdx.x % warp;
    if (r >= R) return;
    const Real* row = x + std::size_t(r) * C;
    float mean, inverse;
    if (fresh) {
        statistics<N>(mean, inverse, row, C, lane, rms);
        if (lane == 0) {
            fresh[2 * std::size_t(r)] = mean;
            fresh[2 * std::size_t(r) + 1] = inverse;
        }
    } else {
        mean = known[2 * std::size_t(r)];
        inverse = known[2 * std::size_t(r) + 1];
    }
    for (int c = lane * N; c < C; c += warp * N) {
        Pack<N> p = load<N>(row + c);
        const Pack<N> g = load<N>(gain + c);
        for (int i = 0; i < N; ++i) p.at[i] = (p.at[i] - mean) * inverse * g.at[i];
        if (bias) {
            const Pack<N> b = load<N>(bias + c);
            for (int i = 0; i < N; ++i) p.at[i] += b.at[i];
        }
        store<N>(y + std::size_t(r) * C + c, p);
    }
}

// dx += (g - mean(g) - x-hat mean(g x-hat)) / deviation, g = dy gain; RMSNorm has no mean(g).
template <class Real, int N>
__global__ void norm_rows_gradient(Real* dx, const Real* dy, const Real* x, const Real* gain, const float* stats, int R,
                                   int C, bool rms) {
    const int r = blockIdx.x * rows_per_block + threadIdx.x / warp, lane = threadIdx.x % warp;
    if (r >= R) return;
    const std::size_t row = std::size_t(r) * C;
    const float mean = stats[2 * std::size_t(r)], inverse = stats[2 * std::size_t(r) + 1];
    float sum = 0, along = 0;
    for (int c = lane * N; c < C; c += warp * N) {
        const Pack<N> d = load<N>(dy + row + c), v = load<N>(x + row + c), g = load<N>(gain + c);
        for (int i = 0; i < N; ++i) {
            sum += d.at[i] * g.at[i];
            along += d.at[i] * g.at[i] * (v.at[i] - mean) * inverse;
        }
    }
    sum = rms ? 0.0f : over_warp(sum, Sum{}) / C;
    along = over_warp(along, Sum{}) / C;
    for (int c = lane * N; c < C; c += warp * N) {
        const Pack<N> d = load<N>(dy + row + c), v = load<N>(x + row + c), g = load<N>(gain + c);
        Pack<N> out = load<N>(dx + row + c);
        for (int i = 0; i < N; ++i)
            out.at[i] += (d.at[i] * g.at[i] - sum - (v.at[i] - mean) * inverse * along) * inverse;
        store<N>(dx + row + c, out);
    }
}

template <class Real>
int start(Real* y, float* fresh, const float* known, const Real* x, const Real* gain, const Real* bias, int R, int C,
          bool rms) {
    const dim3 grid(blocks_for(R, rows_per_block)), block(rows_per_block * warp);
    const auto kernel = packed<Real>(C, y, x, gain, bias) ? norm_rows<Real, wide<Real>> : norm_rows<Real, 1>;
    return launch(kernel, grid, block, 0, y, fresh, known, x, gain, bias, R, C, rms);
}

}  // namespace

template <class Real>
int norm(Real* y, float* stats, const Real* x, const Real* gain, const Real* bias, int R, int C, Norm kind) {
    return start<Real>(y, stats, nullptr, x, gain, bias, R, C, kind == Norm::rms);
}

template <class Real>
int norm_again(Real* y, const float* stats, const Real* x, const Real* gain, const Real* bias, int R, int C) {
    return start<Real>(y, nullptr, stats, x, gain, bias, R, C, false);
}

template <class Real>
int norm_gradient(Real* dx, float* dgain, float* dbias, const Real* dy, const Real* x, const Real* gain,
                  const float* stats, int R, int C, Norm kind) {
    PLIMSOLL_PASS(column_sums<Real>(dbias, dgain, dy, x, stats, R, C));
    const dim3 grid(blocks_for(R, rows_per_block)), block(rows_per_block * warp);
    const auto kernel =
        packed<Real>(C, dx, dy, x, gain) ? norm_rows_gradient<Real, wide<Real>> : norm_rows_gradient<Real, 1>;
    return launch(kernel, grid, block, 0, dx, dy, x, gain, stats, R, C, kind == Norm::rms);
}

PLIMSOLL_INSTANTIATE(bias_gradient)
PLIMSOLL_INSTANTIATE(norm)
PLIMSOLL_INSTANTIATE(norm_again)
PLIMSOLL_INSTANTIATE(norm_gradient)

}  // namespace plimsoll::device

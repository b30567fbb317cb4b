// LayerNorm and RMSNorm, forward, backward and again: one warp a row.
#include "operations.h"
#include "rows.cuh"

namespace plimsoll::device {

namespace {

constexpr float epsilon = 1e-5f;  // norm_epsilon

// Two passes over the row (the second from cache): the sum of squares about the mean loses no digits.
template <int N, class Real> __device__ void statistics(float& mean, float& inverse, const Real* row, int C, int lane, bool rms) {
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
__global__ void norm_rows(Real* y, float* fresh, const float* known, const Real* x, const Real* gain, const Real* bias, int R, int C,
                          bool rms) {
    const int r = blockIdx.x * rows_per_block + threadIdx.x / warp, lane = threadIdx.x % warp;
    if (r >= R) return;
    const Real* row = x + std::size_t(r) * C;
    float mean, inverse;
    if (fresh) {
        statistics<N>(mean, inverse, row, C, lane, rms);
        if (lane == 0) fresh[2 * std::size_t(r)] = mean, fresh[2 * std::size_t(r) + 1] = inverse;
    } else {
        mean = known[2 * std::size_t(r)], inverse = known[2 * std::size_t(r) + 1];
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
__global__ void norm_rows_gradient(Real* dx, const Real* dy, const Real* x, const Real* gain, const float* stats, int R, int C,
                                   bool rms) {
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
int start(Real* y, float* fresh, const float* known, const Real* x, const Real* gain, const Real* bias, int R, int C, bool rms) {
    const dim3 grid(blocks_for(R, rows_per_block)), block(rows_per_block * warp);
    const auto kernel = packed<Real>(C, y, x, gain, bias) ? norm_rows<Real, wide<Real>> : norm_rows<Real, 1>;
    return launch(kernel, grid, block, 0, y, fresh, known, x, gain, bias, R, C, rms);
}

}  // namespace

template <class Real> int norm(Real* y, float* stats, const Real* x, const Real* gain, const Real* bias, int R, int C, int rms) {
    return start<Real>(y, stats, nullptr, x, gain, bias, R, C, rms != 0);
}

template <class Real> int norm_again(Real* y, const float* stats, const Real* x, const Real* gain, const Real* bias, int R, int C) {
    return start<Real>(y, nullptr, stats, x, gain, bias, R, C, false);
}

template <class Real>
int norm_gradient(Real* dx, float* dgain, float* dbias, const Real* dy, const Real* x, const Real* gain, const float* stats, int R,
                  int C, int rms) {
    PLIMSOLL_PASS(norm_parameters<Real>(dgain, dbias, dy, x, stats, R, C));
    const dim3 grid(blocks_for(R, rows_per_block)), block(rows_per_block * warp);
    const auto kernel = packed<Real>(C, dx, dy, x, gain) ? norm_rows_gradient<Real, wide<Real>> : norm_rows_gradient<Real, 1>;
    return launch(kernel, grid, block, 0, dx, dy, x, gain, stats, R, C, rms != 0);
}

#define PLIMSOLL_FOR(Real)                                                                                                \
    template int norm(Real*, float*, const Real*, const Real*, const Real*, int, int, int);                               \
    template int norm_again(Real*, const float*, const Real*, const Real*, const Real*, int, int);                        \
    template int norm_gradient(Real*, float*, float*, const Real*, const Real*, const Real*, const float*, int, int, int);
PLIMSOLL_FOR(bf16)
PLIMSOLL_FOR(float)

}  // namespace plimsoll::device

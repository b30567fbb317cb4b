// Cross-entropy over a vocabulary: in three passes where it is split over ranks,
// in one kernel where it is whole. One block a row.
#include "device.cuh"
#include "rows.cuh"

#include <cmath>

namespace plimsoll::device {

namespace {

constexpr int threads = 512;

// The largest of a row, known to every thread.
template <int N, class Real> __device__ float row_maximum(const Real* row, int V) {
    float highest = -INFINITY;
    for (int v = threadIdx.x * N; v < V; v += threads * N) {
        const Pack<N> p = load<N>(row + v);
        for (int i = 0; i < N; ++i) highest = fmaxf(highest, p.at[i]);
    }
    return over_block(highest, Max{});
}

template <class Real, int N> __global__ void row_max_kernel(float* max, const Real* logits, int V) {
    const float highest = row_maximum<N>(logits + std::size_t(blockIdx.x) * V, V);
    if (threadIdx.x == 0) max[blockIdx.x] = highest;
}

template <class Real, int N>
__global__ void exp_sum_kernel(float* sums, float* targets, Real* logits, const float* max, const int32_t* ids, int V,
                               int first) {
    Real* row = logits + std::size_t(blockIdx.x) * V;
    const float highest = max[blockIdx.x];
    const int id = ids[blockIdx.x] - first;
    if (threadIdx.x == 0) targets[blockIdx.x] = id >= 0 && id < V ? to_float(row[id]) - highest : 0.0f;
    __syncthreads();  // the target is read before it is overwritten
    float sum = 0;
    for (int v = threadIdx.x * N; v < V; v += threads * N) {
        Pack<N> p = load<N>(row + v);
        for (int i = 0; i < N; ++i) sum += p.at[i] = expf(p.at[i] - highest);
        store<N>(row + v, p);
    }
    sum = over_block(sum, Sum{});
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

// row := (factor f(logit) - onehot) scale; f is the identity, or exp(logit - highest) where those are still logits.
template <int N, bool exponentials, class Real>
__device__ void write_gradient(Real* row, int V, int id, float highest, float factor, float scale) {
    for (int v = threadIdx.x * N; v < V; v += threads * N) {
        Pack<N> p = load<N>(row + v);
        for (int i = 0; i < N; ++i) {
            const float e = exponentials ? p.at[i] : expf(p.at[i] - highest);
            p.at[i] = (e * factor - (v + i == id ? 1.0f : 0.0f)) * scale;
        }
        store<N>(row + v, p);
    }
}

template <class Real, int N>
__global__ void cross_entropy_kernel(double* losses, Real* logits, const float* sums, const float* targets,
                                     const int32_t* ids, int V, int first, float scale) {
    const float sum = sums[blockIdx.x];
    if (threadIdx.x == 0) losses[blockIdx.x] = double(logf(sum)) - targets[blockIdx.x];
    write_gradient<N, true>(logits + std::size_t(blockIdx.x) * V, V, ids[blockIdx.x] - first, 0.0f, 1 / sum, scale);
}

template <class Real, int N>
__global__ void cross_entropy_whole_kernel(double* losses, Real* logits, const int32_t* ids, int V, float scale) {
    Real* row = logits + std::size_t(blockIdx.x) * V;
    const float highest = row_maximum<N>(row, V);
    float sum = 0;
    for (int v = threadIdx.x * N; v < V; v += threads * N) {
        const Pack<N> p = load<N>(row + v);
        for (int i = 0; i < N; ++i) sum += expf(p.at[i] - highest);
    }
    sum = over_block(sum, Sum{});
    const int id = ids[blockIdx.x];
    if (threadIdx.x == 0)
        losses[blockIdx.x] = double(logf(sum)) - (id >= 0 && id < V ? to_float(row[id]) - highest : 0.0f);
    __syncthreads();
    write_gradient<N, false>(row, V, id, highest, 1 / sum, scale);
}

double* row_losses(int R) { return static_cast<double*>(scratch(scratch_of_losses(std::size_t(R)))); }

}  // namespace

template <class Real> int row_max(float* max, const Real* logits, int R, int V) {
    const auto kernel = packed<Real>(V, logits) ? row_max_kernel<Real, wide<Real>> : row_max_kernel<Real, 1>;
    return launch(kernel, dim3(R), dim3(threads), 0, max, logits, V);
}

template <class Real>
int exp_sum(float* sums, float* targets, Real* logits, const float* max, const int32_t* ids, int R, int V, int first) {
    const auto kernel = packed<Real>(V, logits) ? exp_sum_kernel<Real, wide<Real>> : exp_sum_kernel<Real, 1>;
    return launch(kernel, dim3(R), dim3(threads), 0, sums, targets, logits, max, ids, V, first);
}

template <class Real>
int cross_entropy(double* loss, Real* logits, const float* sums, const float* targets, const int32_t* ids, int R, int V,
                  int first, double scale) {
    double* losses = row_losses(R);
    if (!losses) return plimsoll_memory;
    const auto kernel =
        packed<Real>(V, logits) ? cross_entropy_kernel<Real, wide<Real>> : cross_entropy_kernel<Real, 1>;
    PLIMSOLL_PASS(
        launch(kernel, dim3(R), dim3(threads), 0, losses, logits, sums, targets, ids, V, first, float(scale)));
    return add_in_order(loss, losses, R);
}

template <class Real>
int cross_entropy_whole(double* loss, Real* logits, const int32_t* ids, int R, int V, double scale) {
    double* losses = row_losses(R);
    if (!losses) return plimsoll_memory;
    const auto kernel =
        packed<Real>(V, logits) ? cross_entropy_whole_kernel<Real, wide<Real>> : cross_entropy_whole_kernel<Real, 1>;
    PLIMSOLL_PASS(launch(kernel, dim3(R), dim3(threads), 0, losses, logits, ids, V, float(scale)));
    return add_in_order(loss, losses, R);
}

PLIMSOLL_INSTANTIATE(row_max)
PLIMSOLL_INSTANTIATE(exp_sum)
PLIMSOLL_INSTANTIATE(cross_entropy)
PLIMSOLL_INSTANTIATE(cross_entropy_whole)

}  // namespace plimsoll::device

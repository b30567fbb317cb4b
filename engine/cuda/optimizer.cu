// The update and what it needs: AdamW and SGD on fp32 masters, sums of gradients,
// sums of squares in one fixed order.
#include "device.cuh"
#include "rows.cuh"

#include <algorithm>

namespace plimsoll::device {

namespace {

constexpr int threads = 256;

__device__ std::size_t flat_index() { return std::size_t(blockIdx.x) * threads + threadIdx.x; }

struct Rates {
    float rate, beta1, beta2, epsilon, decay, correction1, root2, scale;
};  // root2: square root of correction 2

// Loshchilov and Hutter 2019, algorithm 2.
template <class Real>
__global__ void adamw_step(Real* weights, float* master, const float* gradient, float* m, float* v, std::size_t n,
                           Rates a) {
    const std::size_t i = flat_index();
    if (i >= n) return;
    const float g = gradient[i] * a.scale;
    const float first = m[i] = a.beta1 * m[i] + (1 - a.beta1) * g;
    const float second = v[i] = a.beta2 * v[i] + (1 - a.beta2) * g * g;
    const float direction = first / a.correction1 / (sqrtf(second) / a.root2 + a.epsilon);
    const float w = master[i] - a.rate * (direction + a.decay * master[i]);
    master[i] = w;
    weights[i] = to_real<Real>(w);
}

template <class Real>
__global__ void sgd_step(Real* weights, float* master, const float* gradient, std::size_t n, float rate) {
    const std::size_t i = flat_index();
    if (i >= n) return;
    const float w = master[i] - rate * gradient[i];
    master[i] = w;
    weights[i] = to_real<Real>(w);
}

__global__ void add_arrays(float* y, const float* x, std::size_t n) {
    const std::size_t i = flat_index();
    if (i < n) y[i] += x[i];
}

// The sum over a block of 256 threads as one fixed tree; thread 0 receives it.
__device__ double block_tree(double v) {
    __shared__ double part[threads];
    part[threadIdx.x] = v;
    for (int half = threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (int(threadIdx.x) < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    return part[0];
}

// Every block sums a chunk of fixed size, so that the tree depends on n alone.
constexpr std::size_t chunk = squares_of_chunk;

__global__ void square_chunks(double* partial, const float* x, std::size_t n) {
    const std::size_t begin = blockIdx.x * chunk, end = begin + chunk < n ? begin + chunk : n;
    double sum = 0;
    for (std::size_t i = begin + threadIdx.x; i < end; i += threads) sum += double(x[i]) * x[i];
    sum = block_tree(sum);
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

__global__ void sum_terms(double* sum, const double* terms, std::size_t n) {
    double mine = 0;
    for (std::size_t i = threadIdx.x; i < n; i += threads) mine += terms[i];
    mine = block_tree(mine);
    if (threadIdx.x == 0) *sum += mine;
}

}  // namespace

template <class Real>
int adamw(Real* weights, float* master, const float* gradient, float* m, float* v, std::size_t n, AdamW a) {
    const Rates rates{float(a.rate),
                      float(a.beta1),
                      float(a.beta2),
                      float(a.epsilon),
                      float(a.decay),
                      float(a.correction1),
                      float(sqrt(a.correction2)),
                      float(a.gradient_scale)};
    return launch(adamw_step<Real>, dim3(blocks_for(n, threads)), dim3(threads), 0, weights, master, gradient, m, v, n,
                  rates);
}

template <class Real>
int sgd(Real* weights, float* master, const float* gradient, std::size_t n, double rate, double gradient_scale) {
    return launch(sgd_step<Real>, dim3(blocks_for(n, threads)), dim3(threads), 0, weights, master, gradient, n,
                  float(rate * gradient_scale));
}

template <class Real>
int add(float* y, const float* x, std::size_t n) {
    return launch(add_arrays, dim3(blocks_for(n, threads)), dim3(threads), 0, y, x, n);
}

int add_in_order(double* sum, const double* terms, std::size_t n) {
    return launch(sum_terms, dim3(1), dim3(threads), 0, sum, terms, n);
}

template <class Real> int sum_squares(double* sum, const float* x, std::size_t n) {
    const unsigned chunks = blocks_for(n, chunk);
    double* partial = static_cast<double*>(scratch(scratch_of_squares(n)));
    if (!partial) return plimsoll_memory;
    PLIMSOLL_PASS(launch(square_chunks, dim3(chunks), dim3(threads), 0, partial, x, n));
    return add_in_order(sum, partial, chunks);
}

PLIMSOLL_INSTANTIATE(adamw)
PLIMSOLL_INSTANTIATE(sgd)
PLIMSOLL_INSTANTIATE(add)
PLIMSOLL_INSTANTIATE(sum_squares)

}  // namespace plimsoll::device

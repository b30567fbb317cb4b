// Residual sums, activations and rotary positions: one thread a few elements.
#include "device.cuh"
#include "rows.cuh"

namespace plimsoll::device {

namespace {

constexpr int threads = 256;

__device__ std::size_t first_element(int N) { return (std::size_t(blockIdx.x) * threads + threadIdx.x) * N; }

template <class Real, int N>
__global__ void add_rows(Real* y, const Real* x, const Real* z, const Real* bias, std::size_t n, int C) {
    const std::size_t at = first_element(N);
    if (at >= n) return;
    Pack<N> p = load<N>(x + at);
    const Pack<N> q = load<N>(z + at);
    for (int i = 0; i < N; ++i) p.at[i] += q.at[i];
    if (bias) {
        const Pack<N> b = load<N>(bias + at % C);
        for (int i = 0; i < N; ++i) p.at[i] += b.at[i];
    }
    store<N>(y + at, p);
}

// 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), Hendrycks and Gimpel 2016, and its derivative
constexpr float gelu_c = 0.7978845608028654f, gelu_a = 0.044715f;
__device__ float gelu(float x) { return 0.5f * x * (1 + tanhf(gelu_c * (x + gelu_a * x * x * x))); }
__device__ float gelu_slope(float x) {
    const float t = tanhf(gelu_c * (x + gelu_a * x * x * x));
    return 0.5f * (1 + t) + 0.5f * x * (1 - t * t) * gelu_c * (1 + 3 * gelu_a * x * x);
}
__device__ float sigmoid(float x) { return 1 / (1 + expf(-x)); }

template <class Real, int N> __global__ void gelu_forward(Real* y, const Real* x, std::size_t n) {
    const std::size_t at = first_element(N);
    if (at >= n) return;
    Pack<N> p = load<N>(x + at);
    for (int i = 0; i < N; ++i) p.at[i] = gelu(p.at[i]);
    store<N>(y + at, p);
}

template <class Real, int N> __global__ void gelu_backward(Real* dx, const Real* dy, const Real* x, std::size_t n) {
    const std::size_t at = first_element(N);
    if (at >= n) return;
    Pack<N> p = load<N>(x + at);
    const Pack<N> d = load<N>(dy + at);
    for (int i = 0; i < N; ++i) p.at[i] = d.at[i] * gelu_slope(p.at[i]);
    store<N>(dx + at, p);
}

// Element `at` of y[R,F] comes from a = x[r, f] and b = x[r, F + f]: silu(a) b.
template <class Real, int N> __global__ void swiglu_forward(Real* y, const Real* x, std::size_t n, int F) {
    const std::size_t at = first_element(N);
    if (at >= n) return;
    const std::size_t gate = at / F * 2 * F + at % F;
    Pack<N> a = load<N>(x + gate);
    const Pack<N> b = load<N>(x + gate + F);
    for (int i = 0; i < N; ++i) a.at[i] *= sigmoid(a.at[i]) * b.at[i];
    store<N>(y + at, a);
}

template <class Real, int N>
__global__ void swiglu_backward(Real* dx, const Real* dy, const Real* x, std::size_t n, int F) {
    const std::size_t at = first_element(N);
    if (at >= n) return;
    const std::size_t gate = at / F * 2 * F + at % F;
    const Pack<N> d = load<N>(dy + at), a = load<N>(x + gate), b = load<N>(x + gate + F);
    Pack<N> da, db;
    for (int i = 0; i < N; ++i) {
        const float s = sigmoid(a.at[i]);
        da.at[i] = d.at[i] * b.at[i] * s * (1 + a.at[i] * (1 - s));
        db.at[i] = d.at[i] * a.at[i] * s;
    }
    store<N>(dx + gate, da);
    store<N>(dx + gate + F, db);
}

// One block a row: query and key heads turn by position x 10000^(-2i/D), element i with element i + D/2.
template <class Real> __global__ void rotate_rows(Real* qkv, int T, int heads, int D, int stride, float direction) {
    Real* row = qkv + std::size_t(blockIdx.x) * stride;
    const float position = direction * float(blockIdx.x % T);
    const int half = D / 2;
    for (int e = threadIdx.x; e < heads * half; e += blockDim.x) {
        const int i = e % half;
        Real *a = row + std::size_t(e / half) * D + i, *b = a + half;
        float s, c;
        sincosf(position * exp2f(-2.0f * i / D * 13.287712379549449f), &s, &c);  // log2(10000)
        const float u = to_float(*a), v = to_float(*b);
        *a = to_real<Real>(u * c - v * s);
        *b = to_real<Real>(u * s + v * c);
    }
}

dim3 grid_for(std::size_t n, int N) { return dim3(blocks_for(n, std::size_t(threads) * N)); }

}  // namespace

template <class Real> int add_residual(Real* y, const Real* x, const Real* z, const Real* bias, int R, int C) {
    const std::size_t n = std::size_t(R) * C;
    constexpr int N = wide<Real>;
    if (packed<Real>(C, y, x, z, bias))
        return launch(add_rows<Real, N>, grid_for(n, N), dim3(threads), 0, y, x, z, bias, n, C);
    return launch(add_rows<Real, 1>, grid_for(n, 1), dim3(threads), 0, y, x, z, bias, n, C);
}

template <class Real> int activate(Real* y, const Real* x, int R, int F, Activation kind) {
    const std::size_t n = std::size_t(R) * F;
    const int N = packed<Real>(F, y, x) ? wide<Real> : 1;
    const dim3 grid = grid_for(n, N), block(threads);
    if (kind == Activation::swiglu)
        return launch(N > 1 ? swiglu_forward<Real, wide<Real>> : swiglu_forward<Real, 1>, grid, block, 0, y, x, n, F);
    return launch(N > 1 ? gelu_forward<Real, wide<Real>> : gelu_forward<Real, 1>, grid, block, 0, y, x, n);
}

template <class Real> int activate_gradient(Real* dx, const Real* dy, const Real* x, int R, int F, Activation kind) {
    const std::size_t n = std::size_t(R) * F;
    const int N = packed<Real>(F, dx, dy, x) ? wide<Real> : 1;
    const dim3 grid = grid_for(n, N), block(threads);
    if (kind == Activation::swiglu)
        return launch(N > 1 ? swiglu_backward<Real, wide<Real>> : swiglu_backward<Real, 1>, grid, block, 0, dx, dy, x,
                      n, F);
    return launch(N > 1 ? gelu_backward<Real, wide<Real>> : gelu_backward<Real, 1>, grid, block, 0, dx, dy, x, n);
}

template <class Real> int rotate(Real* qkv, AttentionShape s, int direction) {
    return launch(rotate_rows<Real>, dim3(unsigned(s.B) * s.T), dim3(threads), 0, qkv, s.T, s.H + s.K, s.D,
                  (s.H + 2 * s.K) * s.D, float(direction));
}

PLIMSOLL_INSTANTIATE(add_residual)
PLIMSOLL_INSTANTIATE(activate)
PLIMSOLL_INSTANTIATE(activate_gradient)
PLIMSOLL_INSTANTIATE(rotate)

}  // namespace plimsoll::device

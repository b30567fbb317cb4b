// Causal attention: which kernel takes a shape, what both backward kernels start from,
// and attention one row at a time, a warp each, for fp32 and for head sizes that the
// fused kernels do not take. There the lanes share a row's elements.
#include "device.cuh"
#include "rows.cuh"

#include <cmath>
#include <type_traits>

namespace plimsoll::device {

namespace {

constexpr int most = 8;  // elements a lane holds: heads of at most 256
constexpr int largest_head = most * warp;

struct Vector { float at[most]; };  // element i * 32 + lane

template <class Real> __device__ Vector load_row(const Real* x, int D) {
    Vector v;
    for (int i = 0; i < most; ++i) {
        const int d = i * warp + threadIdx.x % warp;
        v.at[i] = d < D ? to_float(x[d]) : 0.0f;
    }
    return v;
}

template <class Real> __device__ void store_row(Real* y, const Vector& v, int D) {
    for (int i = 0; i < most; ++i) {
        const int d = i * warp + threadIdx.x % warp;
        if (d < D) y[d] = to_real<Real>(v.at[i]);
    }
}

__device__ float dot(const Vector& a, const Vector& b) {
    float sum = 0;
    for (int i = 0; i < most; ++i) sum += a.at[i] * b.at[i];
    return over_warp(sum, Sum{});
}

__device__ void add_scaled(Vector& y, float a, const Vector& x) {
    for (int i = 0; i < most; ++i) y.at[i] += a * x.at[i];
}

// Where things of one row lie; blockIdx.y is a head, blockIdx.z a sequence.
struct Place {
    std::size_t stride, origin, out_stride, out_origin;
    __device__ Place(AttentionShape s, int D)
        : stride(std::size_t(s.H + 2 * s.K) * D),
          origin(std::size_t(blockIdx.z) * s.T * stride),
          out_stride(std::size_t(s.H) * D),
          out_origin(std::size_t(blockIdx.z) * s.T * out_stride) {}
    __device__ std::size_t in(int t, int slot, int D) const { return origin + t * stride + std::size_t(slot) * D; }
    __device__ std::size_t out(int t, int h, int D) const { return out_origin + t * out_stride + std::size_t(h) * D; }
};

template <class Real> __global__ void forward_rows(Real* out, float* logsum, const Real* qkv, AttentionShape s) {
    const int t = blockIdx.x * rows_per_block + threadIdx.x / warp, h = blockIdx.y, kv = h / (s.H / s.K), D = s.D;
    if (t >= s.T) return;
    const Place place(s, D);
    const float scale = 1 / sqrtf(float(D));
    const Vector q = load_row(qkv + place.in(t, h, D), D);
    Vector o = {};
    float maximum = -INFINITY, sum = 0;
    for (int key = 0; key <= t; ++key) {
        const float score = scale * dot(q, load_row(qkv + place.in(key, s.H + kv, D), D)),
                    highest = fmaxf(maximum, score);
        const float rescale = expf(maximum - highest), p = expf(score - highest);
        for (int i = 0; i < most; ++i) o.at[i] *= rescale;
        add_scaled(o, p, load_row(qkv + place.in(key, s.H + s.K + kv, D), D));
        sum = sum * rescale + p;
        maximum = highest;
    }
    for (int i = 0; i < most; ++i) o.at[i] /= sum;
    store_row(out + place.out(t, h, D), o, D);
    if (threadIdx.x % warp == 0) logsum[(std::size_t(blockIdx.z) * s.H + h) * s.T + t] = maximum + logf(sum);
}

template <class Real>
__global__ void query_rows(Real* dqkv, const Real* dout, const float* delta, const float* logsum, const Real* qkv,
                           AttentionShape s) {
    const int t = blockIdx.x * rows_per_block + threadIdx.x / warp, h = blockIdx.y, kv = h / (s.H / s.K), D = s.D;
    if (t >= s.T) return;
    const Place place(s, D);
    const float scale = 1 / sqrtf(float(D));
    const std::size_t row = (std::size_t(blockIdx.z) * s.H + h) * s.T + t;
    const Vector q = load_row(qkv + place.in(t, h, D), D), d = load_row(dout + place.out(t, h, D), D);
    Vector dq = {};
    for (int key = 0; key <= t; ++key) {
        const Vector k = load_row(qkv + place.in(key, s.H + kv, D), D),
                     v = load_row(qkv + place.in(key, s.H + s.K + kv, D), D);
        const float p = expf(scale * dot(q, k) - logsum[row]);
        add_scaled(dq, p * (dot(d, v) - delta[row]) * scale, k);
    }
    store_row(dqkv + place.in(t, h, D), dq, D);
}

template <class Real>
__global__ void key_rows(Real* dqkv, const Real* dout, const float* delta, const float* logsum, const Real* qkv,
                         AttentionShape s) {
    const int t = blockIdx.x * rows_per_block + threadIdx.x / warp, kv = blockIdx.y, group = s.H / s.K, D = s.D;
    if (t >= s.T) return;
    const Place place(s, D);
    const float scale = 1 / sqrtf(float(D));
    const Vector k = load_row(qkv + place.in(t, s.H + kv, D), D), v = load_row(qkv + place.in(t, s.H + s.K + kv, D), D);
    Vector dk = {}, dv = {};
    for (int h = kv * group; h < (kv + 1) * group; ++h)
        for (int query = t; query < s.T; ++query) {
            const std::size_t row = (std::size_t(blockIdx.z) * s.H + h) * s.T + query;
            const Vector q = load_row(qkv + place.in(query, h, D), D), d = load_row(dout + place.out(query, h, D), D);
            const float p = expf(scale * dot(q, k) - logsum[row]);
            add_scaled(dk, p * (dot(d, v) - delta[row]) * scale, q);
            add_scaled(dv, p, d);
        }
    store_row(dqkv + place.in(t, s.H + kv, D), dk, D);
    store_row(dqkv + place.in(t, s.H + s.K + kv, D), dv, D);
}

int check_head(AttentionShape s) {
    if (s.D <= largest_head) return plimsoll_ok;
    return fail(plimsoll_argument, "attention",
                "heads of more than 256 elements are not supported on a device: use more heads");
}

}  // namespace

template <class Real> int attention_plain(Real* out, float* logsum, const Real* qkv, AttentionShape s) {
    PLIMSOLL_PASS(check_head(s));
    return launch(forward_rows<Real>, dim3(blocks_for(s.T, rows_per_block), s.H, s.B), dim3(rows_per_block * warp), 0,
                  out, logsum, qkv, s);
}

template <class Real>
int attention_plain_gradient(Real* dqkv, const Real* dout, const float* delta, const float* logsum, const Real* qkv,
                             AttentionShape s) {
    PLIMSOLL_PASS(check_head(s));
    const dim3 block(rows_per_block * warp);
    const unsigned tiles = blocks_for(s.T, rows_per_block);
    PLIMSOLL_PASS(launch(query_rows<Real>, dim3(tiles, s.H, s.B), block, 0, dqkv, dout, delta, logsum, qkv, s));
    return launch(key_rows<Real>, dim3(tiles, s.K, s.B), block, 0, dqkv, dout, delta, logsum, qkv, s);
}

namespace {

// delta[b, h, t] = sum over d of dout out: what every score of a row has subtracted from its gradient. One warp a row
// and head.
template <class Real>
__global__ void row_deltas(float* delta, const Real* dout, const Real* out, std::size_t rows, AttentionShape s) {
    const std::size_t r = std::size_t(blockIdx.x) * rows_per_block + threadIdx.x / warp;  // (b T + t) H + h
    if (r >= rows) return;
    float sum = 0;
    for (int d = threadIdx.x % warp; d < s.D; d += warp)
        sum += to_float(dout[r * s.D + d]) * to_float(out[r * s.D + d]);
    sum = over_warp(sum, Sum{});
    const std::size_t h = r % s.H, t = r / s.H % s.T, b = r / s.H / s.T;
    if (threadIdx.x % warp == 0) delta[(b * s.H + h) * s.T + t] = sum;
}

#if defined(PLIMSOLL_NO_TILES)
template <class Real> constexpr bool has_tiles = false;
#else
template <class Real> constexpr bool has_tiles = std::is_same_v<Real, bf16>;
#endif

template <class Real, class... Pointers>
bool fused(int D, Pointers... p) {
    return (D == 64 || D == 128) && packed<Real>(D, p...);
}

}  // namespace

template <class Real> int attention(Real* out, float* logsum, const Real* qkv, AttentionShape s) {
    if constexpr (has_tiles<Real>)
        if (fused<Real>(s.D, out, qkv))
            return s.D == 64 ? attention_fused<64>(out, logsum, qkv, s) : attention_fused<128>(out, logsum, qkv, s);
    return attention_plain<Real>(out, logsum, qkv, s);
}

template <class Real>
int attention_gradient(Real* dqkv, const Real* dout, const Real* out, const float* logsum, const Real* qkv,
                       AttentionShape s) {
    const std::size_t rows = std::size_t(s.B) * s.T * s.H;
    float* delta = static_cast<float*>(scratch(scratch_of_attention(rows, 1)));
    if (!delta) return plimsoll_memory;
    PLIMSOLL_PASS(launch(row_deltas<Real>, dim3(blocks_for(rows, rows_per_block)), dim3(rows_per_block * warp), 0,
                         delta, dout, out, rows, s));
    if constexpr (has_tiles<Real>)
        if (fused<Real>(s.D, dqkv, dout, qkv))
            return s.D == 64 ? attention_fused_gradient<64>(dqkv, dout, delta, logsum, qkv, s)
                             : attention_fused_gradient<128>(dqkv, dout, delta, logsum, qkv, s);
    return attention_plain_gradient<Real>(dqkv, dout, delta, logsum, qkv, s);
}

PLIMSOLL_INSTANTIATE(attention)
PLIMSOLL_INSTANTIATE(attention_gradient)

}  // namespace plimsoll::device

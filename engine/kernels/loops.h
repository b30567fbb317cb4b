#pragma once
// Loops compiled once per vector width and chosen when the program runs, so that
// one package serves every x86-64; elsewhere there is the compiler's default only.
//
//   template <class Real> PLIMSOLL_INLINE void negate(Real* y, std::size_t n) { ...a loop under `#pragma omp simd`... }
//   vectorised<negate<Real>>(y, n);
//
// Also exp: the one transcendental that training spends time in.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#define PLIMSOLL_INLINE inline __attribute__((always_inline))

namespace plimsoll::engine {

#if defined(__x86_64__) && defined(__GNUC__)
enum class VectorWidth { any, avx2, avx512 };
inline VectorWidth widest_vectors() {
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return VectorWidth::any;
    const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")
                   && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    return wide ? VectorWidth::avx512 : VectorWidth::avx2;
}
template <auto body, class... A>
__attribute__((target("arch=x86-64-v3"))) void with_avx2(A... a) {
    body(a...);
}
template <auto body, class... A>
__attribute__((target("arch=x86-64-v4"))) void with_avx512(A... a) {
    body(a...);
}

// Calls body(a...), an always-inline function, with the widest vectors of this processor.
template <auto body, class... A>
void vectorised(A... a) {
    static const VectorWidth width = widest_vectors();
    switch (width) {
        case VectorWidth::avx512:
            return with_avx512<body>(a...);
        case VectorWidth::avx2:
            return with_avx2<body>(a...);
        case VectorWidth::any:
            return body(a...);
    }
}
#else
template <auto body, class... A>
void vectorised(A... a) {
    body(a...);
}
#endif

// e^x in fp32 to 1 unit in the last place: x = n ln 2 + r, a polynomial in r (Cephes expf), n into the exponent.
// Arguments are held to [-87.3, 88.3], where the result is an ordinary number.
PLIMSOLL_INLINE float exponential(float x) {
    x = x < -87.3f ? -87.3f : x;
    x = x > 88.3f ? 88.3f : x;
    constexpr float shift = 12582912.f;  // 1.5 * 2^23: adding it rounds to an integer, kept in the low bits
    const float rounded = x * 1.44269504088896341f + shift, n = rounded - shift;
    const float r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * (r * r) + r + 1.f;
    const std::int32_t exponent = std::bit_cast<std::int32_t>(rounded) - std::bit_cast<std::int32_t>(shift);
    return p * std::bit_cast<float>((exponent + 127) << 23);
}
PLIMSOLL_INLINE double exponential(double x) { return std::exp(x); }

// Shares a range among the threads of this rank. Each thread gets one piece, in
// order; what is written for an index never depends on who wrote it.
//
//   over(threads, rows, 1, [&](std::size_t begin, std::size_t end, int thread) { ... });
//
// Pieces of [0, n) are multiples of `grain`, but for the last. One thread opens no parallel region: nothing spins.
template <class F>
void over(int threads, std::size_t n, std::size_t grain, F f) {
    if (threads <= 1 || n <= grain) {
        if (n > 0) f(std::size_t(0), n, 0);
        return;
    }
    const std::size_t grains = (n + grain - 1) / grain, team = std::size_t(threads);
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int thread = 0; thread < threads; ++thread) {
        const std::size_t begin = grains * std::size_t(thread) / team * grain;
        const std::size_t end = std::min(n, grains * (std::size_t(thread) + 1) / team * grain);
        if (begin < end) f(begin, end, thread);
    }
}

}  // namespace plimsoll::engine

#pragma once
// Loops compiled once per vector width and chosen when the program runs, so that one
// package serves every x86-64 (AVX2, AVX-512) and every 64-bit Arm (SVE of any length);
// elsewhere, as with VSX on POWER, there is what the compiler was told.
//
//   template <class Real> PLIMSOLL_INLINE void negate(Real* y, std::size_t n) { ...a loop under `#pragma omp simd`... }
//   vectorised<negate<Real>>(y, n);
//   const Real sum = sum_of<Real>(n, [=](std::size_t i) PLIMSOLL_EACH { return x[i] * x[i]; });
//
// Also exp: the one transcendental that training spends time in.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#define PLIMSOLL_EACH __attribute__((always_inline))
#define PLIMSOLL_INLINE inline PLIMSOLL_EACH

#if defined(__x86_64__) && defined(__GNUC__)
#define PLIMSOLL_X86
#elif defined(__aarch64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
#define PLIMSOLL_ARM
#include <sys/auxv.h>
#include <sys/prctl.h>
#endif

namespace plimsoll::engine {

enum class VectorWidth : std::uint8_t { any, avx2, avx512, sve };

#ifdef PLIMSOLL_X86
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
#elif defined(PLIMSOLL_ARM)
// SVE code asks the processor how long its vectors are. Those of 128 bits are NEON's, which every processor has.
inline int sve_bits() { return getauxval(AT_HWCAP) & HWCAP_SVE ? 8 * (prctl(PR_SVE_GET_VL) & PR_SVE_VL_LEN_MASK) : 0; }
inline VectorWidth widest_vectors() { return sve_bits() > 128 ? VectorWidth::sve : VectorWidth::any; }
template <auto body, class... A>
__attribute__((target("+sve"))) void with_sve(A... a) {
    body(a...);
}
#else
inline VectorWidth widest_vectors() { return VectorWidth::any; }
#endif

// For people: "AVX2", "SVE of 512 bits".
inline std::string vectors_in_use() {
    switch (widest_vectors()) {
        case VectorWidth::avx2: return "AVX2";
        case VectorWidth::avx512: return "AVX-512";
        case VectorWidth::sve:
#ifdef PLIMSOLL_ARM
            return "SVE of " + std::to_string(sve_bits()) + " bits";
#endif
        case VectorWidth::any: break;
    }
    return "as compiled";
}

// Calls body(a...), an always-inline function, with the widest vectors of this processor.
template <auto body, class... A>
void vectorised(A... a) {
    [[maybe_unused]] static const VectorWidth width = widest_vectors();
#if defined(PLIMSOLL_X86)
    if (width == VectorWidth::avx512) return with_avx512<body>(a...);
    if (width == VectorWidth::avx2) return with_avx2<body>(a...);
#elif defined(PLIMSOLL_ARM)
    if (width == VectorWidth::sve) return with_sve<body>(a...);
#endif
    body(a...);
}

// The sum of f(i) and the largest x[i] over [0, n), in an order of their own that is the same every time. GCC gives the
// lanes of a `reduction` a fixed number, which vectors of no fixed length cannot be: for Arm they are a small array.
#ifdef PLIMSOLL_ARM
template <class Real, class F, class Both>
PLIMSOLL_INLINE Real in_lanes(std::size_t n, Real start, F f, Both both) {
    constexpr std::size_t lanes = 128;
    Real lane[lanes];
    for (std::size_t i = 0; i < lanes; ++i) lane[i] = start;
    for (std::size_t first = 0; first < n; first += lanes) {
        const std::size_t width = n - first < lanes ? n - first : lanes;
#pragma omp simd
        for (std::size_t i = 0; i < width; ++i) lane[i] = both(lane[i], f(first + i));
    }
    for (std::size_t half = lanes / 2; half > 0; half /= 2) {
#pragma omp simd
        for (std::size_t i = 0; i < half; ++i) lane[i] = both(lane[i], lane[half + i]);
    }
    return lane[0];
}
#endif
template <class Real, class F>
PLIMSOLL_INLINE Real sum_of(std::size_t n, F f) {
#ifdef PLIMSOLL_ARM
    return in_lanes(n, Real(0), f, [](Real a, Real b) PLIMSOLL_EACH { return a + b; });
#else
    Real sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < n; ++i) sum += f(i);
    return sum;
#endif
}
// Two sums in one pass: f(i) is a Two.
template <class Real>
struct Two {
    Real first, second;
};
template <class Real, class F>
PLIMSOLL_INLINE Two<Real> sums_of(std::size_t n, F f) {
#ifdef PLIMSOLL_ARM
    return {sum_of<Real>(n, [=](std::size_t i) PLIMSOLL_EACH { return f(i).first; }),
            sum_of<Real>(n, [=](std::size_t i) PLIMSOLL_EACH { return f(i).second; })};
#else
    Real first = 0, second = 0;
#pragma omp simd reduction(+ : first, second)
    for (std::size_t i = 0; i < n; ++i) {
        const Two<Real> both = f(i);
        first += both.first;
        second += both.second;
    }
    return {first, second};
#endif
}
template <class Real>
PLIMSOLL_INLINE Real largest_of(const Real* x, std::size_t n) {
    constexpr Real least = -std::numeric_limits<Real>::infinity();
#ifdef PLIMSOLL_ARM
    return in_lanes(n, least, [=](std::size_t i) PLIMSOLL_EACH { return x[i]; },
                    [](Real a, Real b) PLIMSOLL_EACH { return b > a ? b : a; });
#else
    Real top = least;
#pragma omp simd reduction(max : top)
    for (std::size_t i = 0; i < n; ++i) top = x[i] > top ? x[i] : top;
    return top;
#endif
}

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

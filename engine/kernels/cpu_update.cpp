#include "engine/kernels/cpu.h"
#include "engine/kernels/loops.h"

#include <numeric>

namespace plimsoll::engine {
namespace {

constexpr std::size_t page = 4096;  // elements: what one thread takes at least, and one partial sum covers

// One pass over four streams: 28 bytes an element in fp32.
template <class Real>
PLIMSOLL_INLINE void adamw_loop(Real* w, const Real* gradient, Real* m, Real* v, std::size_t n, const AdamW* step) {
    const Real scale = Real(step->gradient_scale), beta1 = Real(step->beta1), beta2 = Real(step->beta2);
    const Real rest1 = Real(1 - step->beta1), rest2 = Real(1 - step->beta2);
    const Real rate = Real(step->rate / step->correction1), shrink = Real(1 - step->rate * step->decay);
    const Real deviation = Real(1 / std::sqrt(step->correction2)), epsilon = Real(step->epsilon);
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i) {
        const Real g = gradient[i] * scale;
        m[i] = beta1 * m[i] + rest1 * g;
        v[i] = beta2 * v[i] + rest2 * g * g;
        w[i] = w[i] * shrink - rate * m[i] / (std::sqrt(v[i]) * deviation + epsilon);
    }
}

template <class Real>
PLIMSOLL_INLINE void sgd_loop(Real* w, const Real* gradient, std::size_t n, Real rate) {
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i) w[i] -= rate * gradient[i];
}

template <class Real>
PLIMSOLL_INLINE void add_loop(Real* y, const Real* x, std::size_t n) {
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i) y[i] += x[i];
}

// sums[i] = squares of the i-th page of x.
template <class Real>
PLIMSOLL_INLINE void square_pages(double* sums, const Real* x, std::size_t n) {
    for (std::size_t first = 0; first < n; first += page) {
        const std::size_t width = n - first < page ? n - first : page;
        const Real* from = x + first;
        sums[first / page] =
            sum_of<double>(width, [=](std::size_t i) PLIMSOLL_EACH { return double(from[i]) * double(from[i]); });
    }
}

}  // namespace

// `weights` and `master` are one array here.
template <class Real>
void CpuKernels<Real>::adamw(Real* weights, Real*, const Real* gradient, Real* m, Real* v, std::size_t n,
                             AdamW step) {
    over(this->threads_, n, page, [&](std::size_t begin, std::size_t end, int) {
        vectorised<adamw_loop<Real>>(weights + begin, gradient + begin, m + begin, v + begin, end - begin, &step);
    });
}

template <class Real>
void CpuKernels<Real>::sgd(Real* weights, Real*, const Real* gradient, std::size_t n, double rate,
                           double gradient_scale) {
    over(this->threads_, n, page, [&](std::size_t begin, std::size_t end, int) {
        vectorised<sgd_loop<Real>>(weights + begin, gradient + begin, end - begin, Real(rate * gradient_scale));
    });
}

template <class Real>
void CpuKernels<Real>::add(Real* y, const Real* x, std::size_t n) {
    over(this->threads_, n, page, [&](std::size_t begin, std::size_t end, int) {
        vectorised<add_loop<Real>>(y + begin, x + begin, end - begin);
    });
}

template <class Real>
void CpuKernels<Real>::sum_squares(double* sum, const Real* x, std::size_t n) {
    block_sum_.resize((n + page - 1) / page);
    over(this->threads_, n, page, [&](std::size_t begin, std::size_t end, int) {
        vectorised<square_pages<Real>>(block_sum_.data() + begin / page, x + begin, end - begin);
    });
    *sum += std::accumulate(block_sum_.begin(), block_sum_.end(), 0.0);
}

template struct CpuKernels<float>;
template struct CpuKernels<double>;

}  // namespace plimsoll::engine

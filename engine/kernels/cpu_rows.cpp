#include "engine/kernels/cpu.h"
#include "engine/kernels/loops.h"

namespace plimsoll::engine {
namespace {

// Norms. A row of x stays in the first cache while its mean, its deviation and its output are computed.

template <class Real>
PLIMSOLL_INLINE void layer_stats(Real* stats, const Real* x, std::size_t C) {
    const Real mean = sum_of<Real>(C, [=](std::size_t i) PLIMSOLL_EACH { return x[i]; }) / Real(C);
    const Real square =
        sum_of<Real>(C, [=](std::size_t i) PLIMSOLL_EACH { return (x[i] - mean) * (x[i] - mean); });
    stats[0] = mean;
    stats[1] = Real(1) / std::sqrt(square / Real(C) + Real(norm_epsilon));
}

template <class Real>
PLIMSOLL_INLINE void rms_stats(Real* stats, const Real* x, std::size_t C) {
    const Real square = sum_of<Real>(C, [=](std::size_t i) PLIMSOLL_EACH { return x[i] * x[i]; });
    stats[0] = 0;
    stats[1] = Real(1) / std::sqrt(square / Real(C) + Real(norm_epsilon));
}

template <class Real>
PLIMSOLL_INLINE void apply_norm(Real* y, const Real* stats, const Real* x, const Real* gain, const Real* bias,
                                std::size_t C) {
    const Real mean = stats[0], scale = stats[1];
    if (bias) {
#pragma omp simd
        for (std::size_t i = 0; i < C; ++i) y[i] = (x[i] - mean) * scale * gain[i] + bias[i];
    } else {
#pragma omp simd
        for (std::size_t i = 0; i < C; ++i) y[i] = (x[i] - mean) * scale * gain[i];
    }
}

template <class Real>
PLIMSOLL_INLINE void norm_rows(Real* y, Real* stats, const Real* x, const Real* gain, const Real* bias, std::size_t R,
                               std::size_t C, Norm kind) {
    for (std::size_t r = 0; r < R; ++r, y += C, x += C, stats += 2) {
        if (kind == Norm::layer) {
            layer_stats(stats, x, C);
        } else {
            rms_stats(stats, x, C);
        }
        apply_norm(y, stats, x, gain, bias, C);
    }
}

template <class Real>
PLIMSOLL_INLINE void norm_again_rows(Real* y, const Real* stats, const Real* x, const Real* gain, const Real* bias,
                                     std::size_t R, std::size_t C) {
    for (std::size_t r = 0; r < R; ++r, y += C, x += C, stats += 2) apply_norm(y, stats, x, gain, bias, C);
}

// With n = (x - mean) s and g = dy gain: dx += s (g - mean(g) - n mean(g n)); rms has no mean(g).
template <class Real>
PLIMSOLL_INLINE void norm_input_gradient(Real* dx, const Real* dy, const Real* x, const Real* gain, const Real* stats,
                                         std::size_t R, std::size_t C, Norm kind) {
    for (std::size_t r = 0; r < R; ++r, dx += C, dy += C, x += C, stats += 2) {
        const Real mean = stats[0], scale = stats[1];
        const auto [sum, product] = sums_of<Real>(C, [=](std::size_t i) PLIMSOLL_EACH {
            const Real g = dy[i] * gain[i];
            return Two<Real>{g, g * (x[i] - mean)};
        });
        const Real along_one = kind == Norm::layer ? scale * sum / Real(C) : Real(0);
        const Real along_x = scale * scale * scale * product / Real(C);
#pragma omp simd
        for (std::size_t i = 0; i < C; ++i) dx[i] += scale * dy[i] * gain[i] - along_one - (x[i] - mean) * along_x;
    }
}

// dgain += sum of dy n over rows, dbias += sum of dy, for columns [begin, end).
template <class Real>
PLIMSOLL_INLINE void norm_parameter_gradient(Real* dgain, Real* dbias, const Real* dy, const Real* x, const Real* stats,
                                             std::size_t R, std::size_t C, std::size_t begin, std::size_t end) {
    constexpr std::size_t strip = 512;
    for (std::size_t first = begin; first < end; first += strip) {
        const std::size_t width = end - first < strip ? end - first : strip;
        Real gain_sum[strip] = {}, bias_sum[strip] = {};
        for (std::size_t r = 0; r < R; ++r) {
            const Real *dy_row = dy + r * C + first, *x_row = x + r * C + first;
            const Real mean = stats[2 * r], scale = stats[2 * r + 1];
#pragma omp simd
            for (std::size_t i = 0; i < width; ++i) {
                gain_sum[i] += dy_row[i] * (x_row[i] - mean) * scale;
                bias_sum[i] += dy_row[i];
            }
        }
        for (std::size_t i = 0; i < width; ++i) dgain[first + i] += gain_sum[i];
        if (dbias)
            for (std::size_t i = 0; i < width; ++i) dbias[first + i] += bias_sum[i];
    }
}

template <class Real>
PLIMSOLL_INLINE void add_rows(Real* y, const Real* x, const Real* z, const Real* bias, std::size_t R, std::size_t C) {
    if (!bias) {
#pragma omp simd
        for (std::size_t i = 0; i < R * C; ++i) y[i] = x[i] + z[i];
        return;
    }
    for (std::size_t r = 0; r < R; ++r, y += C, x += C, z += C) {
#pragma omp simd
        for (std::size_t i = 0; i < C; ++i) y[i] = x[i] + z[i] + bias[i];
    }
}

// Activations. The tanh form of GELU is x / (1 + exp(-2u)), u = sqrt(2/pi) (x + 0.044715 x^3) (Hendrycks and Gimpel
// 2016): the same function without the cancellation of 1 + tanh(u), and one exponential either way.

template <class Real>
constexpr Real gelu_slope = Real(2 * 0.79788456080286535588);
template <class Real>
constexpr Real gelu_cube = Real(0.044715);

template <class Real>
PLIMSOLL_INLINE Real sigmoid(Real x) {
    return Real(1) / (Real(1) + exponential(-x));
}

template <class Real>
PLIMSOLL_INLINE void gelu(Real* y, const Real* x, std::size_t n) {
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i)
        y[i] = x[i] * sigmoid(gelu_slope<Real> * x[i] * (Real(1) + gelu_cube<Real> * x[i] * x[i]));
}

template <class Real>
PLIMSOLL_INLINE void gelu_gradient(Real* dx, const Real* dy, const Real* x, std::size_t n) {
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i) {
        const Real square = gelu_cube<Real> * x[i] * x[i];
        const Real s = sigmoid(gelu_slope<Real> * x[i] * (Real(1) + square));
        dx[i] = dy[i] * (s + x[i] * s * (Real(1) - s) * gelu_slope<Real> * (Real(1) + Real(3) * square));
    }
}

template <class Real>
PLIMSOLL_INLINE void swiglu(Real* y, const Real* x, std::size_t R, std::size_t F) {
    for (std::size_t r = 0; r < R; ++r, y += F, x += 2 * F) {
#pragma omp simd
        for (std::size_t i = 0; i < F; ++i) y[i] = x[i] * sigmoid(x[i]) * x[F + i];
    }
}

template <class Real>
PLIMSOLL_INLINE void swiglu_gradient(Real* dx, const Real* dy, const Real* x, std::size_t R, std::size_t F) {
    for (std::size_t r = 0; r < R; ++r, dx += 2 * F, dy += F, x += 2 * F) {
#pragma omp simd
        for (std::size_t i = 0; i < F; ++i) {
            const Real s = sigmoid(x[i]), d = dy[i];
            dx[i] = d * x[F + i] * s * (Real(1) + x[i] * (Real(1) - s));
            dx[F + i] = d * x[i] * s;
        }
    }
}

}  // namespace

template <class Real>
void CpuRows<Real>::norm(Real* y, Real* stats, const Real* x, const Real* gain, const Real* bias, int R, int C,
                         Norm kind) {
    const std::size_t width = std::size_t(C);
    over(this->threads_, std::size_t(R), 1, [&](std::size_t begin, std::size_t end, int) {
        vectorised<norm_rows<Real>>(y + begin * width, stats + 2 * begin, x + begin * width, gain, bias, end - begin,
                                    width, kind);
    });
}

template <class Real>
void CpuRows<Real>::norm_again(Real* y, const Real* stats, const Real* x, const Real* gain, const Real* bias, int R,
                               int C) {
    const std::size_t width = std::size_t(C);
    over(this->threads_, std::size_t(R), 1, [&](std::size_t begin, std::size_t end, int) {
        vectorised<norm_again_rows<Real>>(y + begin * width, stats + 2 * begin, x + begin * width, gain, bias,
                                          end - begin, width);
    });
}

template <class Real>
void CpuRows<Real>::norm_gradient(Real* dx, Real* dgain, Real* dbias, const Real* dy, const Real* x, const Real* gain,
                                  const Real* stats, int R, int C, Norm kind) {
    const std::size_t width = std::size_t(C);
    over(this->threads_, std::size_t(R), 1, [&](std::size_t begin, std::size_t end, int) {
        const std::size_t at = begin * width;
        vectorised<norm_input_gradient<Real>>(dx + at, dy + at, x + at, gain, stats + 2 * begin, end - begin, width,
                                              kind);
    });
    over(this->threads_, width, 64, [&](std::size_t begin, std::size_t end, int) {
        vectorised<norm_parameter_gradient<Real>>(dgain, dbias, dy, x, stats, std::size_t(R), width, begin, end);
    });
}

template <class Real>
void CpuRows<Real>::add_residual(Real* y, const Real* x, const Real* z, const Real* bias, int R, int C) {
    const std::size_t width = std::size_t(C);
    over(this->threads_, std::size_t(R), 1, [&](std::size_t begin, std::size_t end, int) {
        const std::size_t at = begin * width;
        vectorised<add_rows<Real>>(y + at, x + at, z + at, bias, end - begin, width);
    });
}

template <class Real>
void CpuRows<Real>::activate(Real* y, const Real* x, int R, int F, Activation kind) {
    const std::size_t width = std::size_t(F);
    over(this->threads_, std::size_t(R), 1, [&](std::size_t begin, std::size_t end, int) {
        if (kind == Activation::gelu) {
            vectorised<gelu<Real>>(y + begin * width, x + begin * width, (end - begin) * width);
        } else {
            vectorised<swiglu<Real>>(y + begin * width, x + 2 * begin * width, end - begin, width);
        }
    });
}

template <class Real>
void CpuRows<Real>::activate_gradient(Real* dx, const Real* dy, const Real* x, int R, int F, Activation kind) {
    const std::size_t width = std::size_t(F);
    over(this->threads_, std::size_t(R), 1, [&](std::size_t begin, std::size_t end, int) {
        const std::size_t at = begin * width;
        if (kind == Activation::gelu) {
            vectorised<gelu_gradient<Real>>(dx + at, dy + at, x + at, (end - begin) * width);
        } else {
            vectorised<swiglu_gradient<Real>>(dx + 2 * at, dy + at, x + 2 * at, end - begin, width);
        }
    });
}

template struct CpuRows<float>;
template struct CpuRows<double>;

}  // namespace plimsoll::engine

#pragma once
// The operations of a GPT in triple loops and double precision, each beside what it passes back.
//
// Written from the formulas alone: no BLAS, no fusing, whole attention matrices of one sequence. Slow is fine here.
// `_back` functions take the gradient of the result, return that of the input and add to those of the weights.
//
//   Matrix y = affine(x, w, &b);   Matrix dx = affine_back(dy, x, w, dw, &db);

#include <cmath>
#include <utility>
#include <vector>

namespace plimsoll::naive {

struct Matrix {
    int rows = 0, cols = 0;
    std::vector<double> x;
    Matrix() = default;
    Matrix(int r, int c) : rows(r), cols(c), x(std::size_t(r) * std::size_t(c)) {}
    double& operator()(int r, int c) { return x[std::size_t(r) * std::size_t(cols) + std::size_t(c)]; }
    double operator()(int r, int c) const { return x[std::size_t(r) * std::size_t(cols) + std::size_t(c)]; }
};

inline void accumulate(Matrix& y, const Matrix& x) { for (std::size_t i = 0; i < y.x.size(); ++i) y.x[i] += x.x[i]; }

// y = x w^T (+ b)
inline Matrix affine(const Matrix& x, const Matrix& w, const Matrix* b) {
    Matrix y(x.rows, w.rows);
    for (int r = 0; r < x.rows; ++r)
        for (int o = 0; o < w.rows; ++o) {
            if (b) y(r, o) = (*b)(0, o);
            for (int i = 0; i < w.cols; ++i) y(r, o) += x(r, i) * w(o, i);
        }
    return y;
}
inline Matrix affine_back(const Matrix& dy, const Matrix& x, const Matrix& w, Matrix& dw, Matrix* db) {
    Matrix dx(x.rows, x.cols);
    for (int r = 0; r < x.rows; ++r)
        for (int o = 0; o < w.rows; ++o) {
            if (db) (*db)(0, o) += dy(r, o);
            for (int i = 0; i < w.cols; ++i) {
                dx(r, i) += dy(r, o) * w(o, i);
                dw(o, i) += dy(r, o) * x(r, i);
            }
        }
    return dx;
}

// LayerNorm; without a bias RMSNorm, which leaves the mean where it is.
// Returns mean and 1 / sqrt(mean square of the rest + 1e-5) of row r.
inline std::pair<double, double> moments(const Matrix& x, int r, bool centred) {
    double mean = 0, square = 0;
    for (int c = 0; c < x.cols && centred; ++c) mean += x(r, c) / x.cols;
    for (int c = 0; c < x.cols; ++c) square += (x(r, c) - mean) * (x(r, c) - mean) / x.cols;
    return {mean, 1 / std::sqrt(square + 1e-5)};
}
inline Matrix norm(const Matrix& x, const Matrix& gain, const Matrix* bias) {
    Matrix y(x.rows, x.cols);
    for (int r = 0; r < x.rows; ++r) {
        const auto [mean, inverse] = moments(x, r, bias);
        for (int c = 0; c < x.cols; ++c) y(r, c) = (x(r, c) - mean) * inverse * gain(0, c) + (bias ? (*bias)(0, c) : 0);
    }
    return y;
}
// With u = (x - mean) inverse and du = dy gain: dx = inverse (du - mean(du) - u mean(du u)); RMSNorm lacks the second
// term.
inline Matrix norm_back(const Matrix& dy, const Matrix& x, const Matrix& gain, Matrix& dgain, Matrix* dbias) {
    Matrix dx(x.rows, x.cols);
    for (int r = 0; r < x.rows; ++r) {
        const auto [mean, inverse] = moments(x, r, dbias);
        double mean_du = 0, mean_duu = 0;
        for (int c = 0; c < x.cols; ++c) {
            const double u = (x(r, c) - mean) * inverse, du = dy(r, c) * gain(0, c);
            if (dbias) {
                mean_du += du / x.cols;
                (*dbias)(0, c) += dy(r, c);
            }
            mean_duu += du * u / x.cols;
            dgain(0, c) += dy(r, c) * u;
        }
        for (int c = 0; c < x.cols; ++c)
            dx(r, c) = inverse * (dy(r, c) * gain(0, c) - mean_du - (x(r, c) - mean) * inverse * mean_duu);
    }
    return dx;
}

// Row t turns by t 10000^(-2 i / D) in the plane of elements i and i + D/2 of each head (LLaMA); sign -1 turns back.
inline void rotate(Matrix& x, int D, int sign) {
    for (int t = 0; t < x.rows; ++t)
        for (int c = 0; c < x.cols; ++c) {
            const int i = c % D;
            if (i >= D / 2) continue;
            const double angle = sign * t * std::pow(10000.0, -2.0 * i / D), a = x(t, c), b = x(t, c + D / 2);
            x(t, c) = a * std::cos(angle) - b * std::sin(angle);
            x(t, c + D / 2) = b * std::cos(angle) + a * std::sin(angle);
        }
}

// Queries, keys and values of one sequence with D columns a head, the probabilities of each head, and what they mix.
// Query head h uses key-value head h / (heads / kv_heads).
struct Attention {
    int heads, kv_heads, D;
    Matrix q, k, v, mixed;
    std::vector<Matrix> p;
};
// p = softmax over j <= i of q_i k_j / sqrt(D), mixed_i = sum p_ij v_j
inline void attend(Attention& a) {
    const int T = a.q.rows, D = a.D;
    a.p.assign(std::size_t(a.heads), Matrix(T, T));
    a.mixed = Matrix(T, a.heads * D);
    for (int h = 0; h < a.heads; ++h)
        for (int i = 0; i < T; ++i) {
            Matrix& p = a.p[std::size_t(h)];
            const int q = h * D, kv = h / (a.heads / a.kv_heads) * D;
            double sum = 0;
            for (int j = 0; j <= i; ++j) {
                double dot = 0;
                for (int d = 0; d < D; ++d) dot += a.q(i, q + d) * a.k(j, kv + d);
                sum += p(i, j) = std::exp(dot / std::sqrt(double(D)));
            }
            for (int j = 0; j <= i; ++j) p(i, j) /= sum;
            for (int j = 0; j <= i; ++j)
                for (int d = 0; d < D; ++d) a.mixed(i, q + d) += p(i, j) * a.v(j, kv + d);
        }
}
// da.mixed is given, da.q, da.k and da.v are found: ds_ij = p_ij (dp_ij - sum_j p_ij dp_ij).
inline void attend_back(Attention& da, const Attention& a) {
    const int T = a.q.rows, D = a.D;
    da.q = Matrix(T, a.heads * D);
    da.k = da.v = Matrix(T, a.kv_heads * D);
    for (int h = 0; h < a.heads; ++h)
        for (int i = 0; i < T; ++i) {
            const Matrix& p = a.p[std::size_t(h)];
            const int q = h * D, kv = h / (a.heads / a.kv_heads) * D;
            std::vector<double> dp(std::size_t(i) + 1);
            double mean = 0;
            for (int j = 0; j <= i; ++j) {
                for (int d = 0; d < D; ++d) dp[std::size_t(j)] += da.mixed(i, q + d) * a.v(j, kv + d);
                mean += p(i, j) * dp[std::size_t(j)];
            }
            for (int j = 0; j <= i; ++j)
                for (int d = 0; d < D; ++d) {
                    const double ds = p(i, j) * (dp[std::size_t(j)] - mean) / std::sqrt(double(D));
                    da.v(j, kv + d) += p(i, j) * da.mixed(i, q + d);
                    da.q(i, q + d) += ds * a.k(j, kv + d);
                    da.k(j, kv + d) += ds * a.q(i, q + d);
                }
        }
}

// Value and slope of GELU in its tanh form, and of SiLU.
inline std::pair<double, double> gelu(double x) {
    const double root = std::sqrt(2 / std::acos(-1.0)), u = std::tanh(root * (x + 0.044715 * x * x * x));
    return {0.5 * x * (1 + u), 0.5 * (1 + u) + 0.5 * x * (1 - u * u) * root * (1 + 3 * 0.044715 * x * x)};
}
inline std::pair<double, double> silu(double x) {
    const double s = 1 / (1 + std::exp(-x));
    return {x * s, s + x * s * (1 - s)};
}

// Sum over rows of -log softmax(logits)[target]; the logits become `scale` times their gradient.
inline double cross_entropy(Matrix& logits, const int* targets, double scale) {
    double loss = 0;
    for (int t = 0; t < logits.rows; ++t) {
        double sum = 0;
        for (int v = 0; v < logits.cols; ++v) sum += std::exp(logits(t, v));
        loss += std::log(sum) - logits(t, targets[t]);
        for (int v = 0; v < logits.cols; ++v) logits(t, v) = scale * (std::exp(logits(t, v)) / sum - (v == targets[t]));
    }
    return loss;
}

}  // namespace plimsoll::naive

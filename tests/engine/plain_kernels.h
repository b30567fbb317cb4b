#pragma once
// The kernels once more, as the definitions read: loops over indices in fp64, no
// BLAS, no blocks, no rearranged formulas, whole Jacobians where that is plainer.
// Slow, and nothing here is shared with the engine but the interface.
//
//   PlainKernels plain; plain.attention(out, logsum, qkv, shape);

#include "engine/kernels/kernels.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace plimsoll::engine {

class PlainKernels final : public Kernels<double, double> {
    using Row = std::vector<double>;

public:
    void* allocate(std::size_t bytes) override { return std::calloc(bytes, 1); }
    void release(void* memory) override { std::free(memory); }
    void copy_in(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
    void copy_out(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
    void copy(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
    void zero(void* memory, std::size_t bytes) override { std::memset(memory, 0, bytes); }
    void synchronize() override {}

    void linear(double* y, const double* x, const double* w, const double* bias, int m, int n, int k) override {
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j) {
                double sum = bias ? bias[j] : 0;
                for (int l = 0; l < k; ++l) sum += x[i * k + l] * w[j * k + l];
                y[i * n + j] = sum;
            }
    }
    void linear_input_gradient(double* dx, const double* dy, const double* w, int m, int n, int k) override {
        for (int i = 0; i < m; ++i)
            for (int l = 0; l < k; ++l) {
                dx[i * k + l] = 0;
                for (int j = 0; j < n; ++j) dx[i * k + l] += dy[i * n + j] * w[j * k + l];
            }
    }
    void linear_weight_gradient(double* dw, const double* dy, const double* x, int m, int n, int k) override {
        for (int j = 0; j < n; ++j)
            for (int l = 0; l < k; ++l)
                for (int i = 0; i < m; ++i) dw[j * k + l] += dy[i * n + j] * x[i * k + l];
    }
    void bias_gradient(double* db, const double* dy, int m, int n) override {
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j) db[j] += dy[i * n + j];
    }

    void embed(double* y, const double* table, const std::int32_t* ids, int R, int C, int first, int V) override {
        for (int r = 0; r < R; ++r)
            for (int c = 0; c < C; ++c) y[r * C + c] = here(ids[r], first, V) ? table[(ids[r] - first) * C + c] : 0;
    }
    void embed_gradient(double* dtable, const double* dy, const std::int32_t* ids, int R, int C, int first,
                        int V) override {
        for (int r = 0; r < R; ++r)
            for (int c = 0; c < C; ++c)
                if (here(ids[r], first, V)) dtable[(ids[r] - first) * C + c] += dy[r * C + c];
    }
    void add_positions(double* y, const double* table, int R, int C, int first_row, int T) override {
        for (int i = 0; i < R * C; ++i) y[i] += table[(first_row + i / C) % T * C + i % C];
    }
    void positions_gradient(double* dtable, const double* dy, int R, int C, int first_row, int T) override {
        for (int i = 0; i < R * C; ++i) dtable[(first_row + i / C) % T * C + i % C] += dy[i];
    }

    void norm(double* y, double* stats, const double* x, const double* gain, const double* bias, int R, int C,
              Norm kind) override {
        for (int r = 0; r < R; ++r) {
            double mean = 0, variance = 0;
            for (int c = 0; c < C && kind == Norm::layer; ++c) mean += x[r * C + c] / C;
            for (int c = 0; c < C; ++c) variance += std::pow(x[r * C + c] - mean, 2) / C;
            stats[2 * r] = mean;
            stats[2 * r + 1] = std::pow(variance + norm_epsilon, -0.5);
        }
        norm_again(y, stats, x, gain, bias, R, C);
    }
    void norm_again(double* y, const double* stats, const double* x, const double* gain, const double* bias, int R,
                    int C) override {
        for (int r = 0; r < R; ++r)
            for (int c = 0; c < C; ++c)
                y[r * C + c] = (x[r * C + c] - stats[2 * r]) * stats[2 * r + 1] * gain[c] + (bias ? bias[c] : 0);
    }
    // The Jacobian of the normalised row n: dn_i / dx_j = s (i == j) - s [layer] / C - n_i n_j s / C.
    void norm_gradient(double* dx, double* dgain, double* dbias, const double* dy, const double* x, const double* gain,
                       const double* stats, int R, int C, Norm kind) override {
        for (int r = 0; r < R; ++r) {
            const double s = stats[2 * r + 1];
            Row n(static_cast<std::size_t>(C));
            for (int c = 0; c < C; ++c) n[std::size_t(c)] = (x[r * C + c] - stats[2 * r]) * s;
            for (int i = 0; i < C; ++i) {
                const double slope = dy[r * C + i];
                for (int j = 0; j < C; ++j)
                    dx[r * C + j] += slope * gain[i]
                                   * (s * (i == j) - (kind == Norm::layer ? s / C : 0)
                                      - n[std::size_t(i)] * n[std::size_t(j)] * s / C);
                dgain[i] += slope * n[std::size_t(i)];
                if (dbias) dbias[i] += slope;
            }
        }
    }
    void add_residual(double* y, const double* x, const double* z, const double* bias, int R, int C) override {
        for (int i = 0; i < R * C; ++i) y[i] = x[i] + z[i] + (bias ? bias[i % C] : 0);
    }

    void activate(double* y, const double* x, int R, int F, Activation kind) override {
        for (int r = 0; r < R; ++r)
            for (int f = 0; f < F; ++f)
                y[r * F + f] = kind == Activation::gelu
                                 ? gelu(x[r * F + f])
                                 : x[2 * r * F + f] * sigmoid(x[2 * r * F + f]) * x[(2 * r + 1) * F + f];
    }
    void activate_gradient(double* dx, const double* dy, const double* x, int R, int F, Activation kind) override {
        for (int r = 0; r < R; ++r)
            for (int f = 0; f < F; ++f) {
                const double d = dy[r * F + f];
                if (kind == Activation::gelu) {
                    dx[r * F + f] = d * gelu_slope(x[r * F + f]);
                    continue;
                }
                const double gate = x[2 * r * F + f], s = sigmoid(gate);
                dx[2 * r * F + f] = d * x[(2 * r + 1) * F + f] * (s + gate * s * (1 - s));
                dx[(2 * r + 1) * F + f] = d * gate * s;
            }
    }

    void rotate(double* qkv, AttentionShape s, int direction) override {
        const int half = s.D / 2;
        for (int r = 0; r < s.B * s.T; ++r)
            for (int h = 0; h < s.H + s.K; ++h)
                for (int i = 0; i < half; ++i) {
                    double* pair = qkv + (r * (s.H + 2 * s.K) + h) * s.D + i;
                    const double angle = direction * (r % s.T) / std::pow(10000.0, double(i) / half);
                    const double x = pair[0], y = pair[half];
                    pair[0] = x * std::cos(angle) - y * std::sin(angle);
                    pair[half] = y * std::cos(angle) + x * std::sin(angle);
                }
    }
    void attention(double* out, double* logsum, const double* qkv, AttentionShape s) override {
        for (int b = 0; b < s.B; ++b)
            for (int h = 0; h < s.H; ++h)
                for (int t = 0; t < s.T; ++t) {
                    const Row p = probabilities(qkv, s, b, h, t, &logsum[(b * s.H + h) * s.T + t]);
                    for (int d = 0; d < s.D; ++d) {
                        double& o = out[((b * s.T + t) * s.H + h) * s.D + d];
                        o = 0;
                        for (int u = 0; u <= t; ++u) o += p[std::size_t(u)] * qkv[value(s, b, u, h) + d];
                    }
                }
    }
    // Softmax by its Jacobian: ds_u = sum over w of dp_w p_w ((u == w) - p_u).
    void attention_gradient(double* dqkv, const double* dout, const double*, const double*, const double* qkv,
                            AttentionShape s) override {
        std::memset(dqkv, 0, sizeof(double) * std::size_t(s.B * s.T * (s.H + 2 * s.K) * s.D));
        for (int b = 0; b < s.B; ++b)
            for (int h = 0; h < s.H; ++h)
                for (int t = 0; t < s.T; ++t) {
                    const double* slope = dout + ((b * s.T + t) * s.H + h) * s.D;
                    double ignored;
                    const Row p = probabilities(qkv, s, b, h, t, &ignored);
                    Row dp(p.size());
                    for (int u = 0; u <= t; ++u)
                        for (int d = 0; d < s.D; ++d) {
                            dp[std::size_t(u)] += slope[d] * qkv[value(s, b, u, h) + d];
                            dqkv[value(s, b, u, h) + d] += p[std::size_t(u)] * slope[d];
                        }
                    for (int u = 0; u <= t; ++u) {
                        double ds = 0;
                        for (int w = 0; w <= t; ++w)
                            ds += dp[std::size_t(w)] * p[std::size_t(w)] * ((u == w) - p[std::size_t(u)]);
                        for (int d = 0; d < s.D; ++d) {
                            dqkv[query(s, b, t, h) + d] += ds * qkv[key(s, b, u, h) + d] / std::sqrt(s.D);
                            dqkv[key(s, b, u, h) + d] += ds * qkv[query(s, b, t, h) + d] / std::sqrt(s.D);
                        }
                    }
                }
    }

    void row_max(double* max, const double* logits, int R, int V) override {
        for (int i = 0; i < R * V; ++i) max[i / V] = i % V == 0 || logits[i] > max[i / V] ? logits[i] : max[i / V];
    }
    void exp_sum(double* sums, double* targets, double* logits, const double* max, const std::int32_t* ids, int R,
                 int V, int first) override {
        for (int r = 0; r < R; ++r) {
            targets[r] = here(ids[r], first, V) ? logits[r * V + ids[r] - first] - max[r] : 0;
            sums[r] = 0;
            for (int v = 0; v < V; ++v) sums[r] += logits[r * V + v] = std::exp(logits[r * V + v] - max[r]);
        }
    }
    void cross_entropy(double* loss, double* logits, const double* sums, const double* targets, const std::int32_t* ids,
                       int R, int V, int first, double scale) override {
        for (int r = 0; r < R; ++r) {
            *loss += std::log(sums[r]) - targets[r];
            for (int v = 0; v < V; ++v)
                logits[r * V + v] = (logits[r * V + v] / sums[r] - (v + first == ids[r])) * scale;
        }
    }
    void cross_entropy_whole(double* loss, double* logits, const std::int32_t* ids, int R, int V,
                             double scale) override {
        for (int r = 0; r < R; ++r) {
            double sum = 0;
            for (int v = 0; v < V; ++v) sum += std::exp(logits[r * V + v]);
            *loss -= std::log(std::exp(logits[r * V + ids[r]]) / sum);
            for (int v = 0; v < V; ++v) logits[r * V + v] = (std::exp(logits[r * V + v]) / sum - (v == ids[r])) * scale;
        }
    }

    void adamw(double* weights, double*, const double* gradient, double* m, double* v, std::size_t n,
               AdamW a) override {
        for (std::size_t i = 0; i < n; ++i) {
            const double g = gradient[i] * a.gradient_scale;
            m[i] = a.beta1 * m[i] + (1 - a.beta1) * g;
            v[i] = a.beta2 * v[i] + (1 - a.beta2) * g * g;
            const double old = weights[i];
            weights[i] -= a.rate * (m[i] / a.correction1) / (std::sqrt(v[i] / a.correction2) + a.epsilon);
            weights[i] -= a.rate * a.decay * old;
        }
    }
    void sgd(double* weights, double*, const double* gradient, std::size_t n, double rate, double scale) override {
        for (std::size_t i = 0; i < n; ++i) weights[i] -= rate * scale * gradient[i];
    }
    void add(double* y, const double* x, std::size_t n) override {
        for (std::size_t i = 0; i < n; ++i) y[i] += x[i];
    }
    void sum_squares(double* sum, const double* x, std::size_t n) override {
        for (std::size_t i = 0; i < n; ++i) *sum += x[i] * x[i];
    }

private:
    static bool here(int id, int first, int V) { return id >= first && id < first + V; }
    static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
    static double inner(double x) { return std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x); }
    static double gelu(double x) { return 0.5 * x * (1 + std::tanh(inner(x))); }
    static double gelu_slope(double x) {
        const double th = std::tanh(inner(x));
        return 0.5 * (1 + th) + 0.5 * x * (1 - th * th) * std::sqrt(2 / M_PI) * (1 + 3 * 0.044715 * x * x);
    }

    // Where the first element of a head's vector lies: token t of sequence b.
    static int query(AttentionShape s, int b, int t, int h) { return ((b * s.T + t) * (s.H + 2 * s.K) + h) * s.D; }
    static int key(AttentionShape s, int b, int t, int h) { return query(s, b, t, s.H + h / (s.H / s.K)); }
    static int value(AttentionShape s, int b, int t, int h) { return query(s, b, t, s.H + s.K + h / (s.H / s.K)); }
    static Row probabilities(const double* qkv, AttentionShape s, int b, int h, int t, double* logsum) {
        Row p(std::size_t(t) + 1);
        double sum = 0;
        for (int u = 0; u <= t; ++u) {
            double score = 0;
            for (int d = 0; d < s.D; ++d) score += qkv[query(s, b, t, h) + d] * qkv[key(s, b, u, h) + d];
            sum += p[std::size_t(u)] = std::exp(score / std::sqrt(s.D));
        }
        for (double& x : p) x /= sum;
        *logsum = std::log(sum);
        return p;
    }
};

}  // namespace plimsoll::engine

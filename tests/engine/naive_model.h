#pragma once
// One training step of a GPT, written from the formulas: what the engine is compared with.
//
// Shaped unlike the engine: one sequence at a time, everything kept, tensors by name (engine/model/tensor_file.h).
//
//   naive::Tensors gradients = naive::zeros(model);
//   double loss = naive::mean_loss(model, weights, samples, &gradients);  // samples: T + 1 ids each
//   naive::Adam adam; naive::update(adam, weights, gradients, rate);

#include "naive_layers.h"

#include <algorithm>
#include <map>
#include <string>

namespace plimsoll::naive {

struct Model {
    bool llama = false;
    int layers = 2, width = 24, heads = 4, kv_heads = 4, ffn = 96, vocabulary = 61, sequence = 12;
    int head_size() const { return width / heads; }
};
using Tensors = std::map<std::string, Matrix>;
using Samples = std::vector<std::vector<int>>;

// Every tensor the model has, all zero.
inline Tensors zeros(const Model& m) {
    Tensors t;
    const auto affine = [&](const std::string& name, int out, int in) {
        t[name + ".weight"] = Matrix(out, in);
        if (!m.llama) t[name + ".bias"] = Matrix(1, out);
    };
    const auto norm = [&](const std::string& name) {
        t[name + ".gain"] = Matrix(1, m.width);
        if (!m.llama) t[name + ".bias"] = Matrix(1, m.width);
    };
    t["wte"] = Matrix(m.vocabulary, m.width);
    if (m.llama) t["head.weight"] = Matrix(m.vocabulary, m.width);
    else t["wpe"] = Matrix(m.sequence, m.width);
    for (int l = 0; l < m.layers; ++l) {
        const std::string h = "h." + std::to_string(l) + ".";
        norm(h + "ln1");
        norm(h + "ln2");
        affine(h + "q", m.width, m.width);
        affine(h + "k", m.kv_heads * m.head_size(), m.width);
        affine(h + "v", m.kv_heads * m.head_size(), m.width);
        affine(h + "o", m.width, m.width);
        if (m.llama) affine(h + "gate", m.ffn, m.width);
        affine(h + "up", m.ffn, m.width);
        affine(h + "down", m.width, m.ffn);
    }
    norm("lnf");
    return t;
}

// One sequence through the model and back.
class Sequence {
public:
    Sequence(const Model& m, const Tensors& weights, Tensors* gradients) : m_(m), w_(weights), g_(gradients) {}

    // The sum of -log p over the sample's T targets; with gradients, `scale` times theirs is added to them.
    double run(const std::vector<int>& sample, double scale) {
        const std::string head = m_.llama ? "head.weight" : "wte";
        Matrix x(m_.sequence, m_.width);
        for (int t = 0; t < m_.sequence; ++t)
            for (int c = 0; c < m_.width; ++c)
                x(t, c) = w("wte")(sample[std::size_t(t)], c) + (m_.llama ? 0 : w("wpe")(t, c));
        for (int l = 0; l < m_.layers; ++l) x = layer(l, x);
        const Matrix last = normed("lnf", x);
        Matrix logits = affine(last, w(head), nullptr);
        const double loss = cross_entropy(logits, sample.data() + 1, scale);
        if (!g_) return loss;
        Matrix dx = normed_back("lnf", affine_back(logits, last, w(head), g_->at(head), nullptr), x);
        for (int l = m_.layers; l-- > 0;) dx = layer_back(l, dx);
        for (int t = 0; t < m_.sequence; ++t)
            for (int c = 0; c < m_.width; ++c) {
                g_->at("wte")(sample[std::size_t(t)], c) += dx(t, c);
                if (!m_.llama) g_->at("wpe")(t, c) += dx(t, c);
            }
        return loss;
    }

private:
    struct Trace { Matrix x, n1, middle, n2, gate, up, hidden; Attention a; };

    const Matrix& w(const std::string& name) const { return w_.at(name); }
    const Matrix* bias(const std::string& name) const { return m_.llama ? nullptr : &w_.at(name + ".bias"); }
    Matrix* bias_gradient(const std::string& name) { return m_.llama ? nullptr : &g_->at(name + ".bias"); }
    Matrix linear(const std::string& n, const Matrix& x) const { return affine(x, w(n + ".weight"), bias(n)); }
    Matrix linear_back(const std::string& n, const Matrix& dy, const Matrix& x) {
        return affine_back(dy, x, w(n + ".weight"), g_->at(n + ".weight"), bias_gradient(n));
    }
    Matrix normed(const std::string& n, const Matrix& x) const { return norm(x, w(n + ".gain"), bias(n)); }
    Matrix normed_back(const std::string& n, const Matrix& dy, const Matrix& x) {
        return norm_back(dy, x, w(n + ".gain"), g_->at(n + ".gain"), bias_gradient(n));
    }

    Matrix layer(int l, const Matrix& x) {
        const std::string h = "h." + std::to_string(l) + ".";
        Trace s;
        s.x = x;
        s.n1 = normed(h + "ln1", x);
        s.a = {
            m_.heads, m_.kv_heads, m_.head_size(), linear(h + "q", s.n1), linear(h + "k", s.n1), linear(h + "v", s.n1),
            {},       {}};
        if (m_.llama) {
            rotate(s.a.q, s.a.D, 1);
            rotate(s.a.k, s.a.D, 1);
        }
        attend(s.a);
        s.middle = linear(h + "o", s.a.mixed);
        accumulate(s.middle, x);
        s.n2 = normed(h + "ln2", s.middle);
        s.hidden = s.up = linear(h + "up", s.n2);
        if (m_.llama) s.gate = linear(h + "gate", s.n2);
        for (std::size_t i = 0; i < s.up.x.size(); ++i)
            s.hidden.x[i] = m_.llama ? silu(s.gate.x[i]).first * s.up.x[i] : gelu(s.up.x[i]).first;
        Matrix y = linear(h + "down", s.hidden);
        accumulate(y, s.middle);
        traces_.push_back(std::move(s));
        return y;
    }

    Matrix layer_back(int l, const Matrix& dy) {
        const std::string h = "h." + std::to_string(l) + ".";
        const Trace& s = traces_[std::size_t(l)];
        Trace d;
        d.up = d.gate = d.hidden = linear_back(h + "down", dy, s.hidden);
        for (std::size_t i = 0; i < s.up.x.size(); ++i) {
            d.up.x[i] = d.hidden.x[i] * (m_.llama ? silu(s.gate.x[i]).first : gelu(s.up.x[i]).second);
            if (m_.llama) d.gate.x[i] = d.hidden.x[i] * s.up.x[i] * silu(s.gate.x[i]).second;
        }
        Matrix dn = linear_back(h + "up", d.up, s.n2);
        if (m_.llama) accumulate(dn, linear_back(h + "gate", d.gate, s.n2));
        d.middle = normed_back(h + "ln2", dn, s.middle);
        accumulate(d.middle, dy);
        d.a.mixed = linear_back(h + "o", d.middle, s.a.mixed);
        attend_back(d.a, s.a);
        if (m_.llama) {
            rotate(d.a.q, s.a.D, -1);
            rotate(d.a.k, s.a.D, -1);
        }
        dn = linear_back(h + "q", d.a.q, s.n1);
        accumulate(dn, linear_back(h + "k", d.a.k, s.n1));
        accumulate(dn, linear_back(h + "v", d.a.v, s.n1));
        Matrix dx = normed_back(h + "ln1", dn, s.x);
        accumulate(dx, d.middle);
        return dx;
    }

    const Model& m_;
    const Tensors& w_;
    Tensors* g_;
    std::vector<Trace> traces_;
};

// Mean over all targets of all samples; gradients (if wanted) are added to.
inline double mean_loss(const Model& m, const Tensors& weights, const Samples& samples, Tensors* gradients) {
    const double scale = 1.0 / (double(samples.size()) * m.sequence);
    double loss = 0;
    for (const auto& sample : samples) loss += scale * Sequence(m, weights, gradients).run(sample, scale);
    return loss;
}

// AdamW (Loshchilov and Hutter 2019) after clipping the gradients' common norm to 1; matrices decay, vectors do not.
struct Adam { Tensors m, v; int step = 0; };
inline void update(Adam& a, Tensors& weights, Tensors gradients, double rate, double decay = 0.1) {
    if (a.step++ == 0) a.m = a.v = gradients;
    double square = 0;
    for (const auto& [name, g] : gradients) for (const double x : g.x) square += x * x;
    const double scale = std::min(1.0, 1.0 / (std::sqrt(square) + 1e-6));
    for (auto& [name, w] : weights)
        for (std::size_t i = 0; i < w.x.size(); ++i) {
            const double g = scale * gradients.at(name).x[i];
            double &m = a.m.at(name).x[i], &v = a.v.at(name).x[i];
            m = a.step == 1 ? 0.1 * g : 0.9 * m + 0.1 * g;
            v = a.step == 1 ? 0.05 * g * g : 0.95 * v + 0.05 * g * g;
            if (w.rows > 1) w.x[i] -= rate * decay * w.x[i];
            w.x[i] -= rate * m / (1 - std::pow(0.9, a.step)) / (std::sqrt(v / (1 - std::pow(0.95, a.step))) + 1e-8);
        }
}

}  // namespace plimsoll::naive

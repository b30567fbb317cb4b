#pragma once
// Every operation of the kernels, run on random shapes by the processor's kernels
// and the plain ones; each answers with its worst array.
//
//   for (const Operation& o : operations) worst_of<double>(o.fp64, threads, library).error

#include "tests/engine/twins.h"

#include <cmath>

namespace plimsoll::engine {

template <class Real>
Worst products(Twins<Real>& twins) {
    const int m = between(1, 90), n = between(1, 120), k = between(1, 150);
    Both<Real> x(size(m, k)), w(size(n, k)), bias(size(n)), y(size(m, n)), bare(size(m, n)), dy(size(m, n));
    Both<Real> dx(size(m, k)), dw(size(n, k)), db(size(n));
    twins.run([&](auto& kernels, auto at) {
        kernels.linear(at(y), at(x), at(w), at(bias), m, n, k);
        kernels.linear(at(bare), at(x), at(w), nullptr, m, n, k);
        kernels.linear_input_gradient(at(dx), at(dy), at(w), m, n, k);
        kernels.linear_weight_gradient(at(dw), at(dy), at(x), m, n, k);
        kernels.bias_gradient(at(db), at(dy), m, n);
    });
    return Worst().with("y", y).with("y without bias", bare).with("dx", dx).with("dw", dw).with("db", db);
}

// The table holds the middle of a vocabulary; rows start anywhere in a sequence.
template <class Real>
Worst embedding(Twins<Real>& twins) {
    const int R = between(1, 70), C = between(1, 90), V = between(1, 40), first = between(0, 30), T = between(1, 80);
    const int first_row = between(0, 200);
    const auto ids = tokens(R, first + V + 10);
    Both<Real> table(size(V, C)), y(size(R, C)), dtable(size(V, C)), dy(size(R, C)), places(size(T, C)),
        dplaces(size(T, C));
    twins.run([&](auto& kernels, auto at) {
        kernels.embed(at(y), at(table), ids.data(), R, C, first, V);
        kernels.embed_gradient(at(dtable), at(dy), ids.data(), R, C, first, V);
        kernels.add_positions(at(y), at(places), R, C, first_row, T);
        kernels.positions_gradient(at(dplaces), at(dy), R, C, first_row, T);
    });
    return Worst().with("y", y).with("dtable", dtable).with("dpositions", dplaces);
}

template <class Real>
Worst norms(Twins<Real>& twins, Norm kind) {
    const int R = between(1, 40), C = between(2, 700);
    const bool has_bias = kind == Norm::layer && between(0, 1);
    Both<Real> x(size(R, C), 2, kind == Norm::layer ? 3 : 0), gain(size(C)), bias(size(C)), y(size(R, C)),
        again(size(R, C));
    Both<Real> stats(size(R, 2)), dx(size(R, C)), dgain(size(C)), dbias(size(C)), dy(size(R, C));
    twins.run([&](auto& kernels, auto at) {
        kernels.norm(at(y), at(stats), at(x), at(gain), has_bias ? at(bias) : nullptr, R, C, kind);
        kernels.norm_again(at(again), at(stats), at(x), at(gain), has_bias ? at(bias) : nullptr, R, C);
        kernels.norm_gradient(at(dx), at(dgain), has_bias ? at(dbias) : nullptr, at(dy), at(x), at(gain), at(stats), R,
                              C, kind);
    });
    return Worst()
        .with("y", y)
        .with("y again", again)
        .with("stats", stats)
        .with("dx", dx)
        .with("dgain", dgain)
        .with("dbias", dbias);
}
template <class Real>
Worst layer_norm(Twins<Real>& twins) {
    return norms(twins, Norm::layer);
}
template <class Real>
Worst rms_norm(Twins<Real>& twins) {
    return norms(twins, Norm::rms);
}

template <class Real>
Worst residual(Twins<Real>& twins) {
    const int R = between(1, 40), C = between(1, 90);
    Both<Real> x(size(R, C)), z(size(R, C)), bias(size(C)), y(size(R, C));
    twins.run([&](auto& kernels, auto at) {
        kernels.add_residual(at(y), at(x), at(z), at(bias), R, C);
        kernels.add_residual(at(x), at(x), at(z), nullptr, R, C);
        kernels.add_residual(at(z), at(y), at(z), at(bias), R, C);
    });
    return Worst().with("y", y).with("x in place", x).with("z in place", z);
}

template <class Real>
Worst activations(Twins<Real>& twins, Activation kind) {
    const int R = between(1, 40), F = between(1, 90), inputs = kind == Activation::swiglu ? 2 : 1;
    Both<Real> x(size(R, F, inputs), 3), y(size(R, F)), dx(size(R, F, inputs)), dy(size(R, F));
    twins.run([&](auto& kernels, auto at) {
        kernels.activate(at(y), at(x), R, F, kind);
        kernels.activate_gradient(at(dx), at(dy), at(x), R, F, kind);
    });
    return Worst().with("y", y).with("dx", dx);
}
template <class Real>
Worst gelu(Twins<Real>& twins) {
    return activations(twins, Activation::gelu);
}
template <class Real>
Worst swiglu(Twins<Real>& twins) {
    return activations(twins, Activation::swiglu);
}

// Lengths below, at and beyond the blocks of queries; heads alone and in groups.
template <class Real>
Worst attention(Twins<Real>& twins) {
    const int K = between(1, 3), length = between(1, 5);
    const AttentionShape s{between(1, 2), length == 5 ? 64 : between(1, 150), K * between(1, 3), K,
                           between(0, 1) ? 16 : 64};
    const std::size_t in = size(s.B * s.T, s.H + 2 * s.K, s.D), result = size(s.B * s.T, s.H, s.D);
    Both<Real> qkv(in), out(result), logsum(size(s.B, s.H, s.T)), dout(result), dqkv(in);
    twins.run([&](auto& kernels, auto at) {
        kernels.rotate(at(qkv), s, 1);
        kernels.attention(at(out), at(logsum), at(qkv), s);
        kernels.attention_gradient(at(dqkv), at(dout), at(out), at(logsum), at(qkv), s);
        kernels.rotate(at(dqkv), s, -1);
    });
    return Worst().with("qkv", qkv).with("out", out).with("logsum", logsum).with("dqkv", dqkv);
}

// A shard of the vocabulary: some targets lie below it, some beyond.
template <class Real>
Worst loss_shard(Twins<Real>& twins) {
    const int R = between(1, 50), V = between(1, 300), first = between(0, 100);
    const auto ids = tokens(R, first + V + 50);
    Both<Real> logits(size(R, V), 3), max(size(R)), sums(size(R)), targets(size(R));
    Both<double> loss(1);
    twins.run([&](auto& kernels, auto at) {
        kernels.row_max(at(max), at(logits), R, V);
        kernels.exp_sum(at(sums), at(targets), at(logits), at(max), ids.data(), R, V, first);
        kernels.cross_entropy(at(loss), at(logits), at(sums), at(targets), ids.data(), R, V, first, 0.37);
    });
    return Worst()
        .with("max", max)
        .with("sums", sums)
        .with("targets", targets)
        .with("loss", loss)
        .with("dlogits", logits);
}

template <class Real>
Worst loss_whole(Twins<Real>& twins) {
    const int R = between(1, 50), V = between(2, 300);
    const auto ids = tokens(R, V);
    Both<Real> logits(size(R, V), 3);
    Both<double> loss(1);
    twins.run(
        [&](auto& kernels, auto at) { kernels.cross_entropy_whole(at(loss), at(logits), ids.data(), R, V, 1.0 / R); });
    return Worst().with("loss", loss).with("dlogits", logits);
}

template <class Real>
Worst updates(Twins<Real>& twins) {
    const std::size_t n = size(between(1, 9000));
    Both<Real> w(n), gradient(n), m(n, 0.1), v(n, 0.1, 2), y(n), far(n + 1);
    Both<double> sum(1), sum_far(1, 0);
    twins.run([&](auto& kernels, auto at) {
        AdamW step{.rate = 0.03,
                   .correction1 = 1 - std::pow(0.9, 3),
                   .correction2 = 1 - std::pow(0.95, 3),
                   .gradient_scale = 0.7};
        kernels.adamw(at(w), at(w), at(gradient), at(m), at(v), n, step);
        kernels.sgd(at(y), at(y), at(gradient), n, 0.1, 0.3);
        kernels.add(at(y), at(gradient), n);
        kernels.sum_squares(at(sum), at(gradient), n);
        kernels.sum_squares(at(sum_far), at(far) + 1, n);
    });
    return Worst()
        .with("weights", w)
        .with("m", m)
        .with("v", v)
        .with("y", y)
        .with("sum", sum)
        .with("sum of what is not aligned", sum_far);
}

using InDouble = Worst (*)(Twins<double>&);
using InFloat = Worst (*)(Twins<float>&);
struct Operation {
    const char* name;
    InDouble fp64;
    InFloat fp32;
};
inline const Operation operations[] = {
    {"products", products, products},
    {"embeddings", embedding, embedding},
    {"layer norms", layer_norm, layer_norm},
    {"rms norms", rms_norm, rms_norm},
    {"residuals", residual, residual},
    {"gelus", gelu, gelu},
    {"swiglus", swiglu, swiglu},
    {"attentions", attention, attention},
    {"losses over shards", loss_shard, loss_shard},
    {"whole losses", loss_whole, loss_whole},
    {"updates", updates, updates},
};

// Runs an operation over random shapes; the worst of all.
template <class Real>
Worst worst_of(Worst (*operation)(Twins<Real>&), int threads, ProductLibrary library) {
    Twins<Real> twins(threads, library);
    Worst all;
    for (int i = 0; i < 12; ++i) {
        const Worst one = operation(twins);
        if (one.error >= all.error) all = one;
    }
    return all;
}

}  // namespace plimsoll::engine

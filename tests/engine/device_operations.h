#pragma once
// Every operation of a device on random shapes: sizes below, at and beyond tiles
// and warps, addresses that are and are not multiples of 16 bytes.
//
//   TwinOutcome o = on_norms<bf16>(twins);   o.real, o.wide   // worst errors

#include "tests/engine/device_twins.h"

namespace plimsoll::engine {

// A width that is a multiple of eight, so that 16-byte loads are possible, or any.
inline int width(int most) { return between(0, 1) ? 8 * between(1, most / 8) : between(1, most); }

template <class Real> TwinOutcome on_products(DeviceTwins<Real>& twins) {
    const int m = between(1, 40), n = between(1, 50), k = between(1, 60);
    auto x = twins.real(size(m, k)), w = twins.real(size(n, k)), bias = twins.real(size(n)),
         dy = twins.real(size(m, n));
    auto y = twins.real(size(m, n)), bare = twins.real(size(m, n)), dx = twins.real(size(m, k));
    auto dw = twins.wide(size(n, k)), db = twins.wide(size(n));
    twins.run([&](auto& kernels, auto at) {
        kernels.linear(at(y), at(x), at(w), at(bias), m, n, k);
        kernels.linear(at(bare), at(x), at(w), nullptr, m, n, k);
        kernels.linear_input_gradient(at(dx), at(dy), at(w), m, n, k);
        kernels.linear_weight_gradient(at(dw), at(dy), at(x), m, n, k);
        kernels.bias_gradient(at(db), at(dy), m, n);
    });
    return TwinOutcome()
        .rounded("y", y)
        .rounded("y without bias", bare)
        .rounded("dx", dx)
        .summed("dw", dw)
        .summed("db", db);
}

template <class Real> TwinOutcome on_embeddings(DeviceTwins<Real>& twins) {
    const int R = between(1, 200), C = width(300), V = between(1, 30), first = between(0, 20), T = between(1, 80),
              first_row = between(0, 200);
    const auto ids = twins.ids(R, first + V + 10);
    auto table = twins.real(size(V, C)), y = twins.real(size(R, C)), moved = twins.real(size(R, C)),
         dy = twins.real(size(R, C)), places = twins.real(size(T, C));
    auto dtable = twins.wide(size(V, C)), dplaces = twins.wide(size(T, C));
    twins.run([&](auto& kernels, auto at) {
        kernels.embed(at(y), at(table), at(ids), R, C, first, V);
        kernels.embed_gradient(at(dtable), at(dy), at(ids), R, C, first, V);
        kernels.add_positions(at(moved), at(places), R, C, first_row, T);
        kernels.positions_gradient(at(dplaces), at(dy), R, C, first_row, T);
    });
    return TwinOutcome()
        .rounded("y", y)
        .rounded("y with positions", moved)
        .summed("dtable", dtable)
        .summed("dpositions", dplaces);
}

template <class Real> TwinOutcome norms(DeviceTwins<Real>& twins, Norm kind) {
    const int R = between(1, 150), C = std::max(2, width(300));
    const bool biased = kind == Norm::layer && between(0, 1);
    auto x = twins.real(size(R, C), 2, kind == Norm::layer ? 3 : 0), gain = twins.real(size(C)),
         bias = twins.real(size(C)), dy = twins.real(size(R, C));
    auto y = twins.real(size(R, C)), again = twins.real(size(R, C)), dx = twins.real(size(R, C));
    auto stats = twins.wide(size(R, 2)), dgain = twins.wide(size(C)), dbias = twins.wide(size(C));
    twins.run([&](auto& kernels, auto at) {
        kernels.norm(at(y), at(stats), at(x), at(gain), biased ? at(bias) : nullptr, R, C, kind);
        kernels.norm_again(at(again), at(stats), at(x), at(gain), biased ? at(bias) : nullptr, R, C);
        kernels.norm_gradient(at(dx), at(dgain), biased ? at(dbias) : nullptr, at(dy), at(x), at(gain), at(stats), R, C,
                              kind);
    });
    return TwinOutcome()
        .rounded("y", y)
        .rounded("y again", again)
        .rounded("dx", dx)
        .summed("stats", stats)
        .summed("dgain", dgain)
        .summed("dbias", dbias);
}
template <class Real> TwinOutcome on_layer_norms(DeviceTwins<Real>& twins) { return norms(twins, Norm::layer); }
template <class Real> TwinOutcome on_rms_norms(DeviceTwins<Real>& twins) { return norms(twins, Norm::rms); }

template <class Real> TwinOutcome on_residuals(DeviceTwins<Real>& twins) {
    const int R = between(1, 40), C = width(90);
    auto x = twins.real(size(R, C)), z = twins.real(size(R, C)), bias = twins.real(size(C)), y = twins.real(size(R, C));
    twins.run([&](auto& kernels, auto at) {
        kernels.add_residual(at(y), at(x), at(z), at(bias), R, C);
        kernels.add_residual(at(x), at(x), at(z), nullptr, R, C);
    });
    return TwinOutcome().rounded("y", y).rounded("x in place", x);
}

template <class Real> TwinOutcome activations(DeviceTwins<Real>& twins, Activation kind) {
    const int R = between(1, 40), F = width(90), inputs = kind == Activation::swiglu ? 2 : 1;
    auto x = twins.real(size(R, F, inputs), 3), y = twins.real(size(R, F)), dx = twins.real(size(R, F, inputs)),
         dy = twins.real(size(R, F));
    twins.run([&](auto& kernels, auto at) {
        kernels.activate(at(y), at(x), R, F, kind);
        kernels.activate_gradient(at(dx), at(dy), at(x), R, F, kind);
    });
    return TwinOutcome().rounded("y", y).rounded("dx", dx);
}
template <class Real> TwinOutcome on_gelus(DeviceTwins<Real>& twins) { return activations(twins, Activation::gelu); }
template <class Real> TwinOutcome on_swiglus(DeviceTwins<Real>& twins) {
    return activations(twins, Activation::swiglu);
}

template <class Real> TwinOutcome on_rotations(DeviceTwins<Real>& twins) {
    const int K = between(1, 3);
    const AttentionShape s{between(1, 2), between(1, 70), K * between(1, 3), K, 2 * between(1, 40)};
    auto there = twins.real(size(s.B * s.T, s.H + 2 * s.K, s.D)),
         back = twins.real(size(s.B * s.T, s.H + 2 * s.K, s.D));
    twins.run([&](auto& kernels, auto at) {
        kernels.rotate(at(there), s, 1);
        kernels.rotate(at(back), s, -1);
    });
    return TwinOutcome().rounded("turned", there).rounded("turned back", back);
}

// `out` and logsum of the forward pass go into the backward pass as each side computed them.
template <class Real> TwinOutcome attentions(DeviceTwins<Real>& twins, AttentionShape s) {
    const std::size_t in = size(s.B * s.T, s.H + 2 * s.K, s.D), result = size(s.B * s.T, s.H, s.D);
    auto qkv = twins.real(in), out = twins.real(result), dout = twins.real(result), dqkv = twins.real(in);
    auto logsum = twins.wide(size(s.B, s.H, s.T));
    twins.run([&](auto& kernels, auto at) {
        kernels.attention(at(out), at(logsum), at(qkv), s);
        kernels.attention_gradient(at(dqkv), at(dout), at(out), at(logsum), at(qkv), s);
    });
    return TwinOutcome().rounded("out", out).rounded("dqkv", dqkv).summed("logsum", logsum);
}
// Heads that the fused kernels take, alone and in groups; lengths below, at and beyond their tiles of 64.
template <class Real> TwinOutcome on_fused_attentions(DeviceTwins<Real>& twins) {
    twins.aligned = true;
    const int K = between(1, 2), T = between(0, 2) ? between(1, 150) : 64;
    return attentions(twins, {between(1, 2), T, K * between(1, 2), K, between(0, 1) ? 64 : 128});
}
template <class Real> TwinOutcome on_plain_attentions(DeviceTwins<Real>& twins) {
    const int K = between(1, 2);
    return attentions(twins, {between(1, 2), between(1, 20), K * between(1, 2), K, between(1, 80)});
}

// A shard of the vocabulary: some targets lie below it, some beyond.
template <class Real> TwinOutcome on_losses_over_shards(DeviceTwins<Real>& twins) {
    const int R = between(1, 30), V = width(900), first = between(0, 100);
    const auto ids = twins.ids(R, first + V + 50);
    auto logits = twins.real(size(R, V), 3);
    auto max = twins.wide(size(R)), sums = twins.wide(size(R)), targets = twins.wide(size(R));
    auto loss = twins.sum();
    twins.run([&](auto& kernels, auto at) {
        kernels.row_max(at(max), at(logits), R, V);
        kernels.exp_sum(at(sums), at(targets), at(logits), at(max), at(ids), R, V, first);
        kernels.cross_entropy(at(loss), at(logits), at(sums), at(targets), at(ids), R, V, first, 0.37);
    });
    return TwinOutcome()
        .rounded("dlogits", logits)
        .summed("max", max)
        .summed("sums", sums)
        .summed("targets", targets)
        .summed("loss", loss);
}

template <class Real> TwinOutcome on_whole_losses(DeviceTwins<Real>& twins) {
    const int R = between(1, 30), V = std::max(2, width(900));
    const auto ids = twins.ids(R, V);
    auto logits = twins.real(size(R, V), 3);
    auto loss = twins.sum();
    twins.run(
        [&](auto& kernels, auto at) { kernels.cross_entropy_whole(at(loss), at(logits), at(ids), R, V, 1.0 / R); });
    return TwinOutcome().rounded("dlogits", logits).summed("loss", loss);
}

template <class Real> TwinOutcome on_updates(DeviceTwins<Real>& twins) {
    const std::size_t n = size(between(1, 40000));
    auto w = twins.real(n), u = twins.real(n);
    auto master = twins.master_of(w), other = twins.master_of(u), gradient = twins.wide(n), m = twins.wide(n, 0.1),
         v = twins.wide(n, 0.1, 2);
    auto y = twins.wide(n), far = twins.wide(n + 1);
    auto sum = twins.sum(), sum_far = twins.sum();
    twins.run([&](auto& kernels, auto at) {
        const AdamW step{.rate = 0.03,
                         .correction1 = 1 - std::pow(0.9, 3),
                         .correction2 = 1 - std::pow(0.95, 3),
                         .gradient_scale = 0.7};
        kernels.adamw(at.weights(w, master), at(master), at(gradient), at(m), at(v), n, step);
        kernels.sgd(at.weights(u, other), at(other), at(gradient), n, 0.1, 0.3);
        kernels.add(at(y), at(gradient), n);
        kernels.sum_squares(at(sum), at(gradient), n);
        kernels.sum_squares(at(sum_far), at(far) + 1, n);
    });
    TwinOutcome o;
    if constexpr (!std::is_same_v<Real, float>) {
        // the device's rounded copies, against the exact ones
        w.exact = master.exact;
        u.exact = other.exact;
        o.rounded("weights", w).rounded("weights by sgd", u);
    }
    return o.summed("master", master)
        .summed("master by sgd", other)
        .summed("m", m)
        .summed("v", v)
        .summed("y", y)
        .summed("sum", sum)
        .summed("sum of what is not aligned", sum_far);
}

}  // namespace plimsoll::engine

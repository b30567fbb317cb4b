#include "engine/train/layer.h"

#include "engine/run/mutation.h"

namespace plimsoll::engine {

template <class Real, class Wide> Layer<Real, Wide>::Layer(const Context<Real, Wide>& c) : c_(c) {
    const Shape& s = c.shape;
    const int tp = c.options.layout.tensor;
    R_ = c.rows();
    local_ = c.local_rows();
    C_ = s.width;
    qkv_ = (s.queries() + 2 * s.keys()) / tp;
    att_ = s.queries() / tp;
    up_ = s.up_width() / tp;
    F_ = s.ffn / tp;
    attention_ = {c.options.layout.micro_batch, s.sequence, s.heads / tp, s.kv_heads / tp, s.head_size};
}

// Scratch for what is not kept but would be under this policy.
template <class Real, class Wide>
void Layer<Real, Wide>::fill(LayerActivations<Real, Wide>& k, Recompute policy, Frame& frame) const {
    keep(k, policy, [&](auto*& pointer, std::size_t n) {
        using P = std::remove_reference_t<decltype(*pointer)>;
        if (!pointer) pointer = frame.take<P>(n);
    });
}

template <class Real, class Wide>
void Layer<Real, Wide>::forward(LayerActivations<Real, Wide> k, const LayerTensors<const Real>& w, Real* y) const {
    Frame frame(c_.arena);
    fill(k, Recompute::selective, frame);
    attention_forward(k, w);
    mlp_forward(k, w, y);
}

template <class Real, class Wide>
void Layer<Real, Wide>::attention_forward(LayerActivations<Real, Wide>& k, const LayerTensors<const Real>& w) const {
    Frame frame(c_.arena);
    Real* ln = k.ln1 ? k.ln1 : frame.take<Real>(std::size_t(local_) * std::size_t(C_));
    norm(ln, k.stats1, k.x, w.ln1_gain, w.ln1_bias);
    const Real* all = c_.gathered(ln, frame);
    c_.in(Phase::gemm, [&] { c_.kernels.linear(k.qkv, all, w.qkv, w.qkv_bias, R_, qkv_, C_); });
    if (c_.shape.rotary) c_.in(Phase::elementwise, [&] { c_.kernels.rotate(k.qkv, attention_, 1); });
    c_.in(Phase::attention, [&] { c_.kernels.attention(k.att, k.logsum, k.qkv, attention_); });
    row_parallel(k.mid, k.x, k.att, w.o, w.o_bias, att_);
}

template <class Real, class Wide>
void Layer<Real, Wide>::mlp_forward(LayerActivations<Real, Wide>& k, const LayerTensors<const Real>& w, Real* y) const {
    Frame frame(c_.arena);
    Real* ln = k.ln2 ? k.ln2 : frame.take<Real>(std::size_t(local_) * std::size_t(C_));
    norm(ln, k.stats2, k.mid, w.ln2_gain, w.ln2_bias);
    const Real* all = c_.gathered(ln, frame);
    c_.in(Phase::gemm, [&] { c_.kernels.linear(k.up, all, w.up, w.up_bias, R_, up_, C_); });
    if (!y && !k.act) return;
    Real* act = k.act ? k.act : frame.take<Real>(std::size_t(R_) * std::size_t(F_));
    c_.in(Phase::elementwise, [&] { c_.kernels.activate(act, k.up, R_, F_, c_.shape.activation); });
    if (y) row_parallel(y, k.mid, act, w.down, w.down_bias, F_);
}

// y = residual + sum over tensor ranks of x w^T + bias, on this rank's rows.
template <class Real, class Wide>
void Layer<Real, Wide>::row_parallel(Real* y, const Real* residual, const Real* x, const Real* w, const Real* bias,
                                     int k) const {
    Frame frame(c_.arena);
    Real* partial = frame.take<Real>(std::size_t(R_) * std::size_t(C_));
    const bool twice = seeded(Mutation::bias_twice);
    c_.in(Phase::gemm, [&] { c_.kernels.linear(partial, x, w, twice ? bias : nullptr, R_, C_, k); });
    const Real* sum = c_.reduced(partial, frame);
    c_.in(Phase::elementwise, [&] { c_.kernels.add_residual(y, residual, sum, twice ? nullptr : bias, local_, C_); });
}

template <class Real, class Wide>
void Layer<Real, Wide>::norm(Real* y, Wide* stats, const Real* x, const Real* gain, const Real* bias) const {
    c_.in(Phase::elementwise, [&] { c_.kernels.norm(y, stats, x, gain, bias, local_, C_, c_.shape.norm); });
}

// Everything recomputation dropped, as the forward pass made it.
template <class Real, class Wide>
void Layer<Real, Wide>::restore(LayerActivations<Real, Wide>& k, const LayerTensors<const Real>& w,
                                Frame& frame) const {
    const bool full = !k.qkv;
    if (!full && k.ln1) return;
    const Pass before = c_.clock.pass();
    c_.clock.enter(Pass::recompute);
    fill(k, Recompute::none, frame);
    if (full) {
        forward(k, w, nullptr);
    } else {
        c_.in(Phase::elementwise, [&] {
            c_.kernels.norm_again(k.ln1, k.stats1, k.x, w.ln1_gain, w.ln1_bias, local_, C_);
            c_.kernels.norm_again(k.ln2, k.stats2, k.mid, w.ln2_gain, w.ln2_bias, local_, C_);
            c_.kernels.activate(k.act, k.up, R_, F_, c_.shape.activation);
        });
    }
    c_.clock.enter(before);
}

template <class Real, class Wide>
void Layer<Real, Wide>::backward(LayerActivations<Real, Wide> k, const LayerTensors<const Real>& w,
                                 const LayerTensors<Wide>& g, Real* d) const {
    Frame frame(c_.arena);
    restore(k, w, frame);
    mlp_backward(k, w, g, d);
    attention_backward(k, w, g, d);
}

template <class Real, class Wide>
void Layer<Real, Wide>::mlp_backward(const LayerActivations<Real, Wide>& k, const LayerTensors<const Real>& w,
                                     const LayerTensors<Wide>& g, Real* d) const {
    Frame frame(c_.arena);
    auto& kernels = c_.kernels;
    Real* dact = frame.take<Real>(std::size_t(R_) * std::size_t(F_));
    Real* dup = frame.take<Real>(std::size_t(R_) * std::size_t(up_));
    Real* dln = frame.take<Real>(std::size_t(R_) * std::size_t(C_));
    const Real* all = c_.gathered(d, frame);
    c_.in(Phase::elementwise, [&] { if (g.down_bias) kernels.bias_gradient(g.down_bias, d, local_, C_); });
    c_.in(Phase::gemm, [&] {
        kernels.linear_weight_gradient(g.down, all, k.act, R_, C_, F_);
        kernels.linear_input_gradient(dact, all, w.down, R_, C_, F_);
    });
    c_.in(Phase::elementwise, [&] {
        kernels.activate_gradient(dup, dact, k.up, R_, F_, c_.shape.activation);
        if (g.up_bias) kernels.bias_gradient(g.up_bias, dup, R_, up_);
    });
    const Real* ln = c_.gathered(k.ln2, frame);
    c_.in(Phase::gemm, [&] {
        kernels.linear_weight_gradient(g.up, dup, ln, R_, up_, C_);
        kernels.linear_input_gradient(dln, dup, w.up, R_, up_, C_);
    });
    const Real* mine = c_.reduced(dln, frame);
    c_.in(Phase::elementwise, [&] {
        kernels.norm_gradient(d, g.ln2_gain, g.ln2_bias, mine, k.mid, w.ln2_gain, k.stats2, local_, C_, c_.shape.norm);
    });
}

template <class Real, class Wide>
void Layer<Real, Wide>::attention_backward(const LayerActivations<Real, Wide>& k, const LayerTensors<const Real>& w,
                                           const LayerTensors<Wide>& g, Real* d) const {
    Frame frame(c_.arena);
    auto& kernels = c_.kernels;
    Real* datt = frame.take<Real>(std::size_t(R_) * std::size_t(att_));
    Real* dqkv = frame.take<Real>(std::size_t(R_) * std::size_t(qkv_));
    Real* dln = frame.take<Real>(std::size_t(R_) * std::size_t(C_));
    const Real* all = c_.gathered(d, frame);
    c_.in(Phase::elementwise, [&] { if (g.o_bias) kernels.bias_gradient(g.o_bias, d, local_, C_); });
    c_.in(Phase::gemm, [&] {
        kernels.linear_weight_gradient(g.o, all, k.att, R_, C_, att_);
        kernels.linear_input_gradient(datt, all, w.o, R_, C_, att_);
    });
    c_.in(Phase::attention, [&] { kernels.attention_gradient(dqkv, datt, k.att, k.logsum, k.qkv, attention_); });
    c_.in(Phase::elementwise, [&] {
        if (c_.shape.rotary) kernels.rotate(dqkv, attention_, -1);
        if (g.qkv_bias) kernels.bias_gradient(g.qkv_bias, dqkv, R_, qkv_);
    });
    const Real* ln = c_.gathered(k.ln1, frame);
    c_.in(Phase::gemm, [&] {
        kernels.linear_weight_gradient(g.qkv, dqkv, ln, R_, qkv_, C_);
        kernels.linear_input_gradient(dln, dqkv, w.qkv, R_, qkv_, C_);
    });
    const Real* mine = c_.reduced(dln, frame);
    c_.in(Phase::elementwise, [&] {
        kernels.norm_gradient(d, g.ln1_gain, g.ln1_bias, mine, k.x, w.ln1_gain, k.stats1, local_, C_, c_.shape.norm);
    });
}

template class Layer<double, double>;
template class Layer<float, float>;
template class Layer<bf16, float>;

}  // namespace plimsoll::engine

#pragma once
// One decoder layer, forward and backward, over the tensor ranks of a group.
//
//   mid = x + o(attention(rotate(qkv(norm(x)))));   y = mid + down(activation(up(norm(mid))))
//
// qkv and up are split by outputs (column parallel), o and down by inputs (row
// parallel): partial sums are added over tensor ranks, and their bias after that.
// With sequence parallelism norms and residuals see a share of the rows, gathered
// before a column-parallel product and scattered while reducing after a row-parallel
// one (Korthikanti et al. 2022, section 4.2.2).

#include "engine/model/parameters.h"
#include "engine/train/context.h"

namespace plimsoll::engine {

// Where the tensors of a layer lie, in weights (const Real) or gradients (Wide). Null: the model has none.
template <class P> struct LayerTensors {
    P *ln1_gain, *ln1_bias, *ln2_gain, *ln2_bias, *o_bias, *down_bias, *qkv_bias, *up_bias, *qkv, *o, *up, *down;
};
template <class P> LayerTensors<P> layer_tensors(const Unit& unit, P* base) {
    const auto at = [&](const char* name) -> P* {
        const Parameter* t = unit.find(name);
        return t ? base + t->offset : nullptr;
    };
    const char* up = unit.find("gate.weight") ? "gate.weight" : "up.weight";  // gate and up lie side by side
    return {at("ln1.gain"), at("ln1.bias"), at("ln2.gain"), at("ln2.bias"), at("o.bias"),  at("down.bias"),
            at("q.bias"),   at("up.bias"),  at("q.weight"), at("o.weight"), at(up),        at("down.weight")};
}

// What a layer's backward pass needs of its forward pass. Recomputation leaves some of it null in between:
// selective drops ln1, ln2 and act, full drops all but x.
template <class Real, class Wide> struct LayerActivations {
    Real* x = nullptr;                            // input [local rows, C]
    Wide *stats1 = nullptr, *stats2 = nullptr;    // of the norms [local rows, 2]
    Real *ln1 = nullptr, *ln2 = nullptr;          // their outputs [local rows, C]
    Real* qkv = nullptr;                          // rotated [rows, (H + 2K) D / tp]
    Real* att = nullptr;                          // [rows, H D / tp]
    Wide* logsum = nullptr;                       // [B, H / tp, T]
    Real* mid = nullptr;                          // [local rows, C]
    Real* up = nullptr;                           // before the activation [rows, F or 2F / tp]
    Real* act = nullptr;                          // after it [rows, F / tp]
};

template <class Real, class Wide> class Layer {
public:
    explicit Layer(const Context<Real, Wide>&);

    // Elements of every array of LayerActivations; take(pointer, elements) is called for those that stay under a
    // policy.
    template <class Take> void keep(LayerActivations<Real, Wide>&, Recompute, Take take) const;

    // y [local rows, C]; null when only what backward needs is wanted.
    void forward(LayerActivations<Real, Wide>, const LayerTensors<const Real>&, Real* y) const;
    // d: the gradient of y on entry, of x on return. Weight gradients are added to.
    void backward(LayerActivations<Real, Wide>, const LayerTensors<const Real>&, const LayerTensors<Wide>&,
                  Real* d) const;

private:
    void fill(LayerActivations<Real, Wide>&, Recompute, Frame&) const;
    void attention_forward(LayerActivations<Real, Wide>&, const LayerTensors<const Real>&) const;
    void mlp_forward(LayerActivations<Real, Wide>&, const LayerTensors<const Real>&, Real* y) const;
    void restore(LayerActivations<Real, Wide>&, const LayerTensors<const Real>&, Frame&) const;
    void mlp_backward(const LayerActivations<Real, Wide>&, const LayerTensors<const Real>&, const LayerTensors<Wide>&,
                      Real* d) const;
    void attention_backward(const LayerActivations<Real, Wide>&, const LayerTensors<const Real>&,
                            const LayerTensors<Wide>&, Real* d) const;
    void row_parallel(Real* y, const Real* residual, const Real* x, const Real* w, const Real* bias, int k) const;
    void norm(Real* y, Wide* stats, const Real* x, const Real* gain, const Real* bias) const;

    const Context<Real, Wide>& c_;
    int R_, local_, C_, qkv_, att_, up_, F_;
    AttentionShape attention_;
};

template <class Real, class Wide>
template <class Take>
void Layer<Real, Wide>::keep(LayerActivations<Real, Wide>& k, Recompute recompute, Take take) const {
    const std::size_t rows = std::size_t(R_), local = std::size_t(local_), C = std::size_t(C_);
    take(k.x, local * C);
    if (recompute == Recompute::full) return;
    take(k.stats1, local * 2);
    take(k.stats2, local * 2);
    take(k.qkv, rows * std::size_t(qkv_));
    take(k.att, rows * std::size_t(att_));
    take(k.logsum, rows * std::size_t(attention_.H));
    take(k.mid, local * C);
    take(k.up, rows * std::size_t(up_));
    if (recompute == Recompute::selective) return;
    take(k.ln1, local * C);
    take(k.ln2, local * C);
    take(k.act, rows * std::size_t(F_));
}

}  // namespace plimsoll::engine

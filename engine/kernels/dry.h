#pragma once
// Kernels that do nothing: with them a step only asks for memory, which is how the
// size of the arena is known before anything is allocated.

#include "engine/kernels/kernels.h"

namespace plimsoll::engine {

template <class Real, class Wide> class DryKernels final : public Kernels<Real, Wide> {
    using Ids = const std::int32_t*;

public:
    void* allocate(std::size_t) override { return nullptr; }
    void release(void*) override {}
    void copy_in(void*, const void*, std::size_t) override {}
    void copy_out(void*, const void*, std::size_t) override {}
    void copy(void*, const void*, std::size_t) override {}
    void zero(void*, std::size_t) override {}
    void synchronize() override {}
    void linear(Real*, const Real*, const Real*, const Real*, int, int, int) override {}
    void linear_input_gradient(Real*, const Real*, const Real*, int, int, int) override {}
    void linear_weight_gradient(Wide*, const Real*, const Real*, int, int, int) override {}
    void bias_gradient(Wide*, const Real*, int, int) override {}
    void embed(Real*, const Real*, Ids, int, int, int, int) override {}
    void embed_gradient(Wide*, const Real*, Ids, int, int, int, int) override {}
    void add_positions(Real*, const Real*, int, int, int, int) override {}
    void positions_gradient(Wide*, const Real*, int, int, int, int) override {}
    void norm(Real*, Wide*, const Real*, const Real*, const Real*, int, int, Norm) override {}
    void norm_gradient(Real*, Wide*, Wide*, const Real*, const Real*, const Real*, const Wide*, int, int, Norm) override {}
    void norm_again(Real*, const Wide*, const Real*, const Real*, const Real*, int, int) override {}
    void add_residual(Real*, const Real*, const Real*, const Real*, int, int) override {}
    void activate(Real*, const Real*, int, int, Activation) override {}
    void activate_gradient(Real*, const Real*, const Real*, int, int, Activation) override {}
    void rotate(Real*, AttentionShape, int) override {}
    void attention(Real*, Wide*, const Real*, AttentionShape) override {}
    void attention_gradient(Real*, const Real*, const Real*, const Wide*, const Real*, AttentionShape) override {}
    void row_max(Wide*, const Real*, int, int) override {}
    void exp_sum(Wide*, Wide*, Real*, const Wide*, Ids, int, int, int) override {}
    void cross_entropy(double*, Real*, const Wide*, const Wide*, Ids, int, int, int, double) override {}
    void cross_entropy_whole(double*, Real*, Ids, int, int, double) override {}
    void adamw(Real*, Wide*, const Wide*, Wide*, Wide*, std::size_t, const AdamW&) override {}
    void sgd(Real*, Wide*, const Wide*, std::size_t, double, double) override {}
    void add(Wide*, const Wide*, std::size_t) override {}
    void sum_squares(double*, const Wide*, std::size_t) override {}
};

}  // namespace plimsoll::engine

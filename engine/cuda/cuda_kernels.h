#pragma once
// The kernels of a device: kernels.h by way of the back end's table.
//
//   CudaKernels<bf16, float> kernels(*use_device(local_rank).table);
//
// Real is bf16, or float so that layouts can be compared in fp32; Wide is float. A
// call that the device refuses throws DeviceError; memory that is not there is a
// null from allocate().

#include "engine/comm/comm.h"  // bf16
#include "engine/cuda/abi.h"
#include "engine/kernels/kernels.h"

namespace plimsoll::engine {

template <class Real, class Wide> class CudaKernels;

template <class Real> class CudaKernels<Real, float> final : public Kernels<Real, float> {
    using Wide = float;

public:
    explicit CudaKernels(const PlimsollBackend& table) : table_(table) {}

    void* allocate(std::size_t bytes) override;
    void release(void*) override;
    void copy_in(void* device, const void* host, std::size_t bytes) override;
    void copy_out(void* host, const void* device, std::size_t bytes) override;
    void copy(void* to, const void* from, std::size_t bytes) override;
    void zero(void*, std::size_t bytes) override;
    void synchronize() override;

    void linear(Real* y, const Real* x, const Real* w, const Real* bias, int m, int n, int k) override;
    void linear_input_gradient(Real* dx, const Real* dy, const Real* w, int m, int n, int k) override;
    void linear_weight_gradient(Wide* dw, const Real* dy, const Real* x, int m, int n, int k) override;
    void bias_gradient(Wide* db, const Real* dy, int m, int n) override;

    void embed(Real* y, const Real* table, const std::int32_t* ids, int R, int C, int first, int V) override;
    void embed_gradient(Wide* dtable, const Real* dy, const std::int32_t* ids, int R, int C, int first, int V) override;
    void add_positions(Real* y, const Real* table, int R, int C, int first_row, int T) override;
    void positions_gradient(Wide* dtable, const Real* dy, int R, int C, int first_row, int T) override;

    void norm(Real* y, Wide* stats, const Real* x, const Real* gain, const Real* bias, int R, int C, Norm) override;
    void norm_gradient(Real* dx, Wide* dgain, Wide* dbias, const Real* dy, const Real* x, const Real* gain, const Wide* stats, int R,
                       int C, Norm) override;
    void norm_again(Real* y, const Wide* stats, const Real* x, const Real* gain, const Real* bias, int R, int C) override;
    void add_residual(Real* y, const Real* x, const Real* z, const Real* bias, int R, int C) override;
    void activate(Real* y, const Real* x, int R, int F, Activation) override;
    void activate_gradient(Real* dx, const Real* dy, const Real* x, int R, int F, Activation) override;

    void rotate(Real* qkv, AttentionShape, int direction) override;
    void attention(Real* out, Wide* logsum, const Real* qkv, AttentionShape) override;
    void attention_gradient(Real* dqkv, const Real* dout, const Real* out, const Wide* logsum, const Real* qkv, AttentionShape) override;

    void row_max(Wide* max, const Real* logits, int R, int V) override;
    void exp_sum(Wide* sums, Wide* targets, Real* logits, const Wide* max, const std::int32_t* ids, int R, int V, int first) override;
    void cross_entropy(double* loss, Real* logits, const Wide* sums, const Wide* targets, const std::int32_t* ids, int R, int V,
                       int first, double scale) override;
    void cross_entropy_whole(double* loss, Real* logits, const std::int32_t* ids, int R, int V, double scale) override;

    void adamw(Real* weights, Wide* master, const Wide* gradient, Wide* m, Wide* v, std::size_t n, const AdamW&) override;
    void sgd(Real* weights, Wide* master, const Wide* gradient, std::size_t n, double rate, double gradient_scale) override;
    void add(Wide* y, const Wide* x, std::size_t n) override;
    void sum_squares(double* sum, const Wide* x, std::size_t n) override;

private:
    const PlimsollBackend& table_;
};

}  // namespace plimsoll::engine

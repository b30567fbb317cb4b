#pragma once
// Kernels on the processor: fp64 for proofs, fp32 for speed.
//
//   std::unique_ptr<Kernels<float, float>> k = cpu_kernels<float>(threads);
//
// Products come from the BLAS (blas.h), everything else is a vectorised loop
// (vectorised.h) shared among `threads`. The same call on the same machine with
// the same number of threads gives the same bits. One class per concern, each the
// base of the next, each with a source file of its own; they are used whole, as CpuKernels.
// One object serves one caller at a time: it owns scratch memory.

#include "engine/kernels/blas.h"
#include "engine/kernels/kernels.h"

#include <memory>
#include <vector>

namespace plimsoll::engine {

template <class Real>
class CpuMemory : public Kernels<Real, Real> {
public:
    CpuMemory(int threads, ProductLibrary);
    void* allocate(std::size_t bytes) override;
    void release(void*) override;
    void copy_in(void* device, const void* host, std::size_t bytes) override;
    void copy_out(void* host, const void* device, std::size_t bytes) override;
    void copy(void* to, const void* from, std::size_t bytes) override;
    void zero(void*, std::size_t bytes) override;
    void synchronize() override {}

protected:
    const int threads_;
    const ProductLibrary library_;
};

template <class Real>
class CpuProducts : public CpuMemory<Real> {
public:
    using CpuMemory<Real>::CpuMemory;
    void linear(Real* y, const Real* x, const Real* w, const Real* bias, int m, int n, int k) override;
    void linear_input_gradient(Real* dx, const Real* dy, const Real* w, int m, int n, int k) override;
    void linear_weight_gradient(Real* dw, const Real* dy, const Real* x, int m, int n, int k) override;
    void bias_gradient(Real* db, const Real* dy, int m, int n) override;
};

template <class Real>
class CpuEmbedding : public CpuProducts<Real> {
public:
    using CpuProducts<Real>::CpuProducts;
    void embed(Real* y, const Real* table, const std::int32_t* ids, int R, int C, int first, int V) override;
    void embed_gradient(Real* dtable, const Real* dy, const std::int32_t* ids, int R, int C, int first, int V) override;
    void add_positions(Real* y, const Real* table, int R, int C, int first_row, int T) override;
    void positions_gradient(Real* dtable, const Real* dy, int R, int C, int first_row, int T) override;
};

template <class Real>
class CpuRows : public CpuEmbedding<Real> {
public:
    using CpuEmbedding<Real>::CpuEmbedding;
    void norm(Real* y, Real* stats, const Real* x, const Real* gain, const Real* bias, int R, int C, Norm) override;
    void norm_gradient(Real* dx, Real* dgain, Real* dbias, const Real* dy, const Real* x, const Real* gain,
                       const Real* stats, int R, int C, Norm) override;
    void norm_again(Real* y, const Real* stats, const Real* x, const Real* gain, const Real* bias, int R,
                    int C) override;
    void add_residual(Real* y, const Real* x, const Real* z, const Real* bias, int R, int C) override;
    void activate(Real* y, const Real* x, int R, int F, Activation) override;
    void activate_gradient(Real* dx, const Real* dy, const Real* x, int R, int F, Activation) override;
};

template <class Real>
class CpuAttention : public CpuRows<Real> {
public:
    CpuAttention(int threads, ProductLibrary);
    void rotate(Real* qkv, AttentionShape, int direction) override;
    void attention(Real* out, Real* logsum, const Real* qkv, AttentionShape) override;
    void attention_gradient(Real* dqkv, const Real* dout, const Real* out, const Real* logsum, const Real* qkv,
                            AttentionShape) override;

private:
    struct Rotation {
        int T = 0, D = 0;
        std::vector<Real> cosine, sine;  // [T, D/2]
    };
    Real* scratch(int thread, std::size_t n);
    void prepare_rotation(int T, int D);

    std::vector<std::vector<Real>> scratch_;  // one a thread: score blocks
    Rotation rotation_;
};

template <class Real>
class CpuLoss : public CpuAttention<Real> {
public:
    using CpuAttention<Real>::CpuAttention;
    void row_max(Real* max, const Real* logits, int R, int V) override;
    void exp_sum(Real* sums, Real* targets, Real* logits, const Real* max, const std::int32_t* ids, int R, int V,
                 int first) override;
    void cross_entropy(double* loss, Real* logits, const Real* sums, const Real* targets, const std::int32_t* ids,
                       int R, int V, int first, double scale) override;
    void cross_entropy_whole(double* loss, Real* logits, const std::int32_t* ids, int R, int V, double scale) override;

private:
    std::vector<double> row_loss_;  // added up in row order, whoever computed them
};

template <class Real>
class CpuKernels final : public CpuLoss<Real> {
public:
    using CpuLoss<Real>::CpuLoss;
    void adamw(Real* weights, Real* master, const Real* gradient, Real* m, Real* v, std::size_t n,
               const AdamW&) override;
    void sgd(Real* weights, Real* master, const Real* gradient, std::size_t n, double rate,
             double gradient_scale) override;
    void add(Real* y, const Real* x, std::size_t n) override;
    void sum_squares(double* sum, const Real* x, std::size_t n) override;

private:
    std::vector<double> block_sum_;
};

// Float or double. `threads` is at least 1.
template <class Real>
std::unique_ptr<Kernels<Real, Real>> cpu_kernels(int threads, ProductLibrary library = preferred_library()) {
    return std::make_unique<CpuKernels<Real>>(threads, library);
}

}  // namespace plimsoll::engine

#pragma once
// Kernels on the processor: fp64 for proofs, fp32 for speed.
//
//   std::unique_ptr<Kernels<float, float>> k = cpu_kernels<float>(threads);
//
// Products come from the BLAS (blas.h), everything else is a vectorised loop
// (loops.h) shared among `threads`. The same call on the same machine with
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
    void copy(void* to, const void* from, std::size_t bytes) override;
    void zero(void*, std::size_t bytes) override;

protected:
    const int threads_;
    const ProductLibrary library_;
};

#define PLIMSOLL_DECLARE(name, parameters, arguments) void name parameters override;

template <class Real> struct CpuProducts : CpuMemory<Real> {
    using Wide = Real;
    using CpuMemory<Real>::CpuMemory;
    PLIMSOLL_PRODUCTS(PLIMSOLL_DECLARE)
};

template <class Real> struct CpuEmbedding : CpuProducts<Real> {
    using Wide = Real;
    using CpuProducts<Real>::CpuProducts;
    PLIMSOLL_EMBEDDINGS(PLIMSOLL_DECLARE)
};

template <class Real> struct CpuRows : CpuEmbedding<Real> {
    using Wide = Real;
    using CpuEmbedding<Real>::CpuEmbedding;
    PLIMSOLL_ROWS(PLIMSOLL_DECLARE)
};

template <class Real> struct CpuAttention : CpuRows<Real> {
    using Wide = Real;
    CpuAttention(int threads, ProductLibrary);
    PLIMSOLL_ATTENTION(PLIMSOLL_DECLARE)

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

template <class Real> struct CpuLoss : CpuAttention<Real> {
    using Wide = Real;
    using CpuAttention<Real>::CpuAttention;
    PLIMSOLL_LOSS(PLIMSOLL_DECLARE)

private:
    std::vector<double> row_loss_;  // added up in row order, whoever computed them
};

template <class Real> struct CpuKernels final : CpuLoss<Real> {
    using Wide = Real;
    using CpuLoss<Real>::CpuLoss;
    PLIMSOLL_UPDATES(PLIMSOLL_DECLARE)

private:
    std::vector<double> block_sum_;
};

#undef PLIMSOLL_DECLARE

// Float or double. `threads` is at least 1.
template <class Real>
std::unique_ptr<Kernels<Real, Real>> cpu_kernels(int threads, ProductLibrary library = preferred_library()) {
    return std::make_unique<CpuKernels<Real>>(threads, library);
}

}  // namespace plimsoll::engine

#include "engine/kernels/cpu.h"
#include "engine/kernels/loops.h"

#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace plimsoll::engine {

namespace {

constexpr std::size_t tile = 16;  // pieces of a product are multiples of a register tile

// One product shared among threads along the longer side of c; sums are never split.
template <class Real>
void shared_gemm(int threads, ProductLibrary library, Flip a_flip, Flip b_flip, ProductShape s, const Real* a, int lda,
                 const Real* b, int ldb, Real beta, Real* c, int ldc) {
    const bool by_rows = s.m >= s.n;
    const std::size_t a_step = a_flip == Flip::yes ? 1 : std::size_t(lda);
    const std::size_t b_step = b_flip == Flip::yes ? std::size_t(ldb) : 1;
    over(threads, std::size_t(by_rows ? s.m : s.n), tile, [&](std::size_t begin, std::size_t end, int) {
        const int part = int(end - begin);
        if (by_rows) {
            gemm(library, a_flip, b_flip, {part, s.n, s.k}, Real(1), a + begin * a_step, lda, b, ldb, beta,
                 c + begin * std::size_t(ldc), ldc);
        } else {
            gemm(library, a_flip, b_flip, {s.m, part, s.k}, Real(1), a, lda, b + begin * b_step, ldb, beta, c + begin,
                 ldc);
        }
    });
}

// db[j] += sum of dy[i, j] over i, for columns [begin, end) of n. Sums of a strip stay in the first cache.
template <class Real>
PLIMSOLL_INLINE void add_column_sums(Real* db, const Real* dy, std::size_t m, std::size_t n, std::size_t begin,
                                     std::size_t end) {
    constexpr std::size_t strip = 512;
    for (std::size_t first = begin; first < end; first += strip) {
        const std::size_t width = end - first < strip ? end - first : strip;
        Real sum[strip] = {};
        for (std::size_t i = 0; i < m; ++i) {
            const Real* row = dy + i * n + first;
#pragma omp simd
            for (std::size_t j = 0; j < width; ++j) sum[j] += row[j];
        }
#pragma omp simd
        for (std::size_t j = 0; j < width; ++j) db[first + j] += sum[j];
    }
}

constexpr std::size_t huge_page = std::size_t(1) << 21;

std::size_t rounded_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

// The bias is put in place first and the product added to it: a BLAS writes c before it adds to it in any case.
template <class Real>
void CpuProducts<Real>::linear(Real* y, const Real* x, const Real* w, const Real* bias, int m, int n, int k) {
    if (bias) {
        over(this->threads_, std::size_t(m), 1, [&](std::size_t begin, std::size_t end, int) {
            for (std::size_t i = begin; i < end; ++i)
                std::memcpy(y + i * std::size_t(n), bias, std::size_t(n) * sizeof(Real));
        });
    }
    shared_gemm(this->threads_, this->library_, Flip::no, Flip::yes, {m, n, k}, x, k, w, k, Real(bias ? 1 : 0), y, n);
}

template <class Real>
void CpuProducts<Real>::linear_input_gradient(Real* dx, const Real* dy, const Real* w, int m, int n, int k) {
    shared_gemm(this->threads_, this->library_, Flip::no, Flip::no, {m, k, n}, dy, n, w, k, Real(0), dx, k);
}

template <class Real>
void CpuProducts<Real>::linear_weight_gradient(Real* dw, const Real* dy, const Real* x, int m, int n, int k) {
    shared_gemm(this->threads_, this->library_, Flip::yes, Flip::no, {n, k, m}, dy, n, x, k, Real(1), dw, k);
}

template <class Real>
void CpuProducts<Real>::bias_gradient(Real* db, const Real* dy, int m, int n) {
    over(this->threads_, std::size_t(n), 64, [&](std::size_t begin, std::size_t end, int) {
        vectorised<add_column_sums<Real>>(db, dy, std::size_t(m), std::size_t(n), begin, end);
    });
}

template struct CpuProducts<float>;
template struct CpuProducts<double>;

template <class Real>
CpuMemory<Real>::CpuMemory(int threads, ProductLibrary library) : threads_(threads), library_(library) {
    use_one_thread(library);
}

// Large blocks start on a huge page: a step walks through hundreds of MB, and every 4 KiB page costs a fault and a
// translation.
template <class Real>
void* CpuMemory<Real>::allocate(std::size_t bytes) {
    const std::size_t alignment = bytes >= huge_page ? huge_page : 256;
    void* memory = std::aligned_alloc(alignment, rounded_up(bytes ? bytes : 1, alignment));
    if (!memory) return nullptr;
#ifdef MADV_HUGEPAGE
    if (alignment == huge_page) (void)madvise(memory, rounded_up(bytes, alignment), MADV_HUGEPAGE);
#endif
    return memory;
}

template <class Real>
void CpuMemory<Real>::release(void* memory) {
    std::free(memory);
}

template <class Real>
void CpuMemory<Real>::copy(void* to, const void* from, std::size_t bytes) {
    over(threads_, bytes, huge_page, [&](std::size_t begin, std::size_t end, int) {
        std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin, end - begin);
    });
}

template <class Real>
void CpuMemory<Real>::zero(void* memory, std::size_t bytes) {
    over(threads_, bytes, huge_page, [&](std::size_t begin, std::size_t end, int) {
        std::memset(static_cast<char*>(memory) + begin, 0, end - begin);
    });
}

template class CpuMemory<float>;
template class CpuMemory<double>;

}  // namespace plimsoll::engine

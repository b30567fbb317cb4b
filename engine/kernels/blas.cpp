#include "engine/kernels/blas.h"

#include "engine/kernels/bf16_products.h"

#include <Eigen/Core>

#ifdef PLIMSOLL_CBLAS
// Declared here, not included: distributions keep cblas.h in different places, the interface itself is fixed.
extern "C" {
void cblas_sgemm(int order, int flip_a, int flip_b, int m, int n, int k, float alpha, const float* a, int lda,
                 const float* b, int ldb, float beta, float* c, int ldc);
void cblas_dgemm(int order, int flip_a, int flip_b, int m, int n, int k, double alpha, const double* a, int lda,
                 const double* b, int ldb, double beta, double* c, int ldc);
// OpenBLAS only; absent from other libraries.
__attribute__((weak)) void openblas_set_num_threads(int);
__attribute__((weak)) const char* openblas_get_config();
}
#endif

namespace plimsoll::engine {
namespace {

template <class Real>
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class Real>
using Stored = Eigen::Map<const Matrix<Real>, 0, Eigen::OuterStride<>>;

// c += alpha a b, with a and b as Eigen sees them: plain or transposed.
template <class Real, class A, class B>
void accumulate(ProductShape s, Real alpha, const A& a, const B& b, Real beta, Real* c, int ldc) {
    Eigen::Map<Matrix<Real>, 0, Eigen::OuterStride<>> out(c, s.m, s.n, Eigen::OuterStride<>(ldc));
    if (beta == Real(0)) {
        out.setZero();
    } else if (beta != Real(1)) {
        out *= beta;
    }
    out.noalias() += alpha * (a * b);
}

template <class Real>
void eigen_gemm(Flip a_flip, Flip b_flip, ProductShape s, Real alpha, const Real* a, int lda, const Real* b, int ldb,
                Real beta, Real* c, int ldc) {
    const bool fa = a_flip == Flip::yes, fb = b_flip == Flip::yes;
    const Stored<Real> x(a, fa ? s.k : s.m, fa ? s.m : s.k, Eigen::OuterStride<>(lda));
    const Stored<Real> y(b, fb ? s.n : s.k, fb ? s.k : s.n, Eigen::OuterStride<>(ldb));
    if (fa && fb) {
        accumulate(s, alpha, x.transpose(), y.transpose(), beta, c, ldc);
    } else if (fa) {
        accumulate(s, alpha, x.transpose(), y, beta, c, ldc);
    } else if (fb) {
        accumulate(s, alpha, x, y.transpose(), beta, c, ldc);
    } else {
        accumulate(s, alpha, x, y, beta, c, ldc);
    }
}

#ifdef PLIMSOLL_CBLAS
constexpr int row_major = 101;
constexpr int cblas_flip(Flip f) { return f == Flip::yes ? 112 : 111; }
#endif

}  // namespace

std::string describe(ProductLibrary library) {
    if (library == ProductLibrary::bf16) return "bf16 pairs (AVX512_BF16), 1 thread a product";
    std::string name = "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "."
                     + std::to_string(EIGEN_MINOR_VERSION);
#ifdef PLIMSOLL_CBLAS
    if (library == ProductLibrary::cblas) name = openblas_get_config ? openblas_get_config() : "CBLAS";
#else
    (void)library;
#endif
    while (!name.empty() && name.back() == ' ') name.pop_back();
    return name.append(", 1 thread a product");
}

void use_one_thread(ProductLibrary library) {
#ifdef PLIMSOLL_CBLAS
    if (library == ProductLibrary::cblas && openblas_set_num_threads) openblas_set_num_threads(1);
#endif
    if (library == ProductLibrary::eigen) Eigen::setNbThreads(1);
}

void gemm(ProductLibrary library, Flip a_flip, Flip b_flip, ProductShape s, float alpha, const float* a, int lda,
          const float* b, int ldb, float beta, float* c, int ldc) {
    if (library == ProductLibrary::bf16) return bf16_gemm(a_flip, b_flip, s, alpha, a, lda, b, ldb, beta, c, ldc);
#ifdef PLIMSOLL_CBLAS
    if (library == ProductLibrary::cblas)
        return cblas_sgemm(row_major, cblas_flip(a_flip), cblas_flip(b_flip), s.m, s.n, s.k, alpha, a, lda, b, ldb,
                           beta, c, ldc);
#endif
    eigen_gemm(a_flip, b_flip, s, alpha, a, lda, b, ldb, beta, c, ldc);
}

void gemm(ProductLibrary library, Flip a_flip, Flip b_flip, ProductShape s, double alpha, const double* a, int lda,
          const double* b, int ldb, double beta, double* c, int ldc) {
    if (library == ProductLibrary::bf16) library = preferred_library();
#ifdef PLIMSOLL_CBLAS
    if (library == ProductLibrary::cblas)
        return cblas_dgemm(row_major, cblas_flip(a_flip), cblas_flip(b_flip), s.m, s.n, s.k, alpha, a, lda, b, ldb,
                           beta, c, ldc);
#endif
    eigen_gemm(a_flip, b_flip, s, alpha, a, lda, b, ldb, beta, c, ldc);
}

}  // namespace plimsoll::engine

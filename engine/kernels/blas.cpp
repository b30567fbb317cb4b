#include "engine/kernels/blas.h"

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <dlfcn.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#ifdef PLIMSOLL_BLAS
// The Fortran interface, which every BLAS has and CMake looked for. Last come the lengths of the letters, which
// Fortran's compilers pass and C's libraries ignore.
extern "C" {
void sgemm_(const char* flip_a, const char* flip_b, const int* m, const int* n, const int* k, const float* alpha,
            const float* a, const int* lda, const float* b, const int* ldb, const float* beta, float* c,
            const int* ldc, std::size_t, std::size_t);
void dgemm_(const char* flip_a, const char* flip_b, const int* m, const int* n, const int* k, const double* alpha,
            const double* a, const int* lda, const double* b, const int* ldb, const double* beta, double* c,
            const int* ldc, std::size_t, std::size_t);
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

#ifdef PLIMSOLL_BLAS
// Rows of c are columns to Fortran: c^T = b^T a^T.
template <class Real, class F>
void by_columns(F product, Flip a_flip, Flip b_flip, ProductShape s, Real alpha, const Real* a, int lda, const Real* b,
                int ldb, Real beta, Real* c, int ldc) {
    const char *of_a = a_flip == Flip::yes ? "T" : "N", *of_b = b_flip == Flip::yes ? "T" : "N";
    product(of_b, of_a, &s.n, &s.m, &s.k, &alpha, b, &ldb, a, &lda, &beta, c, &ldc, 1, 1);
}

// Asked for by name when the program runs: by whichever library was linked, or has been put in its place since.
template <class F>
F* known(const char* name) {
    return reinterpret_cast<F*>(dlsym(RTLD_DEFAULT, name));
}

std::string name_of_blas() {
    if (auto* config = known<const char*()>("openblas_get_config")) return config();
    if (auto* version = known<const char*()>("bli_info_get_version_str")) return std::string("BLIS ") + version();
    if (auto* version = known<void(char*, int)>("MKL_Get_Version_String")) {
        char text[200] = {};
        version(text, sizeof text - 1);
        return text;
    }
    // ESSL, SSL2, LibSci, Netlib's: the name of their file, "libsci_gnu.so.6".
    Dl_info about{};
    if (!dladdr(reinterpret_cast<void*>(&sgemm_), &about) || !about.dli_fname) return "BLAS";
    const std::string path = about.dli_fname, file = path.substr(path.rfind('/') + 1);
    return file.find(".so") == file.npos ? "BLAS of the engine's build" : file;
}

// A library without a way of its own shares its work by OpenMP or not at all; `over` says how many threads it wants.
void no_threads_of_its_own() {
    if (auto* set = known<void(int)>("openblas_set_num_threads")) set(1);
    if (auto* set = known<void(std::int64_t)>("bli_thread_set_num_threads")) set(1);
    if (auto* set = known<void(int)>("MKL_Set_Num_Threads")) set(1);
#ifdef _OPENMP
    omp_set_num_threads(1);
#endif
}
#endif

}  // namespace

std::string describe(ProductLibrary library) {
    if (library == ProductLibrary::bf16) return "bf16 pairs (AVX512_BF16), 1 thread a product";
    std::string name = "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "."
                     + std::to_string(EIGEN_MINOR_VERSION);
#ifdef PLIMSOLL_BLAS
    if (library == ProductLibrary::blas) name = name_of_blas();
#endif
    while (!name.empty() && name.back() == ' ') name.pop_back();
    return name.append(", 1 thread a product");
}

void use_one_thread(ProductLibrary library) {
#ifdef PLIMSOLL_BLAS
    if (library == ProductLibrary::blas) no_threads_of_its_own();
#endif
    if (library == ProductLibrary::eigen) Eigen::setNbThreads(1);
}

void gemm(ProductLibrary library, Flip a_flip, Flip b_flip, ProductShape s, float alpha, const float* a, int lda,
          const float* b, int ldb, float beta, float* c, int ldc) {
    if (library == ProductLibrary::bf16) return bf16_gemm(a_flip, b_flip, s, alpha, a, lda, b, ldb, beta, c, ldc);
#ifdef PLIMSOLL_BLAS
    if (library == ProductLibrary::blas)
        return by_columns(sgemm_, a_flip, b_flip, s, alpha, a, lda, b, ldb, beta, c, ldc);
#endif
    eigen_gemm(a_flip, b_flip, s, alpha, a, lda, b, ldb, beta, c, ldc);
}

void gemm(ProductLibrary library, Flip a_flip, Flip b_flip, ProductShape s, double alpha, const double* a, int lda,
          const double* b, int ldb, double beta, double* c, int ldc) {
    if (library == ProductLibrary::bf16) library = preferred_library();
#ifdef PLIMSOLL_BLAS
    if (library == ProductLibrary::blas)
        return by_columns(dgemm_, a_flip, b_flip, s, alpha, a, lda, b, ldb, beta, c, ldc);
#endif
    eigen_gemm(a_flip, b_flip, s, alpha, a, lda, b, ldb, beta, c, ldc);
}

}  // namespace plimsoll::engine

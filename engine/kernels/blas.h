#pragma once
// One matrix product, on one thread, from the library at hand: the BLAS this was
// linked with, or Eigen where there is none. Callers share work among threads
// themselves, so that there is one pool of threads whichever library it is.
//
//   gemm(preferred_library(), Flip::no, Flip::yes, {m, n, k}, 1.f, a, lda, b, ldb, 0.f, c, ldc);   // c = a b^T

#include <cstdint>
#include <string>

namespace plimsoll::engine {

enum class ProductLibrary : std::uint8_t { blas, eigen, bf16 };  // bf16: bf16_gemm; fp64 goes to the preferred one
enum class Flip : bool { no, yes };
struct ProductShape {
    int m, n, k;
};

constexpr ProductLibrary preferred_library() {
#ifdef PLIMSOLL_BLAS
    return ProductLibrary::blas;
#else
    return ProductLibrary::eigen;
#endif
}
// What multiplies matrices on the processor: bf16 pairs where that precision is asked for.
constexpr ProductLibrary product_library(bool bf16) { return bf16 ? ProductLibrary::bf16 : preferred_library(); }

// Name, version and threads, for people: "OpenBLAS 0.3.21 ... Zen MAX_THREADS=64, 1 thread a product"; where a library
// does not tell its name, that of its file.
std::string describe(ProductLibrary);

// The library's own threads, where it has any, are switched off for this process.
void use_one_thread(ProductLibrary);

// c[m,n] = alpha op(a)[m,k] op(b)[k,n] + beta c; row-major, ld = elements from row to row as stored.
// c is not read where beta is 0. Safe to call from several threads.
void gemm(ProductLibrary, Flip a_flip, Flip b_flip, ProductShape, float alpha, const float* a, int lda, const float* b,
          int ldb, float beta, float* c, int ldc);
void gemm(ProductLibrary, Flip a_flip, Flip b_flip, ProductShape, double alpha, const double* a, int lda,
          const double* b, int ldb, double beta, double* c, int ldc);

// Products of fp32 matrices whose factors are rounded to bf16 on their way into the cache, sums kept in fp32: twice the
// rate of fp32 where the processor multiplies bf16 pairs (AVX512_BF16: Zen 4, Cooper Lake, Sapphire Rapids). An element
// of c is off by 2^-8 of the terms it sums up, at most. As gemm otherwise, only where has_bf16_products(); each thread
// that calls it keeps 0.6 MB.
bool has_bf16_products();
void bf16_gemm(Flip a_flip, Flip b_flip, ProductShape, float alpha, const float* a, int lda, const float* b, int ldb,
               float beta, float* c, int ldc);

}  // namespace plimsoll::engine

#include "engine/kernels/blas.h"
#include "engine/kernels/loops.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include <algorithm>
#include <cstring>
#include <vector>

// Loops and packing as in Goto and van de Geijn 2008, "Anatomy of high-performance matrix multiplication": a strip of b
// stays in the first cache, a block of a in the second. Packing rounds, and puts two neighbours in k into one word.
namespace plimsoll::engine {
namespace {

constexpr int tile_rows = 12, tile_columns = 32;  // 24 of the 32 vector registers hold the tile of c
constexpr int block_k = 384, block_m = 20 * tile_rows, block_n = 16 * tile_columns;

PLIMSOLL_INLINE std::uint32_t rounded(float x) {  // to nearest, ties to even; bf16 in the upper half
    const auto bits = std::bit_cast<std::uint32_t>(x);
    return bits + 0x7fff + ((bits >> 16) & 1);
}

// A block of `lines` lines, each of k elements, becomes strips of `width` lines: [lines / width][k / 2][width] words,
// zero where there is no element. Two ways, for how the block lies in memory.

// Element (i, l) at source[i ld + l]: every line is rounded, then dealt out word by word.
PLIMSOLL_INLINE void pack_lines(std::uint32_t* strips, const float* source, std::size_t ld, int lines, int width,
                                int k) {
    std::uint16_t line[block_k];
    const int pairs = (k + 1) / 2;
    for (int i = 0; i < (lines + width - 1) / width * width; ++i) {
        std::uint32_t* to = strips + i / width * pairs * width + i % width;
        for (int l = 0; l < k && i < lines; ++l)
            line[l] = std::uint16_t(rounded(source[std::size_t(i) * ld + std::size_t(l)]) >> 16);
        if (i == lines) std::memset(line, 0, sizeof line);
        if (k % 2) line[k] = 0;
        for (int p = 0; p < pairs; ++p) std::memcpy(to + p * width, line + 2 * p, sizeof *to);
    }
}

// Element (i, l) at source[l ld + i]: two rows of the source at a time, through all strips.
PLIMSOLL_INLINE void pack_columns(std::uint32_t* strips, const float* source, std::size_t ld, int lines, int width,
                                  int k) {
    const int pairs = (k + 1) / 2;
    for (int p = 0; p < pairs; ++p, source += 2 * ld) {
        std::uint32_t* to = strips + p * width;
        for (int i = 0; i < lines; i += width, to += pairs * width) {
            const int here = std::min(width, lines - i);
            const float *even = source + i, *odd = even + ld;
            if (2 * p + 1 < k) {
                for (int j = 0; j < here; ++j) to[j] = rounded(even[j]) >> 16 | (rounded(odd[j]) & 0xffff0000u);
            } else {
                for (int j = 0; j < here; ++j) to[j] = rounded(even[j]) >> 16;
            }
            for (int j = here; j < width; ++j) to[j] = 0;
        }
    }
}

template <int width>
PLIMSOLL_INLINE void pack(std::uint32_t* to, const float* source, std::size_t ld, bool along, int lines, int k) {
    if (along) {
        pack_lines(to, source, ld, lines, width, k);
    } else {
        pack_columns(to, source, ld, lines, width, k);
    }
}

// c[rows, columns] = alpha (a strip) (b strip) + beta c.
__attribute__((target("arch=x86-64-v4,avx512bf16"))) void tile(const std::uint32_t* a, const std::uint32_t* b,
                                                               int pairs, float alpha, float beta, float* c,
                                                               std::size_t ldc, int rows, int columns) {
    __m512 sum[tile_rows][2];
#pragma GCC unroll 12
    for (int i = 0; i < tile_rows; ++i) sum[i][0] = sum[i][1] = _mm512_setzero_ps();
    for (int p = 0; p < pairs; ++p, a += tile_rows, b += tile_columns) {
        const auto left = __m512bh(_mm512_loadu_si512(b)), right = __m512bh(_mm512_loadu_si512(b + 16));
#pragma GCC unroll 12
        for (int i = 0; i < tile_rows; ++i) {
            const auto pair = __m512bh(_mm512_set1_epi32(int(a[i])));
            sum[i][0] = _mm512_dpbf16_ps(sum[i][0], pair, left);
            sum[i][1] = _mm512_dpbf16_ps(sum[i][1], pair, right);
        }
    }
    const __m512 scale = _mm512_set1_ps(alpha), keep = _mm512_set1_ps(beta);
    const auto mask = std::uint32_t((std::uint64_t(1) << columns) - 1);
#pragma GCC unroll 12
    for (int i = 0; i < tile_rows; ++i) {
        if (i >= rows) break;
        for (int half = 0; half < 2; ++half) {
            float* at = c + std::size_t(i) * ldc + 16 * half;
            const auto part = __mmask16(mask >> (16 * half));
            __m512 value = _mm512_mul_ps(scale, sum[i][half]);
            if (beta != 0) value = _mm512_fmadd_ps(keep, _mm512_maskz_loadu_ps(part, at), value);
            _mm512_mask_storeu_ps(at, part, value);
        }
    }
}

// A block of a times a strip-packed block of b.
void multiply(const std::uint32_t* a, const std::uint32_t* b, ProductShape s, float alpha, float beta, float* c,
              std::size_t ldc) {
    const std::size_t pairs = std::size_t(s.k + 1) / 2;
    for (int j = 0; j < s.n; j += tile_columns)
        for (int i = 0; i < s.m; i += tile_rows)
            tile(a + std::size_t(i) * pairs, b + std::size_t(j) * pairs, int(pairs), alpha, beta,
                 c + std::size_t(i) * ldc + j, ldc, std::min(tile_rows, s.m - i), std::min(tile_columns, s.n - j));
}

}  // namespace

bool has_bf16_products() { return __builtin_cpu_supports("avx512bf16") && widest_vectors() == VectorWidth::avx512; }

void bf16_gemm(Flip a_flip, Flip b_flip, ProductShape s, float alpha, const float* a, int lda, const float* b, int ldb,
               float beta, float* c, int ldc) {
    static thread_local std::vector<std::uint32_t> a_words(std::size_t(block_m) * block_k / 2),
        b_words(std::size_t(block_n) * block_k / 2);
    const bool a_along = a_flip == Flip::no, b_along = b_flip == Flip::yes;  // k runs along memory
    const std::size_t al = std::size_t(lda), bl = std::size_t(ldb), cl = std::size_t(ldc);
    const int k_blocks = (s.k + block_k - 1) / block_k, k_step = ((s.k + k_blocks - 1) / k_blocks + 1) / 2 * 2;
    for (int j = 0; j < s.n; j += block_n) {
        for (int l = 0; l < s.k; l += k_step) {
            const int n = std::min(block_n, s.n - j), k = std::min(k_step, s.k - l);
            const std::size_t jj = std::size_t(j), ll = std::size_t(l);
            vectorised<pack<tile_columns>>(b_words.data(), b + (b_along ? jj * bl + ll : ll * bl + jj), bl, b_along, n,
                                           k);
            for (int i = 0; i < s.m; i += block_m) {
                const int m = std::min(block_m, s.m - i);
                const std::size_t ii = std::size_t(i);
                vectorised<pack<tile_rows>>(a_words.data(), a + (a_along ? ii * al + ll : ll * al + ii), al, a_along, m,
                                            k);
                multiply(a_words.data(), b_words.data(), {m, n, k}, alpha, l == 0 ? beta : 1.f, c + ii * cl + jj, cl);
            }
        }
    }
}

}  // namespace plimsoll::engine

#else

namespace plimsoll::engine {

bool has_bf16_products() { return false; }
void bf16_gemm(Flip, Flip, ProductShape, float, const float*, int, const float*, int, float, float*, int) {}

}  // namespace plimsoll::engine
#endif

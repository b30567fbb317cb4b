#include "engine/kernels/cpu.h"
#include "engine/kernels/loops.h"
#include "engine/run/mutation.h"

#include <algorithm>

namespace plimsoll::engine {
namespace {

// Queries whose scores are held at once, against all keys they see. Larger blocks compute more scores that the mask
// throws away, smaller ones are slower products; 48 is best at 256 tokens, within 3 % of the best at 1,024.
constexpr int query_block = 48;

// Where one head of one sequence lies in qkv and out; all rows are ld apart, out_ld in out.
struct Head {
    std::size_t query, key, value, out, logsum;
    int ld, out_ld;
};

Head head_at(AttentionShape s, int b, int h) {
    const int heads = s.H + 2 * s.K, shared = h / (s.H / s.K);
    const std::size_t row = std::size_t(b) * std::size_t(s.T), D = std::size_t(s.D);
    const std::size_t start = row * std::size_t(heads) * D;
    return {start + std::size_t(h) * D,
            start + std::size_t(s.H + shared) * D,
            start + std::size_t(s.H + s.K + shared) * D,
            (row * std::size_t(s.H) + std::size_t(h)) * D,
            (std::size_t(b) * std::size_t(s.H) + std::size_t(h)) * std::size_t(s.T),
            heads * s.D,
            s.H * s.D};
}

// How many keys query t sees.
inline int keys_seen(int t, int T) { return seeded(Mutation::wrong_mask) ? std::min(t + 2, T) : t + 1; }

// Rows of scores[rows, n] become exp(score - largest), 1 / their sum goes to `share`: the output is scaled, which is
// shorter. Row i belongs to query first + i and sees a prefix of the keys.
template <class Real>
PLIMSOLL_INLINE void softmax_rows(Real* scores, Real* share, Real* logsum, int first, int rows, int n, int T) {
    for (int i = 0; i < rows; ++i) {
        Real* row = scores + std::size_t(i) * std::size_t(n);
        const int seen = keys_seen(first + i, T);
        const Real top = largest_of(row, std::size_t(seen));
        const Real sum = sum_of<Real>(
            std::size_t(seen), [=](std::size_t j) PLIMSOLL_EACH { return row[j] = exponential(row[j] - top); });
        for (int j = seen; j < n; ++j) row[j] = 0;
        share[i] = Real(1) / sum;
        logsum[i] = top + std::log(sum);
    }
}

template <class Real>
PLIMSOLL_INLINE void scale_rows(Real* out, const Real* share, int rows, int width, int ld) {
    for (int i = 0; i < rows; ++i, out += ld) {
#pragma omp simd
        for (int j = 0; j < width; ++j) out[j] *= share[i];
    }
}

// scores become probabilities p again, slopes (dout v^T) become scale p (slopes - delta), delta[i] = dout[i] . out[i].
template <class Real>
PLIMSOLL_INLINE void softmax_gradient_rows(Real* scores, Real* slopes, const Real* logsum, const Real* dout,
                                           const Real* out, int out_ld, int first, int rows, int n, AttentionShape s) {
    const Real scale = Real(1) / std::sqrt(Real(s.D));
    for (int i = 0; i < rows; ++i) {
        Real *p = scores + std::size_t(i) * std::size_t(n), *d = slopes + std::size_t(i) * std::size_t(n);
        const Real *a = dout + std::size_t(i) * std::size_t(out_ld), *b = out + std::size_t(i) * std::size_t(out_ld);
        const Real delta =
            sum_of<Real>(std::size_t(s.D), [=](std::size_t j) PLIMSOLL_EACH { return a[j] * b[j]; });
        const int seen = keys_seen(first + i, s.T);
        const Real all = logsum[i];
#pragma omp simd
        for (int j = 0; j < seen; ++j) {
            p[j] = exponential(p[j] - all);
            d[j] = scale * p[j] * (d[j] - delta);
        }
        for (int j = seen; j < n; ++j) p[j] = d[j] = 0;
    }
}

template <class Real>
void head_forward(ProductLibrary library, Real* out, Real* logsum, const Real* qkv, AttentionShape s, Head h,
                  Real* scores) {
    const Real scale = Real(1) / std::sqrt(Real(s.D));
    Real share[query_block];
    for (int first = 0; first < s.T; first += query_block) {
        const int rows = std::min(query_block, s.T - first), n = keys_seen(first + rows - 1, s.T);
        const Real* query = qkv + h.query + std::size_t(first) * std::size_t(h.ld);
        Real* result = out + h.out + std::size_t(first) * std::size_t(h.out_ld);
        gemm(library, Flip::no, Flip::yes, {rows, n, s.D}, scale, query, h.ld, qkv + h.key, h.ld, Real(0), scores, n);
        vectorised<softmax_rows<Real>>(scores, share, logsum + h.logsum + first, first, rows, n, s.T);
        gemm(library, Flip::no, Flip::no, {rows, s.D, n}, Real(1), scores, n, qkv + h.value, h.ld, Real(0), result,
             h.out_ld);
        vectorised<scale_rows<Real>>(result, share, rows, s.D, h.out_ld);
    }
}

// From the last block of queries to the first: the last sees all keys, so it writes the gradients of keys and values
// (unless another query head of the group has, `add`) and the others add to them.
template <class Real>
void head_backward(ProductLibrary library, Real* dqkv, const Real* dout, const Real* out, const Real* logsum,
                   const Real* qkv, AttentionShape s, Head h, bool add, Real* scores, Real* slopes) {
    const Real scale = Real(1) / std::sqrt(Real(s.D));
    for (int first = (s.T - 1) / query_block * query_block; first >= 0; first -= query_block) {
        const int rows = std::min(query_block, s.T - first), n = keys_seen(first + rows - 1, s.T);
        const Real* query = qkv + h.query + std::size_t(first) * std::size_t(h.ld);
        const std::size_t at = h.out + std::size_t(first) * std::size_t(h.out_ld);
        const Real beta = add ? Real(1) : Real(0);
        gemm(library, Flip::no, Flip::yes, {rows, n, s.D}, scale, query, h.ld, qkv + h.key, h.ld, Real(0), scores, n);
        gemm(library, Flip::no, Flip::yes, {rows, n, s.D}, Real(1), dout + at, h.out_ld, qkv + h.value, h.ld, Real(0),
             slopes, n);
        vectorised<softmax_gradient_rows<Real>>(scores, slopes, logsum + h.logsum + first, dout + at, out + at,
                                                h.out_ld, first, rows, n, s);
        gemm(library, Flip::yes, Flip::no, {n, s.D, rows}, Real(1), scores, n, dout + at, h.out_ld, beta,
             dqkv + h.value, h.ld);
        gemm(library, Flip::yes, Flip::no, {n, s.D, rows}, Real(1), slopes, n, query, h.ld, beta, dqkv + h.key, h.ld);
        gemm(library, Flip::no, Flip::no, {rows, s.D, n}, Real(1), slopes, n, qkv + h.key, h.ld, Real(0),
             dqkv + h.query + std::size_t(first) * std::size_t(h.ld), h.ld);
        add = true;
    }
}

// Queries and keys are the first H + K heads of a row.
template <class Real>
PLIMSOLL_INLINE void rotate_row(Real* row, const Real* cosine, const Real* sine, int heads, int half, Real direction) {
    for (int h = 0; h < heads; ++h, row += 2 * half) {
#pragma omp simd
        for (int i = 0; i < half; ++i) {
            const Real x = row[i], y = row[half + i], c = cosine[i], s = direction * sine[i];
            row[i] = x * c - y * s;
            row[half + i] = x * s + y * c;
        }
    }
}

}  // namespace

template <class Real>
CpuAttention<Real>::CpuAttention(int threads, ProductLibrary library)
    : CpuRows<Real>(threads, library), scratch_(std::size_t(threads)) {}

template <class Real>
Real* CpuAttention<Real>::scratch(int thread, std::size_t n) {
    std::vector<Real>& memory = scratch_[std::size_t(thread)];
    if (memory.size() < n) memory.resize(n);
    return memory.data();
}

template <class Real>
void CpuAttention<Real>::attention(Real* out, Real* logsum, const Real* qkv, AttentionShape s) {
    over(this->threads_, std::size_t(s.B) * std::size_t(s.H), 1, [&](std::size_t begin, std::size_t end, int thread) {
        Real* scores = scratch(thread, std::size_t(query_block) * std::size_t(s.T));
        for (std::size_t i = begin; i < end; ++i)
            head_forward(this->library_, out, logsum, qkv, s, head_at(s, int(i) / s.H, int(i) % s.H), scores);
    });
}

// Query heads that share keys are one piece of work: they add to the same gradient, in order.
template <class Real>
void CpuAttention<Real>::attention_gradient(Real* dqkv, const Real* dout, const Real* out, const Real* logsum,
                                            const Real* qkv, AttentionShape s) {
    const int group = s.H / s.K;
    const std::size_t block = std::size_t(query_block) * std::size_t(s.T);
    over(this->threads_, std::size_t(s.B) * std::size_t(s.K), 1, [&](std::size_t begin, std::size_t end, int thread) {
        Real* scores = scratch(thread, 2 * block);
        for (std::size_t i = begin; i < end; ++i)
            for (int g = 0; g < group; ++g)
                head_backward(this->library_, dqkv, dout, out, logsum, qkv, s,
                              head_at(s, int(i) / s.K, int(i) % s.K * group + g), g > 0, scores, scores + block);
    });
}

template <class Real>
void CpuAttention<Real>::prepare_rotation(int T, int D) {
    if (rotation_.T == T && rotation_.D == D) return;
    const int half = D / 2;
    const std::size_t n = std::size_t(T) * std::size_t(half);
    rotation_ = {T, D, std::vector<Real>(n), std::vector<Real>(n)};
    for (int t = 0; t < T; ++t) {
        for (int i = 0; i < half; ++i) {
            const double angle = t * std::pow(10000.0, -2.0 * i / D);
            const std::size_t at = std::size_t(t) * std::size_t(half) + std::size_t(i);
            rotation_.cosine[at] = Real(std::cos(angle));
            rotation_.sine[at] = Real(std::sin(angle));
        }
    }
}

template <class Real>
void CpuAttention<Real>::rotate(Real* qkv, AttentionShape s, int direction) {
    prepare_rotation(s.T, s.D);
    const std::size_t row = std::size_t(s.H + 2 * s.K) * std::size_t(s.D), half = std::size_t(s.D) / 2;
    over(this->threads_, std::size_t(s.B) * std::size_t(s.T), 1, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t r = begin; r < end; ++r) {
            const std::size_t position = r % std::size_t(s.T) * half;
            vectorised<rotate_row<Real>>(qkv + r * row, rotation_.cosine.data() + position,
                                         rotation_.sine.data() + position, s.H + s.K, int(half), Real(direction));
        }
    });
}

template struct CpuAttention<float>;
template struct CpuAttention<double>;

}  // namespace plimsoll::engine

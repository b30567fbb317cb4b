#include "engine/kernels/cpu.h"
#include "engine/kernels/loops.h"

#include <cstring>
#include <numeric>

namespace plimsoll::engine {

namespace {

template <class Real>
PLIMSOLL_INLINE void add_row(Real* y, const Real* x, std::size_t n) {
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i) y[i] += x[i];
}

// x := exp(x - top); returns the sum.
template <class Real>
PLIMSOLL_INLINE Real exponentials(Real* x, Real top, std::size_t n) {
    return sum_of<Real>(n, [=](std::size_t i) PLIMSOLL_EACH { return x[i] = exponential(x[i] - top); });
}

template <class Real>
PLIMSOLL_INLINE void scale_row(Real* x, Real by, std::size_t n) {
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i) x[i] *= by;
}

template <class Real>
PLIMSOLL_INLINE void max_rows(Real* max, const Real* logits, std::size_t R, std::size_t V) {
    for (std::size_t r = 0; r < R; ++r) max[r] = largest_of(logits + r * V, V);
}

template <class Real>
PLIMSOLL_INLINE void exp_rows(Real* sums, Real* targets, Real* logits, const Real* max, const std::int32_t* ids,
                              std::size_t R, std::size_t V, int first) {
    for (std::size_t r = 0; r < R; ++r) {
        Real* row = logits + r * V;
        const std::int64_t id = std::int64_t(ids[r]) - first;
        targets[r] = id >= 0 && id < std::int64_t(V) ? row[id] - max[r] : Real(0);
        sums[r] = exponentials(row, max[r], V);
    }
}

template <class Real>
PLIMSOLL_INLINE void gradient_rows(Real* logits, const Real* sums, const std::int32_t* ids, std::size_t R,
                                   std::size_t V, int first, double scale) {
    for (std::size_t r = 0; r < R; ++r) {
        Real* row = logits + r * V;
        const std::int64_t id = std::int64_t(ids[r]) - first;
        scale_row(row, Real(scale / double(sums[r])), V);
        if (id >= 0 && id < std::int64_t(V)) row[id] -= Real(scale);
    }
}

// One row after another, each while it is in the cache.
template <class Real>
PLIMSOLL_INLINE void whole_rows(double* loss, Real* logits, const std::int32_t* ids, std::size_t R, std::size_t V,
                                double scale) {
    for (std::size_t r = 0; r < R; ++r) {
        Real* row = logits + r * V;
        Real sum, target;
        const Real top = largest_of(row, V);
        exp_rows(&sum, &target, row, &top, ids + r, 1, V, 0);
        gradient_rows(row, &sum, ids + r, 1, V, 0, scale);
        loss[r] = std::log(double(sum)) - double(target);
    }
}

}  // namespace

template <class Real>
void CpuEmbedding<Real>::embed(Real* y, const Real* table, const std::int32_t* ids, int R, int C, int first, int V) {
    const std::size_t width = std::size_t(C);
    over(this->threads_, std::size_t(R), 1, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t r = begin; r < end; ++r) {
            const int id = ids[r] - first;
            if (id >= 0 && id < V) {
                std::memcpy(y + r * width, table + std::size_t(id) * width, width * sizeof(Real));
            } else {
                std::memset(y + r * width, 0, width * sizeof(Real));
            }
        }
    });
}

// Threads share the table's rows, not the tokens: each row is added to by one thread, in token order.
template <class Real>
void CpuEmbedding<Real>::embed_gradient(Real* dtable, const Real* dy, const std::int32_t* ids, int R, int C, int first,
                                        int V) {
    const std::size_t width = std::size_t(C);
    over(this->threads_, std::size_t(V), 1, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t r = 0; r < std::size_t(R); ++r) {
            const std::int64_t id = std::int64_t(ids[r]) - first;
            if (id >= std::int64_t(begin) && id < std::int64_t(end))
                vectorised<add_row<Real>>(dtable + std::size_t(id) * width, dy + r * width, width);
        }
    });
}

template <class Real>
void CpuEmbedding<Real>::add_positions(Real* y, const Real* table, int R, int C, int first_row, int T) {
    const std::size_t width = std::size_t(C);
    over(this->threads_, std::size_t(R), 1, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t r = begin; r < end; ++r) {
            const std::size_t position = (std::size_t(first_row) + r) % std::size_t(T);
            vectorised<add_row<Real>>(y + r * width, table + position * width, width);
        }
    });
}

// As embed_gradient: threads share positions, rows of one position are added in order.
template <class Real>
void CpuEmbedding<Real>::positions_gradient(Real* dtable, const Real* dy, int R, int C, int first_row, int T) {
    const std::size_t width = std::size_t(C), period = std::size_t(T), shift = std::size_t(first_row) % period;
    over(this->threads_, period, 1, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t position = begin; position < end; ++position)
            for (std::size_t r = (position + period - shift) % period; r < std::size_t(R); r += period)
                vectorised<add_row<Real>>(dtable + position * width, dy + r * width, width);
    });
}

template struct CpuEmbedding<float>;
template struct CpuEmbedding<double>;

template <class Real>
void CpuLoss<Real>::row_max(Real* max, const Real* logits, int R, int V) {
    const std::size_t width = std::size_t(V);
    over(this->threads_, std::size_t(R), 1, [&](std::size_t begin, std::size_t end, int) {
        vectorised<max_rows<Real>>(max + begin, logits + begin * width, end - begin, width);
    });
}

template <class Real>
void CpuLoss<Real>::exp_sum(Real* sums, Real* targets, Real* logits, const Real* max, const std::int32_t* ids, int R,
                            int V, int first) {
    const std::size_t width = std::size_t(V);
    over(this->threads_, std::size_t(R), 1, [&](std::size_t begin, std::size_t end, int) {
        vectorised<exp_rows<Real>>(sums + begin, targets + begin, logits + begin * width, max + begin, ids + begin,
                                   end - begin, width, first);
    });
}

template <class Real>
void CpuLoss<Real>::cross_entropy(double* loss, Real* logits, const Real* sums, const Real* targets,
                                  const std::int32_t* ids, int R, int V, int first, double scale) {
    const std::size_t width = std::size_t(V);
    for (int r = 0; r < R; ++r) *loss += std::log(double(sums[r])) - double(targets[r]);
    over(this->threads_, std::size_t(R), 1, [&](std::size_t begin, std::size_t end, int) {
        vectorised<gradient_rows<Real>>(logits + begin * width, sums + begin, ids + begin, end - begin, width, first,
                                        scale);
    });
}

template <class Real>
void CpuLoss<Real>::cross_entropy_whole(double* loss, Real* logits, const std::int32_t* ids, int R, int V,
                                        double scale) {
    const std::size_t width = std::size_t(V);
    row_loss_.resize(std::size_t(R));
    over(this->threads_, std::size_t(R), 1, [&](std::size_t begin, std::size_t end, int) {
        vectorised<whole_rows<Real>>(row_loss_.data() + begin, logits + begin * width, ids + begin, end - begin, width,
                                     scale);
    });
    *loss = std::accumulate(row_loss_.begin(), row_loss_.end(), *loss);
}

template struct CpuLoss<float>;
template struct CpuLoss<double>;

}  // namespace plimsoll::engine

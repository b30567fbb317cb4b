#include "engine/kernels/cpu.h"
#include "engine/kernels/parallel.h"
#include "engine/kernels/vectorised.h"

#include <cstring>

namespace plimsoll::engine {
namespace {

template <class Real>
PLIMSOLL_INLINE void add_row(Real* y, const Real* x, std::size_t n) {
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i) y[i] += x[i];
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

template class CpuEmbedding<float>;
template class CpuEmbedding<double>;

}  // namespace plimsoll::engine

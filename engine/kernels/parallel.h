#pragma once
// Shares a range among the threads of this rank. Each thread gets one piece, in
// order; what is written for an index never depends on who wrote it.
//
//   over(threads, rows, 1, [&](std::size_t begin, std::size_t end, int thread) { ... });

#include <algorithm>
#include <cstddef>

namespace plimsoll::engine {

// Pieces of [0, n) are multiples of `grain`, but for the last. One thread opens no parallel region: nothing spins.
template <class F>
void over(int threads, std::size_t n, std::size_t grain, F f) {
    if (threads <= 1 || n <= grain) {
        if (n > 0) f(std::size_t(0), n, 0);
        return;
    }
    const std::size_t grains = (n + grain - 1) / grain, team = std::size_t(threads);
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int thread = 0; thread < threads; ++thread) {
        const std::size_t begin = grains * std::size_t(thread) / team * grain;
        const std::size_t end = std::min(n, grains * (std::size_t(thread) + 1) / team * grain);
        if (begin < end) f(begin, end, thread);
    }
}

}  // namespace plimsoll::engine

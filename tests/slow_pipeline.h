#pragma once
// The obvious twin of makespan(): every task of every micro-batch, in a queue of
// tasks whose inputs are there, with nothing extrapolated. Quadratic and plain.

#include "core/costs/schedule.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace plimsoll::testing {

inline Seconds slow_makespan(Schedule schedule, const std::vector<ChunkTime>& work, int stages, int micro_batches) {
    const int chunks = int(work.size()) / stages;
    std::vector<std::vector<Task>> order;
    for (int i = 0; i < stages; ++i) order.push_back(task_order(schedule, i, stages, chunks, micro_batches));
    std::map<std::tuple<bool, int, int, int>, double> done;  // backward, stage, chunk, micro-batch -> end
    const auto input_of = [&](int stage, const Task& t) -> std::tuple<bool, int, int, int> {
        if (!t.backward) return stage > 0 ? std::tuple(false, stage - 1, t.chunk, t.micro_batch) : std::tuple(false, stages - 1, t.chunk - 1, t.micro_batch);
        if (stage + 1 < stages) return {true, stage + 1, t.chunk, t.micro_batch};
        if (t.chunk + 1 < chunks) return {true, 0, t.chunk + 1, t.micro_batch};
        return {false, stage, t.chunk, t.micro_batch};
    };
    std::vector<std::size_t> next(stages, 0);
    std::vector<double> free(stages, 0);
    for (bool moved = true; moved;) {
        moved = false;
        for (int i = 0; i < stages; ++i) {
            if (next[i] == order[i].size()) continue;
            const Task t = order[i][next[i]];
            double ready = 0;
            if (t.backward || i > 0 || t.chunk > 0) {
                const auto input = done.find(input_of(i, t));
                if (input == done.end()) continue;
                ready = input->second;
            }
            const ChunkTime& c = work[i * chunks + t.chunk];
            free[i] = std::max(free[i], ready) + (t.backward ? c.backward : c.forward) / second;
            done[{t.backward, i, t.chunk, t.micro_batch}] = free[i];
            ++next[i];
            moved = true;
        }
    }
    for (int i = 0; i < stages; ++i)
        if (next[i] != order[i].size()) return -1 * second;  // the order deadlocks
    return *std::max_element(free.begin(), free.end()) * second;
}

}  // namespace plimsoll::testing

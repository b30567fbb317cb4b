#pragma once
// The obvious twin of makespan(): every task of every micro-batch, in a queue of
// tasks whose inputs are there, with nothing extrapolated. Quadratic and plain.
//
// A weight gradient needs the input gradient of its own stage. Zero-bubble
// schedules are as long as the stage that takes longest from its first task to
// its last, the others from the first task of all.

#include "core/costs/pipeline/schedule.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace plimsoll::testing {

inline Seconds slow_makespan(Schedule schedule, const std::vector<ChunkTime>& work, int stages, int micro_batches) {
    const int chunks = int(work.size()) / stages;
    std::vector<std::vector<Task>> order;
    for (int i = 0; i < stages; ++i) order.push_back(task_order(schedule, i, stages, chunks, micro_batches));
    using Key = std::tuple<Pass, int, int, int>;  // work, stage, chunk, micro-batch
    std::map<Key, double> done;                   // -> end
    const Pass back = splits_backward(schedule) ? Pass::input_gradient : Pass::backward;
    const auto input_of = [&](int stage, const Task& t) -> Key {
        if (t.work == Pass::weight_gradient) return {Pass::input_gradient, stage, t.chunk, t.micro_batch};
        if (t.work == Pass::forward)
            return stage > 0 ? Key(Pass::forward, stage - 1, t.chunk, t.micro_batch)
                             : Key(Pass::forward, stages - 1, t.chunk - 1, t.micro_batch);
        if (stage + 1 < stages) return {back, stage + 1, t.chunk, t.micro_batch};
        if (t.chunk + 1 < chunks) return {back, 0, t.chunk + 1, t.micro_batch};
        return {Pass::forward, stage, t.chunk, t.micro_batch};
    };
    std::vector<std::size_t> next(stages, 0);
    std::vector<double> first(stages, -1), free(stages, 0);
    for (bool moved = true; moved;) {
        moved = false;
        for (int i = 0; i < stages; ++i) {
            if (next[i] == order[i].size()) continue;
            const Task t = order[i][next[i]];
            double ready = 0;
            if (t.work != Pass::forward || i > 0 || t.chunk > 0) {
                const auto input = done.find(input_of(i, t));
                if (input == done.end()) continue;
                ready = input->second;
            }
            const double start = std::max(free[i], ready);
            if (first[i] < 0) first[i] = start;
            free[i] = start + duration(work[i * chunks + t.chunk], t.work) / second;
            done[{t.work, i, t.chunk, t.micro_batch}] = free[i];
            ++next[i];
            moved = true;
        }
    }
    for (int i = 0; i < stages; ++i)
        if (next[i] != order[i].size()) return -1 * second;  // the order deadlocks
    double longest = 0;
    for (int i = 0; i < stages; ++i) longest = std::max(longest, free[i] - (splits_backward(schedule) ? first[i] : 0));
    return longest * second;
}

}  // namespace plimsoll::testing

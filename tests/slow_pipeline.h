#pragma once
// The obvious twin of makespan(): every task of every micro-batch, in a queue of
// tasks whose inputs are there, with nothing extrapolated. Quadratic and plain.
//
// A weight gradient needs the input gradient of its own stage. Where steps
// overlap, a step is as long as the stage that takes longest from its first task
// to its last, else from the first task of all.

#include "core/costs/pipeline/schedule.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace plimsoll::testing {

inline Seconds slow_makespan(Schedule schedule, const std::vector<ChunkTime>& work, int stages, int micro_batches,
                             int group = 0) {
    const int chunks = int(work.size()) / stages;
    std::vector<std::vector<Task>> order;
    for (int i = 0; i < stages; ++i) order.push_back(task_order(schedule, {stages, chunks, micro_batches, group}, i));
    using Key = std::tuple<Pass, int, int, int>;  // work, stage, chunk, micro-batch
    std::map<Key, double> done;                   // -> end
    const ScheduleKind& kind = schedule_kind(schedule);
    // A whole backward pass hands on what an input gradient does.
    const Pass back = Pass::input_gradient;
    const auto input_of = [&](int stage, const Task& t) -> Key {
        if (t.work == Pass::weight_gradient) return {Pass::input_gradient, stage, t.chunk, t.micro_batch};
        const int position = kind.place.position({stage, t.chunk}, stages);
        const bool down = t.work == Pass::forward;
        if (!down && position == stages * chunks - 1) return {Pass::forward, stage, t.chunk, t.micro_batch};
        const Slot next = kind.place.slot(down ? position - 1 : position + 1, stages);
        return {down ? Pass::forward : back, next.stage, next.chunk, t.micro_batch};
    };
    std::vector<std::size_t> next(stages, 0);
    std::vector<double> first(stages, -1), free(stages, 0);
    for (bool moved = true; moved;) {
        moved = false;
        for (int i = 0; i < stages; ++i) {
            if (next[i] == order[i].size()) continue;
            // A task, or two side by side, which begin when both have their inputs and end together.
            const std::size_t tasks = order[i][next[i]].beside_next ? 2 : 1;
            double start = free[i];
            bool ready = true;
            for (std::size_t k = 0; k < tasks; ++k) {
                const Task t = order[i][next[i] + k];
                if (t.work == Pass::forward && kind.place.position({i, t.chunk}, stages) == 0) continue;
                const auto input = done.find(input_of(i, t));
                ready = ready && input != done.end();
                if (ready) start = std::max(start, input->second);
            }
            if (!ready) continue;
            if (first[i] < 0) first[i] = start;
            free[i] = start;
            for (std::size_t k = 0; k < tasks; ++k) {
                const Task t = order[i][next[i] + k];
                free[i] += duration(work[i * chunks + t.chunk], t.work) / second;
            }
            for (std::size_t k = 0; k < tasks; ++k) {
                const Task t = order[i][next[i]++];
                const Pass handed_on = t.work == Pass::backward ? back : t.work;
                done[{handed_on, i, t.chunk, t.micro_batch}] = free[i];
            }
            moved = true;
        }
    }
    for (int i = 0; i < stages; ++i)
        if (next[i] != order[i].size()) return -1 * second;  // the order deadlocks
    double longest = 0;
    for (int i = 0; i < stages; ++i) longest = std::max(longest, free[i] - (kind.steps_overlap ? first[i] : 0));
    return longest * second;
}

}  // namespace plimsoll::testing

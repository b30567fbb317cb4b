#include "engine/train/schedule.h"

#include <algorithm>

namespace plimsoll::engine {
namespace {

// The k-th pass of a stage: groups of one micro-batch per stage go through chunk after chunk.
Task pass(int k, bool forward, const LayoutOptions& l) {
    const int group = l.pipeline * l.chunks;
    const int chunk = k % group / l.pipeline;
    return {forward, forward ? chunk : l.chunks - 1 - chunk, k / group * l.pipeline + k % l.pipeline};
}

}  // namespace

std::vector<Task> schedule(int stage, const LayoutOptions& l) {
    const int total = l.accumulate * l.chunks;
    int warmup = l.pipeline - stage - 1;
    if (l.chunks > 1) warmup = l.accumulate == l.pipeline ? total : 2 * warmup + (l.chunks - 1) * l.pipeline;
    warmup = std::min(warmup, total);
    const auto task = [&](int k, bool forward) { return l.chunks > 1 ? pass(k, forward, l) : Task{forward, 0, k}; };
    std::vector<Task> tasks;
    for (int k = 0; k < warmup; ++k) tasks.push_back(task(k, true));
    for (int k = warmup; k < total; ++k) tasks.push_back(task(k, true)), tasks.push_back(task(k - warmup, false));
    for (int k = total - warmup; k < total; ++k) tasks.push_back(task(k, false));
    return tasks;
}

std::vector<int> in_flight(const std::vector<Task>& tasks, int chunks) {
    std::vector<int> now(std::size_t(chunks), 0), most(std::size_t(chunks), 0);
    for (const Task& t : tasks) {
        const auto c = std::size_t(t.chunk);
        now[c] += t.forward ? 1 : -1;
        most[c] = std::max(most[c], now[c]);
    }
    return most;
}

}  // namespace plimsoll::engine

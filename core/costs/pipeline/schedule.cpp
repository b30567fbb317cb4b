#include "core/costs/pipeline/schedule.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

namespace plimsoll {

namespace {

// Position k of the interleaved order -> chunk and micro-batch: groups of `stages`
// micro-batches go through chunk 0, then the same group through chunk 1, ...
Task interleaved_task(int k, Pass work, int stages, int chunks) {
    const int group = k / (stages * chunks), in_group = k % (stages * chunks);
    const int chunk = in_group / stages;
    return {work, work == Pass::forward ? chunk : chunks - 1 - chunk, group * stages + in_group % stages};
}

// Warm-up forwards and waiting weight gradients grow by this from stage to stage.
int slope(Schedule schedule) { return schedule == Schedule::zb_h2 ? 2 : 1; }

// Weight gradients a stage stays behind its input gradients.
int lag(Schedule schedule, int stage, int micro_batches) {
    return splits_backward(schedule) ? std::min(slope(schedule) * stage, micro_batches) : 0;
}

int warm_up(Schedule schedule, int stage, int stages, int chunks, int micro_batches) {
    const int total = micro_batches * chunks;
    switch (schedule) {
        case Schedule::gpipe: return total;
        case Schedule::one_f_one_b:
        case Schedule::zb_h1:
        case Schedule::zb_h2: return std::min(slope(schedule) * (stages - 1 - stage), total);
        case Schedule::interleaved:
            return std::min((stages - 1 - stage) * 2 + (chunks - 1) * stages, total);
    }
    return total;
}

}  // namespace

std::vector<Task> task_order(Schedule schedule, int stage, int stages, int chunks, int micro_batches) {
    const int total = micro_batches * chunks;
    const int warm = warm_up(schedule, stage, stages, chunks, micro_batches);
    const bool split = splits_backward(schedule);
    const int behind = lag(schedule, stage, total);
    std::vector<Task> order;
    order.reserve((split ? 3 : 2) * total);
    const auto add = [&](Pass work, int k) {
        order.push_back(chunks > 1 ? interleaved_task(k, work, stages, chunks) : Task{work, 0, k});
    };
    const auto forward = [&](int k) { add(Pass::forward, k); };
    const auto backward = [&](int k) {
        add(split ? Pass::input_gradient : Pass::backward, k);
        if (split && k >= behind) add(Pass::weight_gradient, k - behind);
    };
    for (int k = 0; k < warm; ++k) forward(k);
    for (int k = warm; k < total; ++k) {
        forward(k);
        backward(k - warm);
    }
    for (int k = total - warm; k < total; ++k) backward(k);
    for (int k = total - behind; k < total; ++k) add(Pass::weight_gradient, k);
    return order;
}

Seconds duration(const ChunkTime& chunk, Pass work) {
    switch (work) {
        case Pass::forward: return chunk.forward;
        case Pass::backward: return chunk.backward;
        case Pass::input_gradient: return chunk.backward - chunk.weight;
        case Pass::weight_gradient: return chunk.weight;
    }
    return {};
}

namespace {

// Finish times of every task, found by letting each stage advance as far as its
// inputs allow, sweeping up and down the pipeline until nothing is left.
class Run {
public:
    Run(Schedule schedule, std::span<const ChunkTime> times, int stages, int micro_batches)
        : schedule_(schedule),
          split_(splits_backward(schedule)),
          times_(times),
          stages_(stages),
          chunks_(int(times.size()) / stages),
          micro_(micro_batches),
          total_(micro_batches * chunks_),
          tables_(2 * total_),
          done_(2 * std::size_t(total_) * stages, not_yet),
          warm_(stages),
          next_(stages, 0),
          free_(stages, 0.0) {
        for (int i = 0; i < stages; ++i) warm_[i] = warm_up(schedule, i, stages, chunks_, micro_batches);
        for (int k = 0; k < total_; ++k)
            for (bool back : {false, true}) {
                const Pass work = back ? Pass::backward : Pass::forward;
                tables_[back * total_ + k] =
                    entry_of(chunks_ > 1 ? interleaved_task(k, work, stages, chunks_) : Task{work, 0, k});
            }
    }

    double finish() {
        long long left = 2LL * total_ * stages_;
        while (left > 0) {
            for (int i = 0; i < stages_; ++i) left -= advance(i);
            for (int i = stages_ - 1; i >= 0; --i) left -= advance(i);
        }
        if (!split_) return *std::max_element(free_.begin(), free_.end());
        double longest = 0;
        for (int i = 0; i < stages_; ++i)
            longest = std::max(longest, free_[i] - (row(false, i)[0] - times_[i].forward / second));
        return longest;
    }

    // Once finished: the tasks in the order they ran in, with their times.
    std::vector<TimedTask> tasks() {
        std::vector<TimedTask> all;
        for (int i = 0; i < stages_; ++i) {
            double free = 0;
            for (const Task& t : task_order(schedule_, i, stages_, chunks_, micro_)) {
                const Entry e = entry_of(t);
                const double ready = t.work == Pass::forward ? forward_ready(i, e)
                                   : t.work == Pass::weight_gradient ? free : backward_ready(i, e);
                const double start = std::max(ready, free);
                free = start + duration(times_[i * chunks_ + t.chunk], t.work) / second;
                all.push_back({i, t, start * second, free * second});
            }
        }
        return all;
    }

private:
    static constexpr double not_yet = -1;
    struct Entry { int chunk, slot; };   // slot: chunk and micro-batch in one index

    Entry entry_of(const Task& t) const { return {t.chunk, t.chunk * micro_ + t.micro_batch}; }
    double* row(bool back, int stage) { return &done_[(std::size_t(back) * stages_ + stage) * total_]; }
    // When the input of a task is there; negative while its producer has not run.
    double forward_ready(int stage, const Entry& e) {
        if (stage > 0) return row(false, stage - 1)[e.slot];
        return e.chunk > 0 ? row(false, stages_ - 1)[e.slot - micro_] : 0.0;
    }
    double backward_ready(int stage, const Entry& e) {
        if (stage + 1 < stages_) return row(true, stage + 1)[e.slot];
        if (e.chunk + 1 < chunks_) return row(true, 0)[e.slot + micro_];
        return row(false, stage)[e.slot];
    }
    // Weight gradients follow the input gradient they are `behind`; nobody waits for them.
    void run_weight_gradients(int stage, int k) {
        const double each = times_[stage].weight / second;
        const int behind = lag(schedule_, stage, micro_);
        if (k >= behind) free_[stage] += each;
        if (k == micro_ - 1) free_[stage] += behind * each;
    }
    int advance(int stage) {
        const int start = next_[stage], warm = warm_[stage];
        const Pass back_work = split_ ? Pass::input_gradient : Pass::backward;
        int at = start;
        for (; at < 2 * total_; ++at) {
            // Warm-up forwards, then one forward and one backward in turn, then the backwards left.
            const bool back = at >= 2 * total_ - warm || (at >= warm && (at - warm) % 2);
            const int k = at < warm ? at : at >= 2 * total_ - warm ? at - total_ : (at - warm) / 2 + (back ? 0 : warm);
            const Entry& e = tables_[back * total_ + k];
            const double ready = back ? backward_ready(stage, e) : forward_ready(stage, e);
            if (ready < 0) break;
            const ChunkTime& work = times_[stage * chunks_ + e.chunk];
            free_[stage] = std::max(ready, free_[stage]) + (back ? duration(work, back_work) : work.forward) / second;
            row(back, stage)[e.slot] = free_[stage];
            if (back && split_) run_weight_gradients(stage, k);
        }
        next_[stage] = at;
        return at - start;
    }

    Schedule schedule_;
    bool split_;
    std::span<const ChunkTime> times_;
    int stages_, chunks_, micro_, total_;
    std::vector<Entry> tables_;
    std::vector<double> done_;
    std::vector<int> warm_, next_;
    std::vector<double> free_;
};

// Growth of the makespan per micro-batch once the pattern repeats.
Seconds period(Schedule schedule, std::span<const ChunkTime> chunks, int stages) {
    const int per_stage = int(chunks.size()) / stages;
    Seconds forward, backward, both;
    for (int i = 0; i < stages; ++i) {
        Seconds f, b;
        for (int c = 0; c < per_stage; ++c) {
            f += chunks[i * per_stage + c].forward;
            b += chunks[i * per_stage + c].backward;
        }
        forward = max(forward, f);
        backward = max(backward, b);
        both = max(both, f + b);
    }
    return schedule == Schedule::gpipe ? forward + backward : both;
}

// The finish of a simulation. Curves over nodes and a search price many plans whose stages take the same times, and the
// simulation is most of such an estimate: each thread remembers what it simulated last, by all that the answer depends
// on.
Seconds simulated(Schedule schedule, std::span<const ChunkTime> chunks, int stages, int micro_batches) {
    struct Known {
        Schedule schedule{};
        int stages = 0, micro_batches = 0;
        std::vector<ChunkTime> chunks;
        Seconds finish;
    };
    thread_local std::array<Known, 256> all;
    const std::string_view times(reinterpret_cast<const char*>(chunks.data()), chunks.size_bytes());
    const std::size_t place = std::hash<std::string_view>()(times) + 31 * micro_batches + 7 * stages + int(schedule);
    Known& known = all[place % all.size()];
    if (known.schedule != schedule || known.stages != stages || known.micro_batches != micro_batches
        || !std::ranges::equal(known.chunks, chunks))
        known = {schedule, stages, micro_batches, {chunks.begin(), chunks.end()},
                 Run(schedule, chunks, stages, micro_batches).finish() * second};
    return known.finish;
}

bool last_is_busiest(std::span<const ChunkTime> chunks, Seconds busiest) {
    return chunks.back().forward + chunks.back().backward >= busiest;
}

}  // namespace

Seconds makespan_bound(Schedule schedule, std::span<const ChunkTime> chunks, int stages, int micro_batches) {
    const int per_stage = int(chunks.size()) / stages;
    Seconds bound, outside;
    for (int i = 0; i < stages; ++i) {
        Seconds work;
        for (int c = 0; c < per_stage; ++c)
            work += chunks[i * per_stage + c].forward + chunks[i * per_stage + c].backward;
        bound = max(bound, outside + micro_batches * work);
        if (!splits_backward(schedule)) outside += chunks[i * per_stage].forward + chunks[i * per_stage].backward;
    }
    const double rounding = 1 - 1e-12;
    return rounding * bound;
}

Seconds makespan(Schedule schedule, std::span<const ChunkTime> chunks, int stages, int micro_batches) {
    const Seconds each = period(schedule, chunks, stages);
    if (stages == 1) return micro_batches * each;
    const auto simulate = [&](int m) { return simulated(schedule, chunks, stages, m); };
    if (schedule == Schedule::one_f_one_b && last_is_busiest(chunks, each)) {
        // Nobody starves the last stage, so it works without a gap between the first
        // forward that reaches it and the last backward that leaves it.
        Seconds through;
        for (const ChunkTime& c : chunks) through += c.forward + c.backward;
        return through + (micro_batches - 1) * each;
    }
    if (schedule != Schedule::interleaved) {
        const int steady = std::max((schedule == Schedule::zb_h2 ? 6 : 3) * stages, 48);
        if (micro_batches <= steady) return simulate(micro_batches);
        return simulate(steady) + (micro_batches - steady) * each;
    }
    // Interleaving advances in rounds of p micro-batches. Chunks of unlike length
    // interlock and may repeat more slowly than the busiest stage: the period is observed.
    const int rounds = micro_batches / stages, steady = 6;
    if (rounds <= steady) return simulate(micro_batches);
    const Seconds before = simulate((steady - 1) * stages), after = simulate(steady * stages);
    return max(after + (rounds - steady) * (after - before), makespan_bound(schedule, chunks, stages, micro_batches));
}

double micro_batches_in_flight(Schedule schedule, int stage, int stages, int chunks, int micro_batches) {
    const double m = micro_batches;
    switch (schedule) {
        case Schedule::gpipe: return m;
        case Schedule::one_f_one_b: return std::min<double>(m, stages - stage);
        case Schedule::interleaved: {
            // The warm-up's chunks, and the forward pass that comes before the first backward pass.
            const int warm = warm_up(schedule, stage, stages, chunks, micro_batches);
            return (std::min(warm, micro_batches * chunks - 1) + 1.0) / chunks;
        }
        case Schedule::zb_h1:
        case Schedule::zb_h2: return std::min<double>(m, slope(schedule) * (stages - 1 - stage) + 1);
    }
    return m;
}

double weight_gradients_waiting(Schedule schedule, int stage, int stages, int micro_batches) {
    const int kept = int(micro_batches_in_flight(schedule, stage, stages, 1, micro_batches));
    return std::min(lag(schedule, stage, micro_batches), micro_batches - kept);
}

double micro_batches_in_flight(const Work& s, int stage) {
    const Layout& l = s.layout;
    return micro_batches_in_flight(l.schedule, stage, l.pipeline_parallel, l.virtual_stages, s.micro_batches);
}

double weight_gradients_waiting(const Work& s, int stage) {
    return weight_gradients_waiting(s.layout.schedule, stage, s.layout.pipeline_parallel, s.micro_batches);
}

std::vector<TimedTask> simulated_tasks(Schedule schedule, std::span<const ChunkTime> chunks, int stages,
                                       int micro_batches) {
    Run run(schedule, chunks, stages, micro_batches);
    run.finish();
    return run.tasks();
}

}  // namespace plimsoll

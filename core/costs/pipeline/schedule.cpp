#include "core/costs/pipeline/schedule.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

namespace plimsoll {

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
          shape_{stages, int(times.size()) / stages, micro_batches},
          last_((stages * shape_.chunks - 1) * micro_batches),
          forward_(times.size() * micro_batches + micro_batches, not_yet),
          backward_(forward_.size(), not_yet) {
        std::fill_n(forward_.begin(), micro_batches, 0.0);
        const ChunkPlace& place = schedule_kind(schedule).place;
        walks_.reserve(stages);
        chunks_.reserve(times.size());
        for (int i = 0; i < stages; ++i) {
            walks_.emplace_back(order_of(schedule, shape_, i), shape_);
            for (int c = 0; c < shape_.chunks; ++c)
                chunks_.emplace_back(times[i * shape_.chunks + c], place.position({i, c}, stages) * micro_batches);
        }
    }

    double finish() {
        for (int left = shape_.stages; left > 0;) {
            for (int i = 0; i < shape_.stages; ++i) left -= advance(i);
            for (int i = shape_.stages - 1; i >= 0; --i) left -= advance(i);
        }
        const bool overlap = schedule_kind(schedule_).steps_overlap;
        double longest = 0;
        for (int i = 0; i < shape_.stages; ++i) {
            const Chunk& opening = chunks_[i * shape_.chunks];
            const double begin = forward_[opening.first + shape_.micro_batches] - opening.takes[int(Pass::forward)];
            longest = std::max(longest, walks_[i].free - (overlap ? begin : 0));
        }
        return longest;
    }

    // Once finished: the tasks in the order they ran in, with their times.
    std::vector<TimedTask> tasks() const {
        std::vector<TimedTask> all;
        for (int i = 0; i < shape_.stages; ++i) {
            double free = 0;
            for (const Task& t : task_order(schedule_, shape_, i)) {
                const Chunk& chunk = chunks_[i * shape_.chunks + t.chunk];
                const double start = std::max(free, ready(t.work, chunk.first + t.micro_batch));
                free = start + chunk.takes[int(t.work)];
                all.push_back({i, t, start * second, free * second});
            }
        }
        return all;
    }

private:
    static constexpr double not_yet = -1;

    // Places count micro-batches, position after position of the model.
    struct Chunk {
        Chunk(const ChunkTime& time, int place) : first(place), next{place, place} {
            for (int work = 0; work < passes; ++work) takes[work] = duration(time, Pass(work)) / second;
        }
        std::array<double, passes> takes;
        int first;                  // place of the first micro-batch
        std::array<int, 2> next;    // and of the next one, forward and backward
    };
    // How far a stage has come in its order.
    struct Walk {
        Walk(const TaskOrder& o, const PipelineShape& p)
            : order(o), turns{{p, Pass::forward}, {p, Pass::backward}, {p, Pass::weight_gradient}} {}
        TaskOrder order;
        int phase = 0, times = 0, action = 0;
        ChunkTurn turns[3];   // forward, backward, weight gradients
        double free = 0;
    };

    // When the input of a task is there; negative while its producer has not run. forward_ has one position more before
    // the first, backward_ one behind the last.
    double ready(Pass work, int place) const {
        if (work == Pass::forward) return forward_[place];
        if (work == Pass::weight_gradient) return 0;
        return place < last_ ? backward_[place + shape_.micro_batches] : forward_[place + shape_.micro_batches];
    }

    // Whether the stage is done with its order by this.
    bool advance(int stage) {
        Walk& w = walks_[stage];
        const Phase* const end = w.order.end();
        const Phase* phase = w.order.begin() + w.phase;
        if (phase == end) return false;
        Chunk* const chunks = &chunks_[stage * shape_.chunks];
        double free = w.free;
        for (; phase != end; ++phase, w.times = 0) {
            if (weights_alone(*phase)) {
                free += phase->times * chunks[phase->actions[0].chunk].takes[int(Pass::weight_gradient)];
                continue;
            }
            for (; w.times < phase->times; ++w.times, w.action = 0)
                for (; w.action < phase->count; ++w.action)
                    if (!run(w, chunks, phase->actions[w.action], free)) {
                        w.free = free;
                        w.phase = int(phase - w.order.begin());
                        return false;
                    }
        }
        w.phase = int(phase - w.order.begin());
        w.free = free;
        return true;
    }

    static bool weights_alone(const Phase& p) {
        return p.count == 1 && p.actions[0].work == Pass::weight_gradient && p.actions[0].chunk != chunks_in_turn;
    }

    // `free`: since when the stage is. False where the task has to wait for its input.
    bool run(Walk& w, Chunk* chunks, const Action& a, double& free) {
        const bool back = a.work != Pass::forward;
        ChunkTurn& turn = w.turns[a.work == Pass::weight_gradient ? 2 : back];
        Chunk& chunk = chunks[a.chunk == chunks_in_turn ? turn.chunk : a.chunk];
        if (a.work == Pass::weight_gradient) free += chunk.takes[int(a.work)];
        else {
            int& place = chunk.next[back];
            const double input = ready(a.work, place);
            if (input < 0) return false;
            free = std::max(input, free) + chunk.takes[int(a.work)];
            (back ? backward_[place] : forward_[place + shape_.micro_batches]) = free;
            ++place;
        }
        if (a.chunk == chunks_in_turn) turn.next();
        return true;
    }

    Schedule schedule_;
    PipelineShape shape_;
    int last_;                                  // place of the last position
    std::vector<double> forward_, backward_;    // when it ended
    std::vector<Chunk> chunks_;
    std::vector<Walk> walks_;
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
    return schedule_kind(schedule).forwards_first ? forward + backward : both;
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
    const bool overlap = schedule_kind(schedule).steps_overlap;
    Seconds bound, outside;
    for (int i = 0; i < stages; ++i) {
        Seconds work;
        for (int c = 0; c < per_stage; ++c)
            work += chunks[i * per_stage + c].forward + chunks[i * per_stage + c].backward;
        bound = max(bound, outside + micro_batches * work);
        if (!overlap) outside += chunks[i * per_stage].forward + chunks[i * per_stage].backward;
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
    const ScheduleKind& kind = schedule_kind(schedule);
    if (!kind.in_rounds) {
        const int steady = std::max(kind.settling * stages, 48);
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

namespace {

PipelineShape shape_of(const Work& s) {
    return {s.layout.pipeline_parallel, s.layout.virtual_stages, s.micro_batches};
}

}  // namespace

double micro_batches_in_flight(const Work& s, int stage) {
    return micro_batches_in_flight(s.layout.schedule, shape_of(s), stage);
}

double weight_gradients_waiting(const Work& s, int stage) {
    return weight_gradients_waiting(s.layout.schedule, shape_of(s), stage);
}

std::vector<TimedTask> simulated_tasks(Schedule schedule, std::span<const ChunkTime> chunks, int stages,
                                       int micro_batches) {
    Run run(schedule, chunks, stages, micro_batches);
    run.finish();
    return run.tasks();
}

}  // namespace plimsoll

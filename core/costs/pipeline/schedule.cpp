#include "core/costs/pipeline/schedule.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <utility>

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

// Finish times of every task. A micro-batch goes up through all positions of the model and back down again, a step for
// each of them, and every step begins where the one before it has ended. A stage works through its order until an
// input is missing; the step that brings this input wakes it.
class Run {
public:
    Run(Schedule schedule, std::span<const ChunkTime> times, const PipelineShape& shape)
        : schedule_(schedule),
          shape_(shape),
          ends_((2 * times.size() + 1) * shape.micro_batches, not_yet),
          strips_(passes * times.size()) {
        std::fill_n(ends_.begin(), shape_.micro_batches, 0.0);
        walks_.reserve(shape_.stages);
        for (int i = 0; i < shape_.stages; ++i) {
            Strip* const own = &strips_[i * passes * shape_.chunks];
            for (int work = 0; work < passes; ++work)
                for (int c = 0; c < shape_.chunks; ++c)
                    own[work * shape_.chunks + c] = {duration(times[i * shape_.chunks + c], Pass(work)) / second,
                                                     first_place({i, c}, Pass(work)), c};
            walks_.emplace_back(order_of(schedule, shape_, i), shape_, own);
        }
    }

    double finish() {
        advance_all();
        const bool overlap = schedule_kind(schedule_).steps_overlap;
        double longest = 0;
        for (int i = 0; i < shape_.stages; ++i) {
            const double begin = ends_[first_place({i, 0}, Pass::forward) + shape_.micro_batches] - opening(i).takes;
            longest = std::max(longest, walks_[i].free - (overlap ? begin : 0));
        }
        return longest;
    }

    // The finish with fewer micro-batches, and with all of them: both begin alike, and that is run once. Every group
    // is whole.
    std::pair<double, double> finishes(int fewer) {
        PipelineShape part = shape_;
        part.micro_batches = fewer;
        for (int i = 0; i < shape_.stages; ++i)
            walks_[i].order = common_part(order_of(schedule_, part, i), order_of(schedule_, shape_, i));
        advance_all();
        const auto ends = ends_;
        const auto strips = strips_;
        const auto walks = walks_;
        go_on(part);
        const double before = finish();
        std::ranges::copy(ends, ends_.begin());
        std::ranges::copy(strips, strips_.begin());
        std::ranges::copy(walks, walks_.begin());
        go_on(shape_);
        return {before, finish()};
    }

    // Once finished: the tasks in the order they ran in, with their times.
    std::vector<TimedTask> tasks() const {
        std::vector<TimedTask> all;
        for (int i = 0; i < shape_.stages; ++i) {
            double free = 0;
            const std::vector<Task> order = task_order(schedule_, shape_, i);
            const auto input_of = [&](const Task& t) {
                return ends_[first_place({i, t.chunk}, t.work) + t.micro_batch];
            };
            // Two tasks side by side are shown one after the other: together they take as long.
            for (std::size_t k = 0; k < order.size(); ++k) {
                const Task& t = order[k];
                double start = free;
                if (t.work != Pass::weight_gradient) start = std::max(start, input_of(t));
                if (t.beside_next) start = std::max(start, input_of(order[k + 1]));
                free = start + walks_[i].lanes[int(t.work)].first[t.chunk].takes;
                all.push_back({i, t, start * second, free * second});
            }
        }
        return all;
    }

private:
    static constexpr double not_yet = -1;   // below it: not yet, and a stage waits for it
    static double awaited_by(int stage) { return not_yet - 1 - stage; }
    static int who_awaits(double end) { return int(not_yet - 1 - end); }

    // Of one pass on one chunk. Places count micro-batches, step after step: a task finds the end of the step before it
    // at its place, and leaves its own end one step on.
    struct Strip {
        double takes = 0;
        int place = 0;   // of the next micro-batch
        int chunk = 0;
    };
    // Of one pass on a stage: its chunks, which take turns.
    struct Lane {
        Strip *first, *in_turn;
        ChunkTurn turn;
        Strip& of(const Action& a) const { return a.chunk == chunks_in_turn ? *in_turn : first[a.chunk]; }
        void after(const Action& a) {
            if (a.chunk == chunks_in_turn && turn.next()) in_turn = first + turn.chunk;
        }
    };
    // How far a stage has come in its order.
    struct Walk {
        Walk(const TaskOrder& o, const PipelineShape& p, Strip* strips)
            : order(o), lanes{lane(p, strips, 0), lane(p, strips, 1), lane(p, strips, 2), lane(p, strips, 3)} {}
        static Lane lane(const PipelineShape& p, Strip* strips, int work) {
            const ChunkTurn turn(p, Pass(work));
            Strip* const first = strips + work * p.chunks;
            return {first, first + turn.chunk, turn};
        }
        TaskOrder order;
        int phase = 0, times = 0, action = 0;
        Lane lanes[passes];
        double free = 0;
    };

    const Strip& opening(int stage) const { return walks_[stage].lanes[int(Pass::forward)].first[0]; }

    int first_place(Slot slot, Pass work) const {
        const int position = schedule_kind(schedule_).place.position(slot, shape_.stages);
        const int steps = 2 * shape_.stages * shape_.chunks;
        return (work == Pass::forward ? position : steps - 1 - position) * shape_.micro_batches;
    }

    // In the orders for so many micro-batches, from where the walks have come to.
    void go_on(const PipelineShape& shape) {
        for (int i = 0; i < shape_.stages; ++i) {
            Walk& w = walks_[i];
            if (w.phase > 0 && w.order.begin() + w.phase == w.order.end()) w.times = w.order.begin()[--w.phase].times;
            w.order = order_of(schedule_, shape, i);
        }
    }

    void advance_all() {
        for (int i = shape_.stages; i-- > 0;) awake_.push_back(i);
        while (!awake_.empty()) {
            const int stage = awake_.back();
            awake_.pop_back();
            advance(stage);
        }
    }

    void advance(int stage) {
        Walk& w = walks_[stage];
        for (; w.order.begin() + w.phase != w.order.end(); ++w.phase, w.times = w.action = 0) {
            const Phase& phase = w.order.begin()[w.phase];
            if (weights_alone(phase))
                w.free += phase.times * w.lanes[int(Pass::weight_gradient)].first[phase.actions[0].chunk].takes;
            else if (!repeat(phase, w, stage)) return;
        }
    }

    static bool weights_alone(const Phase& p) {
        return p.count == 1 && p.actions[0].work == Pass::weight_gradient && p.actions[0].chunk != chunks_in_turn;
    }

    // False where a task has to wait for its input.
    bool repeat(const Phase& phase, Walk& w, int stage) {
        double free = w.free;
        int times = w.times, action = w.action;
        bool ready = true;
        for (; times < phase.times; ++times, action = 0) {
            while (action < phase.count && ready) {
                const Action& a = phase.actions[action];
                ready = a.beside_next ? run_both(a, phase.actions[action + 1], w, stage, free) : run(a, w, stage, free);
                if (ready) action += 1 + a.beside_next;
            }
            if (!ready) break;
        }
        w.free = free;
        w.times = times;
        w.action = action;
        return ready;
    }

    // `free`: since when the stage is.
    bool run(const Action& a, Walk& w, int stage, double& free) {
        Lane& lane = w.lanes[int(a.work)];
        Strip& strip = lane.of(a);
        if (a.work == Pass::weight_gradient) free += strip.takes;
        else {
            // Whole backward passes and input gradients take the micro-batches of a chunk in one row.
            int& place = a.work == Pass::input_gradient ? w.lanes[int(Pass::backward)].first[strip.chunk].place
                                                        : strip.place;
            if (!has_come(place, stage)) return false;
            free = std::max(ends_[place], free) + strip.takes;
            ends_at(place, free);
        }
        lane.after(a);
        return true;
    }

    // A forward pass and a whole backward pass beside it.
    bool run_both(const Action& down, const Action& up, Walk& w, int stage, double& free) {
        Lane &forward = w.lanes[int(down.work)], &backward = w.lanes[int(up.work)];
        Strip &f = forward.of(down), &b = backward.of(up);
        if (!has_come(f.place, stage) || !has_come(b.place, stage)) return false;
        free = std::max({ends_[f.place], ends_[b.place], free}) + f.takes + b.takes;
        ends_at(f.place, free);
        ends_at(b.place, free);
        forward.after(down);
        backward.after(up);
        return true;
    }

    // The input of the step at this place; the stage is woken by it otherwise.
    bool has_come(int place, int stage) {
        if (ends_[place] >= 0) return true;
        ends_[place] = awaited_by(stage);
        return false;
    }

    void ends_at(int& place, double end) {
        double& next = ends_[place + shape_.micro_batches];
        if (next < not_yet) awake_.push_back(who_awaits(next));
        next = end;
        ++place;
    }

    Schedule schedule_;
    PipelineShape shape_;
    std::vector<double> ends_;
    std::vector<Strip> strips_;
    std::vector<Walk> walks_;
    std::vector<int> awake_;   // stages that may go on
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

// Finishes of simulations with so many micro-batches, and with fewer where that is asked for. Curves over nodes and a
// search price many plans whose stages take the same times, and the simulation is most of such an estimate: each thread
// remembers what it simulated last, by all that the answer depends on.
struct Finishes {
    Seconds fewer, all;
};
Finishes simulated(Schedule schedule, std::span<const ChunkTime> chunks, const PipelineShape& shape, int fewer = 0) {
    struct Known {
        Schedule schedule{};
        PipelineShape shape{0, 0, 0};
        int fewer = 0;
        std::vector<ChunkTime> chunks;
        Finishes finishes;
    };
    thread_local std::array<Known, 256> all;
    const std::string_view times(reinterpret_cast<const char*>(chunks.data()), chunks.size_bytes());
    const std::size_t place = std::hash<std::string_view>()(times) + 31 * shape.micro_batches + 7 * shape.stages
                            + int(schedule) + 13 * shape.group;
    Known& known = all[place % all.size()];
    if (known.schedule == schedule && known.shape == shape && known.fewer == fewer
        && std::ranges::equal(known.chunks, chunks))
        return known.finishes;
    Run run(schedule, chunks, shape);
    const auto both = [&] {
        if (fewer == 0) return std::pair(0.0, run.finish());
        if (shape.micro_batches % shape.turn() == 0) return run.finishes(fewer);
        PipelineShape part = shape;
        part.micro_batches = fewer;
        return std::pair(Run(schedule, chunks, part).finish(), run.finish());
    };
    const auto [before, after] = both();
    known = {schedule, shape, fewer, {chunks.begin(), chunks.end()}, {before * second, after * second}};
    return known.finishes;
}

bool last_is_busiest(std::span<const ChunkTime> chunks, Seconds busiest) {
    return chunks.back().forward + chunks.back().backward >= busiest;
}

}  // namespace

Seconds makespan_bound(Schedule schedule, std::span<const ChunkTime> chunks, int stages, int micro_batches) {
    const int per_stage = int(chunks.size()) / stages;
    // Weight gradients may follow the last micro-batch's way back.
    const bool overlap = schedule_kind(schedule).steps_overlap, split = schedule_kind(schedule).splits_backward;
    Seconds bound, outside;
    for (int i = 0; i < stages; ++i) {
        Seconds work;
        for (int c = 0; c < per_stage; ++c)
            work += chunks[i * per_stage + c].forward + chunks[i * per_stage + c].backward;
        bound = max(bound, outside + micro_batches * work);
        const ChunkTime& first = chunks[i * per_stage];
        if (!overlap) outside += first.forward + (split ? Seconds{} : first.backward);
    }
    const double rounding = 1 - 1e-12;
    return rounding * bound;
}

Seconds makespan(Schedule schedule, std::span<const ChunkTime> chunks, int stages, int micro_batches, int group) {
    const Seconds each = period(schedule, chunks, stages);
    if (stages == 1) return micro_batches * each;
    const auto shape = [&](int m) { return PipelineShape{stages, int(chunks.size()) / stages, m, group}; };
    const auto simulate = [&](int m) { return simulated(schedule, chunks, shape(m)).all; };
    if (schedule == Schedule::one_f_one_b && last_is_busiest(chunks, each)) {
        // Nobody starves the last stage, so it works without a gap between the first
        // forward that reaches it and the last backward that leaves it.
        Seconds through;
        for (const ChunkTime& c : chunks) through += c.forward + c.backward;
        return through + (micro_batches - 1) * each;
    }
    const ScheduleKind& kind = schedule_kind(schedule);
    if (kind.settling > 0) {
        const int steady = std::max(kind.settling * stages, 48);
        if (micro_batches <= steady) return simulate(micro_batches);
        return simulate(steady) + (micro_batches - steady) * each;
    }
    // Interleaving advances in rounds, of p micro-batches unless groups are larger. Chunks of unlike length
    // interlock and may repeat more slowly than the busiest stage: the period is observed.
    const int turn = shape(micro_batches).turn(), steady = 6;
    const int rounds = micro_batches / turn, rest = micro_batches % turn;
    if (rounds <= steady) return simulate(micro_batches);
    const auto [before, after] = simulated(schedule, chunks, shape(steady * turn + rest), (steady - 1) * turn + rest);
    return max(after + (rounds - steady) * (after - before), makespan_bound(schedule, chunks, stages, micro_batches));
}

namespace {

PipelineShape shape_of(const Layout& l, int micro_batches) {
    return {l.pipeline_parallel, l.virtual_stages, micro_batches, l.micro_batch_group};
}
PipelineShape shape_of(const Work& s) { return shape_of(s.layout, s.micro_batches); }

}  // namespace

Seconds makespan(const Layout& l, std::span<const ChunkTime> chunks, int micro_batches) {
    return makespan(l.schedule, chunks, l.pipeline_parallel, micro_batches, l.micro_batch_group);
}

double micro_batches_in_flight(const Work& s, int stage) {
    const double held = micro_batches_in_flight(s.layout.schedule, shape_of(s), stage);
    // In pairs, the forward pass is a layer ahead of the backward pass that makes room for it.
    const int layers = layers_of_stage(s, stage);
    return passes_side_by_side(s) > 0 && layers > 0 ? held + 1.0 / layers : held;
}

double weight_gradients_waiting(const Work& s, int stage) {
    return weight_gradients_waiting(s.layout.schedule, shape_of(s), stage);
}

double passes_side_by_side(const Work& s) { return passes_side_by_side(s.layout.schedule, shape_of(s)); }

std::vector<TimedTask> simulated_tasks(const Layout& l, std::span<const ChunkTime> chunks, int micro_batches) {
    Run run(l.schedule, chunks, shape_of(l, micro_batches));
    run.finish();
    return run.tasks();
}

}  // namespace plimsoll

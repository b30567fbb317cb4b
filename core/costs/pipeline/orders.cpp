#include "core/costs/pipeline/orders.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace plimsoll {

void TaskOrder::add(int times, std::initializer_list<Action> actions) {
    if (times <= 0) return;
    assert(count_ < int(phases_.size()) && actions.size() <= phases_[0].actions.size());
    Phase& phase = phases_[count_++];
    phase.times = times;
    phase.count = int(actions.size());
    std::copy(actions.begin(), actions.end(), phase.actions.begin());
}

bool Phase::same_pattern(const Phase& o) const {
    return std::equal(actions.begin(), actions.begin() + count, o.actions.begin(), o.actions.begin() + o.count);
}

TaskOrder common_part(const TaskOrder& a, const TaskOrder& b) {
    TaskOrder common;
    for (const Phase *p = a.begin(), *q = b.begin(); p != a.end() && q != b.end() && p->same_pattern(*q); ++p, ++q) {
        common.add(p->times < q->times ? *p : *q);
        if (p->times != q->times) break;
    }
    return common;
}

namespace {

// Orders that alternate: so many forward passes to warm up, then one forward and one backward in turn, then the
// backward passes that are left. Where the backward pass is split, weight gradients stay so many behind the input
// gradients.
struct Alternation {
    int warm_up = 0, behind = 0;
};

Alternation gpipe(const PipelineShape& p, int) { return {p.passes()}; }

Alternation one_f_one_b(const PipelineShape& p, int stage) { return {p.stages - 1 - stage}; }

Alternation interleaved(const PipelineShape& p, int stage) {
    return {2 * (p.stages - 1 - stage) + (p.chunks - 1) * p.stages};
}

Alternation zb_h1(const PipelineShape& p, int stage) { return {p.stages - 1 - stage, stage}; }

Alternation zb_h2(const PipelineShape& p, int stage) { return {2 * (p.stages - 1 - stage), 2 * stage}; }

// How a schedule's order is found: it alternates, or is written phase by phase.
struct Ordering {
    Alternation (*alternation)(const PipelineShape&, int stage) = nullptr;
    TaskOrder (*phases)(const PipelineShape&, int stage) = nullptr;
};
constexpr Ordering orderings[] = {{gpipe}, {one_f_one_b}, {interleaved}, {zb_h1}, {zb_h2}};
static_assert(std::size(orderings) == std::size(schedule_kinds));   // every schedule has an order

TaskOrder phases_of(const Alternation& a, const PipelineShape& p, bool split) {
    const signed char chunk = p.chunks > 1 ? chunks_in_turn : 0;
    const Action forward{Pass::forward, chunk}, whole{Pass::backward, chunk}, input{Pass::input_gradient, chunk},
        weight{Pass::weight_gradient, chunk};
    const int all = p.passes(), warm = std::min(a.warm_up, all), both = all - warm;
    TaskOrder order;
    order.add(warm, {forward});
    if (!split) {
        order.add(both, {forward, whole});
        order.add(warm, {whole});
        return order;
    }
    const int behind = std::min(a.behind, all);
    order.add(std::min(behind, both), {forward, input});
    order.add(both - behind, {forward, input, weight});
    order.add(behind - both, {input});
    order.add(all - std::max(both, behind), {input, weight});
    order.add(behind, {weight});
    return order;
}

// The closed form of most_held() for them: what the warm-up leaves, and the forward pass that comes before the first
// backward pass.
HeldPasses held_by(const Alternation& a, const PipelineShape& p) {
    const int all = p.passes(), kept = std::min(a.warm_up, all - 1) + 1;
    return {kept, kept + std::min(a.behind, all - kept)};
}

HeldPasses held_by(Schedule schedule, const PipelineShape& p, int stage) {
    const Ordering& o = orderings[int(schedule)];
    return o.alternation ? held_by(o.alternation(p, stage), p) : most_held(o.phases(p, stage));
}

}  // namespace

TaskOrder order_of(Schedule schedule, const PipelineShape& p, int stage) {
    const Ordering& o = orderings[int(schedule)];
    if (!o.alternation) return o.phases(p, stage);
    return phases_of(o.alternation(p, stage), p, schedule_kind(schedule).splits_backward);
}

std::vector<Task> task_order(Schedule schedule, const PipelineShape& p, int stage) {
    std::vector<ChunkTurn> turns;
    for (int work = 0; work < passes; ++work) turns.emplace_back(p, Pass(work));
    std::vector<std::array<int, passes>> taken(p.chunks);   // micro-batches of a chunk
    std::vector<Task> tasks;
    for (const Phase& phase : order_of(schedule, p, stage))
        for (int n = 0; n < phase.times; ++n)
            for (int k = 0; k < phase.count; ++k) {
                const Action& a = phase.actions[k];
                ChunkTurn& turn = turns[int(a.work)];
                const int chunk = a.chunk == chunks_in_turn ? turn.chunk : a.chunk;
                turn.next();
                tasks.push_back({a.work, chunk, taken[chunk][int(a.work)]++});
            }
    return tasks;
}

// What is held changes by as much in every repetition of a pattern, so it is most in the first or in the last one.
HeldPasses most_held(const TaskOrder& order) {
    HeldPasses now, most;
    const auto repeat = [&](const Phase& phase) {
        for (int k = 0; k < phase.count; ++k) {
            const Pass work = phase.actions[k].work;
            if (work == Pass::forward) ++now.kept, ++now.with_waiting;
            most = {std::max(most.kept, now.kept), std::max(most.with_waiting, now.with_waiting)};
            if (work == Pass::backward || work == Pass::input_gradient) --now.kept;
            if (work == Pass::backward || work == Pass::weight_gradient) --now.with_waiting;
        }
    };
    for (const Phase& phase : order) {
        const HeldPasses before = now;
        repeat(phase);
        if (phase.times == 1) continue;
        const int skipped = phase.times - 2;
        now.kept += skipped * (now.kept - before.kept);
        now.with_waiting += skipped * (now.with_waiting - before.with_waiting);
        repeat(phase);
    }
    return most;
}

double micro_batches_in_flight(Schedule schedule, const PipelineShape& p, int stage) {
    return double(held_by(schedule, p, stage).kept) / p.chunks;
}

double weight_gradients_waiting(Schedule schedule, const PipelineShape& p, int stage) {
    const HeldPasses held = held_by(schedule, p, stage);
    return double(held.with_waiting - held.kept) / p.chunks;
}

}  // namespace plimsoll

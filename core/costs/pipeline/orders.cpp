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
// gradients. In pairs, those in turn run side by side, and neither can wait for the other.
struct Alternation {
    int warm_up = 0, behind = 0;
    bool pairs = false;
};

Alternation gpipe(const PipelineShape& p, int) { return {p.passes()}; }

Alternation one_f_one_b(const PipelineShape& p, int stage) { return {p.stages - 1 - stage}; }

Alternation interleaved(const PipelineShape& p, int stage) {
    return {2 * (p.stages - 1 - stage) + (p.chunks - 1) * p.turn()};
}

// One forward pass more before the first backward pass, which then has its input when the pair begins.
Alternation combined(const PipelineShape& p, int stage) { return {interleaved(p, stage).warm_up + 1, 0, true}; }

Alternation zb_h1(const PipelineShape& p, int stage) { return {p.stages - 1 - stage, stage}; }

Alternation zb_h2(const PipelineShape& p, int stage) { return {2 * (p.stages - 1 - stage), 2 * stage}; }

// ---- Two chunks a stage, of which the second lies on the way back

constexpr Action F(int chunk) { return {Pass::forward, static_cast<signed char>(chunk)}; }
constexpr Action X(int chunk) { return {Pass::backward, static_cast<signed char>(chunk)}; }
constexpr Action B(int chunk) { return {Pass::input_gradient, static_cast<signed char>(chunk)}; }
constexpr Action W(int chunk) { return {Pass::weight_gradient, static_cast<signed char>(chunk)}; }
constexpr Action beside(int chunk) { return {Pass::forward, static_cast<signed char>(chunk), true}; }

// Forward passes of the first chunk until the first one comes back, then one of every task in turn.
TaskOrder zb_v(const PipelineShape& p, int stage) {
    const int behind = p.stages - stage;   // stages from here to the turn
    TaskOrder order;
    order.add(2 * behind - 1, {F(0)});
    order.add(stage, {F(1), F(0)});
    order.add(behind, {F(1), B(1), W(1)});
    order.add(p.micro_batches - p.stages - behind + 1, {F(0), B(0), W(0), F(1), B(1), W(1)});
    order.add(behind - 1, {B(0), W(0), F(1), B(1), W(1)});
    order.add(stage, {B(0), B(1)});
    order.add(behind, {B(0), W(0)});
    order.add(stage, {W(1)});
    order.add(stage, {W(0)});
    return order;
}

// A building block (Qi et al. 2405.15362): when a stage begins the tasks of the first micro-batch, counted in tasks,
// all as long as each other. The next micro-batch begins six later, since every stage has six tasks for each. What the
// authors' reordering at both ends gains is left out.
struct BlockTask {
    Action action;
    int begins;
};
using Block = std::array<BlockTask, 6>;
constexpr int block_tasks = 6;

// The weight gradients take the places that the four passes leave, each the first one behind its input gradient.
Block with_weights(int forward0, int forward1, int back1, int back0) {
    Block block{{{F(0), forward0}, {F(1), forward1}, {B(1), back1}, {B(0), back0}, {W(1), back1}, {W(0), back0}}};
    std::array<bool, block_tasks> taken{};
    for (int k = 0; k < 4; ++k) taken[block[k].begins % block_tasks] = true;
    const bool back0_first = back0 % block_tasks < back1 % block_tasks;
    for (BlockTask* w : {&block[back0_first ? 5 : 4], &block[back0_first ? 4 : 5]}) {
        do ++w->begins;
        while (taken[w->begins % block_tasks]);
        taken[w->begins % block_tasks] = true;
    }
    return block;
}

// Round n takes from every task that has begun by then and has micro-batches left.
TaskOrder repeated(Block block, int micro_batches) {
    std::ranges::sort(block, {}, [](const BlockTask& t) { return t.begins % block_tasks; });
    std::array<int, 2 * block_tasks> changes{};
    for (int k = 0; k < block_tasks; ++k) {
        changes[2 * k] = block[k].begins / block_tasks;
        changes[2 * k + 1] = changes[2 * k] + micro_batches;
    }
    std::ranges::sort(changes);
    TaskOrder order;
    for (std::size_t k = 0; k + 1 < changes.size(); ++k) {
        Phase phase{changes[k + 1] - changes[k], 0, {}};
        for (const BlockTask& t : block) {
            const int first = t.begins / block_tasks;
            if (first <= changes[k] && changes[k] < first + micro_batches) phase.actions[phase.count++] = t.action;
        }
        if (phase.times > 0 && phase.count > 0) order.add(phase);
    }
    return order;
}

TaskOrder v_half(const PipelineShape& p, int i) {
    const int wait = p.stages % 2 == 0 ? 3 : 0;   // that no two tasks fall on one place
    return repeated(with_weights(2 * i, 3 * p.stages - i - 2, 3 * p.stages + wait + 2 * i - 1,
                                 6 * p.stages + wait - i - 2),
                    p.micro_batches);
}

TaskOrder v_min(const PipelineShape& p, int i) {
    const int wait = p.stages % 3 == 0 ? 2 : 0;
    return repeated(with_weights(i, 2 * p.stages - i - 1, 2 * p.stages + wait + i, 4 * p.stages + wait - i - 1),
                    p.micro_batches);
}

// DeepSeek's steps 1 to 8. Weight gradients that wait are taken first come, first served; near the end, where every
// second input gradient leaves one, they are of both chunks in turn.
TaskOrder dualpipe_v(const PipelineShape& p, int stage) {
    const int behind = p.stages - stage - 1, deep = stage + 1;   // stages from here to the turn, and to the ends
    const bool turns = behind == 0, even = stage % 2 == 0;
    TaskOrder order;
    order.add(2 * behind, {F(0)});
    order.add(deep, {F(0), F(1)});
    order.add(behind, {B(1), W(1), F(1)});
    if (turns) order.add(1, {F(0), X(1), beside(1), X(0)});
    order.add(p.micro_batches - 2 * p.stages + deep - turns, {beside(0), X(1), beside(1), X(0)});
    order.add(behind, {X(1), beside(1), X(0)});
    const int whole = deep / 2;
    order.add(whole, {X(1), X(0)});
    order.add(even, {X(1), B(0)});
    order.add(deep - whole - even, {B(1), B(0)});
    // So many weight gradients wait by now, of this chunk and the other one in turn.
    const int first = even ? 0 : 1, second = 1 - first, early = std::min(behind, deep), late = deep - early;
    order.add(early / 2, {W(first), B(0), W(second), B(0)});
    order.add(early % 2, {W(first), B(0)});
    order.add(behind - early, {W(0), B(0)});
    const int next = early % 2 == 0 ? first : second, last = 1 - next;
    order.add(late / 2, {W(next), W(last)});
    order.add(late % 2, {W(next)});
    order.add(early, {W(0)});
    return order;
}

// How a schedule's order is found: it alternates, or is written phase by phase.
struct Ordering {
    Alternation (*alternation)(const PipelineShape&, int stage) = nullptr;
    TaskOrder (*phases)(const PipelineShape&, int stage) = nullptr;
};
constexpr Ordering orderings[] = {{gpipe},         {one_f_one_b},     {interleaved},
                                  {zb_h1},         {zb_h2},           {nullptr, zb_v},
                                  {nullptr, v_half}, {nullptr, v_min}, {nullptr, dualpipe_v},
                                  {combined}};
static_assert(std::size(orderings) == std::size(schedule_kinds));   // every schedule has an order

TaskOrder phases_of(const Alternation& a, const PipelineShape& p, bool split) {
    const signed char chunk = p.chunks > 1 ? chunks_in_turn : 0;
    const Action forward{Pass::forward, chunk}, whole{Pass::backward, chunk}, input{Pass::input_gradient, chunk},
        weight{Pass::weight_gradient, chunk};
    const int all = p.passes(), warm = std::min(a.warm_up, all), both = all - warm;
    TaskOrder order;
    order.add(warm, {forward});
    if (!split) {
        order.add(both, {{Pass::forward, chunk, a.pairs}, whole});
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
// backward pass, or beside it.
HeldPasses held_by(const Alternation& a, const PipelineShape& p) {
    const int all = p.passes(), kept = a.pairs ? std::min(a.warm_up, all) : std::min(a.warm_up, all - 1) + 1;
    return {kept, kept + std::min(a.behind, all - kept)};
}

HeldPasses held_by(Schedule schedule, const PipelineShape& p, int stage) {
    const Ordering& o = orderings[int(schedule)];
    return o.alternation ? held_by(o.alternation(p, stage), p)
                         : most_held(o.phases(p, stage), schedule_kind(schedule).pairs);
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
    struct Taken {
        int forward = 0, back = 0;        // micro-batches of a chunk
        std::size_t weights = 0;          // of those whose weight gradients are tasks of their own
        std::vector<int> split;
    };
    std::vector<Taken> taken(p.chunks);
    const auto next = [](Taken& of, Pass work) {
        if (work == Pass::forward) return of.forward++;
        if (work == Pass::weight_gradient) return of.split[of.weights++];
        if (work == Pass::input_gradient) of.split.push_back(of.back);
        return of.back++;
    };
    std::vector<Task> tasks;
    for (const Phase& phase : order_of(schedule, p, stage))
        for (int n = 0; n < phase.times; ++n)
            for (int k = 0; k < phase.count; ++k) {
                const Action& a = phase.actions[k];
                ChunkTurn& turn = turns[int(a.work)];
                const int chunk = a.chunk == chunks_in_turn ? turn.chunk : a.chunk;
                turn.next();
                tasks.push_back({a.work, chunk, next(taken[chunk], a.work), a.beside_next});
            }
    return tasks;
}

// What is held changes by as much in every repetition of a pattern, so it is most in the first or in the last one.
HeldPasses most_held(const TaskOrder& order, bool layer_by_layer) {
    HeldPasses now, most;
    const auto count = [&] {
        most = {std::max(most.kept, now.kept), std::max(most.with_waiting, now.with_waiting)};
    };
    const auto repeat = [&](const Phase& phase) {
        for (int k = 0; k < phase.count; ++k) {
            const Pass work = phase.actions[k].work;
            const bool first = layer_by_layer && phase.actions[k].beside_next;
            const bool second = layer_by_layer && k > 0 && phase.actions[k - 1].beside_next;
            if (work == Pass::forward) ++now.kept, ++now.with_waiting;
            if (!first && !second) count();
            if (work == Pass::backward || work == Pass::input_gradient) --now.kept;
            if (work == Pass::backward || work == Pass::weight_gradient) --now.with_waiting;
            if (second) count();
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

double passes_side_by_side(Schedule schedule, const PipelineShape& p) {
    const Ordering& o = orderings[int(schedule)];
    if (!o.alternation || !schedule_kind(schedule).pairs) return 0;
    double sum = 0;
    for (int i = 0; i < p.stages; ++i) sum += std::max(0, p.passes() - o.alternation(p, i).warm_up);
    return sum / p.passes() / p.stages;
}

}  // namespace plimsoll

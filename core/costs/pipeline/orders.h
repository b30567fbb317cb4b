#pragma once
// In which order a pipeline stage does its tasks, one function for each schedule.
//
//   order_of(Schedule::one_f_one_b, {.stages = 4, .chunks = 1, .micro_batches = 8}, 1)
//       // 2 x [forward], 6 x [forward, backward], 2 x [backward]
//
// An order is a few phases, each a short pattern of tasks that is repeated: warming up, the steady middle, draining.
// That is enough, since every pass of a chunk takes the micro-batches in turn, and it makes an order as short for
// thousands of micro-batches as for a few: what a stage holds is counted from the phases.

#include "core/values/plan/schedules.h"

#include <array>
#include <initializer_list>
#include <vector>

namespace plimsoll {

enum class Pass : unsigned char { forward, backward, input_gradient, weight_gradient };
inline constexpr int passes = int(Pass::weight_gradient) + 1;

struct Task {
    Pass work = Pass::forward;
    int chunk = 0;
    int micro_batch = 0;
    bool beside_next = false;   // it runs beside the task that follows it, on another micro-batch
    friend auto operator<=>(const Task&, const Task&) = default;
};

struct PipelineShape {
    int stages = 1, chunks = 1, micro_batches = 1;   // chunks: of one stage
    int group = 0;   // micro-batches that a chunk takes in its turn; 0: as many as there are stages
    int turn() const { return group > 0 ? group : stages; }
    int passes() const { return chunks * micro_batches; }   // of either direction, on one stage
    friend bool operator==(const PipelineShape&, const PipelineShape&) = default;
};

// A task of a pattern: the next micro-batch of this pass on a chunk.
struct Action {
    Pass work;
    signed char chunk;
    // A forward pass beside the backward pass that follows it: both begin when both have their inputs, and end
    // together.
    bool beside_next = false;
    friend bool operator==(const Action&, const Action&) = default;
};
// In place of a chunk: a group of micro-batches goes through a chunk, then the same ones through the next. Backward
// passes begin with the last chunk. The last group has those that are left.
inline constexpr signed char chunks_in_turn = -1;

struct Phase {
    int times;
    int count;   // of actions
    std::array<Action, 6> actions;
    bool same_pattern(const Phase&) const;
};

class TaskOrder {
public:
    void add(int times, std::initializer_list<Action>);   // nothing where `times` is not positive
    void add(const Phase& phase) { phases_[count_++] = phase; }
    const Phase* begin() const { return phases_.data(); }
    const Phase* end() const { return phases_.data() + count_; }

private:
    std::array<Phase, 14> phases_{};
    int count_ = 0;
};

TaskOrder order_of(Schedule, const PipelineShape&, int stage);
// The tasks that both begin with: they end within the first phase that is not the same.
TaskOrder common_part(const TaskOrder&, const TaskOrder&);
// The same with every task written out.
std::vector<Task> task_order(Schedule, const PipelineShape&, int stage);

// Which chunk is next where chunks take turns: forward passes go up, backward passes come down.
struct ChunkTurn {
    ChunkTurn(const PipelineShape& p, Pass work)
        : chunk(work == Pass::forward ? 0 : p.chunks - 1), group(p.turn()), rest(p.micro_batches), chunks(p.chunks),
          by(work == Pass::forward ? 1 : -1) {
        take();
    }
    bool next() {   // true where it is another chunk's turn
        if (--left > 0) return false;
        chunk += by;
        if (chunk >= 0 && chunk < chunks) left = taken;
        else {
            chunk -= by * chunks;
            rest -= taken;
            take();
        }
        return true;
    }
    void take() { left = taken = rest < group ? rest : group; }
    int chunk;
    int left = 0, taken = 0;   // micro-batches it takes before the next one, and all of its turn
    int group, rest;           // rest: not yet through the chunks
    int chunks, by;
};

// Passes of single chunks whose activations a stage holds at once, at most: until their backward pass, or input
// gradient; and together with those whose weight gradients wait.
struct HeldPasses {
    int kept = 0, with_waiting = 0;
};
// `layer_by_layer`: the forward pass of a pair takes the room that the backward pass beside it gives back.
HeldPasses most_held(const TaskOrder&, bool layer_by_layer = false);

// Micro-batches whose activations a stage holds at once, in units of the stage's whole share of the model (Narayanan
// et al. 2021, section 2.2).
double micro_batches_in_flight(Schedule, const PipelineShape&, int stage);

// Micro-batches besides those whose weight gradients wait: of them the stage keeps the operands of the weight products
// and nothing else.
double weight_gradients_waiting(Schedule, const PipelineShape&, int stage);

// Of the passes of a stage, those that run beside one of the other direction, in an order that alternates; the mean of
// the stages.
double passes_side_by_side(Schedule, const PipelineShape&);

}  // namespace plimsoll

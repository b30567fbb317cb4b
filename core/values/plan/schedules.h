#pragma once
// What tells the pipeline schedules apart, one row for each.
//
//   schedule_kind(layout.schedule).splits_backward
//
// In which order a stage works is in costs/pipeline/orders.h. A new schedule is an enumerator in layout.h, a row of
// this table and a function there.

#include "core/values/plan/layout.h"
#include "core/values/plan/stack.h"

#include <cstddef>
#include <iterator>
#include <string_view>

namespace plimsoll {

// A chunk of layers on a stage.
struct Slot {
    int stage = 0, chunk = 0;
    friend bool operator==(const Slot&, const Slot&) = default;
};

// Where the chunks lie in the model. They are numbered in the order of their layers: position 0 begins with the
// embedding, the last one ends with the head.
struct ChunkPlace {
    Slot (*slot)(int position, int stages);
    int (*position)(Slot, int stages);
};
// Down the stages with their first chunks, then from the first stage down again with the second ones.
inline constexpr ChunkPlace down{
    [](int position, int stages) { return Slot{position % stages, position / stages}; },
    [](Slot at, int stages) { return at.chunk * stages + at.stage; },
};

// Down the stages with their first chunks, and back up again with their second ones: the first stage holds both ends of
// the model, and what the last stage works on stays there.
inline constexpr ChunkPlace down_and_up{
    [](int position, int stages) {
        return position < stages ? Slot{position, 0} : Slot{2 * stages - 1 - position, 1};
    },
    [](Slot at, int stages) { return at.chunk == 0 ? at.stage : 2 * stages - 1 - at.stage; },
};

inline constexpr int any_chunks = 1 << 30;

struct ScheduleKind {
    std::string_view name;                   // in files and on the command line
    ScheduleSet needs = ScheduleSet::any;    // software of this set has it
    ChunkPlace place = down;
    int least_chunks = 1, most_chunks = 1;   // of a stage
    bool splits_backward = false;   // weight gradients are tasks of their own, or some are: nobody waits for them
    bool steps_overlap = false;     // a stage begins the next step when it is done with its own tasks
    bool forwards_first = false;    // a stage is done with all forward passes before its first backward pass
    bool in_rounds = false;         // chunks take turns, a group of micro-batches each (Layout::micro_batch_group)
    bool pairs = false;             // a forward pass runs beside a backward pass, to hide exchanges of experts
    int least_rounds = 0;           // micro-batches for every stage that the order needs
    // Micro-batches for every stage until the order of events repeats, each as long as the busiest stage works. 0:
    // tasks of several chunks interlock, and how fast they repeat is observed.
    int settling = 3;

    bool offered_by(const Stack& s) const {
        return s.pipeline.schedules >= needs && (!pairs || s.experts.paired_exposed < 1);
    }
    bool runs(int chunks) const { return chunks >= least_chunks && chunks <= most_chunks; }
    bool needs_stages() const { return least_chunks > 1 || splits_backward; }
};

// GPipe: Huang et al. 2019. 1F1B and interleaved: Narayanan et al. 2021. Zero bubble: Qi et al. 2024 (2401.10241).
// ZB-V, V-Half and V-Min: Qi et al. 2024 (2405.15362). DualPipe-V: DeepSeek's DualPipe, cut in half (Sea AI Lab 2025);
// the whole DualPipe is this one on half as many stages with twice as many replicas: a device holds the same two
// chunks. Combined: Megatron-Core's 1F1B with --overlap-moe-expert-parallel-comm: one chunk where there is one
// stage, and several otherwise.
inline constexpr ScheduleKind schedule_kinds[] = {
    {.name = "gpipe", .needs = ScheduleSet::plain, .forwards_first = true},
    {.name = "1f1b", .needs = ScheduleSet::plain},
    {.name = "interleaved", .needs = ScheduleSet::interleaved, .least_chunks = 2, .most_chunks = any_chunks,
     .in_rounds = true, .settling = 0},
    {.name = "zb-h1", .splits_backward = true, .steps_overlap = true},
    {.name = "zb-h2", .splits_backward = true, .steps_overlap = true, .settling = 6},
    {.name = "zb-v", .needs = ScheduleSet::v, .place = down_and_up, .least_chunks = 2, .most_chunks = 2,
     .splits_backward = true, .steps_overlap = true, .least_rounds = 2, .settling = 0},
    {.name = "v-half", .place = down_and_up, .least_chunks = 2, .most_chunks = 2, .splits_backward = true,
     .steps_overlap = true, .settling = 0},
    {.name = "v-min", .place = down_and_up, .least_chunks = 2, .most_chunks = 2, .splits_backward = true,
     .steps_overlap = true, .settling = 0},
    {.name = "dualpipe-v", .needs = ScheduleSet::v, .place = down_and_up, .least_chunks = 2, .most_chunks = 2,
     .splits_backward = true, .least_rounds = 2, .settling = 0},
    {.name = "combined", .needs = ScheduleSet::interleaved, .most_chunks = any_chunks, .in_rounds = true, .pairs = true,
     .settling = 0},
};
static_assert(std::size(schedule_kinds) == std::size_t(Schedule::combined) + 1, "every schedule has a row");

constexpr const ScheduleKind& schedule_kind(Schedule s) { return schedule_kinds[std::size_t(s)]; }

// What a plan has that names no other: software that runs several chunks interleaves them.
constexpr Schedule usual_schedule(int chunks) { return chunks > 1 ? Schedule::interleaved : Schedule::one_f_one_b; }

// The model goes on from the last stage to the first one: they are neighbours, too.
inline bool comes_round(const Layout& l) {
    return l.virtual_stages > 1
        && schedule_kind(l.schedule).place.slot(l.pipeline_parallel, l.pipeline_parallel).stage == 0;
}

}  // namespace plimsoll

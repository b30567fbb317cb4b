#pragma once
// What tells the pipeline schedules apart, one row for each.
//
//   schedule_kind(layout.schedule).splits_backward
//
// In which order a stage works is in costs/pipeline/orders.h. A new schedule is an enumerator in layout.h, a row of
// this table and a function there.

#include "core/values/plan/layout.h"

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

inline constexpr int any_chunks = 1 << 30;

struct ScheduleKind {
    std::string_view name;                   // in files and on the command line
    ChunkPlace place = down;
    int least_chunks = 1, most_chunks = 1;   // of a stage
    bool splits_backward = false;   // weight gradients are tasks of their own, later: nobody waits for them
    bool steps_overlap = false;     // a stage begins the next step when it is done with its own tasks
    bool forwards_first = false;    // a stage is done with all forward passes before its first backward pass
    bool in_rounds = false;         // as many micro-batches as there are stages go through a chunk before the next
    int settling = 3;               // micro-batches for every stage until the order of events repeats

    bool runs(int chunks) const { return chunks >= least_chunks && chunks <= most_chunks; }
    bool needs_stages() const { return least_chunks > 1 || splits_backward; }
};

// GPipe: Huang et al. 2019. 1F1B and interleaved: Narayanan et al. 2021. Zero bubble: Qi et al. 2024.
inline constexpr ScheduleKind schedule_kinds[] = {
    {.name = "gpipe", .forwards_first = true},
    {.name = "1f1b"},
    {.name = "interleaved", .least_chunks = 2, .most_chunks = any_chunks, .in_rounds = true},
    {.name = "zb-h1", .splits_backward = true, .steps_overlap = true},
    {.name = "zb-h2", .splits_backward = true, .steps_overlap = true, .settling = 6},
};
static_assert(std::size(schedule_kinds) == std::size_t(Schedule::zb_h2) + 1, "every schedule has a row");

constexpr const ScheduleKind& schedule_kind(Schedule s) { return schedule_kinds[std::size_t(s)]; }

// What a plan has that names no other: software that runs several chunks interleaves them.
constexpr Schedule usual_schedule(int chunks) { return chunks > 1 ? Schedule::interleaved : Schedule::one_f_one_b; }

// The model goes on from the last stage to the first one: they are neighbours, too.
inline bool comes_round(const Layout& l) {
    return l.virtual_stages > 1
        && schedule_kind(l.schedule).place.slot(l.pipeline_parallel, l.pipeline_parallel).stage == 0;
}

}  // namespace plimsoll

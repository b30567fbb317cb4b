#pragma once
// Pipeline schedules: when each stage works on which micro-batch.
//
// A schedule is a fixed order of forward and backward tasks per stage; the
// makespan follows from the order and the data dependencies, so uneven stages
// and heavy ends come out as they are. GPipe runs all forwards then all
// backwards; 1F1B alternates after a warm-up of p-1-i; interleaved gives each
// stage v chunks of the model (Narayanan et al. 2021).
//
// makespan() simulates only until the steady state repeats and extends it by
// the busiest stage's period: thousands of micro-batches cost like a few dozen.
// That is exact for equal stages with heavy ends; stages that differ by half
// may take longer to settle and come out up to half a percent off.

#include "core/values/layout.h"
#include "core/values/units.h"

#include <span>
#include <vector>

namespace plimsoll {

// Work of one micro-batch on one chunk of one stage.
struct ChunkTime {
    Seconds forward, backward;
};

struct Task {
    bool backward = false;
    int chunk = 0;
    int micro_batch = 0;
};

// Order of tasks on `stage` (0-based) of `stages` with `chunks` each.
std::vector<Task> task_order(Schedule, int stage, int stages, int chunks, int micro_batches);

// Time from the first task's start to the last one's end. `chunks` holds
// stages x chunks_per_stage entries, stage-major. At least one micro-batch.
Seconds makespan(Schedule, std::span<const ChunkTime> chunks, int stages, int micro_batches);

// Micro-batches whose activations stage `i` holds at once, in units of the
// stage's whole share of the model (Narayanan et al. 2021, section 2.2).
double micro_batches_in_flight(Schedule, int stage, int stages, int chunks, int micro_batches);

}  // namespace plimsoll

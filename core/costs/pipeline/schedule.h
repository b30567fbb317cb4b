#pragma once
// Pipeline schedules: when each stage works on which micro-batch.
//
// A schedule is a fixed order of forward and backward tasks per stage (orders.h)
// and a place for every chunk; the makespan follows from the order and the data
// dependencies, so uneven stages and heavy ends come out as they are. GPipe runs all forwards then all
// backwards; 1F1B alternates after a warm-up of p-1-i; interleaved gives each
// stage v chunks of the model (Narayanan et al. 2021).
//
// ZB-H1 and ZB-H2 (Qi et al. 2024) cut the backward pass in two: the gradient of
// the inputs, which the stage before waits for, and that of the weights, which
// nobody does. Stage i warms up with p-1-i forwards (H2: twice that), stays i
// (2i) weight gradients behind, and catches up at the end. With equal stages and
// weight <= forward <= input the bubble is (p-1)(F + B - W) and
// (p-1)(F + B - 2W) once m >= p and 2p-1.
//
// ZB-V, V-Half, V-Min and DualPipe-V give a stage two chunks, of which the second lies on the way back. ZB-V has no
// bubble where all three passes take the same and holds as much as 1F1B's first stage, on every stage; V-Half and V-Min
// hold half and a third of that and leave about six tenths and two thirds of its bubble. DualPipe-V works on a forward
// and a backward pass side by side, and so does the combined schedule, which is interleaved 1F1B otherwise.
//
// makespan() simulates only until the steady state repeats and extends it by
// the busiest stage's period: thousands of micro-batches cost like a few dozen.
// That is exact for equal stages with heavy ends; stages that differ by half
// may take longer to settle and come out up to half a percent off, and so may
// ZB-H2 where the last stage is not the busiest.

#include "core/costs/kernels/work.h"
#include "core/costs/pipeline/orders.h"
#include "core/values/basics/units.h"

#include <span>
#include <vector>

namespace plimsoll {

// Work of one micro-batch on one chunk of one stage.
struct ChunkTime {
    Seconds forward, backward;
    Seconds weight{};   // the part of `backward` that can wait; only split schedules look at it
    friend bool operator==(const ChunkTime&, const ChunkTime&) = default;
};

Seconds duration(const ChunkTime&, Pass);

// Time from the first task's start to the last one's end. `chunks` holds
// stages x chunks_per_stage entries, stage-major. At least one micro-batch.
//
// Where steps overlap (zero bubble): the longest time any one stage takes from its own first
// task to its own last. The next step begins on each stage as soon as that is
// done, so steps follow each other at this interval; the optimizer step does not
// wait for all stages but is validated afterwards and rolled back if need be.
// `group`: micro-batches that a chunk takes in its turn (PipelineShape).
Seconds makespan(Schedule, std::span<const ChunkTime> chunks, int stages, int micro_batches, int group = 0);
Seconds makespan(const Layout&, std::span<const ChunkTime> chunks, int micro_batches);

// Less than makespan(), without simulating: no stage can begin before the first micro-batch has
// come down to it, nor the step end before its last one has gone back up. Where steps overlap: the
// longest any stage works.
Seconds makespan_bound(Schedule, std::span<const ChunkTime> chunks, int stages, int micro_batches);

// One task as it ran.
struct TimedTask {
    int stage = 0;
    Task task;
    Seconds start, end;
};
// Every task of the same simulation, nothing extrapolated; stage by stage, in order.
std::vector<TimedTask> simulated_tasks(const Layout&, std::span<const ChunkTime> chunks, int micro_batches);

double micro_batches_in_flight(const Work&, int stage);
double weight_gradients_waiting(const Work&, int stage);
double passes_side_by_side(const Work&);

}  // namespace plimsoll

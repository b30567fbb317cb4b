#pragma once
// One optimizer step of the whole plan: the pipeline's makespan, split into the
// parts of its busiest stage, plus what comes after the last backward pass.

#include "core/costs/kernels/work.h"
#include "core/costs/kernels/data_parallel.h"
#include "core/costs/optimizer/optimizer.h"
#include "core/costs/offload/tiers.h"
#include "core/costs/pipeline/schedule.h"
#include "core/costs/step/stage.h"

namespace plimsoll {

// What the step waits for on other tiers, beside the waits inside passes.
struct TierWait {
    Flow fetch, moved;         // what the first fetch and the update move
    Seconds first_fetch;       // weights of the first layer
    Seconds traffic, update;   // after the last backward pass: moving states, and the CPUs' update
    Seconds window;            // of the next step, behind which a delayed update hides
    bool in_turn = false;      // one after the other; off: side by side
    Seconds busy() const { return in_turn ? traffic + update : max(traffic, update); }
    Seconds after() const { return max(Seconds{}, busy() - window); }
    Seconds exposed() const { return first_fetch + after(); }
};

struct Step {
    StepTime parts;
    int busiest_stage = 0;
    Seconds pipeline;          // makespan() of all micro-batches
    Seconds fill_transfer;     // hidden sends that still delay filling and draining
    Seconds engine;            // host of the pipeline engine, per micro-batch after the first: filling hides the rest
    // Holds most parameters, or ends the step over a slow network. What follows is of this stage.
    int heaviest_stage = 0;
    GradientTime gradients;
    Seconds head_start;        // of its reduction, which begins before the first stage's
    OptimizerTime optimizer;
    PreconditionerTime preconditioner;
    TierWait tiers;
    Seconds tied_embedding, shared_weights, unhidden_shards;
    Parameters heaviest;            // of that stage, on one rank
};
Step step_of(const Work&, const std::vector<StageTime>&);
// The same for a pipeline whose makespan is known. A shorter one makes no longer step, so a
// bound of the makespan gives a bound of the step, unless stages lie in several clusters.
Step step_of(const Work&, const std::vector<StageTime>&, Seconds pipeline, int heaviest_stage);

int heaviest_stage(const Work&);   // the one that holds most parameters

// Sends that are hidden while the pipeline is busy, but delay filling and draining it: visit(Sends)
// for every boundary, or once for all where they are alike.
template <class Visit>
void hidden_sends(const Work& s, Visit visit) {
    const int boundaries = s.layout.pipeline_parallel - 1;
    const double hidden = 1 - s.stack.pipeline.exposed;
    if (!s.clusters) return visit(Sends{0, 2 * boundaries, hidden});   // there and back
    for (int i = 0; i < boundaries; ++i) visit(Sends{i, 2, hidden});
}

// Work of every chunk of every stage, as the schedule needs it.
std::vector<ChunkTime> chunk_times(const Work&, const std::vector<StageTime>&);

}  // namespace plimsoll

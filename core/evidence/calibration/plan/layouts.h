#pragma once
// Which model a calibration trains, and in which layouts.
//
//   const ScaledModel small = scaled_model(subject, place);   // small.note says how it was scaled
//   for (const PlannedRun& run : planned_layouts(subject, small, place, 10)) estimate(run.plan);
//
// The model is the subject's, small enough for a trial: the same kind of layer, heads as wide, as many of them for each
// key-value head, the same share of feed-forward. What the engine cannot train is replaced by what is nearest to it.
//
// Few layouts are for the fit; those that are held back differ from all of these in one thing.
//   Two ranks: one rank, two data ranks, two tensor ranks, ZeRO-3. Held back are a pipeline, sequence parallelism, full
//   recomputation, a deeper model without and with ZeRO-3, a wider one, and on processors twice as many ranks as there
//   are (where we start mpirun ourselves), of which nothing fair can be said.
//   One rank: one size. Held back are a deeper, a wider and a longer one, and recomputation.
//   Four and more: the fit sees half of the ranks at most, and degrees of two: data, tensor x data, pipeline x data,
//   ZeRO-3. Held back is all that takes all ranks: data, tensor and pipeline of four, tensor x pipeline, ZeRO-3
//   recomputing, a deeper and a wider model.
//
// Every layout is visited twice: those that fit, in turn, before anything is predicted, and then those that are held
// back, in turn. At the end one of those that fit goes once more: whether the machine is still what it was.

#include "core/evidence/calibration/plan/experiments.h"

namespace plimsoll {

struct ScaledModel {
    Model model;
    Precision precision = Precision::fp32;
    int sequence_length = 64, micro_batch = 4;
    std::string note;            // a sentence or two
};
ScaledModel scaled_model(const Scenario& subject, const CalibrationPlace&);

// Held-out sizes of it: two thirds more layers, a third more width (in whole heads), twice the sequence.
Model deeper(Model);
Model wider(Model);

// Without words and expected seconds. `steps`: of each.
std::vector<PlannedRun> planned_layouts(const Scenario& subject, const ScaledModel&, const CalibrationPlace&,
                                        int steps);

// Ranks that are used of those there are: all up to three, then whole fours.
int ranks_used(const CalibrationPlace&);

// The machine as `ranks` of the place share it: processors' cores one each, or less where they outnumber them.
Machine machine_of(const CalibrationPlace&, int ranks);

}  // namespace plimsoll

#pragma once
// From measurements to constants, and from constants to predictions that runs can refute.
//
//   const Calibrated c = calibrate(plan, measurements);              // benches and fit layouts
//   const ProofRow row = predict(c, plan.runs[i]);                   // before it runs
//   const Calibration record = record_of(c, plan, measurements, ...) // after it ran
//
// Bottom up: constants of kernels and network from benches, by robust least squares on relative errors. Then what whole
// steps of the layouts that fit show, six factors. Three are ratios of their phases: the traffic of elementwise
// operators, the wait of tensor ranks for each other, and that of ranks that gather and scatter shards. Three are
// fitted to the steps' times with a prior of 1 +- 0.15: compute, exposed communication, the rest. One to five layouts
// tell them, so the prior and the phases carry much, and intervals say how much is left open (certainty.h). A factor
// outside 0.7 to 1.5 says that the model is wrong there.

#include "core/evidence/calibration/plan/experiments.h"
#include "core/evidence/calibration/fit/certainty.h"
#include "core/evidence/calibration/fit/measurements.h"
#include "core/answers/replan/replan.h"
#include "core/values/plan/calibration.h"

#include <vector>

namespace plimsoll {

struct Calibrated {
    Machine machine;                        // the base with what was measured; its id is still the base's
    Stack stack;                            // likewise
    Machine base;                           // as it was
    StepFactors factors;                    // of whole steps against the benches; machine and stack have them already
    std::vector<MeasuredConstant> constants;
    std::vector<Experiment> experiments;
    std::vector<CodecTrial> codecs;         // of runs with one; how fast they are is in the machine
    std::vector<std::string> cautions;
    std::vector<Direction> open;            // what benches and steps leave open, independent of one another
    double spread = 0.05;  // standard deviation of log(predicted / measured) besides: the model, and a repeated run
    double degrees = 6;    // of freedom that `spread` has
    // Of the engine's own attention kernel where the device's numbers are a library's; zero = as the device's.
    double own_half_sequence = 0, own_half_head = 0;
    bool device_memory = false;             // memory is what devices say, not the engine's own count alone
};

// Pure. What was not measured stays the base's.
Calibrated calibrate(const ExperimentPlan&, const Measurements&);

// The run's plan on the machine and with the software as measured.
Scenario plan_with(const Calibrated&, const PlannedRun&);
// The estimate of the run's plan with the calibrated constants; measured fields are empty.
ProofRow predict(const Calibrated&, const PlannedRun&);
// The same row with what was measured, in one visit or several.
ProofRow proven(ProofRow, const TrainingRun&);
ProofRow proven(ProofRow, const Visits&);
// The visits of a layout that are complete.
Visits complete_visits(const ExperimentPlan&, const PlannedRun&, const Measurements&);

}  // namespace plimsoll

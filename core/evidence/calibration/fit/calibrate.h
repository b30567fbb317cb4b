#pragma once
// From measurements to constants, and from constants to predictions that runs can refute.
//
//   const Calibrated c = calibrate(plan, measurements);              // benches and fit layouts
//   const ProofRow row = predict(c, plan.runs[i]);                   // before it runs
//   const Calibration record = record_of(c, plan, measurements, ...) // after it ran
//
// Bottom up: constants of kernels and network from benches, by robust least squares on relative errors. Then what whole
// steps of the layouts that fit show: the traffic of elementwise operators, the wait of tensor ranks for each other,
// and three factors (compute, exposed communication, the rest) with a prior of 1 +- 0.15. A factor outside 0.7 to 1.5
// says that the model is wrong there.

#include "core/evidence/calibration/plan/experiments.h"
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
    double spread = 0.05;  // standard deviation of log(predicted / measured) besides that of the factors
};

// Pure. What was not measured stays the base's.
Calibrated calibrate(const ExperimentPlan&, const Measurements&);

// The run's plan on the machine and with the software as measured.
Scenario plan_with(const Calibrated&, const PlannedRun&);
// The estimate of the run's plan with the calibrated constants; measured fields are empty.
ProofRow predict(const Calibrated&, const PlannedRun&);
// The same row with what was measured.
ProofRow proven(ProofRow, const TrainingRun&);

}  // namespace plimsoll

#pragma once
// What the lines of a calibration amount to: points of the benches, and the steps
// of every training layout. core/files/measured/calibration_log.h reads them.

#include "core/answers/calibrate/fit/engine_event.h"

#include <string>
#include <vector>

namespace plimsoll {

// A training layout that ran, by the id its experiment has in the plan.
struct TrainingRun {
    std::string id;
    EngineLayout layout;
    std::vector<EngineStep> steps;               // all of them; the first ones fill caches and pages
    bool complete = false;
};
inline constexpr std::size_t warm_up_steps = 2;

// Middle of the steps after the first, by wall time, with the 95 % interval of the median.
struct StepSummary {
    Seconds median, low, high;
    StepTime parts;                              // of the median step, mean over ranks
    Bytes memory;
    int steps = 0;
    bool contended = false;                      // more than a third of the steps
};
StepSummary summary_of(const TrainingRun&);      // no steps: all zero

struct Measurements {
    std::vector<BenchPoint> points;
    std::vector<TrainingRun> runs;
    std::vector<EngineHardware> nodes;
};

}  // namespace plimsoll

#pragma once
// What the lines of a calibration amount to: points of the benches, and the steps
// of every training layout. core/files/measured/calibration_log.h reads them.

#include "core/evidence/calibration/fit/engine_event.h"

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
inline constexpr double widest_quartiles = 1.2;   // the upper one over the lower one: 1.01 to 1.06 in quiet runs, single slow steps or not

// Middle of the steps after the first, by wall time, with the 95 % interval of the median.
struct StepSummary {
    Seconds median, low, high;
    StepTime parts;                              // of the median step, mean over ranks
    Bytes memory;
    int steps = 0;
    bool contended = false;                      // others had the processor in more than a third of the steps
    bool unsteady = false;                       // even their middle half differs by more than quiet machines do
    bool disturbed() const { return contended || unsteady; }
};
StepSummary summary_of(const TrainingRun&);      // no steps: all zero

// What a point is of: "qkv forward, 256 x 1152 x 384"; of other kinds their words, then the size.
std::string label_of(const BenchPoint&);

struct Measurements {
    std::vector<BenchPoint> points;
    std::vector<TrainingRun> runs;
    std::vector<EngineHardware> nodes;
};

}  // namespace plimsoll

#pragma once
// What the lines of a calibration amount to: points of the benches, and the steps
// of every training layout. core/files/results/calibration_log.h reads them.

#include "core/answers/calibrate/engine_event.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

// One `bench` line: a time and what it is the time of (engine/PROTOCOL.md, "What a bench says").
struct BenchPoint {
    std::string kind;                            // "gemm", "collective", ...
    std::map<std::string, std::string, std::less<>> words;   // product, form, collective, dimension, operation, pass ...
    std::map<std::string, double, std::less<>> numbers;      // m, n, k, tokens, heads, ranks, working_set_B ... and further keys of its line
    Seconds median, low, high, least, tenth;     // low, high: 95 % interval of the median; tenth: 10th percentile
    Bytes bytes;
    double flop = 0;
    double wall_over_cpu = 1;
    std::vector<std::string> flags;
    bool has(std::string_view flag) const;
    bool contended() const { return has("contended"); }
    // Under contention the tenth percentile, else the median.
    Seconds best() const { return contended() ? tenth : median; }
    std::string_view word(std::string_view key) const;       // empty where it has none
    double number(std::string_view key) const;               // 0 where it has none
};

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

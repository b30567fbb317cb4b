#pragma once
// Predictions against published runs, every miss shown.
//
// Nothing is fitted here: a run is a plan plus a measured number, and the
// residual is what estimate() makes of it. Errors are of the step time, so a
// rate predicted too high reads as a time too short (negative).

#include "core/answers/plan/estimate.h"
#include "core/answers/published/score.h"
#include "core/values/basics/source.h"

#include <string>
#include <vector>

namespace plimsoll {

enum class Published {
    step_seconds,      // seconds per optimizer step
    hardware_rate,     // TFLOP/s per device, recomputation counted
    model_rate,        // TFLOP/s per device, recomputation not counted
};

struct PublishedRun {
    std::string id, note;
    Scenario scenario;
    Published quantity = Published::step_seconds;
    double value = 0;   // seconds, or TFLOP/s per device
};

struct RunSet {
    std::string id, title;
    Source source;
    std::vector<PublishedRun> runs;
};

struct Residual {
    double published = 0, predicted = 0;  // in the run's quantity
    double error = 0;                     // of the step time: predicted / published - 1
    bool fits = true;
    std::vector<Obstacle> obstacles;      // then there is no prediction
};

Residual residual_of(const PublishedRun&);
// The runs as rows beside those of published tables; what a run says in full needs no assumption.
std::vector<ScoredRow> scored_rows(const RunSet&);
double mean_absolute_error(const std::vector<Residual>&);  // of those with a prediction
std::string unit_of(Published);

}  // namespace plimsoll

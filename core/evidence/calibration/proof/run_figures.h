#pragma once
// A trial as figures, while it runs and afterwards: loss against steps, and
// where the time of each step went beside what was predicted.
//
//   draw(run_loss(log.latest()));  draw(run_steps(log.latest(), *estimate(plan)));
//
// Measured parts are means over the ranks, which add up to the step.

#include "core/evidence/calibration/fit/engine_event.h"
#include "core/answers/curves/figures.h"

#include <span>

namespace plimsoll {

inline constexpr int most_step_bars = 24;   // the latest steps; all of them are in the log

Figure run_loss(std::span<const EngineStep>, std::optional<double> floor = {});
Figure run_steps(std::span<const EngineStep>, const Estimate& predicted);
// A part of the step, measured and predicted; those that are nothing in both are left out.
struct PartRow {
    std::string label;
    Seconds measured, predicted;
};
std::vector<PartRow> compare_parts(const StepTime& measured, const StepTime& predicted);

// What the prediction is worth, in a sentence that goes with every comparison.
std::string calibration_note(const Machine&);

}  // namespace plimsoll

#pragma once
// A running job's drift, and whether another layout would pay, in words and figures: the
// command line prints what the window shows.
//
//   print(say_drift(d), say_verdict(d, 0.1));
//   if (d.departs(0.1)) { print_table(replan_headings(), cells of each reading); print(say_advice(readings)); }
//   draw(drift_steps(measured, drift, 0.1));
//   if (drift.parts) draw(drift_parts(*drift.parts, predicted.step));

#include "core/answers/curves/figures.h"
#include "core/answers/replan/replan.h"

#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

// "measured 1.3 s a step (1.29 s to 1.31 s, 31 steps), predicted 1 s: +30.0 %"
std::string say_drift(const Drift&);
// "That is within 10 %: the plan holds, nothing was searched."; empty where it departs by more than the share.
std::string say_verdict(const Drift&, double share);

// Columns of a table with one reading a row; the cells of a reading, the last of them its verdict.
std::vector<std::string> replan_headings();
std::vector<std::string> replan_cells(const Replan&);
// What "at worst" means: two sentences, on two lines.
std::string say_at_worst();

// The reading whose layout saves most should another reading be the right one; nothing where none is sure to save.
std::optional<std::size_t> safest(const std::vector<Replan>&);
// What to do, in a sentence: change, go on, or find out more first.
std::string say_advice(const std::vector<Replan>&);

// ---- Figures

// "drift-steps": every step as a point in the order of the file, their median, the prediction and the share around
// it that does not count. Without series where there are no steps or no prediction.
Figure drift_steps(const MeasuredSteps&, const Drift&, double share);
// "drift-parts": two bars, predicted and measured, of the parts that either has.
Figure drift_parts(const StepTime& measured, const StepTime& predicted);

}  // namespace plimsoll

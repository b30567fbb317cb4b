#pragma once
// A running job's steps against the prediction, as figures.
//
//   draw(drift_steps(measured, drift, 0.1));
//   if (drift.parts) draw(drift_parts(*drift.parts, predicted.step));

#include "core/answers/curves/figures.h"
#include "core/answers/replan/replan.h"

namespace plimsoll {

// "drift-steps": every step as a point in the order of the file, their median, the prediction and the share around
// it that does not count. Without series where there are no steps or no prediction.
Figure drift_steps(const MeasuredSteps&, const Drift&, double share);
// "drift-parts": two bars, predicted and measured, of the parts that either has.
Figure drift_parts(const StepTime& measured, const StepTime& predicted);

}  // namespace plimsoll

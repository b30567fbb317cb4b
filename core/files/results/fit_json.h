#pragma once
// A fit as JSON, for people who plot and for scripts that compare.
//
//   {"constants": [{"id", "knob", "of", "unit", "prior", "width", "value", "low", "high", "determined", "at_limit", "reason"}],
//    "sources": [{"source", "quantity", "rows", "before", "fitted", "left_out"}],
//    "score": {"time": {"before", "fitted", "left_out"}, "memory": {...}},
//    "pulls": [{"id", "quantity", "error", "shift"}], "loss", "steps", "converged"}
//
// Errors are fractions of the measured value; left_out is null where nothing was left out.

#include "core/evidence/fitting/fit.h"

#include <string>

namespace plimsoll {

std::string write_fit(const FitProblem&, const FitReport&);

}  // namespace plimsoll

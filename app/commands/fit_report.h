#pragma once
// A fit as text: errors per source, constants with their intervals, what the
// rows do not determine, and which rows pull hardest.

#include "core/evidence/fitting/fit.h"

#include <ostream>

namespace plimsoll {

void print_fit(std::ostream&, const FitProblem&, const FitReport&);

}  // namespace plimsoll

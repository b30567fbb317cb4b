#pragma once
// Why one layout beats another: the step, term by term.
//
//   const Difference d = difference(here.step, there.step);
//   say(d);   // "12 % less time: pipeline bubble 1.24 s less, recompute 410 ms less; but tensor-parallel wait 95 ms more"

#include "core/values/plan/breakdown.h"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

struct TermDifference {
    std::string_view label;
    Seconds before, after;
    Seconds change() const { return after - before; }
};

struct Difference {
    Seconds before, after;               // of the whole step
    std::vector<TermDifference> terms;   // that either step has, largest change first; they add up to the whole
};

Difference difference(const StepTime& before, const StepTime& after);
std::string say(const Difference&);

}  // namespace plimsoll

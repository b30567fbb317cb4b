#pragma once
// Which values of a knob leave the plan computable: what a spin box steps
// through and a remedy tries.

#include "core/values/knobs/knobs.h"

#include <vector>

namespace plimsoll {

// Values for which the plan has no obstacle at all or, where other knobs keep
// one, none on this knob; ascending, at most `most` of them nearest the present
// value. Only divisors are tried for integers with a divisibility rule; empty
// for continuous knobs. Well under a millisecond.
std::vector<double> valid_values(const Scenario&, const Knob&, int most = 64);

}  // namespace plimsoll

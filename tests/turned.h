#pragma once
// A plan with one knob turned, for tests.

#include "core/values/knobs/knobs.h"

namespace plimsoll::testing {

inline Scenario turned(const Scenario& s, const char* knob, double value) { return *with(s, *find_knob(knob), value); }

}  // namespace plimsoll::testing

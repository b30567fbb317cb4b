#pragma once
// What tensor-parallel ranks wait for: all-reduces of a line, gathers of a grid.

#include "core/answers/explain/explain_step.h"

namespace plimsoll {

Term explain_tensor(const StepParts&);

}  // namespace plimsoll

#pragma once
// What ranks that share a sequence wait for, step by step.

#include "core/answers/explain/explain_step.h"

namespace plimsoll {

Term explain_context(const StepParts&);

}  // namespace plimsoll

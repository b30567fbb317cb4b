#pragma once
// Expert all-to-alls in their parts: copies of a token, levels they cross, what
// the stack hides, and the bytes of a whole step.

#include "core/answers/explain/explain_step.h"

namespace plimsoll {

Term explain_exchange(const StepParts&);              // step.expert_exchange
Term explain_exchange_volume(const Scenario&);        // bytes of all ranks per step

}  // namespace plimsoll

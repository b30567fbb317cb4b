#pragma once
// The parts of the step that are so much a layer: products, attention,
// elementwise traffic, recomputation; dense layers and those with experts apart.

#include "core/answers/explain/explain_step.h"

namespace plimsoll {

Term micro_term(const StepParts&);         // micro-batches per step
Term at_speed(const StepParts&, int stage, Term work);   // of the machine's device, as the stage's cluster does it
Term explain_gemms(const StepParts&);
Term explain_attention(const StepParts&);
Term explain_elementwise(const StepParts&);
Term explain_recompute(const StepParts&);

}  // namespace plimsoll

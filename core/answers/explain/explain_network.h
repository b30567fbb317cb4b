#pragma once
// Communication as trees: which algorithm, over which levels, at which rate.

#include "core/answers/explain/explain_step.h"
#include "core/answers/explain/term.h"
#include "core/costs/network/network.h"

namespace plimsoll {

// `passes` 2 for an all-reduce, 1 for a gather or scatter of a full buffer.
Term explain_transfer(const Machine&, const Span&, Bytes payload, int passes, const std::string& label);
// A ZeRO-3 gather at the stack's achieved share of the network.
Term explain_sharded(const Scenario&, Bytes payload, const std::string& label);
// Exposed gradient reduction of the heaviest stage.
Term explain_gradients(const StepParts&);

}  // namespace plimsoll

#pragma once
// Communication as trees: which algorithm, over which levels, at which rate,
// and what the codec adds.

#include "core/answers/explain/explain_step.h"
#include "core/answers/explain/term.h"
#include "core/costs/network/data_parallel.h"

namespace plimsoll {

// The collective as costs/network.h prices it.
Term explain_transfer(const Scenario&, const Span&, Bytes payload, Collective, const Coding&, const std::string& label);
// A gather or scatter of ZeRO-3 on a stage, at the stack's achieved share of the network.
Term explain_sharded(const Scenario&, int stage, const LayerBytes&, Collective, const Coding&, const std::string& label);
// What a level of the network, or a cluster's own, achieves over the whole of a message.
Term explain_rate(const Machine&, const Hop&, Bytes message, Collective = Collective::all_reduce);
std::string network_name(const Machine&, const Hop&);
// Exposed gradient reduction of the heaviest stage.
Term explain_gradients(const StepParts&);

}  // namespace plimsoll

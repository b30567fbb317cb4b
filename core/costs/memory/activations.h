#pragma once
// What one layer keeps between its passes, per micro-batch and rank.
//
// Bytes follow Korthikanti et al. 2022 (34 s b h + 5 a s^2 b for the GPT block without
// parallelism), generalised to grouped-query attention, gated feed-forward and missing
// dropout.
//
// Zero-bubble schedules: once a micro-batch's input gradient is done, a layer keeps the
// operands of its weight products until they run, inputs and output gradients, and drops
// the rest.

#include "core/values/plan/scenario.h"

namespace plimsoll {

// What one layer keeps for its backward pass, per micro-batch and rank.
struct LayerActivations {
    Bytes replicated;   // on every tensor rank unless sequence parallelism splits it
    Bytes sharded;      // split over the tensor ranks
    Bytes scores;       // attention matrix or, fused, its row statistics
    Bytes routed;       // of the busiest rank: token copies and what its experts make of them, router scores
    Bytes total() const { return replicated + sharded + scores + routed; }
};
// All per layer and micro-batch.
LayerActivations layer_activations(const Scenario&, Block = Block::dense);  // nothing recomputed
Bytes stored_activations(const Scenario&, Block = Block::dense);   // of a recomputed layer: what the layout keeps
Bytes waiting_activations(const Scenario&, Block = Block::dense);  // while its weight gradients wait
Bytes layer_input(const Scenario&);
Bytes attention_output(const Scenario&);                           // before its projection

}  // namespace plimsoll

#pragma once
// Tensors of one layer that live only inside one of its passes, of one rank and
// micro-batch: products before they are added up or activated, gradients on
// their way back, gathered inputs under sequence parallelism. What the backward
// pass needs is counted elsewhere (memory.h).

#include "core/papers/block_plan.h"
#include "core/values/plan/scenario.h"

namespace plimsoll {

struct Transient {
    const char* name;
    MemoryBlock block;
};
// Operators in order are the steps: forward 0 to 9, or backward 0 to 9.
std::vector<Transient> forward_transients(const Scenario&);
std::vector<Transient> backward_transients(const Scenario&);

// Both levels of MEMO's plan: a layer's own tensors, then layers as blocks among
// the residual stream between them and the logits.
struct TransientPlan {
    BlockPlacement forward, backward;   // of one layer
    Bytes peak, bound;             // of the model
    bool exact = false;            // both layer plans are proven optima
    double lost() const { return bound > Bytes{} ? peak / bound : 1; }  // 1: nothing
};
TransientPlan plan_transients(const Scenario&);

}  // namespace plimsoll

#pragma once
// Placing blocks of known size and lifetime in one stretch of memory before
// anything runs (offline dynamic storage allocation), as MEMO does for the
// transient tensors of a layer (Zhao et al. 2024, section 4.3): minimise M with
// offset + size <= M and no two blocks that live at once overlapping.
//
//   BlockPlacement p = place_best_fit(blocks);           // fast, near the bound
//   BlockPlacement q = *place_exact(blocks, 1'000'000);  // the optimum, for a few blocks

#include "core/values/basics/units.h"
#include "core/values/plan/scenario.h"

#include <optional>
#include <span>
#include <vector>

namespace plimsoll {

struct MemoryBlock {
    Bytes size;
    int born = 0, freed = 0;   // lives in steps born .. freed - 1
};
inline bool live_together(const MemoryBlock& a, const MemoryBlock& b) { return a.born < b.freed && b.born < a.freed; }

struct BlockPlacement {
    std::vector<Bytes> offset;  // of each block, in the order given
    Bytes peak;
};

// No placement needs less: the most bytes alive in one step.
Bytes most_alive(std::span<const MemoryBlock>);
// Largest first, each into the tightest gap that holds it (Pisarchyk and Lee 2020).
BlockPlacement place_best_fit(std::span<const MemoryBlock>);
// Branch and bound over the orders in which blocks lie on each other; nothing if
// `most_nodes` branches do not prove an optimum.
std::optional<BlockPlacement> place_exact(std::span<const MemoryBlock>, long most_nodes);

// Tensors of one layer that live only inside one of its passes, of one rank and
// micro-batch: products before they are added up or activated, gradients on
// their way back, gathered inputs under sequence parallelism. What the backward
// pass needs is counted elsewhere (memory.h).

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

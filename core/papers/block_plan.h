#pragma once
// Placing blocks of known size and lifetime in one stretch of memory before
// anything runs (offline dynamic storage allocation), as MEMO does for the
// transient tensors of a layer (Zhao et al. 2024, section 4.3): minimise M with
// offset + size <= M and no two blocks that live at once overlapping.
//
//   BlockPlacement p = place_best_fit(blocks);           // fast, near the bound
//   BlockPlacement q = *place_exact(blocks, 1'000'000);  // the optimum, for a few blocks

#include "core/values/basics/units.h"

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

}  // namespace plimsoll

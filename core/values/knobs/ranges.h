#pragma once
// How far the whole numbers of model, layout and recipe go, and the shares the rest divides by: each range once. The
// row of the knob names it, check() refuses what lies outside it, and a file holds no more.
//
// Several are wider than what the knob can be turned to: a plan beyond that opens, and estimate() says why it has no
// numbers. Narrow enough that no product of two of them overflows an int where the planner multiplies them.

#include "core/values/basics/number_range.h"

namespace plimsoll::ranges {

// Layout
inline constexpr NumberRange degree{1, 16384};        // of a kind of parallelism
inline constexpr NumberRange ranks{1, 1e8};           // all devices, or all replicas
inline constexpr NumberRange shard_group{0, 1e8};     // 0: as many as there are
inline constexpr NumberRange micro_batch{1, 1e6};
inline constexpr NumberRange recomputed_layers{0, 1e6};
inline constexpr NumberRange zero_stage{0, 3};
inline constexpr NumberRange share{0, 1};

// Recipe
inline constexpr NumberRange batch{1, 1e9};
inline constexpr NumberRange sequence{1, 1 << 24};
inline constexpr NumberRange document{0, 1 << 24};   // tokens; 0: one a sequence
inline constexpr NumberRange variation{0, 10};
inline constexpr NumberRange examples{0, 1e12};        // 0: tokens are stated
inline constexpr NumberRange epochs{1e-6, 1e6};
inline constexpr NumberRange tokens{1, 1e18};
inline constexpr NumberRange factor_block{0, 1 << 20};
inline constexpr NumberRange adapter_rank{1, 1 << 16};
inline constexpr NumberRange steps_between{1, 1e6};
inline constexpr NumberRange widest_side{0, 1 << 20};
inline constexpr NumberRange muon_iterations{1, 32};
inline constexpr NumberRange rate_share{1e-12, 1};
inline constexpr NumberRange iteration_reduction{1e-3, 1e3};

// Model
inline constexpr NumberRange layers{1, 10000};
inline constexpr NumberRange some_layers{0, 10000};
inline constexpr NumberRange stream{1, 1 << 20};      // hidden, or one head that is as wide
inline constexpr NumberRange heads{1, 1 << 16};
inline constexpr NumberRange width{1, 1 << 22};       // of a feed-forward block
inline constexpr NumberRange width_or_none{0, 1 << 22};
inline constexpr NumberRange vocabulary{1, 1e8};
inline constexpr NumberRange vocabulary_padding{1, 1 << 16};
inline constexpr NumberRange positions{0, 1 << 24};   // rows of a table, tokens of a window
inline constexpr NumberRange norms{0, 16};
inline constexpr NumberRange attention_density{1e-6, 1};
inline constexpr NumberRange experts{0, 1 << 16};
inline constexpr NumberRange chosen_experts{1, 1 << 16};
inline constexpr NumberRange shared_experts{0, 1 << 10};
inline constexpr NumberRange capacity{0, 1000};
inline constexpr NumberRange imbalance{1, 1000};
inline constexpr NumberRange exchange_ratio{1e-3, 1};
inline constexpr NumberRange further_tokens{0, 16};
inline constexpr NumberRange heads_or_none{0, 1 << 16};
inline constexpr NumberRange head_or_none{0, 1 << 16};    // width of one head
inline constexpr NumberRange convolution{0, 64};
inline constexpr NumberRange streams{1, 64};
inline constexpr NumberRange latent_width{0, 1 << 16};

// Machine
inline constexpr NumberRange devices_per_node{1, 1024};
inline constexpr NumberRange nodes{1, 1e7};

}  // namespace plimsoll::ranges

#pragma once
// Layouts in words: a line of a ranking, a point's label, an undo step.

#include "core/answers/search/search.h"
#include "core/values/basics/names.h"

#include <string>

namespace plimsoll {

template <> std::span<const std::string_view> names_of<Objective>();   // "time", "node-hours"

// "tensor 8 SP x pipeline 8 x 3 x data 16, micro-batch 1, selective, ZeRO-1"; what is at its default is left out.
std::string say_layout(const Layout&);
// "tensor 8 x pipeline 8 x data 16", for narrow places.
std::string say_degrees(const Layout&);
// What does not follow from the node count: "TP 8 PP 4", "TP 8 CP 2 PP 4 EP 8".
std::string say_model_parallel(const Layout&);
// What the search of a space around a plan does not try: "tensor ranks across nodes, grids, context ranks". Empty where
// it tries all that is known.
std::string say_left_out(const Space&, const Scenario&);
// "32 layers x 4096, 32 heads": what a model's size is made of.
std::string say_shape(const Model&);
// Where the best may not fit, which of those found surely does: "The best may not fit (93 % of a device). ..." Empty
// where the best surely fits, and where nothing was found.
std::string say_surely(const SearchResult&);
// "needs 92.1 GiB of 80 GiB of device memory, 15 % too much"
std::string say_miss(const NearMiss&);

}  // namespace plimsoll

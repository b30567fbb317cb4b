#pragma once
// Why one layout beats another, in a sentence.

#include "core/answers/search/winner.h"

#include <string>

namespace plimsoll {

// "12 % less time: pipeline bubble 1.24 s less, recompute 410 ms less; but tensor-parallel wait 95 ms more":
// of the changes() between two steps the largest, up to three of each sign.
std::string say_changes(Seconds before, Seconds after, const std::vector<PartChange>&);

}  // namespace plimsoll

#pragma once
// How many edits apart two words are, for "did you mean".

#include <cstddef>
#include <string_view>

namespace plimsoll {

// Insertions, deletions and substitutions (Levenshtein), letter case aside.
// Takes the product of the lengths: callers cut long words.
std::size_t edit_distance(std::string_view, std::string_view);

}  // namespace plimsoll

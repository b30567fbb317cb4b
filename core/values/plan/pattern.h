#pragma once
// Patterns of letters, a letter a layer, as model files and frameworks write them.
//
//   expanded("(GGGA)x12", 1000)            // "GGGAGGGA...", 48 letters
//   expanded("MEMEM*E", 1000)              // as it stands: * is a letter where no number follows
//   expanded("Et*3|(tt|)*29,m|L", 1000)    // Megatron's layout of a pipeline
//
// Spaces and commas separate and mean nothing.

#include "core/values/basics/expected.h"

#include <string>
#include <string_view>

namespace plimsoll {

// At most so many letters; or what is wrong with the text, in words.
Expected<std::string, std::string> expanded(std::string_view text, std::size_t most);

}  // namespace plimsoll

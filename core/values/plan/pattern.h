#pragma once
// Patterns of letters, a letter a layer, as model files and frameworks write them.
//
//   expanded("(GGGA)x12", 1000)            // "GGGAGGGA...", 48 letters
//   expanded("MEMEM*E", 1000)              // as it stands: * is a letter where no number follows
//   expanded("Et*3|(tt|)*29,m|L", 1000)    // Megatron's layout of a pipeline
//   folded("GGGAGGGA")                     // "(GGGA)x2", the shortest that expanded() writes out again
//
// Spaces and commas separate and mean nothing.

#include "core/values/basics/expected.h"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

// At most so many letters; or what is wrong with the text, in words.
Expected<std::string, std::string> expanded(std::string_view text, std::size_t most);

// Letters that stand so many times one behind the other.
struct PatternRun {
    std::string letters;
    int times = 1;
    friend bool operator==(const PatternRun&, const PatternRun&) = default;
};
// Written out letters in as few as tell them all, a letter and a bracket counting as one; repetitions inside
// repetitions stay written out.
std::vector<PatternRun> runs_of(std::string_view letters);
std::string folded(std::string_view letters);

}  // namespace plimsoll

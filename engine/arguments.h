#pragma once
// Arguments that lie in a file: a batch script hands them over so, and no shell
// on the way takes them apart.
//
//   const auto words = with_files({"@args", "--steps", "3"});   // the lines of `args`, then the rest

#include "core/values/basics/expected.h"

#include <string>
#include <vector>

namespace plimsoll::engine {

// Every word "@FILE" replaced by the lines of FILE, one argument each, spaces and all; empty lines count for
// nothing, and a line that begins with @ is an argument. Otherwise which file cannot be read.
Expected<std::vector<std::string>, std::string> with_files(const std::vector<std::string>& arguments);

}  // namespace plimsoll::engine

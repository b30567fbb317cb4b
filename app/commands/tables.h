#pragma once
// Aligned text tables for the terminal.

#include "core/values/basics/text.h"

#include <string>
#include <vector>

namespace plimsoll {

using TextRow = std::vector<std::string>;
using TextRows = std::vector<TextRow>;

// First row is the header; columns that hold numbers are right-aligned.
std::string table(const TextRows&);

}  // namespace plimsoll

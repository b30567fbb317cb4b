#pragma once
// Aligned text tables for the terminal.

#include "core/values/basics/text.h"

#include <string>
#include <vector>

namespace plimsoll {

// First row is the header; columns that hold numbers are right-aligned.
std::string table(const std::vector<std::vector<std::string>>& rows);

}  // namespace plimsoll

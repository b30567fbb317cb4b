#pragma once
// Aligned text tables for the terminal.

#include <string>
#include <vector>

namespace plimsoll {

// First row is the header; columns that hold numbers are right-aligned.
std::string table(const std::vector<std::vector<std::string>>& rows);
std::string fixed(double value, int decimals);
std::string percent(double fraction, int decimals = 1);  // +3.4 %

}  // namespace plimsoll

#pragma once
// What the words of settings mean as numbers, switches and lists. Internal to core/files.

#include <optional>
#include <string_view>
#include <vector>

namespace plimsoll::files {

std::optional<long long> whole_of(std::string_view word);      // "8", "8_192", "1e3", "2**20"; at most 256 characters
std::optional<double> number_of(std::string_view word);
std::optional<bool> flag_of(std::string_view word);            // "" is a switch: true
bool is_nothing(std::string_view word);                        // "null", "None", "~"
// "[0, 1, 1]", "([0]*3+[1]*58)": a list of whole numbers in Python's words, at most 4,096 long.
std::optional<std::vector<int>> list_of(std::string_view word);

}  // namespace plimsoll::files

#pragma once
// Which keys a line of each type has, and what they hold: PROTOCOL.md as a table.
//
//   problems_of_keys({{"type", "warn"}, ...})  ->  "warn without text", "warn: rank is a text, not a count"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace plimsoll::engine {

// Of an object. Keys that are not in the table are let pass, and so are types.
std::vector<std::string> problems_of_keys(const nlohmann::ordered_json& line);

}  // namespace plimsoll::engine

#pragma once
// The JSON Schemas of the files that people write by hand, made from the tables that the readers use.
//
//   schema_text("machine")     // the text of presets/schema/machine.schema.json

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace plimsoll {

std::span<const std::string_view> schema_kinds();  // "model", "machine", "stack", "scenario", "fit", "published-runs"
std::optional<std::string> schema_text(std::string_view kind);

}  // namespace plimsoll

#pragma once
// Model, Machine and Stack as JSON text, both ways. write(read(x)) == x.
//
// Readers collect every problem with its JSON pointer, the expected range and
// the nearest known key; unknown keys are warnings. Errors: syntax, wrong
// schema or newer version, missing or mistyped fields, values out of range.

#include "core/files/text/problem.h"
#include "core/values/plan/scenario.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace plimsoll {

struct ModelFile { Model model; Problems warnings; };
struct MachineFile { Machine machine; Problems warnings; };
struct StackFile { Stack stack; Problems warnings; };

Expected<ModelFile, Problems> read_model(std::string_view json, const std::string& file = {});
Expected<MachineFile, Problems> read_machine(std::string_view json, const std::string& file = {});
Expected<StackFile, Problems> read_stack(std::string_view json, const std::string& file = {});
std::string write_model(const Model&);      // two-space indent, fixed key order, final newline
std::string write_machine(const Machine&);
std::string write_stack(const Stack&);

// The JSON Schemas of the files that people write by hand, made from the tables that the readers use.
//
//   schema_text("machine")     // the text of presets/schema/machine.schema.json

// "model", "machine", "stack", "scenario", "fit", "published-runs", "left-out", "programme"
std::span<const std::string_view> schema_kinds();
std::optional<std::string> schema_text(std::string_view kind);

}  // namespace plimsoll

#pragma once
// The parts of a scenario (model, machine, stack) as JSON values, for the
// preset files and for the scenario files that build on them. Internal.

#include "core/files/text/fields.h"
#include "core/values/plan/scenario.h"

namespace plimsoll::files {

inline constexpr int preset_version = 1;  // newest that is read, and the one written

inline constexpr std::string_view id_pattern = "^[a-z0-9][a-z0-9.-]*$";
inline constexpr std::string_view month_pattern = "^[0-9]{4}-[0-9]{2}$";

template <class Part>
std::string_view schema_of();
template <> std::string_view schema_of<Model>();
template <> std::string_view schema_of<Machine>();
template <> std::string_view schema_of<Stack>();

// The JSON Schema of a file: what the rows of its tables say.
template <class Part>
OrderedJson preset_schema();
template <> OrderedJson preset_schema<Model>();
template <> OrderedJson preset_schema<Machine>();
template <> OrderedJson preset_schema<Stack>();
OrderedJson scenario_schema();
OrderedJson fit_schema();
OrderedJson published_runs_schema();

// Fields, ranges and what must agree between them; notes everything in the reader's findings.
void read_part(const Reader&, Model&);
void read_part(const Reader&, Machine&);
void read_part(const Reader&, Stack&);
OrderedJson write_part(const Model&);
OrderedJson write_part(const Machine&);
OrderedJson write_part(const Stack&);

// Two-space indent and a final newline; bytes that are not UTF-8 are replaced.
std::string text_of(const OrderedJson&);

}  // namespace plimsoll::files

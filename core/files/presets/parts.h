#pragma once
// The parts of a plan as JSON values: for preset files, for the plans that build on them and for answers that
// repeat a plan. Internal to core/files.

#include "core/files/text/fields.h"
#include "core/values/basics/phrase.h"
#include "core/values/plan/scenario.h"

namespace plimsoll {
struct Library;   // core/files/presets/library.h
}

namespace plimsoll::files {

inline constexpr int preset_version = 1;  // newest that is read, and the one written

inline constexpr std::string_view month_pattern = "^[0-9]{4}-[0-9]{2}$";

// Models of several kinds of layers are written as version 2, which an older Plimsoll refuses; all others as version 1.
inline constexpr int newest_model_version = 2;

template <class Part>
constexpr int newest_version() { return preset_version; }
template <>
constexpr int newest_version<Model>() { return newest_model_version; }

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
OrderedJson left_out_json_schema();
OrderedJson programme_schema();

// Fields, ranges and what must agree between them; notes everything in the reader's findings.
void read_part(const Reader&, Model&);
void read_part(const Reader&, Machine&);
void read_part(const Reader&, Stack&);
OrderedJson write_part(const Model&);
OrderedJson write_part(const Machine&);
OrderedJson write_part(const Stack&);

// Pointers of the values in which two presets differ (own_values.cpp).
std::vector<std::string> values_that_differ(const Model& from, const Model& to);
std::vector<std::string> values_that_differ(const Machine& from, const Machine& to);
std::vector<std::string> values_that_differ(const Stack& from, const Stack& to);

// Two-space indent and a final newline; bytes that are not UTF-8 are replaced.
std::string text_of(const OrderedJson&);
std::string compact_text_of(const OrderedJson&);  // in one line

// What `write` makes of each.
template <class Range, class Write>
OrderedJson json_list(const Range& all, Write write) {
    OrderedJson list = OrderedJson::array();
    for (const auto& each : all) list.push_back(write(each));
    return list;
}

// ---- Layout, recipe and compression of a plan, with what a file may leave out

// Either of devices and data_parallel follows from the other.
void read_layout(const Reader& root, Layout&);
// The tiers alone, as inside a layout; nothing where the object is faulty.
std::optional<Offload> read_offload(const Reader&);
// After the model: length and tokens default to what it was published with.
void read_recipe(const Reader& root, Scenario&);
// Optional: a file without it compresses nothing.
void read_compression(const Reader& root, Compression&);
OrderedJson layout_schema();
OrderedJson recipe_schema();
void read_method(const Reader& root, Method&);   // absent: pre-training
OrderedJson method_schema();
OrderedJson write_method(const Method&);
OrderedJson compression_schema();
OrderedJson write_compression(const Compression&);
OrderedJson write_layout(const Layout&);
OrderedJson write_recipe(const Recipe&);

// The whole plan under "plan", which has to be there; what is wrong with it is noted in the reader's findings.
std::optional<Scenario> read_member_plan(const Reader&, const Library&);

// ---- What was measured of a machine, as "calibration" in its preset

// Points stand in rows below a header of columns, which may come in any order: hundreds of them stay readable and
// small. Times are in seconds.
struct CalibrationField : Object {
    static void read(const Field&, const Reader&, CalibrationRecord&);
    static OrderedJson write(const Field&, const CalibrationRecord&);  // null where nothing was measured
    static OrderedJson schema(const Field&);
};

}  // namespace plimsoll::files

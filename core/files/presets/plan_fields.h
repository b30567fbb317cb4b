#pragma once
// Layout, recipe and compression of a scenario file, with what a file may leave out. Internal.

#include "core/files/text/fields.h"
#include "core/values/plan/scenario.h"

namespace plimsoll::files {

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
OrderedJson compression_schema();
OrderedJson write_compression(const Compression&);
OrderedJson write_layout(const Layout&);
OrderedJson write_recipe(const Recipe&);

}  // namespace plimsoll::files

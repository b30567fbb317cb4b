#pragma once
// Published runs as files: a source, what its rows have in common, and per row
// what differs and what was measured.
//
//   {"schema": "plimsoll/runs", "version": 1, "id", "title",
//    "source": {"kind", "text"},
//    "common": {"machine": "selene", "stack": ..., "layout": {...}, "recipe": {...}},
//    "rows": [{"id", "model", "layout": {...}, "recipe": {...}, "note",
//              "published": {"hardware_TFLOPS": 137}}]}

#include "core/answers/published/validate.h"
#include "core/files/presets/library.h"
#include "core/files/text/problem.h"

#include <string>
#include <string_view>

namespace plimsoll {

Expected<RunSet, Problems> read_runs(std::string_view json, const Library&, const std::string& file = {});

}  // namespace plimsoll

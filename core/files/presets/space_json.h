#pragma once
// A search space from a file: which values each axis may take.
//
//   {"schema": "plimsoll/space", "version": 1, "name": "ours", "from": "common",
//    "tensor_parallel": [4, 8], "zero_stage": [1], "schedule": ["1f1b", "interleaved"]}
//
// What the file leaves out is as in the space it starts `from` (common or full).

#include "core/answers/search/space.h"
#include "core/files/text/problem.h"
#include "core/values/basics/expected.h"

namespace plimsoll {

Expected<Space, Problems> read_space(std::string_view text, const std::string& file);

}  // namespace plimsoll

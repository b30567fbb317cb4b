#pragma once
// Errors of published rows as the other sources predict them, as a file that ships: presets/fits/left_out.json.
//
//   {"schema": "plimsoll/left-out", "version": 1, "id": "left_out", "recipe": "shipped", "note": "...",
//    "columns": ["source", "id", "quantity", "experts", "shipped", "left_out"],
//    "rows": [["megatron-sc21", "megatron-sc21/t1-1.7B", "time", false, 0.0132, 0.0145], ...]}
//
// Errors are predicted / measured - 1: with the presets as they ship, and with constants fitted to the other sources.

#include "core/evidence/published/left_out.h"
#include "core/files/text/problem.h"

#include <string>
#include <string_view>

namespace plimsoll {

std::string write_left_out(const LeftOut&);   // one row a line
Expected<LeftOut, Problems> read_left_out(std::string_view json, const std::string& file = {});

}  // namespace plimsoll

#pragma once
// Which constants are fitted to which rows, as a file: a fit that can be run again.
//
//   {"schema": "plimsoll/fit", "version": 1, "id": "shipped", "title": "...",
//    "rows": ["vtrain-single", "megatron-sc21"],          // ids of published rows or files; none: all shipped
//    "dense_only": true,                                   // leave mixtures of experts out
//    "constants": [{"knob": "stack.host_layer_ms", "of": ["deepspeed-3d"], "prior": 0.75, "width": 0.25,
//                   "reason": "..."}]}
//
// "of" names device families, machines or stacks. Without "prior" the presets'
// present value is the prior, without "width" the usual one (fitting/constants.h).

#include "core/evidence/fitting/constants.h"
#include "core/files/text/problem.h"

#include <string_view>

namespace plimsoll {

struct FitRecipe {
    std::string id, title;
    std::vector<std::string> rows;
    bool dense_only = false;
    std::vector<Constant> constants;
};

Expected<FitRecipe, Problems> read_fit_recipe(std::string_view json, const Machines&, const Stacks&,
                                              const std::string& file = {});

}  // namespace plimsoll

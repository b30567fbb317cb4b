#pragma once
// Which constants are fitted to which rows, as a file: a fit that can be run again.
//
//   {"schema": "plimsoll/fit", "version": 1, "id": "shipped", "title": "...",
//    "rows": ["vtrain-single", "megatron-sc21"],          // ids of published rows or files; none: all shipped
//    "dense_only": true,                                   // leave mixtures of experts out
//    "constants": [{"knob": "stack.host_layer_ms", "of": ["deepspeed-3d"], "prior": 0.75, "width": 0.25,
//                   "reason": "..."}],
//    "hold_back": {"rule": "...", "modulus": 10, "remainder": 7, "rows_of": ["nanotron-playbook"],
//                  "sources": ["tpu-recipes"]}}           // rows that no fit sees (fitting/hold_back.h)
//
// "of" names device families, machines or stacks. Without "prior" the presets'
// present value is the prior, without "width" the usual one (fitting/constants.h).
//
//   {"knob": "machine.device.efficiency.gemm_ceiling", "name": "Hopper", "prior": 0.7, "width": 0.1},
//   {"knob": "machine.device.efficiency.gemm_ceiling", "of": ["GH200"], "pooled_with": "Hopper", "width": 0.03}
//
// "pooled_with" names the constant of the same knob, listed before, that the prior is centred on: on its value, or on
// that times the ratio of the two priors where both state one. A family that no machine or stack has itself leaves "of"
// out. A machine or stack that one constant names by its id is not part of another that names its family.

#include "core/evidence/fitting/constants.h"
#include "core/evidence/fitting/hold_back.h"
#include "core/files/text/problem.h"

#include <string_view>

namespace plimsoll {

struct FitRecipe {
    std::string id, title;
    std::vector<std::string> rows;
    bool dense_only = false;
    std::vector<Constant> constants;
    HoldBack hold_back;
};

Expected<FitRecipe, Problems> read_fit_recipe(std::string_view json, const Machines&, const Stacks&,
                                              const std::string& file = {});

}  // namespace plimsoll

#pragma once
// What a plan tunes of a model, in words of files and terminals, and which FLOP its rates count.
//
//   say_method(s);             // "fine-tuning of adapters of rank 16 (q_proj, v_proj): 6.82M trained parameters ..."
//   say_flop_count(s.method);  // "4 N FLOP a token"
//
// Both are empty in pre-training.

#include "core/values/plan/scenario.h"

#include <string>

namespace plimsoll {

// FLOP of a token for each parameter that it passes, besides attention: products with frozen weights lack the gradient
// of these, and a reference model adds its forward pass.
constexpr int flop_of_parameter(const Method& m) { return (trains_adapters(m) ? 4 : 6) + (runs_reference(m) ? 2 : 0); }

std::string say_method(const Scenario&);
std::string say_flop_count(const Method&);

}  // namespace plimsoll

#pragma once
// A decoder-only model from the shapes of its weights: what the planner needs to
// price a step. The count of heads is not in any shape and has to be given.
//
//   Expected<Model, std::vector<std::string>> m = model_of(shapes, 32);
//   parameters(*m) == parameters(shapes)      // exact: what the formula misses is extra_parameters

#include "core/values/basics/expected.h"
#include "core/values/plan/shapes.h"

namespace plimsoll {

// Or, in sentences, everything that keeps it from being one: an encoder, no
// vocabulary, heads that do not divide.
Expected<Model, std::vector<std::string>> model_of(const ShapeList&, int heads);

// Blocks numbered inside it, e.g. "encoder.block." and "decoder.block." of T5.
std::vector<std::string> stacks_of(const ShapeList&);

}  // namespace plimsoll

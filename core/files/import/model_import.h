#pragma once
// A model from what frameworks leave behind: Hugging Face's config.json, or the
// names and shapes of its weights.
//
//   Expected<ImportedModel, Problems> m = import_model(text, {.file = "config.json"});
//   if (m->model) scenario.model = *m->model;
//   tensor_plan(m->shapes, 8).per_device;        // works for encoder-decoders too
//
// Shapes are an object {"name": [rows, columns], ...}; the header of a
// safetensors file, {"name": {"shape": [...], ...}, ...}, reads the same.

#include "core/files/text/problem.h"
#include "core/values/basics/expected.h"
#include "core/values/plan/shapes.h"

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll {

struct ImportOptions {
    std::string file;  // as named in problems, and what the model is called without a name
    std::string name;  // of the model; empty: its own or the file's
    int heads = 0;     // for a list of shapes, which does not say
};

struct ImportedModel {
    std::optional<Model> model;  // absent where shapes alone do not make a decoder: `remarks` say why
    ShapeList shapes;
    Problems remarks;            // warnings
};

Expected<ImportedModel, Problems> import_model(std::string_view json, const ImportOptions&);

// Neither a plan nor a preset of ours, but an object that import_model may read.
bool is_importable(std::string_view json);

// Model types of config.json that are understood, in alphabetical order.
std::vector<std::string> importable_model_types();

// ---- From shapes alone

// A decoder-only model from the shapes of its weights: what the planner needs to
// price a step. The count of heads is not in any shape and has to be given.
//
//   Expected<Model, std::vector<std::string>> m = model_of(shapes, 32);
//   parameters(*m) == parameters(shapes)      // exact: what the formula misses is extra_parameters
//
// Or, in sentences, everything that keeps it from being one: an encoder, no
// vocabulary, heads that do not divide.
Expected<Model, std::vector<std::string>> model_of(const ShapeList&, int heads);

// Blocks numbered inside it, e.g. "encoder.block." and "decoder.block." of T5.
std::vector<std::string> stacks_of(const ShapeList&);

}  // namespace plimsoll

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

}  // namespace plimsoll

#pragma once
// A model as the list of its weight tensors: what any framework can print, and
// all that is needed to cut it over tensor ranks and to count its states.
//
//   ShapeList list = shapes_of(model);       // of a decoder the planner knows
//   parameters(list) == parameters(model) - model.extra_parameters

#include "core/values/plan/model.h"

#include <string>
#include <vector>

namespace plimsoll {

struct TensorShape {
    std::string name;          // "model.layers.3.mlp.down_proj.weight"
    std::vector<int> shape;    // [4096, 11008]
    friend bool operator==(const TensorShape&, const TensorShape&) = default;
};
double elements(const TensorShape&);

struct ShapeList {
    std::string name;
    std::vector<TensorShape> tensors;
    friend bool operator==(const ShapeList&, const ShapeList&) = default;
};
double parameters(const ShapeList&);

// Names as in Hugging Face's LLaMA, matrices as [outputs, inputs], experts stacked
// in front; `extra_parameters` belong to no tensor.
ShapeList shapes_of(const Model&);

}  // namespace plimsoll

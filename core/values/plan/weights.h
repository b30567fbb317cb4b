#pragma once
// The weights of one layer, written down once: parameter counts, matrix products, the shapes of tensors and what
// optimizers keep by matrix all follow from this list.
//
//   for (const Weight& w : weights_of(model, dense_layer)) parameters += w.elements();
//
// A weight that takes part in a product is listed as the product sees it: queries, keys and values are one matrix, and
// so are both branches of a gated feed-forward block. `parts` says how many tensors stand beside each other in it.

#include "core/values/basics/short_list.h"
#include "core/values/plan/layer.h"
#include "core/values/plan/method.h"
#include "core/values/plan/parameters.h"

namespace plimsoll {

// How tensor ranks cut a matrix: by its outputs, by its inputs, or not at all, where every rank multiplies its own
// tokens, or all of them as the others do. Those of routed experts are cut in either way over the ranks that share one
// expert.
enum class Split { columns, rows, none, repeated };

struct Weight {
    const char* id;        // of its product
    const char* label;
    ParameterGroup group;    // of the matrix; its biases are vectors
    Split split;
    double in, out;        // inputs and outputs of one copy
    double copies = 1;     // experts, of which each has one
    double biases = 0;     // elements of one copy
    std::array<double, 3> parts{};   // outputs of the tensors in it, where there are several
    bool shared = false;             // by all layers of its kind
    bool trained = true;             // off: frozen beside adapters
    double matrix() const { return in * out; }
};

// The module that computes such a product (layout.h).
Module module_of_product(std::string_view id);
bool in_module(Module of_product, Module);   // experts hold the shared ones

// With the adapters of a method that has some, each behind its matrix.
using Weights = ShortList<Weight, 52>;
Weights weights_of(const Model&, const LayerKind&, const Method& = {});

// Adapters of a layer, each a pair of products.
int adapters_of(const Model&, const LayerKind&, const Method&);

// Their sums, of a layer and of the model. Extra parameters that a model states belong to no group.
Parameters layer_parameters(const Model&, const LayerKind&, const Method& = {});
// The same apart: what every layer holds itself, and what all layers of the kind hold once.
struct KindParameters {
    Parameters layer, own, shared;
    void add_to(Parameters& sum, int layers) const {   // what so many layers hold
        sum.add(layers, own);
        if (layers > 0) sum.add(1, shared);
    }
};
KindParameters kind_parameters(const Model&, const LayerKind&, const Method& = {});
Parameters grouped_parameters(const Model&, const Method& = {});
inline double trained_parameters(const Model& m, const Method& method) {
    return grouped_parameters(m, method).trained.total();
}
double expert_parameters(const Model&);     // one routed expert
// Weight matrices only: they do the FLOP. Of a layer with experts those one token passes, its router left out, as
// Megatron counts.
double layer_matrix_parameters(const Model&, const LayerKind&, const Method& = {});
// Those of a module of it.
double module_matrix_parameters(const Model&, const LayerKind&, Module, const Method& = {});
double matrix_parameters(const Model&);     // of all layers
double matrix_parameters(const Model&, const LayerCounts&, const Method& = {});
// Of one module that predicts a further token: its layers, the product that joins stream and embedding, three norms.
Parameters module_parameters(const Model&, const Method& = {});
inline int modules_held(const Model& m) { return m.further.repeated ? 1 : m.further.depths; }   // of one depth each

// Inner width of one routed expert: as many weights as at full width, so ffn h / (r h) in BigMac's order.
double expert_width(const Model&);

}  // namespace plimsoll

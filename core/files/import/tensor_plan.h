#pragma once
// How to cut any transformer over t tensor-parallel ranks, from the shapes of
// its weights alone: the two rules of Redco (Tan et al. 2023, 2310.16355).
//
//   1. Consecutive linear layers are a pair: the first is split along its
//      outputs, the second along its inputs, so that only the pair's result has
//      to be summed over the ranks.
//   2. Attention is such a pair: queries, keys and values by heads (outputs), the
//      output projection by its inputs. Embeddings and head by vocabulary.
//
// Norms, biases of second linears, position tables and routers stay whole. The
// axis that is split is the one that is not the residual stream; where both are
// equal, the tensor's name (or, failing that, its place in the block) says whether
// it is first or second, and the other tensors of the list whether rows are outputs.
//
//   TensorPlan plan = tensor_plan(shapes, 8);
//   plan.per_device * 16 <= memory             // fp32 Adam: 16 bytes a parameter

#include "core/values/plan/shapes.h"

namespace plimsoll {

enum class TensorSplit { whole, output, input, vocabulary };

// Equal tensors of the repeated blocks are one row.
struct TensorCut {
    std::string name;         // block numbers as *
    int count = 1;
    std::vector<int> shape;
    TensorSplit split = TensorSplit::whole;
    int axis = -1;            // of `shape`; -1 when whole
    std::string why;          // where it stays whole against the rule
    double elements = 0, per_device = 0;  // of all `count`
};

struct TensorPlan {
    int ranks = 1;
    int hidden = 0;            // width of the residual stream, as found
    bool rows_are_outputs = true;
    std::vector<TensorCut> cuts;  // in the order of the list
    double parameters = 0;
    double per_device = 0;     // parameters one rank holds
};

// `head_dim`: heads are not cut where it is known; 0 otherwise.
TensorPlan tensor_plan(const ShapeList&, int ranks, int head_dim = 0);

// "model.layers.*.mlp.down_proj.weight" of "model.layers.3.mlp.down_proj.weight"
std::string block_pattern(const std::string& name);
// What a matrix is by its name: of a pair the first or the second, of a table.
enum class TensorRole { unknown, first, second, vocabulary, whole };
TensorRole role_of(const std::string& name);
std::string_view say(TensorSplit);

}  // namespace plimsoll

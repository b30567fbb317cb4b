#pragma once
// The parameters one rank holds: which tensors, how they are split, where they lie.
//
// A unit is what ZeRO shards and what is reduced at once: the token table, the
// position table, one layer, the last norm, the head. Within a unit lie first the
// tensors that every tensor rank holds whole, then the split ones; first those
// without weight decay, then the matrices. So the part to reduce over tensor ranks
// and the part that decays are each one range.
//
//   for (const Unit& unit : units_of(stage)) ... unit.parameters[i].offset ...

#include "engine/kernels/operations.h"
#include "engine/run/options.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace plimsoll::engine {

// The sizes of a model with nothing left to default, and the work in them.
//
//   const Shape shape = shape_of(options.model);   flop_per_token(shape, true)
struct Shape {
    int layers, width, heads, kv_heads, head_size, ffn, vocabulary, sequence;
    Norm norm;
    Activation activation;
    bool rotary, tied, biases;
    int queries() const { return heads * head_size; }
    int keys() const { return kv_heads * head_size; }
    int up_width() const { return activation == Activation::swiglu ? 2 * ffn : ffn; }  // of the first product
};

Shape shape_of(const ModelOptions&);

// Weights that take part in products, the LM head included: "N_matmul".
double product_parameters(const Shape&);
// 6 N_matmul + 6 L C T (half the scores are masked) or + 12 L C T (all scores counted): say which.
double flop_per_token(const Shape&, bool causal);

// How tensor ranks share a tensor: each holds all of it, some of its rows (column-parallel
// products: outputs), or some of its columns (row-parallel products: inputs).
enum class Split : std::uint8_t { none, rows, columns };

struct Parameter {
    std::string name;             // logical: h.3.q.weight
    int rows, columns;            // of the whole tensor
    Split split;
    double deviation, constant;   // initial value: constant + deviation * normal
    std::size_t offset;           // in its unit
    int local_rows, local_columns;
    int first_row, first_column;  // where this rank's part begins in the whole
    std::size_t count() const { return std::size_t(local_rows) * std::size_t(local_columns); }
};

enum class UnitKind : std::uint8_t { tokens, positions, layer, last_norm, head };

struct Unit {
    UnitKind kind;
    int layer = -1;
    std::vector<Parameter> parameters;
    std::size_t offset = 0;      // of the unit in the rank's parameters
    std::size_t replicated = 0;  // [0, replicated): the same on all tensor ranks
    std::size_t decays = 0;      // [decays, count): matrices
    std::size_t count = 0;       // a multiple of data ranks x alignment
    bool copy = false;           // the last stage's copy of the tied token table
    const Parameter* find(std::string_view suffix) const;
};

// What one pipeline stage of one tensor rank holds.
struct Stage {
    Shape shape;
    int tensor_rank, tensor_ranks, data_ranks;
    std::vector<int> layers;  // numbers of its layers, in order
    bool first, last;         // holds the embedding, the head
};
std::vector<Unit> units_of(const Stage&);

// Rows of the vocabulary this rank's products cover: the table is padded to equal shares, products are not.
struct VocabularyShare {
    int first, rows, padded;
};
VocabularyShare vocabulary_share(const Shape&, int tensor_rank, int tensor_ranks);

// Initial values of a row of the whole tensor, from this rank's first column on.
void initial_values(const Parameter&, std::uint64_t seed, int row, std::span<double>);

// Layers of block b when `layers` are dealt to `blocks` in order, the first ones taking what is left over.
std::vector<int> layers_of_block(int layers, int blocks, int b);

}  // namespace plimsoll::engine

#pragma once
// The sizes of a model with nothing left to default, and the work in them.
//
//   const Shape shape = shape_of(options.model);   flop_per_token(shape, true)

#include "engine/options.h"

namespace plimsoll::engine {

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

}  // namespace plimsoll::engine

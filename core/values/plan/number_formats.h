#pragma once
// Matrix products in fewer than 16 bits, recipe by recipe: how values are scaled, which copies of a weight products
// read, what travels in a gather, what is kept of activations, and what converting moves.
//
//   const NumberRecipe& r = number_recipe(Fp8Recipe::mxfp8, device);
//   copies_of_weight(Fp8Recipe::nvfp4, device).total() == 1.125      // bytes
//
// A product needs its operands along the dimension it adds up over: the forward pass and the gradient of its input
// read a weight by rows and by columns. Devices whose units take 8-bit operands in one order alone (Hopper) keep a
// transposed copy for that; those that take either order (Blackwell, which also multiply 4-bit numbers) need one only
// where a scale belongs to a row of values, so that copies by rows and by columns are different numbers.
//
// Embedding, head, router, norms, attention core and scans keep 16 bits whatever the recipe.

#include "core/values/plan/recipe.h"

namespace plimsoll {

// Bytes moved per element that is converted, by the passes that software runs over it: of what enters a product
// forward, and of the gradient of what comes out backward.
struct ConversionBytes {
    double input, gradient;
    double transform;   // of both, in a Hadamard transform before it is converted by columns
};

struct NumberRecipe {
    double value;               // bytes
    double share_a_scale;       // values of a weight, 0: so many that it does not count
    double inputs_share_a_scale;
    double scale;               // bytes
    bool by_columns_too;        // copies by rows and by columns differ on any device
    double gathered;            // bytes of an element where weights are kept in the recipe's format alone
    ConversionBytes converted;
    double with_scale(double values) const { return value + (values > 0 ? scale / values : 0); }
    double weight() const { return with_scale(share_a_scale); }            // bytes of an element of one copy
    double input() const { return with_scale(inputs_share_a_scale); }
};

// As the device runs it: Blackwell computes blocks by the kernels of MX.
const NumberRecipe& number_recipe(Fp8Recipe, const Device&);

bool takes_either_order(const Device&);

// Of an element of a weight.
struct WeightCopies {
    double by_rows, by_columns;   // bytes
    double total() const { return by_rows + by_columns; }
};
WeightCopies copies_of_weight(Fp8Recipe, const Device&);
// To read a weight and find its scale moves 3 bytes; then its copies are written.
double conversion_of_weight(Fp8Recipe, const Device&);

}  // namespace plimsoll

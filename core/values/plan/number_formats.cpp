#include "core/values/plan/number_formats.h"

#include <iterator>

namespace plimsoll {

namespace {

// Delayed scaling reads 2 bytes and writes the value and its transpose; scales from the data read it once more; what is
// kept is transposed again for the weight gradient. Rows and blocks as published layers move them, which is more than
// they would have to: torchao's rows 2.4 times their 8 and 10 bytes; for blocks what Transformer Engine's layer loses
// against scales of whole tensors (docs/examples/gemm_profiling).
//
// NVFP4 (Transformer Engine, NVFP4BlockScaling; 2509.25149): the largest value of the tensor is found in a pass of its
// own, over 2 bytes, and the copy by rows is read from 2 bytes and written. The copy by columns is read and written
// once more, since it is transformed (random Hadamard matrices of 16) before it is converted: those bytes stand apart.
constexpr double four_bits = 0.5 + 1.0 / 16;
constexpr double transformed = 2 + four_bits;
constexpr double block = 128 * 128;

// Gathers: a tensor in 8 bits has one scale; a block of 128 x 128 carries 4 bytes. The scales of MX by rows do not tell
// those by columns, so 16-bit values travel, in the gradients' buffer or one of their own, and are converted where they
// arrive (Megatron-Core, param_and_grad_buffer.py). Weights of NVFP4 share a scale in squares of 16, so what is sent by
// rows is transposed on arrival (Megatron-LM pull request 4005).
constexpr NumberRecipe recipes[] = {
    {1, 0, 0, 4, false, 1, {3, 4, 0}},                                        // delayed
    {1, 0, 0, 4, false, 1, {5, 6, 0}},                                        // tensorwise
    {1, 0, 0, 4, false, 1, {19, 24, 0}},                                      // rowwise
    {1, block, 128, 4, false, 1 + 4 / block, {9, 10, 0}},                     // blockwise
    {1, 32, 32, 1, true, 2, {4, 5, 0}},                                       // mxfp8
    {0.5, 16, 16, 1, true, four_bits, {4 + four_bits, 4 + four_bits, transformed}},   // nvfp4
};
static_assert(std::size(recipes) == fp8_recipes, "every recipe has a row");

}  // namespace

bool takes_either_order(const Device& d) { return d.fp4 > FlopRate{}; }

const NumberRecipe& number_recipe(Fp8Recipe r, const Device& d) {
    const bool as_mx = r == Fp8Recipe::blockwise && takes_either_order(d);
    return recipes[std::size_t(as_mx ? Fp8Recipe::mxfp8 : r)];
}

WeightCopies copies_of_weight(Fp8Recipe recipe, const Device& d) {
    const NumberRecipe& r = number_recipe(recipe, d);
    return {r.weight(), r.by_columns_too || !takes_either_order(d) ? r.weight() : 0};
}

double conversion_of_weight(Fp8Recipe recipe, const Device& d) { return 3 + copies_of_weight(recipe, d).total(); }

}  // namespace plimsoll

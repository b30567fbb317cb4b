#include "core/values/plan/recipe.h"

namespace plimsoll {

namespace {

// Kept with the optimizer state by the 20-byte recipe.
double fp32_gradient_copy(const Recipe& r) {
    return r.precision != Precision::fp32 && r.bytes_per_parameter == 20 ? 4 : 0;
}

// Moments in bytes per parameter. 8-bit Adam keeps two bytes and, per block of
// 2,048 values, two fp32 scales (Dettmers et al. 2022); Adafactor keeps sums over
// rows and columns only; Shampoo a momentum and the second moment of the Adam
// step whose length it takes over (grafting, Shi et al. 2023).
double moment_bytes(Optimizer o) {
    switch (o) {
        case Optimizer::adam: return 8;
        case Optimizer::sgd: return 4;
        case Optimizer::adam_8bit: return 2 + 2 * 4 / 2048.0;
        case Optimizer::adafactor: return 0;
        case Optimizer::kfac: return 4;
        case Optimizer::shampoo: return 8;
    }
    return 8;
}

}  // namespace

StateBytes state_bytes(const Recipe& r) {
    const double moments = moment_bytes(r.optimizer);
    if (r.precision == Precision::fp32) return {4, 4, moments};
    const double master = 4;
    const double gradients = r.bytes_per_parameter == 18 ? 4 : 2;
    return {2, gradients, master + moments + fp32_gradient_copy(r)};
}

double checkpoint_bytes_per_parameter(const Recipe& r) {
    const StateBytes b = state_bytes(r);
    return b.weights + b.optimizer - fp32_gradient_copy(r);
}

double activation_bytes(Precision p) { return p == Precision::fp32 ? 4 : 2; }

NumberFormat matrix_format(const Recipe& r) {
    return r.precision == Precision::fp32 && r.tf32 ? NumberFormat::tf32 : matrix_format(r.precision);
}

NumberFormat matrix_format(Precision p) {
    switch (p) {
        case Precision::fp32: return NumberFormat::fp32;
        case Precision::fp16: return NumberFormat::fp16;
        case Precision::bf16: return NumberFormat::bf16;
        case Precision::fp8: return NumberFormat::fp8;
    }
    return NumberFormat::fp32;
}

}  // namespace plimsoll

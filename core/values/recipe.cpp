#include "core/values/recipe.h"

namespace plimsoll {

StateBytes state_bytes(const Recipe& r) {
    const double moments = r.optimizer == Optimizer::adam ? 8 : 4;
    if (r.precision == Precision::fp32) return {4, 4, moments};
    const double master = 4;
    const double gradients = r.bytes_per_parameter == 18 ? 4 : 2;
    const double fp32_gradient_copy = r.bytes_per_parameter == 20 ? 4 : 0;
    return {2, gradients, master + moments + fp32_gradient_copy};
}

double activation_bytes(Precision p) { return p == Precision::fp32 ? 4 : 2; }

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

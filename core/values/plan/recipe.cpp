#include "core/values/plan/recipe.h"

namespace plimsoll {

namespace {

struct KeptStates {
    double gradients, master;
    double moment_share;    // of the moments in fp32
    double gradient_copy;   // in fp32, with the optimizer state
};
constexpr KeptStates kept_states[] = {{2, 0, 0.25, 0}, {2, 0, 0.5, 0}, {4, 0, 0.5, 0}, {2, 4, 0.5, 0},
                                      {4, 4, 0.5, 0},  {2, 4, 1, 0},   {4, 4, 1, 0},   {2, 4, 1, 4}};

const KeptStates& kept(const Recipe& r) { return kept_states[std::size_t(r.state_format)]; }

double fp32_gradient_copy(const Recipe& r) { return r.precision == Precision::fp32 ? 0 : kept(r).gradient_copy; }

// Moments in bytes per parameter, in fp32. 8-bit Adam keeps two bytes and, per block of
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
    const bool fp32 = r.precision == Precision::fp32;
    const KeptStates& k = kept(r);
    const double share = r.optimizer == Optimizer::adam_8bit ? 1 : k.moment_share;   // these have 8 bits anyway
    StateBytes b{fp32 ? 4.0 : 2, fp32 ? 4.0 : k.gradients, {}};
    const double moments = moment_bytes(r.optimizer);
    b.optimizer.of.fill(fp32 ? moments : k.master + share * moments + k.gradient_copy);
    return b;
}

bool keeps_master_weights(const Recipe& r) { return r.precision == Precision::fp32 || kept(r).master > 0; }

ByGroup checkpoint_bytes_per_parameter(const Recipe& r) {
    const StateBytes b = state_bytes(r);
    ByGroup bytes = b.optimizer;
    for (double& one : bytes.of) one = b.weights + one - fp32_gradient_copy(r);
    return bytes;
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

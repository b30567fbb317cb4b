#include "core/values/plan/recipe.h"

#include <iterator>

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

// 8-bit Adam keeps two bytes and, per block of 2,048 values, two fp32 scales (Dettmers et al. 2022); Adafactor keeps
// sums over rows and columns only; K-FAC a momentum; Shampoo a momentum and the second moment of the Adam step whose
// length it takes over (grafting, Shi et al. 2023); Muon a momentum of matrices, and Adam's moments of the rest. CPUs
// update by rules whose state does not go by block or by matrix.
constexpr double two_narrow = 2 + 2 * 4 / 2048.0;
constexpr OptimizerState optimizer_states[] = {
    {.matrices = 8, .others = 8, .on_cpus = true},                            // Adam
    {.matrices = 4, .others = 4, .on_cpus = true},                            // SGD with momentum
    {.matrices = two_narrow, .others = two_narrow, .narrow = true},           // 8-bit Adam
    {.matrices = 0, .others = 0, .by_matrix = MatrixState::sums},             // Adafactor
    {.matrices = 4, .others = 4, .by_matrix = MatrixState::factors},          // K-FAC
    {.matrices = 8, .others = 8, .by_matrix = MatrixState::factors},          // Shampoo
    {.matrices = 4, .others = 8},                                             // Muon
};
static_assert(std::size(optimizer_states) == std::size_t(Optimizer::muon) + 1, "every optimizer has a row");

}  // namespace

const OptimizerState& kept_by(Optimizer o) { return optimizer_states[std::size_t(o)]; }

StateBytes state_bytes(const Recipe& r) {
    const bool fp32 = r.precision == Precision::fp32;
    const KeptStates& k = kept(r);
    const OptimizerState& rule = kept_by(r.optimizer);
    const double share = rule.narrow ? 1 : k.moment_share;
    StateBytes b{fp32 ? 4.0 : 2, fp32 ? 4.0 : k.gradients, {}};
    for (int g = 0; g < parameter_groups; ++g) {
        const double moments = of_matrices(ParameterGroup(g)) ? rule.matrices : rule.others;
        b.optimizer.of[g] = fp32 ? moments : k.master + share * moments + k.gradient_copy;
    }
    return b;
}

double moment_bytes(const Recipe& r) {
    const OptimizerState& rule = kept_by(r.optimizer);
    if (rule.matrices == 0) return 0;
    return rule.narrow ? 1 : r.precision == Precision::fp32 ? 4 : 4 * kept(r).moment_share;
}

double master_bytes(const Recipe& r) { return r.precision == Precision::fp32 ? 0 : kept(r).master; }

bool keeps_master_weights(const Recipe& r) { return r.precision == Precision::fp32 || kept(r).master > 0; }

ByGroup checkpoint_bytes_per_parameter(const Recipe& r) {
    const StateBytes b = state_bytes(r);
    ByGroup bytes = b.optimizer;
    for (double& one : bytes.of) one = b.weights + one - fp32_gradient_copy(r);
    return bytes;
}

double activation_bytes(Precision p) { return p == Precision::fp32 ? 4 : 2; }

NumberFormat matrix_format(const Recipe& r) {
    if (r.precision == Precision::fp8 && r.fp8_recipe == Fp8Recipe::nvfp4) return NumberFormat::fp4;
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

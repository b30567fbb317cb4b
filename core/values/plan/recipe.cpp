#include "core/values/plan/recipe.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace plimsoll {

namespace {

// K-FAC keeps a momentum; Shampoo a momentum and the second moment of the Adam step whose length it takes over
// (grafting, Shi et al. 2023); SOAP both moments, in the basis of its factors' eigenvectors; Muon a momentum of
// matrices, and Adam's moments of the rest; Adafactor sums over rows and columns only. CPUs update by rules whose state
// does not go by block or by matrix.
constexpr OptimizerState optimizer_states[] = {
    {.matrices = 2, .others = 2, .on_cpus = true},                            // Adam
    {.matrices = 1, .others = 1, .on_cpus = true},                            // SGD with momentum
    {.matrices = 2, .others = 2, .narrow = true},                             // 8-bit Adam
    {.matrices = 0, .others = 0, .by_matrix = MatrixState::sums},             // Adafactor
    {.matrices = 1, .others = 1, .by_matrix = MatrixState::factors},          // K-FAC
    {.matrices = 2, .others = 2, .by_matrix = MatrixState::factors},          // Shampoo
    {.matrices = 1, .others = 2},                                             // Muon
    {.matrices = 2, .others = 2, .by_matrix = MatrixState::factors},          // SOAP
};
static_assert(std::size(optimizer_states) == std::size_t(Optimizer::soap) + 1, "every optimizer has a row");
static_assert(std::size(named_states) == named_state_count);

double bytes_of(WeightFormat f) { return f == WeightFormat::fp32 ? 4 : 2; }
double bytes_of(GradientFormat f) { return f == GradientFormat::fp32 ? 4 : 2; }
double copy_bytes_of(GradientFormat f) { return f == GradientFormat::both ? 4 : 0; }   // with the optimizer state

double bytes_of(MasterFormat f) {
    switch (f) {
        case MasterFormat::none: return 0;
        case MasterFormat::fp32: return 4;
        case MasterFormat::fp16:
        case MasterFormat::remainders: return 2;
    }
    return 0;
}

double value_bytes_of(MomentFormat f) {
    switch (f) {
        case MomentFormat::fp32: return 4;
        case MomentFormat::bf16:
        case MomentFormat::fp16: return 2;
        case MomentFormat::fp8:
        case MomentFormat::scaled_8bit: return 1;
    }
    return 4;
}

// Scales: one in fp32 for each block of 2,048 values (Dettmers et al. 2022).
double bytes_of(MomentFormat f) { return value_bytes_of(f) + (f == MomentFormat::scaled_8bit ? 4 / 2048.0 : 0); }

// As the optimizer keeps them.
struct MomentPair {
    MomentFormat first, second;
    double bytes(int moments) const {
        return (moments > 0 ? bytes_of(first) : 0) + (moments > 1 ? bytes_of(second) : 0);
    }
};
MomentPair moments_of(const Recipe& r) {
    if (kept_by(r.optimizer).narrow) return {MomentFormat::scaled_8bit, MomentFormat::scaled_8bit};
    if (r.precision == Precision::fp32) return {MomentFormat::fp32, MomentFormat::fp32};
    return {r.state_format.first_moment, r.state_format.second_moment};
}

}  // namespace

const OptimizerState& kept_by(Optimizer o) { return optimizer_states[std::size_t(o)]; }

int named_state(const StateFormat& f) {
    const auto same = [&](const StateFormat& named) { return f.same_formats(named); };
    return int(std::find_if(std::begin(named_states), std::end(named_states), same) - std::begin(named_states));
}

double bytes_per_parameter(const StateFormat& f) {
    return bytes_of(f.weights) + bytes_of(f.gradients) + copy_bytes_of(f.gradients) + bytes_of(f.master)
         + bytes_of(f.first_moment) + bytes_of(f.second_moment);
}

namespace {

// A stream of documents cuts none of them short.
double tokens_of_document(const Recipe& r) {
    if (r.document_length <= 0) return r.sequence_length;
    return r.rows == RowKind::packed ? r.document_length : counted_sequence(r).tokens;
}

}  // namespace

double tokens_of_run(const Recipe& r) {
    return r.examples > 0 ? r.examples * r.epochs * tokens_of_document(r) : r.tokens;
}

double documents_of_data(const Recipe& r) { return r.examples > 0 ? r.examples : r.tokens / tokens_of_document(r); }

double steps_of_run(const Recipe& r) {
    if (r.examples <= 0) return std::ceil(tokens_read(r) / tokens_of_step(r));
    const double sequences = r.examples * r.epochs * (tokens_of_document(r) / counted_sequence(r).tokens);
    return std::ceil(sequences / r.optimizer_options.iteration_reduction / r.global_batch_sequences);
}

StateBytes state_bytes(const Recipe& r) {
    const bool fp32 = r.precision == Precision::fp32;
    const StateFormat& f = r.state_format;
    const OptimizerState& rule = kept_by(r.optimizer);
    const MomentPair moments = moments_of(r);
    StateBytes b{fp32 ? 4 : bytes_of(f.weights), fp32 ? 4 : bytes_of(f.gradients), {}, fp32 ? 4.0 : 2};
    for (int g = 0; g < parameter_groups; ++g) {
        const double kept = moments.bytes(of_matrices(ParameterGroup(g)) ? rule.matrices : rule.others);
        b.optimizer.of[g] = fp32 ? kept : bytes_of(f.master) + kept + copy_bytes_of(f.gradients);
    }
    return b;
}

double moment_bytes(const Recipe& r) {
    const int moments = kept_by(r.optimizer).matrices;
    const MomentPair kept = moments_of(r);
    return moments == 0 ? 0 : value_bytes_of(moments > 1 ? kept.second : kept.first);
}

double master_bytes(const Recipe& r) {
    return r.precision == Precision::fp32 ? 0 : bytes_of(r.state_format.master);
}

bool keeps_master_weights(const Recipe& r) {
    const StateFormat& f = r.state_format;
    return r.precision == Precision::fp32 || f.master != MasterFormat::none || f.weights == WeightFormat::fp32;
}

ByGroup checkpoint_bytes_per_parameter(const Recipe& r) {
    const StateBytes b = state_bytes(r);
    const double copy = r.precision == Precision::fp32 ? 0 : copy_bytes_of(r.state_format.gradients);
    ByGroup bytes = b.optimizer;
    for (double& one : bytes.of) one = b.weights + one - copy;
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

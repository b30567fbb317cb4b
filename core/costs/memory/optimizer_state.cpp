#include "core/costs/memory/optimizer_state.h"

#include "core/costs/kernels/layer.h"
#include "core/costs/kernels/preconditioner.h"
#include "core/costs/pipeline/share.h"

namespace plimsoll {

namespace {

constexpr double fp32 = 4;

double rows_and_columns(const Scenario& s) {
    double sum = 0;
    for (const Gemm& g : layer_gemms(s)) sum += g.batch * (g.k + g.n);
    return sum;
}

}  // namespace

double adafactor_elements(const Scenario& s, int stage) {
    const Model& m = s.model;
    const double t = s.layout.tensor_parallel;
    const double vectors = (layer_parameters(m) - layer_matrix_parameters(m)) / t;
    const double table = vocabulary_share(s) + m.hidden;
    double sum = layers_of_stage(s, stage) * (rows_and_columns(s) + vectors);
    if (first_stage(stage)) sum += table + (m.position_rows > 0 ? m.position_rows + m.hidden : 0);
    if (last_stage(s, stage) && (!m.tied_embeddings || s.layout.pipeline_parallel > 1)) sum += table;
    return sum;
}

Bytes factored_moments(const Scenario& s, int stage) {
    if (s.recipe.optimizer != Optimizer::adafactor) return {};
    return fp32 * adafactor_elements(s, stage) / s.layout.shards() * byte;
}

Bytes owned_factors(const Scenario& s, int stage) {
    if (!preconditions(s.recipe.optimizer)) return {};
    return 2 * fp32 * owned_curvature(s, stage).elements * byte;
}

Bytes unreduced_statistics(const Scenario& s, int stage) {
    if (s.recipe.optimizer != Optimizer::kfac) return {};
    const Curvature sums = micro_batches(s) > 1 ? stage_curvature(s, stage) : layer_curvature(s);
    return fp32 * sums.elements * byte;
}

Bytes checkpoint_by_matrix(const Scenario& s) {
    double elements = 0;
    for (int i = 0; i < s.layout.pipeline_parallel; ++i) {
        if (s.recipe.optimizer == Optimizer::adafactor) elements += adafactor_elements(s, i);
        if (preconditions(s.recipe.optimizer)) elements += stage_curvature(s, i).elements;
    }
    return fp32 * s.layout.tensor_parallel * elements * byte;
}

Bytes checkpoint_bytes(const Scenario& s) {
    return parameters(s.model) * checkpoint_bytes_per_parameter(s.recipe) * byte + checkpoint_by_matrix(s);
}

}  // namespace plimsoll

// Optimizers that go by single numbers: Adam, SGD, 8-bit Adam, and Adafactor, which keeps sums of their squares.
#include "core/costs/optimizer/optimizer.h"

#include "core/costs/kernels/products.h"
#include "core/values/plan/placement.h"

#include <algorithm>

namespace plimsoll {

namespace {

double sharded(const Work& s, const ParameterCounts& parameters) {
    return parameters.common() / s.layout.shards() + parameters.routed() / s.layout.expert_shards();
}

}  // namespace

Bytes weight_conversion(const Work& s, const Parameters& parameters) {
    if (s.recipe.precision != Precision::fp8 || s.stack.kernels.quantises_each_micro_batch) return {};
    const double each = conversion_of_weight(s.recipe.fp8_recipe, s.machine.device);
    return s.layout.offload.updated_on_devices() * each * parameters.converted.total() * byte;
}

Bytes optimizer_traffic(const Work& s, const Parameters& parameters) {
    if (s.layout.offload.updates_all_on_cpus()) return {};
    const double here = s.layout.offload.updated_on_devices();   // the CPUs update the rest
    const double adam16 = 16;
    // Reads weights, gradient and moments and writes all but the gradient: 28 bytes of 16, 14 of 8. Where nothing has a
    // copy in fp32 there is nothing to convert, and that is all.
    const double fused = 28;
    const double touched = keeps_master_weights(s.recipe) ? s.stack.updates.optimizer_bytes
                                                          : std::min(fused, s.stack.updates.optimizer_bytes);
    double states = 0;
    parameters.trained.by_value(s.states.optimizer, [&](double kept, const ParameterCounts& alike) {
        const double bytes = s.states.weights + s.states.gradients + kept;
        states += touched * bytes / adam16 * sharded(s, alike);
    });
    return here * states * byte + weight_conversion(s, parameters);
}

Bytes accumulation_traffic(const Work& s, const Parameters& parameters) {
    const int m = s.micro_batches;
    if (m <= 1) return {};
    const double owned = s.layout.zero_stage >= 2 ? sharded(s, parameters.trained) : parameters.trained.total();
    const bool fp32 = s.states.gradients > 2;
    return m * (fp32 ? s.stack.updates.fp32_accumulation_bytes : s.stack.updates.accumulation_bytes) * owned * byte;
}

OptimizerTime optimizer_time(const Work& s, const Parameters& parameters, int layers, int stage) {
    const ByteRate memory = s.speed(stage) * rates_of(s).memory;
    const int issued = s.layout.offload.updates_all_on_cpus() ? 0 : layers;
    const Seconds issuing = s.machine.host.issue_factor * s.stack.host.optimizer_layer;
    return {optimizer_traffic(s, parameters) / memory, issued * issuing,
            accumulation_traffic(s, parameters) / memory, s.stack.host.step_constant};
}

namespace {

double rows_and_columns(const Gemms& matrices) {
    double sum = 0;
    for (const Gemm& g : matrices)
        if (g.trained) sum += g.batch * (g.k + g.n);
    return sum;
}

}  // namespace

double adafactor_elements(const Work& s, int stage) {
    const Model& m = s.model;
    const Layers& layers = s.layers;
    const LayerCounts counts = blocks_of_stage(s, stage);
    const double table = s.vocabulary + m.hidden;
    double sum = 0;
    for (Kind k = 0; k < layers.kinds(); ++k) {
        const auto vectors = [&](const Parameters& p) {
            return p.trained[ParameterGroup::vectors] / s.layout.tensor_parallel;
        };
        const KindParameters& held = s.parameters(k);
        sum += counts[k] * (rows_and_columns(layer_gemms(s, layers[k], Whose::own)) + vectors(held.own));
        if (counts[k] > 0 && layers[k].shared.on)
            sum += rows_and_columns(layer_gemms(s, layers[k], Whose::shared)) + vectors(held.shared);
    }
    if (!trains_tables(s.method)) return sum;
    if (holds_embedding(s, stage)) sum += table + (m.position_rows > 0 ? m.position_rows + m.hidden : 0);
    if (holds_own_head(s, stage)) sum += table;
    return sum;
}

namespace {

Bytes factored_moments(const Work& s, int stage) {
    return matrix_element_bytes * adafactor_elements(s, stage) / s.layout.shards() * byte;
}

}  // namespace

const OptimizerRule adam_rule{};
const OptimizerRule adafactor_rule{.elements = adafactor_elements, .moments = factored_moments};

}  // namespace plimsoll

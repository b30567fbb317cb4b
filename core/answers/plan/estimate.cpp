#include "core/answers/plan/estimate.h"

#include "core/answers/plan/rules.h"
#include "core/answers/plan/price.h"
#include "core/costs/campaign/energy.h"
#include "core/costs/kernels/exchange.h"

#include <utility>

namespace plimsoll {

namespace {

// The same of a list of modules.
Flop modules_flop(const Work& s, const LayerKind& kind, double tokens, Flop core) {
    double weights = 0;
    Flop sum;
    repeated_modules(s, kind, [&](Module m) {
        weights += module_matrix_parameters(s.model, kind, m, s.method);
        if (m == Module::core_attn && s.stack.kernels.attention == Attention::materialised) sum += core;
    });
    return sum + 2 * weights * tokens * flop;
}

// Forward FLOP of one layer that its backward pass does again, of all tokens of a step.
Flop repeated_flop(const Work& s, const LayerKind& kind, const RepeatedWork& again) {
    const double tokens = double(s.recipe.global_batch_sequences) * s.row.tokens;
    const Flop products = 2 * layer_matrix_parameters(s.model, kind, s.method) * tokens * flop;
    const Flop core =
        attention_core_flop(s.model, kind, s.recipe.global_batch_sequences, s.row);
    const Flop whole = products + core + recurrence_flop(kind, tokens);
    switch (again.what) {
        case Repeats::nothing: return {};
        case Repeats::tokens: return again.share * products;
        case Repeats::layer: return whole;
        case Repeats::share: return again.share * whole;
        case Repeats::attention: return core;
        case Repeats::modules: return modules_flop(s, kind, tokens, core);
    }
    return {};
}

// Layers of the whole model whose forward work, or some of it, is done again.
LayerCounts repeating_blocks(const Work& s, const Swap& swap) {
    LayerCounts all;
    for (int stage = 0; stage < s.layout.pipeline_parallel; ++stage)
        all += repeating_layers(s, swap, stage);
    return all;
}

// The logits of a step, those of further tokens included.
Flop repeated_head_flop(const Work& s) {
    const double tokens = double(s.recipe.global_batch_sequences) * s.row.tokens;
    const double heads = 1 + s.model.further.depths;
    return 2 * heads * tokens * s.model.hidden * (s.vocabulary * s.layout.tensor_parallel) * flop;
}

// What the devices compute: the model's work and what is repeated of it, no more and no less.
Flop hardware_flop(const Work& s, const Priced& p, Flop once) {
    if (s.stack.loss.repeats_head()) once += repeated_head_flop(s);
    if (s.layout.recompute == Recompute::none && p.swap.recomputed() <= 0) return once;
    const LayerCounts repeating = repeating_blocks(s, p.swap);
    Flop all = once;
    for (Kind k = 0; k < s.layers.kinds(); ++k)
        if (repeating[k] > 0)
            all += repeating[k] * repeated_flop(s, s.layers[k], repeated_work(s, s.layers[k], p.layers[k], p.swap));
    return all;
}

// All parts in proportion: a run tells how far off the whole is and not which part.
void start_from_runs(const Scenario& s, Estimate& e) {
    if (!s.measured) return;
    e.measured = s.measured->of(s, e.step, e.worst());
    for (const auto& part : step_parts) e.step.*part.value = e.measured.time * (e.step.*part.value);
    for (MemoryUse& stage : e.stages)
        for (const auto& part : memory_parts) stage.*part.value = e.measured.memory * (stage.*part.value);
}

}  // namespace

Outcome estimate(const Scenario& s) {
    if (auto obstacles = check(s); !obstacles.empty()) return Unexpected{std::move(obstacles)};
    const Work work(s);
    return estimate_of(work, price(work));
}

Estimate estimate_of(const Work& s, Priced p) {
    Estimate e;
    e.step = p.step.parts;
    e.busiest_stage = p.step.busiest_stage;
    e.worst_stage = p.fullest_stage();
    e.stages = std::move(p.memory);
    start_from_runs(s, e);
    e.energy = energy_of(s, e.step);
    e.memory_limit = s.machine.device.memory;
    e.host = p.host;
    e.nvme = p.nvme;
    const int vocabulary = padded_vocabulary(s.model, s.layout.tensor_parallel);
    const auto flop_of_rows = [&](const Sequence& rows) {
        return model_flop(s.model, s.recipe.global_batch_sequences, rows, vocabulary, FlopConvention::full, s.method);
    };
    const Sequence counted = counted_sequence(s.recipe);
    e.model_flop = flop_of_rows(counted);
    e.hardware_flop = hardware_flop(s, p, s.row == counted ? e.model_flop : flop_of_rows(s.row));
    e.exchange_volume = exchange_volume(s);
    e.parameters = parameters(s.model);
    e.trained_parameters = trains_adapters(s.method) ? trained_parameters(s.model, s.method) : e.parameters;
    e.devices = s.layout.devices;
    e.nodes = nodes_used(s);
    e.micro_batches = s.micro_batches;
    return e;
}

}  // namespace plimsoll

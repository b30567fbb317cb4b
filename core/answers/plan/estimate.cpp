#include "core/answers/plan/estimate.h"

#include "core/answers/plan/rules.h"
#include "core/answers/plan/price.h"
#include "core/costs/campaign/energy.h"
#include "core/costs/kernels/exchange.h"

#include <utility>

namespace plimsoll {

namespace {

// Of what recomputing every layer repeats: a layer with experts repeats more than a dense one, its attention is the
// same.
double recomputed_share(const Scenario& s) {
    if (!s.layout.recomputes_some()) return 1;
    const int routed = expert_layers(s.model);
    const auto work = [&](const LayerMix& layers) {
        if (s.layout.recompute == Recompute::selective) return double(layers.total());
        const double core = attention_core_flop(s.model, 1, s.recipe.sequence_length) / s.recipe.sequence_length
                          / s.model.layers / flop;
        double sum = 0;
        for (const Block b : all_blocks)
            if (layers.of(b) > 0) sum += layers.of(b) * (2 * layer_matrix_parameters(s.model, b) + core);
        return sum;
    };
    return work(recomputed_layers(s)) / work({s.model.layers - routed, routed});
}

Flop hardware_flop(const Scenario& s, int vocabulary) {
    const double batch = s.recipe.global_batch_sequences;
    const int length = s.recipe.sequence_length;
    const Flop once = model_flop(s.model, batch, length, vocabulary);
    Flop all = once;
    switch (s.layout.recompute) {
        case Recompute::none: return once;
        case Recompute::full: all = full_recompute_flop(s.model, batch, length, vocabulary); break;
        case Recompute::selective: all = selective_recompute_flop(s.model, batch, length, vocabulary); break;
    }
    const double share = recomputed_share(s);
    return share == 1 ? all : once + share * (all - once);
}

// Layers forward again without their attention, for the tokens whose activations stay behind.
Flop recomputed_tokens_flop(const Scenario& s, const Swap& swap, int vocabulary) {
    if (swap.recomputed() <= 0) return {};
    const double batch = s.recipe.global_batch_sequences;
    const int length = s.recipe.sequence_length;
    const Flop forward =
        full_recompute_flop(s.model, batch, length, vocabulary) - model_flop(s.model, batch, length, vocabulary);
    return swap.recomputed() * (forward - attention_core_flop(s.model, batch, length));
}

}  // namespace

Outcome estimate(const Scenario& s) {
    if (auto obstacles = check(s); !obstacles.empty()) return Unexpected{std::move(obstacles)};
    return estimate_of(s, price(s));
}

Estimate estimate_of(const Scenario& s, Priced p) {
    Estimate e;
    e.step = p.step.parts;
    e.busiest_stage = p.step.busiest_stage;
    e.worst_stage = p.fullest_stage();
    e.stages = std::move(p.memory);
    e.energy = energy_of(s, e.step);
    e.memory_limit = s.machine.device.memory;
    e.host = p.host;
    e.nvme = p.nvme;
    const int vocabulary = padded_vocabulary(s.model, s.layout.tensor_parallel);
    e.model_flop = model_flop(s.model, s.recipe.global_batch_sequences, s.recipe.sequence_length, vocabulary);
    e.hardware_flop = hardware_flop(s, vocabulary) + recomputed_tokens_flop(s, p.swap, vocabulary);
    e.exchange_volume = exchange_volume(s);
    e.parameters = parameters(s.model);
    e.devices = s.layout.devices;
    e.nodes = nodes_used(s);
    e.micro_batches = micro_batches(s);
    return e;
}

}  // namespace plimsoll

#include "core/answers/explain/by_kind.h"

#include "core/answers/explain/explain_parts.h"
#include "core/answers/plan/price.h"
#include "core/values/plan/kinds.h"

#include <algorithm>

namespace plimsoll {

namespace {

// Both passes of the layers of a kind on a stage, of one micro-batch.
Seconds passes_of_kind(const Work& w, const Priced& p, Kind k, int stage) {
    const KindTime& one = p.stages[stage].kinds[k];
    const int all = blocks_of_stage(w, stage)[k], repeated = repeating_layers(w, p.swap, stage)[k];
    return all * one.forward + (all - repeated) * one.kept_backward + repeated * one.repeated_backward;
}

// The busiest stage, or where that holds no such layer the first that does.
int stage_with(const Work& w, const Priced& p, Kind k) {
    const int stages = w.layout.pipeline_parallel;
    int stage = p.step.busiest_stage;
    for (int i = 0; i < stages && blocks_of_stage(w, stage)[k] == 0; ++i) stage = i;
    return stage;
}

void add_times(const Work& w, const Priced& p, Kind k, KindCost& cost) {
    const int stage = stage_with(w, p, k);
    const int layers = blocks_of_stage(w, stage)[k];
    if (layers == 0) return;
    const Seconds both = passes_of_kind(w, p, k, stage);
    cost.one = both / double(layers);
    if (stage != p.step.busiest_stage) return;
    cost.layers_busiest = layers;
    cost.all = double(w.micro_batches) * both;
}

// One layer of the kind on a stage that holds some, and all of them on the fullest stage.
void add_activations(const Work& w, const Priced& p, Kind k, KindCost& cost) {
    const auto on_stage = [&](int stage, const auto& visit) {
        layers_in_flight(w, stage, [&](const KeptLayers& l) { if (l.kind == k) visit(l); });
    };
    Bytes kept;
    int layers = 0;
    on_stage(stage_with(w, p, k), [&](const KeptLayers& l) {
        kept += double(l.layers) * l.each;
        layers += l.layers;
    });
    if (layers > 0) cost.kept = kept / double(layers);
    const int fullest = p.fullest_stage();
    cost.layers_fullest = blocks_of_stage(w, fullest)[k];
    if (p.swap.on())   // the same of every layer
        cost.activations = residue_of(w, p.swap, fullest).total()
                         * (double(cost.layers_fullest) / std::max(1, layers_of_stage(w, fullest)));
    else on_stage(fullest, [&](const KeptLayers& l) { cost.activations += l.total(); });
    layers_waiting(w, fullest, [&](const KeptLayers& l) { if (l.kind == k) cost.activations += l.total(); });
}

// A module that all depths share holds its layers' weights once.
int layers_with_weights(const Work& w, Kind k, int stage, int layers) {
    const FurtherTokens& further = w.model.further;
    const bool shared = further.repeated && further.depths > 1 && holds_loss(w, stage);
    return shared ? layers - (further.depths - 1) * w.layers.of_module()[k] : layers;
}

void add_states(const Work& w, const Priced& p, Kind k, KindCost& cost) {
    Parameters whole;
    whole.add(layers_with_weights(w, k, p.fullest_stage(), cost.layers_fullest), w.parameters(k));
    const Parameters own = of_one_rank(w, whole);
    const Offload& away = w.layout.offload;
    if (away.weights == Tier::device) cost.weights = held_weights(w, own).total();
    if (w.layout.secondary_shard > 0) cost.weights += held_second_copy(w, own).total();
    if (away.optimizer == Tier::device) cost.optimizer = held_optimizer(w, own);
    if (p.memory[p.fullest_stage()].gradients > Bytes{}) cost.gradients = held_gradients(w, own).total();
}

}  // namespace

std::vector<KindCost> costs_by_kind(const Scenario& s) {
    const Work w(s);
    const Priced p = price(w);
    const Correction measured = estimate_of(w, p).measured;
    const LayerCounts counts = w.layers.all();
    std::vector<KindCost> all;
    for (Kind k = 0; k < w.layers.kinds(); ++k) {
        KindCost cost;
        cost.letter = letter_of(w.layers[k]);
        cost.name = layers_in_words(w.layers[k], w.layers);
        cost.layers = counts[k];
        cost.parameters = w.parameters(k).all.total();
        add_times(w, p, k, cost);
        add_activations(w, p, k, cost);
        add_states(w, p, k, cost);
        for (Seconds* t : {&cost.one, &cost.all}) *t = measured.time * *t;
        for (Bytes* b : {&cost.kept, &cost.weights, &cost.gradients, &cost.optimizer, &cost.activations})
            *b = measured.memory * *b;
        all.push_back(std::move(cost));
    }
    return all;
}

}  // namespace plimsoll

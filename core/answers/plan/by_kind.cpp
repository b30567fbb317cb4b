#include "core/answers/plan/by_kind.h"

#include "core/answers/plan/price.h"
#include "core/values/basics/phrase.h"
#include "core/values/plan/kinds.h"

#include <algorithm>

namespace plimsoll {

std::string mixer_in_words(Mixer m) {
    switch (m) {
        case Mixer::attention: return phrase("attention");
        case Mixer::mamba2: return phrase("Mamba-2");
        case Mixer::gated_delta: return phrase("Gated DeltaNet");
        case Mixer::kimi_delta: return phrase("Kimi Delta Attention");
        case Mixer::lightning: return phrase("lightning attention");
        case Mixer::compressed: return phrase("compressed attention");
        case Mixer::none: break;
    }
    return {};
}

namespace {

std::string blocks_in_words(const LayerKind& kind) {
    const std::string feed = kind.feed == Feed::experts ? phrase("experts") : phrase("a dense block");
    if (!kind.mixes()) return phrase("{1} alone", feed);
    std::string mixer = mixer_in_words(kind.mixer);
    if (kind.window > 0) mixer = phrase("{1} in a window of {2}", mixer, kind.window);
    if (kind.keys == Keys::borrowed) mixer = phrase("{1} over keys of an earlier layer", mixer);
    if (kind.beside != Mixer::none) mixer = phrase("{1} beside {2}", mixer, mixer_in_words(kind.beside));
    return kind.feeds() ? phrase("{1}, with {2}", mixer, feed) : phrase("{1} alone", mixer);
}

}  // namespace

std::string kind_in_words(const LayerKind& kind) {
    const std::string blocks = blocks_in_words(kind);
    return kind.shared.on ? phrase("{1}, of shared weights", blocks) : blocks;
}

std::string layers_in_words(const LayerKind& kind, const Layers& layers) {
    if (kind.in_16_bits) {
        LayerKind narrow = kind;
        narrow.in_16_bits = false;
        return phrase("{1}, in 16 bits", layers_in_words(narrow, layers));
    }
    if (kind.letter != 0) return phrase("Layers {1}: {2}", std::string(1, kind.letter), kind_in_words(kind));
    const std::string name = kind.feed == Feed::dense ? phrase("Dense layers") : phrase("Layers with experts");
    const LayerCounts all = layers.all();
    int windowed = 0;
    for (Kind k = 0; k < layers.kinds(); ++k) windowed += layers[k].window > 0 ? all[k] : 0;
    if (windowed == 0 || windowed == all.total()) return name;
    return kind.window > 0 ? phrase("{1}, with a window", name) : phrase("{1}, without a window", name);
}

Seconds passes_of_kind(const Work& w, const Priced& p, Kind k, int stage) {
    const KindTime& one = p.stages[stage].kinds[k];
    const int all = blocks_of_stage(w, stage)[k], repeated = repeating_layers(w, p.swap, stage)[k];
    return all * one.forward + (all - repeated) * one.kept_backward + repeated * one.repeated_backward;
}

namespace {

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
    if (w.sends_modules) {
        on_stage(fullest, [&](const KeptLayers& l) { cost.activations += l.total(); });
        const double away =
            layers_away(w, fullest) / std::max(1, layers_of_stage(w, fullest)) * double(cost.layers_fullest);
        cost.activations = cost.activations - away * p.swap.share * sent_with_modules(w, k);
    } else if (p.swap.on())   // the same of every layer
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
    w.parameters(k).add_to(whole, layers_with_weights(w, k, p.fullest_stage(), cost.layers_fullest));
    const Parameters own = of_one_rank(w, whole);
    if (w.layout.offload.weights == Tier::device) cost.weights = held_weights(w, own).total();
    if (w.layout.secondary_shard > 1) cost.weights += held_second_copy(w, own).total();
    cost.optimizer = held_optimizer(w, own);
    if (p.memory[p.fullest_stage()].gradients > Bytes{}) cost.gradients = held_gradients(w, own).total();
}

}  // namespace

std::vector<KindCost> kinds_in_words(const Model& m) {
    const Layers layers(m);
    const LayerCounts counts = layers.all();
    std::vector<KindCost> all;
    for (Kind k = 0; k < layers.kinds(); ++k) {
        KindCost cost;
        cost.letter = letter_of(layers[k]);
        const bool by_letter = layers[k].letter != 0 && !layers[k].in_16_bits;
        cost.name = by_letter ? kind_in_words(layers[k]) : layers_in_words(layers[k], layers);
        cost.layers = counts[k];
        cost.parameters = layer_parameters(m, layers[k]).all.total();
        all.push_back(std::move(cost));
    }
    return all;
}

std::vector<KindCost> costs_by_kind(const Scenario& s) {
    const Work w(s);
    const Priced p = price(w);
    const Correction measured = estimate_of(w, p).measured;
    std::vector<KindCost> all = kinds_in_words(s.model);
    for (Kind k = 0; k < w.layers.kinds(); ++k) {
        KindCost& cost = all[k];
        add_times(w, p, k, cost);
        add_activations(w, p, k, cost);
        add_states(w, p, k, cost);
        for (Seconds* t : {&cost.one, &cost.all}) *t = measured.time * *t;
        for (Bytes* b : {&cost.kept, &cost.weights, &cost.gradients, &cost.optimizer, &cost.activations})
            *b = measured.memory * *b;
    }
    return all;
}

}  // namespace plimsoll

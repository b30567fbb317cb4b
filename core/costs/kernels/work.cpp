#include "core/costs/kernels/work.h"

#include "core/values/plan/placement.h"
#include "core/values/plan/schedules.h"

#include <algorithm>

namespace plimsoll {

namespace {

double tokens_of(const Scenario& s) {
    return double(s.layout.micro_batch) * s.recipe.sequence_length / s.layout.context_parallel;
}

}  // namespace

Work::Work(const Scenario& s)
    : scenario(s),
      model(s.model),
      machine(s.machine),
      layout(s.layout),
      recipe(s.recipe),
      stack(s.stack),
      compression(s.compression),
      layers(s.model),
      tokens(tokens_of(s)),
      own_tokens(s.layout.sequence_parallel ? tokens / s.layout.tensor_parallel : tokens),
      element(activation_bytes(s.recipe.precision)),
      micro_batches(plimsoll::micro_batches(s)),
      states(state_bytes(s.recipe)),
      embedding_stage(plimsoll::embedding_stage(s)),
      head_stage(plimsoll::head_stage(s)),
      loss_stage(plimsoll::loss_stage(s)),
      vocabulary(vocabulary_share(s)),
      clusters(any_cluster(s.machine.clusters)),
      comes_round(plimsoll::comes_round(s.layout)) {}

Work::Work(const Scenario& s, const Work& like, InCommon shared) : Work(s) {
    of_model_ = like.of_model_;
    if (shared >= InCommon::layers) of_layers_ = like.of_layers_;
    if (shared >= InCommon::stages) of_stages_ = like.of_stages_;
}

const Rates& Work::rates() const {
    Known<Rates>& known = of_layers_->rates_;
    if (!known) known = rates_of(scenario);
    return *known;
}

const Rates& Work::head_rates() const {
    Known<Rates>& known = of_layers_->head_rates_;
    if (!known) known = head_rates_of(scenario);
    return *known;
}

const Span& Work::neighbours(Known<Span>& known, int size, int stride, int axes) const {
    if (!known) known = span_of(machine, {size, stride, layout.devices, axes}, network_of_layers(scenario));
    return *known;
}

const Span& Work::tensor_ranks() const { return neighbours(of_layers_->tensor_, layout.tensor_parallel, 1, 1); }

const Span& Work::context_ranks() const {
    return neighbours(of_layers_->context_, layout.context_parallel, layout.tensor_parallel, Group{}.axes);
}

const Span& Work::expert_ranks() const {
    return neighbours(of_layers_->experts_, layout.expert_parallel, layout.expert_tensor_parallel, Group{}.axes);
}

const Span& Work::expert_slices() const {
    return neighbours(of_layers_->slices_, layout.expert_tensor_parallel, 1, 1);
}

const Span& Work::grid_rows() const { return neighbours(of_layers_->rows_, layout.grid_side(), 1, 1); }

const Span& Work::grid_columns() const {
    return neighbours(of_layers_->columns_, layout.grid_side(), layout.grid_side(), 1);
}

const Span& Work::grid_depths() const {
    return neighbours(of_layers_->depths_, layout.grid_depth(), layout.weight_shards(), Group{}.axes);
}

Span Work::ranks_of_stage(int ranks, int stride, int stage) const {
    return span_of(machine, {ranks, stride, layout.devices}, network_of_stage(scenario, stage));
}

Span Work::ranks_over_boundary(int ranks, int stride, int stage) const {
    return span_of(machine, {ranks, stride}, network_after_stage(scenario, stage));
}

double Work::speed(int stage) const { return stage_speed(scenario, stage); }

const Coding& Work::coding(Traffic t) const {
    Known<Coding>& known = of_layers_->coding_[std::size_t(t)];
    if (!known) known = coding_of(scenario, t);
    return *known;
}

const Parameters& Work::table() const {
    Known<Parameters>& known = of_layers_->table_;
    if (!known) known = table_share(scenario);
    return *known;
}

const Parameters& Work::parameters(Kind k) const {
    Known<std::array<Parameters, most_kinds>>& known = of_model_->parameters_;
    if (known) return (*known)[k];
    known.emplace();
    for (Kind i = 0; i < layers.kinds(); ++i) (*known)[i] = layer_parameters(model, layers[i]);
    return (*known)[k];
}

const StageShare& Work::stage(int i) const {
    if (of_stages_->stages_.empty()) find_stages(of_stages_->stages_, of_stages_->chunks_);
    return of_stages_->stages_[i];
}

const LayersHeld& Work::chunk(int i, int chunk) const {
    const StageShare& all = stage(i);
    if (layout.virtual_stages == 1) return all;
    return of_stages_->chunks_[i * layout.virtual_stages + chunk];
}

LayerCounts recomputed_layers(const Work& w) {
    LayerCounts sum;
    for (int i = 0; i < w.layout.pipeline_parallel; ++i) sum += w.stage(i).recomputed;
    return sum;
}

namespace {

bool same_networks(const Scenario& s, int a, int b) {
    return !any_cluster(s.machine.clusters)
        || (cluster_of_stage(s, a) == cluster_of_stage(s, b) && network_after_stage(s, a) == network_after_stage(s, b)
            && network_after_stage(s, a - 1) == network_after_stage(s, b - 1));
}

bool same_ends(const Work& w, int a, int b) {
    return holds_embedding(w, a) == holds_embedding(w, b) && holds_head(w, a) == holds_head(w, b)
        && holds_loss(w, a) == holds_loss(w, b) && last_stage(w, a) == last_stage(w, b);
}

}  // namespace

// Of neighbours; the first stage, which receives from none, holds the embedding.
bool Work::alike(const std::vector<StageShare>& stages, const std::vector<LayersHeld>& chunks, int a, int b) const {
    const int v = layout.virtual_stages;
    const auto of_a = chunks.begin() + (v > 1 ? a * v : 0), of_b = chunks.begin() + (v > 1 ? b * v : 0);
    const LayersHeld &all_of_a = stages[a], &all_of_b = stages[b];
    return all_of_a == all_of_b && (v == 1 || std::equal(of_a, of_a + v, of_b)) && same_ends(*this, a, b)
        && same_networks(scenario, a, b);
}

// In the order of the layers.
void Work::find_stages(std::vector<StageShare>& stages, std::vector<LayersHeld>& chunks) const {
    const int p = layout.pipeline_parallel, v = layout.virtual_stages;
    stages.resize(p);
    if (v > 1) chunks.resize(std::size_t(p) * v);
    const ChunkPlace& place = schedule_kind(layout.schedule).place;
    int first = 0;
    for (int at = 0; at < p * v; ++at) {
        const auto [stage, chunk] = place.slot(at, p);
        const int held = layers_of_chunk(scenario, stage, chunk);
        const LayersHeld one{layers.between(first, held), layers.between(first, recomputed_of(layout, held))};
        stages[stage].layers += one.layers;
        stages[stage].recomputed += one.recomputed;
        if (v > 1) chunks[stage * v + chunk] = one;
        first += held;
    }
    const std::span each(&parameters(0), std::size_t(layers.kinds()));
    for (int i = 0; i < p; ++i) {
        StageShare& here = stages[i];
        here.like_before = i > 0 && alike(stages, chunks, i, i - 1);
        here.parameters =
            here.like_before ? stages[i - 1].parameters : plimsoll::stage_parameters(scenario, i, here.layers, each);
    }
}

}  // namespace plimsoll

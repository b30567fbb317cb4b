#include "core/costs/kernels/work.h"

#include "core/values/plan/placement.h"
#include "core/values/plan/schedules.h"

#include <algorithm>

namespace plimsoll {

namespace {

double tokens_of(const Scenario& s, const Sequence& row) {
    return double(s.layout.micro_batch) * row.tokens / s.layout.context_parallel;
}

}  // namespace

Work::Work(const Scenario& s)
    : Work(s, nullptr, state_bytes(s.recipe), any_cluster(s.machine.clusters), nullptr, sequence_of(s)) {}

Work::Work(const Scenario& s, const Work& like, InCommon shared)
    : Work(s, &like.layers, like.states, like.clusters, shared >= InCommon::stages ? like.of_stages_ : nullptr,
           shared >= InCommon::layers ? like.row : sequence_of(s)) {
    of_model_ = like.of_model_;
    if (shared >= InCommon::layers) of_layers_ = like.of_layers_;
    if (shared >= InCommon::stages) of_stages_ = like.of_stages_;
}

Work::Work(const Scenario& s, const Layers* known, const StateBytes& state, bool any_clusters, const Work* stages,
           const Sequence& worked)
    : scenario(s),
      model(s.model),
      machine(s.machine),
      layout(s.layout),
      recipe(s.recipe),
      stack(s.stack),
      compression(s.compression),
      method(s.method),
      layers(known ? *known : own_layers_.emplace(s.model)),
      row(worked),
      tokens(tokens_of(s, row)),
      own_tokens(s.layout.sequence_parallel ? tokens / s.layout.tensor_parallel : tokens),
      element(activation_bytes(s.recipe.precision)),
      micro_batches(plimsoll::micro_batches(s)),
      states(state),
      embedding_stage(stages ? stages->embedding_stage : plimsoll::embedding_stage(s)),
      head_stage(stages ? stages->head_stage : plimsoll::head_stage(s)),
      loss_stage(stages ? stages->loss_stage : plimsoll::loss_stage(s)),
      module_slot(stages ? stages->module_slot
                         : s.model.further.depths > 0 ? plimsoll::module_slot(s) : Slot{-1, 0}),
      vocabulary(vocabulary_share(s)),
      clusters(any_clusters),
      comes_round(plimsoll::comes_round(s.layout)),
      by_module(recomputes_by_module(s)),
      sends_modules(sends_by_module(s.model, s.layout.offload)),
      in_order(s.layout.context_parallel > 1 && s.layout.state_mode == StateMode::passed && has_recurrence(s.model)) {}

// States, stages and rates are the same: what layers keep is not.
const Work& Work::longest() const {
    if (row.longest_of == 0) return *this;
    if (!longest_) {
        longest_.reset(new Work(scenario, &layers, states, clusters, of_stages_, longest_sequence_of(scenario)));
        longest_->of_model_ = of_model_;
        longest_->of_stages_ = of_stages_;
        if (of_layers_ != this) longest_->of_layers_ = of_layers_->longest().of_layers_;
    }
    return *longest_;
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

const Span& Work::head_ranks() const {
    return neighbours(of_layers_->head_exchange_, layout.head_ranks(), layout.tensor_parallel, Group{}.axes);
}

const Span& Work::ring_ranks() const {
    return neighbours(of_layers_->ring_, layout.ring_ranks(), layout.tensor_parallel * layout.head_ranks(),
                      Group{}.axes);
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

// The formats of gradients and weights depend on who shares them.
const Coding& Work::coding(Traffic t) const {
    const Work* const of = t == Traffic::gradients || t == Traffic::weights ? this : of_layers_;
    Known<Coding>& known = of->coding_[std::size_t(t)];
    if (!known) known = coding_of(scenario, t);
    return *known;
}

const Parameters& Work::table() const {
    Known<Parameters>& known = of_layers_->table_;
    if (!known) known = table_share(scenario);
    return *known;
}

const KindParameters& Work::parameters(Kind k) const {
    auto& known = of_model_->parameters_;
    for (Kind i = known.size(); i < layers.kinds(); ++i) known.add(kind_parameters(model, layers[i], method));
    return known[k];
}

const LayersHeld& Work::chunk(int i, int chunk) const {
    const StageShare& all = stage(i);
    if (layout.virtual_stages == 1) return all;
    return of_stages_->chunks_[of_stages_->group_of_stage_[i] * layout.virtual_stages + chunk];
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
        && holds_loss(w, a) == holds_loss(w, b) && holds_modules(w, a) == holds_modules(w, b)
        && last_stage(w, a) == last_stage(w, b);
}

}  // namespace

void Work::find_stages() const {
    group_of_stage_.resize(layout.pipeline_parallel);
    if (layers.all_alike() && stage_split(scenario) == StageSplit::even && !clusters) find_even_stages();
    else find_stages_in_order();
}

// Where all layers are alike it does not matter which ones a stage holds. Stages differ from those before at the ends
// of the model and of the pipeline, and where the remainder of the split, a layer for each behind the first, is spent.
void Work::find_even_stages() const {
    const int p = layout.pipeline_parallel, v = layout.virtual_stages;
    const auto next = [&](int stage) {
        int next = p;
        for (const int at : {1, 1 + model.layers % p, p - 1, embedding_stage, embedding_stage + 1, head_stage,
                             head_stage + 1, loss_stage, loss_stage + 1})
            if (at > stage) next = std::min(next, at);
        return next;
    };
    stages_.reserve(model.layers % p == 0 ? 3 : 4);
    chunks_.reserve(v > 1 ? 4 * v : 0);
    for (int first = 0; first < p; first = next(first)) {
        StageShare stage;
        stage.first = first;
        const int held = layers_of_stage(scenario, first);
        for (int c = 0; c < v; ++c) {
            const int of_chunk = held % v == 0 ? held / v : layers_of_chunk(scenario, first, c);
            const int again = recomputed_of(layout, of_chunk);
            stage.layers[0] += of_chunk;
            stage.recomputed[0] += again;
            if (v > 1) chunks_.push_back({{{of_chunk}}, {{again}}});
        }
        if (holds_modules(*this, first)) {
            stage += modules();
            if (v > 1) chunks_.back() += modules();
        }
        std::fill(group_of_stage_.begin() + first, group_of_stage_.begin() + next(first), int(stages_.size()));
        add_stage(stage);
    }
}

// In the order of the layers. The first stage, which receives from none, holds the embedding.
void Work::find_stages_in_order() const {
    const int p = layout.pipeline_parallel, v = layout.virtual_stages;
    std::vector<StageShare> all(p);
    std::vector<LayersHeld> chunks(std::size_t(p) * v);
    const ChunkPlace& place = schedule_kind(layout.schedule).place;
    const std::vector<int> of_stages = layers_of_stages(scenario);
    int first = 0;
    for (int at = 0; at < p * v; ++at) {
        const auto [stage, chunk] = place.slot(at, p);
        const int held = layers_of_chunk(scenario, stage, chunk, of_stages[stage]);
        LayersHeld one{layers.between(first, held), layers.between(first, recomputed_of(layout, held))};
        if (module_slot == Slot{stage, chunk}) one += modules();
        all[stage] += one;
        chunks[stage * v + chunk] = one;
        first += held;
    }
    const auto chunks_of = [&](int i) { return std::span<const LayersHeld>(&chunks[std::size_t(i) * v], v); };
    const auto alike = [&](int a, int b) {
        return std::ranges::equal(chunks_of(a), chunks_of(b)) && same_ends(*this, a, b)
            && same_networks(scenario, a, b);
    };
    for (int i = 0; i < p; ++i) {
        all[i].first = i;
        const bool differs = i == 0 || !alike(i, i - 1);
        group_of_stage_[i] = int(stages_.size()) - !differs;
        if (!differs) continue;
        if (v > 1) chunks_.insert(chunks_.end(), chunks_of(i).begin(), chunks_of(i).end());
        add_stage(all[i]);
    }
}

// Recomputed where all layers are.
LayersHeld Work::modules() const {
    LayersHeld held;
    for (int i = 0; i < model.further.depths; ++i) held.layers += layers.of_module();
    if (layout.recompute != Recompute::none && !layout.recomputes_some()) held.recomputed = held.layers;
    return held;
}

void Work::add_stage(const StageShare& stage) const {
    const std::span each(&parameters(0), std::size_t(layers.kinds()));
    const LayerCounts counted = holds_modules(*this, stage.first) ? stage.layers - modules().layers : stage.layers;
    stages_.push_back(stage);
    stages_.back().parameters = plimsoll::stage_parameters(scenario, stage.first, counted, each);
}

}  // namespace plimsoll

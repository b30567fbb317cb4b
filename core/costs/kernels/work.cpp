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
      head_stage(plimsoll::head_stage(s)),
      loss_stage(plimsoll::loss_stage(s)) {}

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

const Parameters& Work::parameters(Kind k) const {
    Known<std::array<Parameters, most_kinds>>& known = of_model_->parameters_;
    if (known) return (*known)[k];
    known.emplace();
    for (Kind i = 0; i < layers.kinds(); ++i) (*known)[i] = layer_parameters(model, layers[i]);
    return (*known)[k];
}

const StageShare& Work::stage(int i) const {
    if (of_stages_->stages_.empty()) find_stages(of_stages_->stages_);
    return of_stages_->stages_[i];
}

// In the order of the layers.
void Work::find_stages(std::vector<StageShare>& stages) const {
    stages.resize(layout.pipeline_parallel);
    const ChunkPlace& place = schedule_kind(layout.schedule).place;
    int first = 0;
    for (int at = 0; at < layout.pipeline_parallel * layout.virtual_stages; ++at) {
        const auto [stage, chunk] = place.slot(at, layout.pipeline_parallel);
        const int held = layers_of_chunk(scenario, stage, chunk);
        stages[stage].layers += layers.between(first, held);
        stages[stage].recomputed += layers.between(first, recomputed_of(layout, held));
        first += held;
    }
    const std::span each(&parameters(0), std::size_t(layers.kinds()));
    for (int i = 0; i < layout.pipeline_parallel; ++i) {
        StageShare& here = stages[i];
        const bool inner = i > 1 && i != head_stage && i - 1 != head_stage;
        const bool as_before = inner && here.layers == stages[i - 1].layers;
        here.parameters =
            as_before ? stages[i - 1].parameters : plimsoll::stage_parameters(scenario, i, here.layers, each);
    }
}

}  // namespace plimsoll

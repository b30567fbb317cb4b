#include "core/answers/search/space.h"

#include "core/values/basics/integers.h"
#include "core/values/plan/schedules.h"
#include "core/values/plan/share.h"

#include <algorithm>
#include <initializer_list>
#include <set>

namespace plimsoll {

namespace {

// Divisors of n, only those asked for where the axis names some.
std::vector<int> degrees(int n, const std::vector<int>& axis) {
    std::vector<int> found = divisors(n);
    if (!axis.empty())
        std::erase_if(found, [&](int d) { return std::find(axis.begin(), axis.end(), d) == axis.end(); });
    return found;
}

template <class T>
bool allows(const std::vector<T>& axis, T value) {
    return std::find(axis.begin(), axis.end(), value) != axis.end();
}

// Sequences of one replica; where the batch does not divide, as many as each has at least (a rule says no later).
int local_batch(int batch, int data) { return batch / data; }

}  // namespace

Space common_space() {
    Space s;
    s.name = "common";
    s.even_stages = true;
    s.largest_tensor = -1;   // a node
    s.context_parallel = {1};
    s.expert_parallel = {1};
    s.zero_stages = {0, 1};
    return s;
}

namespace {

constexpr int long_sequence = 16384;   // tokens, from which context ranks are common

template <class T>
void include(std::vector<T>& axis, T value) {
    if (!allows(axis, value)) axis.push_back(value);
}

}  // namespace

Space common_space(const Scenario& plan) {
    Space s = common_space();
    const Layout& l = plan.layout;
    if (has_experts(plan.model)) s.expert_parallel = {};
    if (l.context_parallel > 1 || plan.recipe.sequence_length >= long_sequence) {
        s.context_parallel = {1, 2, 4, 8, 16};
        include(s.context_parallel, l.context_parallel);
        s.context_modes = {l.context_mode};
    }
    // To tune a model is to shard its weights, if anything: of adapters there are hardly any states.
    if (has_experts(plan.model) || l.zero_stage > 1 || tunes(plan.method)) s.zero_stages = {0, 1, 2, 3};
    if (l.tensor_parallel > plan.machine.devices_per_node) s.largest_tensor = l.tensor_parallel;
    if (l.tensor_parallel > 1) include(s.tensor_modes, l.tensor_mode);
    if (l.pipeline_parallel > 1 || schedule_kind(l.schedule).pairs) include(s.schedules, l.schedule);
    if (const int p = l.pipeline_parallel; p > 1 && plan.model.layers % p != 0) {
        s.even_stages = false;   // of all degrees it would make the space several times as large
        s.pipeline_parallel = divisors(plan.model.layers);
        for (const int near : {p / 2, p, 2 * p}) include(s.pipeline_parallel, near);
    }
    Offload offload;   // tiers, share of the optimizer and modules alone, as a space has them
    offload.weights = l.offload.weights;
    offload.gradients = l.offload.gradients;
    offload.optimizer = l.offload.optimizer;
    offload.activations = l.offload.activations;
    if (offload.optimizer != Tier::device) {
        offload.optimizer_share = l.offload.optimizer_share;
        offload.paged_optimizer = l.offload.paged_optimizer;
    }
    if (sends_by_module(plan.model, l.offload)) offload.modules = l.offload.modules;
    include(s.offload, offload);
    if (recomputes_by_module(plan)) include(s.modules, l.recompute_modules);
    return s;
}

std::vector<RecomputeModules> module_lists(const Scenario& s) {
    std::vector<RecomputeModules> lists;
    if (!s.stack.recomputation.takes_modules) return lists;
    const auto add = [&](std::initializer_list<Module> of) {
        RecomputeModules list;
        for (const Module m : of) {
            if (!has_module(s.model, m)) return;
            list.*module_rows[int(m)].listed = true;
        }
        include(lists, list);
    };
    for (int m = int(Module::core_attn) + 1; m < layer_modules; ++m) add({Module(m)});
    add({Module::moe_act, Module::layernorm});
    add({Module::moe, Module::layernorm});
    return lists;
}

std::optional<Offload> sent_by_module(Scenario s) {
    Offload& o = s.layout.offload;
    o.activations = Tier::host;
    if (!s.stack.memory.sends_modules || s.layout.recompute == Recompute::full) return std::nullopt;
    for (int m = 0; m < sent_modules; ++m)
        o.modules.*sent_module_rows[m].listed = has_module(s.model, SentModule(m));
    // What rules refuse is left out, until they refuse no module any more.
    for (bool refused = true; refused;) {
        refused = false;
        for (const Obstacle& obstacle : check(s))
            for (const SentModuleRow& row : sent_module_rows)
                if (obstacle.knob == "layout.offload.modules." + std::string(row.name) && o.modules.*row.listed) {
                    o.modules.*row.listed = false;
                    refused = true;
                }
    }
    const auto is_all = [](const Obstacle& obstacle) { return obstacle.knob == "layout.offload.activations"; };
    if (!sends_by_module(s.model, o) || std::ranges::any_of(check(s), is_all)) return std::nullopt;
    Offload sent;
    sent.activations = Tier::host;
    sent.modules = o.modules;
    return sent;
}

Space full_space() {
    Space s;
    s.recompute_counts = s.module_lists = s.sent_lists = true;
    s.tensor_modes = {TensorMode::one_d, TensorMode::summa_2d, TensorMode::tesseract};
    s.context_modes = {ContextMode::ring, ContextMode::ulysses};
    for (int i = 0; i < int(std::size(schedule_kinds)); ++i) include(s.schedules, Schedule(i));
    Offload optimizer, half, states, activations;
    optimizer.optimizer = half.optimizer = Tier::host;
    half.optimizer_share = 0.5;
    states.optimizer = states.gradients = Tier::host;
    activations.activations = Tier::host;
    s.offload = {{}, half, optimizer, states, activations};
    return s;
}

Layouts::Layouts(const Scenario& s, const Space& space)
    : space_(space),
      base_(without_stages(s.layout)),
      model_layers_(s.model.layers),
      batch_(s.recipe.global_batch_sequences) {
    std::erase_if(space_.schedules, [&](Schedule each) { return !schedule_kind(each).offered_by(s.stack); });
    if (space_.largest_tensor < 0) space_.largest_tensor = s.machine.devices_per_node;
    if (space_.module_lists)
        for (const RecomputeModules& list : module_lists(s)) include(space_.modules, list);
    if (space_.sent_lists) {
        Scenario keeps_all = s;
        keeps_all.layout.recompute = Recompute::none;
        if (const auto all = sent_by_module(std::move(keeps_all))) include(space_.offload, *all);
    }
    const int most = space_.recompute_counts && allows(space_.recompute, Recompute::full) ? model_layers_ : 0;
    std::vector<std::vector<Inner>> inner;
    for (int k = 0; k <= most; ++k) inner.push_back(inner_of(k));
    inner_ = std::make_shared<const std::vector<std::vector<Inner>>>(std::move(inner));
    add_tensor(s);
}

Layouts::Layouts(const Scenario& s, const Layouts& like)
    : space_(like.space_),
      base_(without_stages(s.layout)),
      model_layers_(s.model.layers),
      batch_(s.recipe.global_batch_sequences),
      inner_(like.inner_) {
    add_tensor(s);
}

void Layouts::add_tensor(const Scenario& s) {
    for (const int t : degrees(base_.devices, space_.tensor_parallel)) {
        if (space_.largest_tensor > 0 && t > space_.largest_tensor) continue;
        for (const TensorMode mode : space_.tensor_modes) {
            if (mode != TensorMode::one_d && t == 1) continue;   // a grid of one is a line of one
            Layout l = base_;
            l.tensor_parallel = t;
            l.tensor_mode = mode;
            for (const int depth : mode == TensorMode::tesseract ? divisors(t) : std::vector{1}) {
                l.tensor_depth = depth;
                if (mode == TensorMode::one_d ? s.model.heads % t != 0 : l.grid_side() == 0) continue;
                if (mode == TensorMode::tesseract && (depth == 1 || depth > l.grid_side())) continue;
                for (const bool sequence : space_.sequence_parallel) {
                    if (sequence && mode != TensorMode::one_d) continue;
                    // Each tensor rank sends its own tokens to the experts.
                    if (has_experts(s.model) && sequence != (t > 1)) continue;
                    l.sequence_parallel = sequence;
                    add_context(l, s);
                }
            }
        }
    }
}

void Layouts::add_context(Layout l, const Scenario& s) {
    for (const int c : degrees(base_.devices / l.tensor_parallel, space_.context_parallel)) {
        if (s.recipe.sequence_length % c != 0) continue;
        l.context_parallel = c;
        for (const ContextMode mode : space_.context_modes) {
            l.context_mode = mode;
            const bool groups = mode == ContextMode::ulysses_ring && c > 1;
            for (const int exchanging : groups ? divisors(c) : std::vector{1}) {
                if (groups && (exchanging == 1 || exchanging == c)) continue;   // a ring, or Ulysses
                l.ulysses_ranks = exchanging;
                for (const int e :
                     has_experts(s.model) ? degrees(s.model.experts.count, space_.expert_parallel) : std::vector{1}) {
                    l.expert_parallel = e;
                    l.expert_tensor_parallel = 1;
                    add_micro_batches(l);
                }
            }
            if (c == 1) break;   // there is nothing to exchange
        }
    }
}

// Those that divide a replica's batch for any number of stages.
void Layouts::add_micro_batches(Layout l) {
    std::set<int> sizes;
    for (const int p : stage_counts(l)) {
        const int data = base_.devices / int(l.model_parallel() / l.pipeline_parallel * p);
        for (const int b : degrees(local_batch(batch_, data), space_.micro_batch)) sizes.insert(b);
    }
    for (const int b : sizes) {
        l.micro_batch = b;
        layers_.push_back(l);
    }
}

std::vector<int> Layouts::stage_counts(const Layout& layer) const {
    std::vector<int> found =
        degrees(base_.devices / (layer.tensor_parallel * layer.context_parallel), space_.pipeline_parallel);
    std::erase_if(found, [&](int p) { return p > model_layers_ || (space_.even_stages && model_layers_ % p != 0); });
    return found;
}

std::vector<int> Layouts::chunk_counts(int stages) const {
    if (stages == 1) return {1};
    if (model_layers_ % stages == 0) return degrees(model_layers_ / stages, space_.virtual_stages);
    // Two empty slots on either end hold the embedding and the head.
    if (!space_.even_stages && (model_layers_ + 2) % stages == 0)
        return degrees((model_layers_ + 2) / stages, space_.virtual_stages);
    return {1};
}

bool Layouts::pairs() const { return std::ranges::count(space_.schedules, Schedule::combined) > 0; }

void Layouts::add_schedules(Layout l, std::vector<Layout>& found) const {
    if (l.pipeline_parallel == 1) {   // without stages all are alike that work on one pass at a time
        l.schedule = usual_schedule(1);
        found.push_back(l);
        l.schedule = Schedule::combined;
        if (pairs()) found.push_back(l);
        return;
    }
    for (const Schedule schedule : space_.schedules) {
        if (!schedule_kind(schedule).runs(l.virtual_stages)) continue;
        l.schedule = schedule;
        found.push_back(l);
    }
}

std::vector<Layout> Layouts::pipelines(const Layout& layer) const {
    std::vector<Layout> found;
    for (const int p : stage_counts(layer)) {
        Layout l = layer;
        l.pipeline_parallel = p;
        l.data_parallel = base_.devices / int(l.model_parallel());
        const int local = local_batch(batch_, l.data_parallel);
        if (local == 0 || local % l.micro_batch != 0) continue;
        if (1LL * l.tensor_parallel * l.context_parallel * l.data_parallel % l.expert_parallel != 0) continue;
        for (const int v : chunk_counts(p)) {
            l.virtual_stages = v;
            add_schedules(l, found);
        }
    }
    return found;
}

int Layouts::chunk_layers(const Layout& l) const {
    const int chunks = l.pipeline_parallel * l.virtual_stages;
    return (model_layers_ + chunks - 1) / chunks;
}

std::vector<Inner> Layouts::inner_of(int chunk_layers) const {
    std::vector<Inner> found;
    for (const Recompute recompute : space_.recompute) {
        const int counts = recompute == Recompute::full && space_.recompute_counts ? std::max(1, chunk_layers) : 1;
        const bool lists = recompute == Recompute::selective;
        for (const RecomputeModules& list : lists ? space_.modules : std::vector<RecomputeModules>{{}})
            for (int n = 0; n < counts; ++n)
                for (const int zero : space_.zero_stages)
                    for (const Offload& offload : space_.offload)
                        if (n == 0 || !offload.swaps())   // some stay, some come back, some go: one too many
                            found.push_back({recompute, n, zero, offload, list});
    }
    return found;
}

const std::vector<Inner>& Layouts::inner(const Layout& pipeline) const {
    return inner_->size() == 1 ? inner_->front() : (*inner_)[chunk_layers(pipeline)];
}

Layout Layouts::without_stages(Layout l) {
    l.stages = {};
    l.micro_batch_group = 0;
    return l;
}

Layout Layouts::with(Layout l, const Inner& i) {
    l.recompute = i.recompute;
    l.recompute_layers = i.recompute_layers;
    l.recompute_modules = i.modules;
    l.zero_stage = i.zero_stage;
    l.shard_group = l.secondary_shard = 0;
    l.offload = i.offload;
    return l;
}

long long Layouts::count() const {
    long long sum = 0;
    for (const Layout& layer : layers_)
        for (const Layout& pipeline : pipelines(layer)) sum += (long long)inner(pipeline).size();
    return sum;
}

namespace {

// What changes nothing, at its default: the mode of one context rank, the schedule of one stage.
Layout without_idle(Layout l, int chunk_layers) {
    if (l.tensor_parallel == 1) l.tensor_mode = TensorMode::one_d;
    if (l.tensor_mode != TensorMode::tesseract) l.tensor_depth = 1;
    if (l.context_parallel == 1) l.context_mode = ContextMode::ring, l.state_mode = StateMode::all_to_all;
    if (l.context_mode != ContextMode::ulysses_ring) l.ulysses_ranks = 1;
    if (l.pipeline_parallel == 1 && !schedule_kind(l.schedule).pairs) l.schedule = usual_schedule(1);
    if (l.recompute == Recompute::none || l.recompute_layers >= chunk_layers) l.recompute_layers = 0;
    if (l.recompute != Recompute::selective) l.recompute_modules = {};
    if (l.shards() == l.weight_replicas() || l.zero_stage == 0) l.shard_group = 0;
    if (l.zero_stage < 3) l.secondary_shard = 0;
    if (l.offload.optimizer == Tier::device) {
        l.offload.optimizer_share = 1;
        l.offload.paged_optimizer = false;
    }
    if (!l.offload.swaps()) {
        l.offload.modules = {};
        l.offload.stay_behind = StayBehind::keep;
        l.offload.solve_share = true;
        l.offload.activation_share = 1;
    }
    return l;
}

bool same_layer(const Layout& a, const Layout& b) {
    return a.tensor_parallel == b.tensor_parallel && a.tensor_mode == b.tensor_mode && a.tensor_depth == b.tensor_depth
        && a.sequence_parallel == b.sequence_parallel && a.context_parallel == b.context_parallel
        && a.expert_parallel == b.expert_parallel && a.micro_batch == b.micro_batch;
}

}  // namespace

bool Layouts::contains(const Layout& sought) const {
    const Layout wanted = without_idle(sought, chunk_layers(sought));
    for (const Layout& layer : layers_) {
        if (!same_layer(layer, wanted)) continue;
        for (const Layout& pipeline : pipelines(layer)) {
            if (pipeline.pipeline_parallel != wanted.pipeline_parallel) continue;
            for (const Inner& i : inner(pipeline))
                if (without_idle(with(pipeline, i), chunk_layers(pipeline)) == wanted) return true;
        }
    }
    return false;
}

std::vector<Layout> Layouts::all() const {
    std::vector<Layout> found;
    for (const Layout& layer : layers_)
        for (const Layout& pipeline : pipelines(layer))
            for (const Inner& i : inner(pipeline)) found.push_back(with(pipeline, i));
    return found;
}

}  // namespace plimsoll

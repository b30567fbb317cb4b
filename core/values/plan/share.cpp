#include "core/values/plan/share.h"

#include "core/values/plan/placement.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plimsoll {

StageSplit stage_split(const Scenario& s) {
    const Layout& l = s.layout;
    if (!l.stages.empty()) return StageSplit::listed;
    const bool left_open = l.stage_split == StageSplit::even && l.virtual_stages == 1;
    return left_open && s.stack.pipeline.splits_by_cost ? StageSplit::by_cost : l.stage_split;
}

namespace {

int stage_of_last_chunk(const Layout& l) {
    return schedule_kind(l.schedule).place.slot(l.pipeline_parallel * l.virtual_stages - 1, l.pipeline_parallel).stage;
}

// Of every layer in turn what `of_kind` says of its kind.
template <class OfKind>
std::vector<double> by_layer(const Model& m, OfKind of_kind) {
    const Layers layers(m);
    std::array<double, most_kinds> each{};
    for (Kind k = 0; k < layers.kinds(); ++k) each[k] = of_kind(layers[k]);
    std::vector<double> all(std::size_t(std::max(0, m.layers)));
    for (int i = 0; i < m.layers; ++i) all[i] = each[layers.of_layer(i)];
    return all;
}

WalkedSplit walk(const Scenario& s) {
    const auto matrices = [&](const LayerKind& kind) { return layer_matrix_parameters(s.model, kind); };
    return walked_split(by_layer(s.model, matrices), double(s.model.vocabulary) * s.model.hidden,
                        s.layout.pipeline_parallel);
}

}  // namespace

bool layers_differ(const Model& m) {
    if (has_pattern(m)) return true;
    const bool may = has_window(m) || (has_experts(m) && (m.experts.dense_layers > 0 || m.experts.every > 1));
    return may && !Layers(m).all_alike();
}

int head_stage(const Scenario& s) {
    if (stage_split(s) != StageSplit::by_cost) return stage_of_last_chunk(s.layout);
    return layers_differ(s.model) ? walk(s).head_stage : cost_split(s).head_stage();
}

int loss_stage(const Scenario& s) {
    if (stage_split(s) != StageSplit::by_cost) return stage_of_last_chunk(s.layout);
    return layers_differ(s.model) ? walk(s).loss_stage : cost_split(s).loss_stage();
}

Slot module_slot(const Scenario& s) {
    const Layout& l = s.layout;
    if (l.stages.modules() == 0) return {loss_stage(s), l.virtual_stages - 1};
    return schedule_kind(l.schedule).place.slot(l.stages.modules_at(), l.pipeline_parallel);
}

int embedding_stage(const Scenario& s) {
    return schedule_kind(s.layout.schedule).place.slot(0, s.layout.pipeline_parallel).stage;
}

namespace {

// Of the layers, those whose forward pass is repeated, as if all chunks held as many.
double repeated_share(const Scenario& s) {
    const Layout& l = s.layout;
    if (l.recompute != Recompute::full) return 0;
    if (!l.recomputes_some()) return 1;
    return std::min(1.0, double(l.recompute_layers) * l.pipeline_parallel * l.virtual_stages / s.model.layers);
}

}  // namespace

int layers_of_stage(const Scenario& s, int stage) {
    const int p = s.layout.pipeline_parallel;
    if (!s.layout.stages.empty()) {
        int sum = 0;
        for (int c = 0; c < s.layout.virtual_stages; ++c) sum += layers_of_chunk(s, stage, c);
        return sum;
    }
    if (p > 1 && stage_split(s) != StageSplit::even) return uneven_layers(s, repeated_share(s))[stage];
    const int each = s.model.layers / p, extra = s.model.layers % p;
    // Order in which stages receive an extra layer: 1, 2, ..., p-1, and the one with the embedding never before the
    // others.
    const int turn = holds_embedding(s, stage) ? p - 1 : stage - 1;
    return each + (turn < extra ? 1 : 0);
}

std::vector<int> layers_of_stages(const Scenario& s) {
    const int p = s.layout.pipeline_parallel;
    const StageSplit split = stage_split(s);
    if (p > 1 && split != StageSplit::even && split != StageSplit::listed) return uneven_layers(s, repeated_share(s));
    std::vector<int> all(p);
    for (int i = 0; i < p; ++i) all[i] = layers_of_stage(s, i);
    return all;
}

int layers_of_chunk(const Scenario& s, int stage, int chunk) {
    return layers_of_chunk(s, stage, chunk, s.layout.stages.empty() ? layers_of_stage(s, stage) : 0);
}

int layers_of_chunk(const Scenario& s, int stage, int chunk, int here) {
    const Layout& l = s.layout;
    if (!l.stages.empty())
        return l.stages.layers(schedule_kind(l.schedule).place.position({stage, chunk}, l.pipeline_parallel));
    const int v = l.virtual_stages;
    const int slots = (here + v - 1) / v, empty = slots * v - here;
    // Empty slots sit at the model's start on the stage with the embedding, at its end on the others.
    const int turn = holds_embedding(s, stage) ? chunk : v - 1 - chunk;
    return slots - (turn < empty ? 1 : 0);
}

bool recomputes_by_module(const Scenario& s) {
    const RecomputeModules &listed = s.layout.recompute_modules, usual{};
    if (s.layout.recompute != Recompute::selective || listed == usual) return false;
    for (int m = 0; m < layer_modules; ++m)
        if (listed[Module(m)] != usual[Module(m)] && has_module(s.model, Module(m))) return true;
    return false;
}

namespace {

template <class Modules, class Rows>
std::string names_of_listed(const Modules& listed, const Rows& rows, std::string_view between) {
    std::string text;
    for (const auto& row : rows)
        if (listed.*row.listed) text.append(text.empty() ? "" : between).append(row.name);
    return text.empty() ? "nothing" : text;
}

}  // namespace

std::string names_of_modules(const RecomputeModules& listed, std::string_view between) {
    return names_of_listed(listed, module_rows, between);
}

std::string names_of_modules(const OffloadModules& listed, std::string_view between) {
    return names_of_listed(listed, sent_module_rows, between);
}

bool sends_by_module(const Model& m, const Offload& o) {
    if (!o.swaps() || o.modules == OffloadModules{}) return false;
    for (int i = 0; i < sent_modules; ++i)
        if (o.modules[SentModule(i)] && has_module(m, SentModule(i))) return true;
    return false;
}

// The other ones are computed again from what is sent, or beside it (Megatron-Core's own tests list layernorm,
// mla_up_proj, mlp and moe_act for the one and all modules for the other).
Module leaves_nothing_of(SentModule m) {
    switch (m) {
        case SentModule::core_attn:
        case SentModule::attn_proj: return Module::core_attn;   // the one leaves with the other alone
        case SentModule::expert_fc1:
        case SentModule::moe_act: return Module::moe;
        default: return Module::none;
    }
}

bool recomputes(const Scenario& s, const LayerKind& kind, Module module) {
    const RecomputeModules& listed = s.layout.recompute_modules;
    const bool inside = listed.moe && (module == Module::moe_act || module == Module::shared_experts);
    return (listed[module] || inside) && has_module(s.model, kind, module);
}

int recomputed_of(const Layout& l, int layers) {
    if (l.recompute == Recompute::none) return 0;
    return l.recomputes_some() ? std::min(layers, l.recompute_layers) : layers;
}

// An even split gives no stage more than its share rounded up; stages without devices have no rates to go by.
int largest_chunk(const Scenario& s) {
    const Layout& l = s.layout;
    if (!l.stages.empty()) return l.stages.most_layers();
    int stage = (s.model.layers + l.pipeline_parallel - 1) / l.pipeline_parallel;
    if (stage_split(s) != StageSplit::even && l.devices >= l.pipeline_parallel)
        stage = std::max(stage, std::ranges::max(uneven_layers(s, 0)));
    return (stage + l.virtual_stages - 1) / l.virtual_stages;
}

Parameters of_one_rank(const Scenario& s, const Parameters& of_all_ranks) {
    const Layout& l = s.layout;
    return of_all_ranks.of_one_rank(l.weight_shards(), 1.0 * l.expert_parallel * l.expert_tensor_parallel);
}

namespace {

double table_parameters(const Scenario& s) {
    return embedding_parameters(s.model, padded_vocabulary(s.model, s.layout.tensor_parallel));
}

}  // namespace

double vocabulary_share(const Scenario& s) {
    return double(padded_vocabulary(s.model, s.layout.tensor_parallel)) / s.layout.tensor_parallel;
}

Parameters layer_share(const Scenario& s, const LayerKind& kind) {
    return of_one_rank(s, layer_parameters(s.model, kind, s.method));
}

Parameters table_share(const Scenario& s) {
    Parameters one;
    one.add(ParameterGroup::tables, table_parameters(s), trains_tables(s.method));
    return of_one_rank(s, one);
}

Parameters stage_parameters(const Scenario& s, int stage, const LayerCounts& layers,
                            std::span<const KindParameters> each) {
    const Model& m = s.model;
    Parameters sum;
    for (Kind k = 0; k < int(each.size()); ++k) each[k].add_to(sum, layers[k]);
    double tables = 0;
    if (holds_embedding(s, stage)) tables += table_parameters(s) + double(m.position_rows) * m.hidden;
    if (holds_own_head(s, stage)) tables += table_parameters(s);
    if (holds_modules(s, stage)) {
        sum.add(modules_held(m), module_parameters(m, s.method));
        // A module looks tokens up again, and passes the head; both tables are copied to it (Megatron-Core,
        // transformer/multi_token_prediction.py).
        if (!holds_embedding(s, stage) && !m.tied_embeddings) tables += table_parameters(s);
        if (!holds_head(s, stage)) tables += table_parameters(s);
    }
    sum.add(ParameterGroup::tables, tables, trains_tables(s.method));
    return of_one_rank(s, sum);
}

int floor_share(int layers, double rate, double all_rates) { return int(std::floor(layers * rate / all_rates)); }

namespace {

// When a stage of the class that has no extra layer yet would be done with one more.
double done_with_next(const StageClass& c) { return (c.layers + 1 + c.extra) / c.rate; }

// Nobody ends below this: each is done later than if work were divided without remainder, less one layer.
int sure_share(const StageClass& c, double time) { return int(std::ceil(time * c.rate - c.extra)) - 1; }

}  // namespace

void least_maximum(std::span<StageClass> classes, int layers) {
    double work = layers, rate = 0;
    for (const StageClass& c : classes) {
        work += c.count * c.extra;
        rate += c.count * c.rate;
    }
    const double time = work / rate;
    // A stage that takes its one layer although it is slow for it leaves less to the others than this says.
    const bool sure = std::all_of(classes.begin(), classes.end(),
                                  [&](const StageClass& c) { return c.count == 0 || sure_share(c, time) >= 1; });
    for (StageClass& c : classes) {
        c.layers = sure ? sure_share(c, time) : 1;
        layers -= c.count * c.layers;
    }
    for (; layers > 0; --layers) {
        StageClass* next = nullptr;
        for (StageClass& c : classes)
            if (c.count > 0 && (!next || done_with_next(c) < done_with_next(*next))) next = &c;
        if (++next->with_one_more < next->count) continue;
        next->with_one_more = 0;
        ++next->layers;
    }
}

namespace {

double head_flop(const Scenario& s) {
    return 2.0 * s.model.hidden * padded_vocabulary(s.model, s.layout.tensor_parallel);
}

// The head's products in layers of the same work: a layer whose forward pass is repeated counts a third more.
double head_layers(const Scenario& s, double repeated) {
    const Model& m = s.model;
    const double layer = 2 * matrix_parameters(m) / m.layers + 4.0 * sequence_of(s).tokens * attention_of(m).core();
    return head_flop(s) / layer * 3 / (3 + repeated);
}

// Stages by cluster, or across several, and whether they hold the head.
constexpr int kinds = 2 * (most_clusters + 1);
int kind_of(const Scenario& s, int stage) {
    const int cluster = cluster_of_stage(s, stage);
    return 2 * (cluster == no_cluster ? most_clusters : cluster) + (stage == s.layout.pipeline_parallel - 1);
}

// Of layers that are alike, or count as such.
std::vector<int> min_max_layers(const Scenario& s, double repeated) {
    const int p = s.layout.pipeline_parallel;
    std::array<StageClass, kinds> classes;
    for (int i = 0; i < p; ++i) {
        StageClass& c = classes[kind_of(s, i)];
        c.rate = stage_rate(s, i);
        if (i == p - 1) c.extra = head_layers(s, repeated);
        ++c.count;
    }
    least_maximum(classes, s.model.layers);
    std::vector<int> all(p);
    for (int i = 0; i < p; ++i) {
        StageClass& c = classes[kind_of(s, i)];
        all[i] = c.layers + (c.with_one_more-- > 0 ? 1 : 0);   // the first ones of a class take one more
    }
    return all;
}

std::vector<int> min_max_in_order(const Scenario& s, double repeated) {
    std::vector<StageRoom> stages(s.layout.pipeline_parallel);
    for (int i = 0; i < int(stages.size()); ++i) stages[i].rate = stage_rate(s, i);
    stages.back().extra = head_cost(s, repeated);
    return balanced_split(layer_costs(s), stages, may_begin_stage(s.model));
}

// Every rate but the slowest takes its share rounded down; the slowest takes the rest.
int floor_layers(const Scenario& s, int stage) {
    const int p = s.layout.pipeline_parallel;
    const double own = stage_rate(s, stage);
    double all = 0, slowest = own;
    for (int i = 0; i < p; ++i) {
        all += stage_rate(s, i);
        slowest = std::min(slowest, stage_rate(s, i));
    }
    int rest = s.model.layers, before = 0, alike = 0, share = 0;
    for (int i = 0; i < p; ++i) {
        const double rate = stage_rate(s, i);
        if (rate == own) ++alike, before += i < stage;
        if (rate != slowest) rest -= floor_share(s.model.layers, rate, all);
    }
    share = own == slowest ? rest : alike * floor_share(s.model.layers, own, all);
    return share / alike + (before < share % alike ? 1 : 0);
}

}  // namespace

CostSplit cost_split(const Scenario& s) {
    const Model& m = s.model;
    return {matrix_parameters(m) / m.layers, double(m.vocabulary) * m.hidden, m.layers, s.layout.pipeline_parallel};
}

// The walk goes on to stage i behind the first layer j with j layer > i / stages of the whole, one stage a block at
// most.
int CostSplit::first_layer(int stage) const {
    if (stage <= 0) return 0;
    if (stage >= stages) return layers;
    const double all = layers * layer + head;
    const double behind = std::floor(all * stage / (layer * stages)) + 1;
    return int(std::min(double(layers), std::max(double(stage), behind)));
}

// Behind the last layer and the norm.
int CostSplit::head_stage() const {
    const double all = layers * layer + head;
    const double reached = std::ceil(layers * layer * stages / all) - 1;
    return int(std::clamp(reached, 0.0, std::min(stages - 1.0, layers + 1.0)));
}

// Behind the head and the cast, which go on a stage each: nothing is left of the whole.
int CostSplit::loss_stage() const { return std::min(stages - 1, head_stage() + 2); }

// Rounded, so that stages of the same layers cost the same to the last bit.
std::vector<double> layer_costs(const Scenario& s) {
    const Model& m = s.model;
    const Sequence sequence = sequence_of(s);
    return by_layer(m, [&](const LayerKind& kind) {
        const double products = 2 * layer_matrix_parameters(m, kind);
        const double scores = attention_core_flop(m, kind, 1, sequence) / flop / sequence.tokens / 2;
        return std::round(products + scores + recurrence_flop(kind, 1) / flop);
    });
}

std::vector<char> may_begin_stage(const Model& m) {
    const Layers layers(m);
    std::vector<char> may(std::size_t(std::max(0, m.layers)));
    for (int i = 0; i < m.layers; ++i) {
        const LayerKind& kind = layers[layers.of_layer(i)];
        may[i] = !sees_chosen_keys(m, kind) || kind.index != Index::borrowed;
    }
    return may;
}

double head_cost(const Scenario& s, double repeated) { return std::round(head_flop(s) * 3 / (3 + repeated)); }

std::vector<int> uneven_layers(const Scenario& s, double repeated) {
    const int p = s.layout.pipeline_parallel;
    const bool differ = layers_differ(s.model);
    switch (stage_split(s)) {
        case StageSplit::holmes_floor: {
            std::vector<int> all(p);
            for (int i = 0; i < p; ++i) all[i] = floor_layers(s, i);
            return all;
        }
        case StageSplit::by_cost: {
            if (differ) return walk(s).layers;
            const CostSplit split = cost_split(s);
            std::vector<int> all(p);
            for (int i = 0; i < p; ++i) all[i] = split.layers_of(i);
            return all;
        }
        default: break;
    }
    // FLOP tell nothing of the time that states take, which memory traffic makes: such layers count as the mean.
    return differ && !has_recurrence(s.model) ? min_max_in_order(s, repeated) : min_max_layers(s, repeated);
}

}  // namespace plimsoll

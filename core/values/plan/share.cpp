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

}  // namespace

int head_stage(const Scenario& s) {
    return stage_split(s) == StageSplit::by_cost ? cost_split(s).head_stage() : stage_of_last_chunk(s.layout);
}

int loss_stage(const Scenario& s) {
    return stage_split(s) == StageSplit::by_cost ? cost_split(s).loss_stage() : stage_of_last_chunk(s.layout);
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
    if (p > 1 && stage_split(s) != StageSplit::even) return uneven_layers(s, stage, repeated_share(s));
    const int each = s.model.layers / p, extra = s.model.layers % p;
    // Order in which stages receive an extra layer: 1, 2, ..., p-1, and the one with the embedding never before the
    // others.
    const int turn = holds_embedding(s, stage) ? p - 1 : stage - 1;
    return each + (turn < extra ? 1 : 0);
}

int layers_of_chunk(const Scenario& s, int stage, int chunk) {
    const Layout& l = s.layout;
    if (!l.stages.empty())
        return l.stages.layers(schedule_kind(l.schedule).place.position({stage, chunk}, l.pipeline_parallel));
    const int v = l.virtual_stages, here = layers_of_stage(s, stage);
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

std::string names_of_modules(const RecomputeModules& listed, std::string_view between) {
    std::string text;
    for (const ModuleRow& row : module_rows)
        if (listed.*row.listed) text.append(text.empty() ? "" : between).append(row.name);
    return text.empty() ? "nothing" : text;
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
        for (int i = 0; i < l.pipeline_parallel; ++i) stage = std::max(stage, uneven_layers(s, i, 0));
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
    return of_one_rank(s, layer_parameters(s.model, kind));
}

Parameters table_share(const Scenario& s) {
    Parameters one;
    one.add(ParameterGroup::tables, table_parameters(s));
    return of_one_rank(s, one);
}

Parameters stage_parameters(const Scenario& s, int stage, const LayerCounts& layers,
                            std::span<const Parameters> each) {
    const Model& m = s.model;
    Parameters sum;
    for (Kind k = 0; k < int(each.size()); ++k) sum.add(layers[k], each[k]);
    double tables = 0;
    if (holds_embedding(s, stage)) tables += table_parameters(s) + double(m.position_rows) * m.hidden;
    if (holds_head(s, stage) && (!m.tied_embeddings || s.layout.pipeline_parallel > 1)) tables += table_parameters(s);
    if (holds_modules(s, stage)) {
        sum.add(modules_held(m), module_parameters(m));
        // A module looks tokens up again, and passes the head; both tables are copied to it (Megatron-Core,
        // transformer/multi_token_prediction.py).
        if (!holds_embedding(s, stage) && !m.tied_embeddings) tables += table_parameters(s);
        if (!holds_head(s, stage)) tables += table_parameters(s);
    }
    sum.add(ParameterGroup::tables, tables);
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

// The head's products in layers of the same work: a layer whose forward pass is repeated counts a third more.
double head_layers(const Scenario& s, double repeated) {
    const Model& m = s.model;
    const double head = 2.0 * m.hidden * padded_vocabulary(m, s.layout.tensor_parallel);
    const double layer = 2 * matrix_parameters(m) / m.layers + 4.0 * s.recipe.sequence_length * attention_of(m).core();
    return head / layer * 3 / (3 + repeated);
}

// Stages by cluster, or across several, and whether they hold the head.
constexpr int kinds = 2 * (most_clusters + 1);
int kind_of(const Scenario& s, int stage) {
    const int cluster = cluster_of_stage(s, stage);
    return 2 * (cluster == no_cluster ? most_clusters : cluster) + (stage == s.layout.pipeline_parallel - 1);
}

int min_max_layers(const Scenario& s, int stage, double repeated) {
    std::array<StageClass, kinds> classes;
    int before = 0;  // stages of this kind ahead of it
    const int own = kind_of(s, stage);
    for (int i = 0; i < s.layout.pipeline_parallel; ++i) {
        StageClass& c = classes[kind_of(s, i)];
        c.rate = stage_rate(s, i);
        if (i == s.layout.pipeline_parallel - 1) c.extra = head_layers(s, repeated);
        ++c.count;
        before += i < stage && kind_of(s, i) == own;
    }
    least_maximum(classes, s.model.layers);
    return classes[own].layers + (before < classes[own].with_one_more ? 1 : 0);
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

int uneven_layers(const Scenario& s, int stage, double repeated) {
    switch (stage_split(s)) {
        case StageSplit::holmes_floor: return floor_layers(s, stage);
        case StageSplit::by_cost: return cost_split(s).layers_of(stage);
        default: return min_max_layers(s, stage, repeated);
    }
}

}  // namespace plimsoll

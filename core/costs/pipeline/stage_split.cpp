#include "core/costs/pipeline/stage_split.h"

#include "core/costs/network/placement.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plimsoll {

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
    const bool sure = std::all_of(classes.begin(), classes.end(), [&](const StageClass& c) { return c.count == 0 || sure_share(c, time) >= 1; });
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

// Of the layers, those whose forward pass is repeated, as if all chunks held as many.
double repeated_share(const Scenario& s) {
    const Layout& l = s.layout;
    if (l.recompute != Recompute::full) return 0;
    if (!l.recomputes_some()) return 1;
    return std::min(1.0, double(l.recompute_layers) * l.pipeline_parallel * l.virtual_stages / s.model.layers);
}

// The head's products in layers of the same work: a layer whose forward pass is repeated counts a third more.
double head_layers(const Scenario& s) {
    const Model& m = s.model;
    const double head = 2.0 * m.hidden * padded_vocabulary(m, s.layout.tensor_parallel);
    const double layer = 2 * matrix_parameters(m) / m.layers + 4.0 * s.recipe.sequence_length * core_width(m);
    return head / layer * 3 / (3 + repeated_share(s));
}

// Stages by cluster, or across several, and whether they hold the head.
constexpr int kinds = 2 * (most_clusters + 1);
int kind_of(const Scenario& s, int stage) {
    const int cluster = cluster_of_stage(s, stage);
    return 2 * (cluster == no_cluster ? most_clusters : cluster) + (stage == s.layout.pipeline_parallel - 1);
}

int min_max_layers(const Scenario& s, int stage) {
    std::array<StageClass, kinds> classes;
    int before = 0;  // stages of this kind ahead of it
    const int own = kind_of(s, stage);
    for (int i = 0; i < s.layout.pipeline_parallel; ++i) {
        StageClass& c = classes[kind_of(s, i)];
        c.rate = stage_rate(s, i);
        if (i == s.layout.pipeline_parallel - 1) c.extra = head_layers(s);
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

int uneven_layers(const Scenario& s, int stage) {
    return s.layout.stage_split == StageSplit::holmes_floor ? floor_layers(s, stage) : min_max_layers(s, stage);
}

}  // namespace plimsoll

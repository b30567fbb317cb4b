#include "core/answers/plan/rules.h"

#include "core/values/basics/integers.h"
#include "core/values/plan/placement.h"
#include "core/values/plan/share.h"

#include <algorithm>
#include <string>
#include <utility>

namespace plimsoll {

// ---- Clusters

namespace {

void cluster_figures(const Machine& m, std::vector<Obstacle>& found) {
    const auto positive = [&](int cluster, const char* field, double value, double low, double high) {
        const std::string knob =
            std::string("machine.clusters.").append(std::to_string(cluster)).append(".").append(field);
        if (!(value >= low)) found.push_back({Reason::out_of_range, knob, value, "", 0, {low, high}});
    };
    for (int k = 0; k < most_clusters; ++k) {
        const Cluster& c = m.clusters[k];
        if (c.nodes == 0) continue;
        positive(k, "speed", c.speed, 0.001, 1000);
        positive(k, "bandwidth_GBps", c.bandwidth / (gigabyte / second), 0.001, 1e5);
    }
    if (const double nodes = double(nodes_of(m.clusters)); nodes != m.nodes)
        found.push_back({Reason::incompatible, "machine.nodes", double(m.nodes), "machine.clusters", nodes, {nodes}});
}

// Pipeline degrees whose stages the clusters hold whole.
std::vector<double> whole_stages(const Scenario& s) {
    const Layout& l = s.layout;
    const int ranks = l.devices / std::max(1, l.tensor_parallel * l.context_parallel);
    return nearest_divisors(ranks, l.pipeline_parallel, [&](int p) {
        Scenario other = s;
        other.layout.pipeline_parallel = p;
        return p <= s.model.layers && holds_whole_stages(other);
    });
}

// A list of stages, against the plan's number of them and against the model.
class ListedStages : RuleSet {
public:
    using RuleSet::RuleSet;

    void run() {
        stages();
        count("model.layers", m_.layers, "layout.listed_layers", list_.layers());
        if (list_.modules() > 0)
            count("model.further_tokens.depths", m_.further.depths, "layout.listed_modules", list_.modules());
        if (l_.stage_split != StageSplit::even)
            add(Reason::incompatible, "layout.stage_split", double(l_.stage_split), "layout.listed_stages",
                list_.stages(), {double(StageSplit::even)});
    }

private:
    void count(const char* knob, int value, const char* of, int listed) {
        if (value != listed) add(Reason::incompatible, knob, value, of, listed, {double(listed)});
    }

    void stages() {
        const int p = l_.pipeline_parallel, v = l_.virtual_stages, n = list_.stages();
        if (1LL * p * v == n) return modules();
        const auto clash = [&](const char* knob, int value, int other) {
            add(Reason::incompatible, knob, value, "layout.listed_stages", n,
                n % other == 0 ? std::vector{double(n / other)} : std::vector<double>{});
        };
        if (n % v == 0) clash("layout.pipeline_parallel", p, v);
        else clash("layout.virtual_stages", v, p);
    }

    // Megatron-Core wants them in the last chunk of their rank, and not on the first one.
    void modules() {
        const int p = l_.pipeline_parallel, v = l_.virtual_stages, at = list_.modules_at();
        const int first = p * (v - 1) + (p > 1 ? 1 : 0);
        if (list_.modules() > 0 && at < first)
            add(Reason::incompatible, "layout.stage_of_modules", at + 1, "layout.virtual_stages", v,
                {first + 1.0, double(p) * v});
    }

    const StageList& list_ = l_.stages;
};

void check_split(const Scenario& s, std::vector<Obstacle>& found) {
    const Layout& l = s.layout;
    if (!l.stages.empty()) return ListedStages(s, found).run();
    if (l.stage_split == StageSplit::even || l.pipeline_parallel == 1 || l.pipeline_parallel > s.model.layers) return;
    const auto clash = [&](const char* of, double value, std::vector<double> valid) {
        found.push_back(
            {Reason::incompatible, "layout.stage_split", double(l.stage_split), of, value, std::move(valid)});
    };
    if (l.virtual_stages > 1) return clash("layout.virtual_stages", l.virtual_stages, {double(StageSplit::even)});
    if (l.stage_split == StageSplit::by_cost) return;   // stages of the head alone hold no layer
    if (std::ranges::min(layers_of_stages(s)) < 1)
        clash("layout.pipeline_parallel", l.pipeline_parallel,
              {double(StageSplit::even), double(StageSplit::min_max)});
}

}  // namespace

void check_clusters(const Scenario& s, std::vector<Obstacle>& found) {
    const Layout& l = s.layout;
    if (l.devices < l.pipeline_parallel) return;  // said elsewhere, and there are no stages to place
    if (any_cluster(s.machine.clusters)) {
        const std::size_t before = found.size();
        cluster_figures(s.machine, found);
        if (found.size() > before) return;
        if (l.mapping == Mapping::holmes && l.devices <= s.machine.devices() && !holds_whole_stages(s))
            found.push_back({Reason::incompatible, "layout.pipeline_parallel", double(l.pipeline_parallel),
                             "layout.mapping", double(l.mapping), whole_stages(s)});
    }
    check_split(s, found);
}

}  // namespace plimsoll

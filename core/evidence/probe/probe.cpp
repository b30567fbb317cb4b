#include "core/evidence/probe/probe.h"

#include "core/answers/plan/estimate.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace plimsoll {

namespace {

constexpr double as_good = 1.1;      // of the narrowest range: a cheaper pair is taken
// Layers of a chunk. A model of one alone fits into caches that the plan's layers do not fit into.
constexpr int depths[] = {2, 3, 4, 6, 8, 12, 16, 24, 32, 48};
constexpr double far = 8;            // times the devices of the probes: crowds are not seen

// One plan that can be a probe.
struct Candidate {
    Scenario plan;
    CopyShape shape;
    Seconds step;
    int nodes = 1;
};

std::optional<Candidate> candidate(Scenario s) {
    const Outcome o = estimate(s);
    if (!runs(o)) return std::nullopt;
    Candidate c{std::move(s), {}, o->step.total(), 1};
    c.shape = copy_shape_of(c.plan, o->step);
    c.nodes = nodes_used(c.plan);
    return c;
}

Seconds time_of(const Candidate& c, const ProbeLimits& limits) {
    return double(limits.visits) * (limits.start + double(limits.steps) * c.step);
}

using Choice = std::vector<Candidate>;

Seconds time_of(const Choice& all, const ProbeLimits& limits) {
    Seconds time{};
    for (const Candidate& c : all) time += time_of(c, limits);
    return time;
}

double node_hours(const Choice& all, const ProbeLimits& limits) {
    double sum = 0;
    for (const Candidate& c : all) sum += c.nodes * (time_of(c, limits) / hour);
    return sum;
}

HandedOn told_by(const CopyShape& plan, const Choice& all, const ProbeLimits& limits) {
    std::vector<CopyError> errors;
    for (const Candidate& c : all) errors.push_back({&c.shape, 0, limits.scatter / std::sqrt(double(limits.visits))});
    return handed_on(plan, errors).value_or(HandedOn{});
}

// The fewest replicas that a plan can be cut to: experts and shards may need several. 0: none.
int fewest_replicas(const Scenario& s) {
    for (int d = 1; d <= s.layout.data_parallel; ++d)
        if (s.layout.data_parallel % d == 0 && estimate(cut(s, s.model.layers, d))) return d;
    return 0;
}

// Micro-batches of a replica: all of them first, then half as often, as long as every stage has some.
std::vector<int> micro_batches_of(const Scenario& s) {
    std::vector<int> all;
    const int stages = std::max(1, s.layout.pipeline_parallel);
    for (int m = std::max(1, micro_batches(s)); m >= stages; m = m % 2 == 0 ? m / 2 : 0) {
        all.push_back(m);
        if (m == 1) break;
    }
    return all;
}

// Numbers of layers that every stage and chunk shares evenly, all less than the plan has.
std::vector<int> layers_of(const Scenario& s) {
    const int chunks = std::max(1, s.layout.pipeline_parallel) * std::max(1, s.layout.virtual_stages);
    const int period = std::max(1, s.model.experts.count > 0 ? s.model.experts.every : 1);
    std::vector<int> all;
    for (const int each : depths)
        if (const int layers = each * chunks * period; layers < s.model.layers) all.push_back(layers);
    return all;
}

// Fewer stages that keep their layers, where the nodes at hand do not hold all of them.
Scenario with_stages(Scenario s, int stages) {
    const int per_stage = std::max(1, s.model.layers / std::max(1, s.layout.pipeline_parallel));
    s = cut(s, per_stage * stages, 1);
    s.layout.pipeline_parallel = stages;
    if (stages == 1) s.layout.virtual_stages = 1;
    s.layout.devices = int(s.layout.model_parallel()) * s.layout.data_parallel;
    return s;
}

std::vector<std::string> what_stays_unseen(const Scenario& plan, const ProbePlan& p) {
    std::vector<std::string> all;
    int most = 1;
    for (const ProbeRun& r : p.runs) most = std::max(most, r.plan.layout.devices);
    if (plan.layout.devices > far * most)
        all.push_back(phrase("How the network does when {1} devices use it instead of {2}, and the slowest of so many.",
                             plan.layout.devices, most));
    if (micro_batches(p.runs.front().plan) < micro_batches(plan))
        all.push_back(phrase("All {1} micro-batches of a step: they have {2}.", micro_batches(plan),
                             micro_batches(p.runs.front().plan)));
    if (p.kin != Kin::copy)
        all.push_back(phrase("How {1} pipeline stages fill and drain.", plan.layout.pipeline_parallel));
    all.push_back(phrase("Failures, checkpoints, evaluation and other jobs on the machine."));
    return all;
}

std::string why(const Candidate& c, const Choice& all, std::size_t i) {
    const std::string size = phrase("{1} on {2}", counted(c.plan.model.layers, "layer", "layers"),
                                    counted(c.plan.layout.devices, "device", "devices"));
    if (i == 0 && all.size() > 1)
        return phrase("{1}: beside the next one it tells a layer from ends, optimizer and start.", size);
    if (i == 2) return phrase("{1}: what the network between nodes adds.", size);
    return all.size() > 1 ? phrase("{1}: how far a layer's error reaches.", size)
                          : phrase("{1}: the error of these layers.", size);
}

class Planning {
public:
    Planning(const Scenario& s, const ProbeLimits& limits)
        : plan_(model_alone(s)), limits_(limits) {}

    Expected<ProbePlan, std::vector<std::string>> run() {
        const Outcome o = estimate(plan_);
        if (!o) {
            std::vector<std::string> reasons;
            for (const Obstacle& each : o.error()) reasons.push_back(say(each));
            return Unexpected{std::move(reasons)};
        }
        shape_ = copy_shape_of(plan_, o->step);
        replicas_ = std::max(1, fewest_replicas(plan_));
        const int one_copy = nodes_used(cut(plan_, plan_.model.layers, replicas_));
        const int here = limits_.nodes > 0 ? limits_.nodes : std::max(2, one_copy);
        Choice best;
        if (one_copy <= here)
            for (const int m : micro_batches_of(plan_)) {
                Choice some = depths_with(m, here);
                if (better(some, best)) best = std::move(some);
                if (best.size() > 1) break;
            }
        if (best.empty()) best = fewer_stages(here);
        if (best.empty()) return Unexpected{why_none(here, one_copy)};
        if (best.size() == 2) add_second_node(best, here);
        return told(best);
    }

private:
    bool better(const Choice& a, const Choice& b) const {
        if (a.empty() || b.empty()) return b.empty();
        return told_by(shape_, a, limits_).band < told_by(shape_, b, limits_).band;
    }

    // The cheapest two depths whose line leaves hardly more than the narrowest one; one where there is but one.
    Choice depths_with(int micro_batches, int nodes) const {
        std::vector<Candidate> runs;
        for (const int layers : layers_of(plan_))
            if (auto c = smallest(layers, micro_batches, nodes)) runs.push_back(*std::move(c));
        std::vector<std::pair<Choice, double>> choices;
        const auto add = [&](Choice choice) {
            if (time_of(choice, limits_) > limits_.longest) return;
            const double band = told_by(shape_, choice, limits_).band;
            choices.emplace_back(std::move(choice), band);
        };
        for (std::size_t i = 0; i < runs.size(); ++i)
            for (std::size_t j = i + 1; j < runs.size(); ++j) add({runs[i], runs[j]});
        if (choices.empty())
            for (const Candidate& c : runs) add({c});
        double narrowest = std::numeric_limits<double>::infinity();
        for (const auto& [choice, band] : choices) narrowest = std::min(narrowest, band);
        Choice best;
        for (auto& [choice, band] : choices)
            if (band <= as_good * narrowest
                && (best.empty() || node_hours(choice, limits_) < node_hours(best, limits_)))
                best = choice;
        return best;
    }

    // On the fewest nodes that hold it, and on all of their devices: idle ones cost as much and tell nothing.
    std::optional<Candidate> smallest(int layers, int micro_batches, int nodes) const {
        std::optional<Candidate> best;
        for (int d = replicas_; d <= plan_.layout.data_parallel; ++d) {
            if (plan_.layout.data_parallel % d != 0) continue;
            Scenario s = cut(plan_, layers, d);
            s.recipe.global_batch_sequences = micro_batches * s.layout.micro_batch * d;
            if (nodes_used(s) > (best ? best->nodes : nodes)) break;
            if (auto c = candidate(std::move(s))) best = std::move(c);
        }
        return best;
    }

    Choice fewer_stages(int nodes) const {
        for (int stages = plan_.layout.pipeline_parallel - 1; stages >= 1; --stages) {
            const Scenario s = with_stages(plan_, stages);
            if (plan_.model.layers % plan_.layout.pipeline_parallel != 0 || nodes_used(s) > nodes) continue;
            auto c = candidate(s);
            if (c && time_of(*c, limits_) <= limits_.longest) return {*std::move(c)};
        }
        return {};
    }

    // The deeper one again on twice the replicas, where the plan's replicas lie on several nodes.
    void add_second_node(Choice& runs, int nodes) const {
        const Candidate& deep = runs.back();
        const int twice = 2 * deep.plan.layout.data_parallel;
        if (nodes <= deep.nodes || nodes_used(plan_) <= deep.nodes || plan_.layout.data_parallel % twice != 0) return;
        Scenario s = cut(plan_, deep.plan.model.layers, twice);
        s.recipe.global_batch_sequences = 2 * deep.plan.recipe.global_batch_sequences;
        auto more = candidate(std::move(s));
        if (!more || more->nodes > nodes || more->nodes <= deep.nodes) return;
        Choice all = runs;
        all.push_back(*std::move(more));
        if (time_of(all, limits_) <= limits_.longest) runs = std::move(all);
    }

    std::vector<std::string> why_none(int nodes, int one_copy) const {
        if (one_copy > nodes)
            return {phrase("One copy of the plan takes {1} nodes, and it cannot be cut to {2}. Nearest: {1}.", one_copy,
                           nodes)};
        if (layers_of(plan_).empty())
            return {phrase("Its {1} cannot be cut: run the plan itself for some steps.",
                           counted(plan_.model.layers, "layer", "layers"))};
        return {phrase("No part of the plan that fits in memory ends within {1}. Nearest: a longer job, or more nodes.",
                       say(limits_.longest))};
    }

    ProbePlan told(const Choice& all) const {
        ProbePlan p;
        const HandedOn h = told_by(shape_, all, limits_);
        p.kin = h.kin;
        p.band = h.band;
        p.wide = h.wide;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Candidate& c = all[i];
            ProbeRun r{"probe-" + std::to_string(i + 1), c.plan, why(c, all, i), c.step, time_of(c, limits_),
                       c.nodes * (time_of(c, limits_) / hour)};
            r.plan.name = r.name;
            p.time += r.time;
            p.node_hours += r.node_hours;
            p.nodes = std::max(p.nodes, c.nodes);
            p.runs.push_back(std::move(r));
        }
        p.unseen = what_stays_unseen(plan_, p);
        return p;
    }

    Scenario plan_;
    ProbeLimits limits_;
    CopyShape shape_;
    int replicas_ = 1;                    // the fewest
};

}  // namespace

Scenario cut(const Scenario& s, int layers, int replicas) {
    Scenario c = s;
    Model& m = c.model;
    if (layers != m.layers && m.layers > 0) {
        m = with_depth(m, layers);
        m.experts.dense_layers = std::min(m.experts.dense_layers, std::max(0, layers / 4));
        if (s.model.experts.dense_layers > 0) m.experts.dense_layers = std::max(1, m.experts.dense_layers);
    }
    Layout& l = c.layout;
    const int per_replica = std::max(1, s.recipe.global_batch_sequences / std::max(1, l.data_parallel));
    c.recipe.global_batch_sequences = per_replica * replicas;
    if (l.shard_group > 0) l.shard_group = std::min<int>(l.shard_group, l.context_parallel * replicas);
    l.data_parallel = replicas;
    l.devices = int(l.model_parallel()) * replicas;
    return c;
}

Expected<ProbePlan, std::vector<std::string>> plan_probes(const Scenario& s, const ProbeLimits& limits) {
    return Planning(s, limits).run();
}

}  // namespace plimsoll

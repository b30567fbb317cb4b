#include "core/answers/published/band.h"

#include "core/answers/explain/wording.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

namespace plimsoll {

namespace {

constexpr double one_sigma = 0.6827;    // share of a normal distribution within one standard deviation
constexpr double outer_weight = 4;      // runs that each wider circle counts as

// Features that change which formulas price a plan.
struct Trait {
    const char* words;
    bool (*has)(const Scenario&);
};
constexpr Trait traits[] = {
    {"a mixture of experts", [](const Scenario& s) { return has_experts(s.model); }},
    {"latent attention", [](const Scenario& s) { return has_latent_attention(s.model); }},
    {"context parallelism", [](const Scenario& s) { return s.layout.context_parallel > 1; }},
    {"context parallelism by Ulysses", [](const Scenario& s) { return s.layout.context_parallel > 1 && s.layout.context_mode == ContextMode::ulysses; }},
    {"tensor parallelism on a grid", [](const Scenario& s) { return s.layout.on_grid(); }},
    {"sparse attention", [](const Scenario& s) { return score_density(s.model) < 1; }},
    {"a zero-bubble schedule", [](const Scenario& s) { return splits_backward(s.layout.schedule); }},
    {"the GPipe schedule", [](const Scenario& s) { return s.layout.schedule == Schedule::gpipe && s.layout.pipeline_parallel > 1; }},
    {"an interleaved schedule", [](const Scenario& s) { return s.layout.virtual_stages > 1; }},
    {"sequence parallelism", [](const Scenario& s) { return s.layout.sequence_parallel; }},
    {"selective recomputation", [](const Scenario& s) { return s.layout.recompute == Recompute::selective; }},
    {"full recomputation", [](const Scenario& s) { return s.layout.recompute == Recompute::full; }},
    {"recomputation of some layers alone", [](const Scenario& s) { return s.layout.recomputes_some(); }},
    {"ZeRO stage 1", [](const Scenario& s) { return s.layout.zero_stage == 1; }},
    {"ZeRO stage 2", [](const Scenario& s) { return s.layout.zero_stage == 2; }},
    {"ZeRO stage 3", [](const Scenario& s) { return s.layout.zero_stage == 3; }},
    {"sharding within groups", [](const Scenario& s) { return s.layout.shards() > 1 && s.layout.shards() < s.layout.weight_replicas(); }},
    {"fp32 products", [](const Scenario& s) { return s.recipe.precision == Precision::fp32; }},
    {"fp8 products", [](const Scenario& s) { return s.recipe.precision == Precision::fp8; }},
    {"an optimizer other than Adam", [](const Scenario& s) { return s.recipe.optimizer != Optimizer::adam; }},
};

Circle circle_of(const RunKind& a, const RunKind& b) {
    if (a.experts != b.experts) return Circle::all;
    const bool stack = a.stack == b.stack, device = a.device == b.device;
    if (stack && device)
        return a.precision == b.precision && a.crosses_nodes == b.crosses_nodes ? Circle::same_reach : Circle::same_stack_and_device;
    return stack || device ? Circle::same_stack_or_device : Circle::all;
}

struct Weighed {
    double size;     // |log error|
    double weight;
};

double quantile(std::vector<Weighed> all, double share) {
    std::sort(all.begin(), all.end(), [](const Weighed& a, const Weighed& b) { return a.size < b.size; });
    double total = 0, sum = 0;
    for (const Weighed& w : all) total += w.weight;
    for (const Weighed& w : all)
        if ((sum += w.weight) >= share * total) return w.size;
    return 0;
}

// Runs of one circle, by source.
struct Ring {
    std::map<std::string_view, int> runs_of;
    int runs = 0;
};

std::vector<Trial> trials(const std::vector<ScoredRow>& rows) {
    std::vector<Trial> all;
    for (const ScoredRow& r : rows)
        if (r.excluded.empty()) all.push_back({kind_of(r.plan), r.source, r.error});
    return all;
}

// ---- what the evidence does not reach ---------------------------------------

struct Reach {
    int devices = 0, sequence_length = 0;
    double parameters = 0;
};

void note_excess(std::vector<std::string>& all, const char* what, double plan, double seen, const std::string& among) {
    if (plan > seen) all.push_back(std::string(what) + " " + say_count(plan) + ": the largest published run " + among + " has " + say_count(seen));
}

std::vector<std::string> beyond(const Scenario& s, const RunKind& kind, const std::vector<Trial>& seen) {
    Reach near, far;
    bool device = false, stack = false;
    unsigned used = 0;
    for (const Trial& t : seen) {
        used |= t.kind.traits;
        device |= t.kind.device == kind.device;
        stack |= t.kind.stack == kind.stack;
        for (Reach* reach : {&far, circle_of(kind, t.kind) == Circle::all ? &far : &near}) {
            reach->devices = std::max(reach->devices, t.kind.devices);
            reach->sequence_length = std::max(reach->sequence_length, t.kind.sequence_length);
            reach->parameters = std::max(reach->parameters, t.kind.parameters);
        }
    }
    std::vector<std::string> all;
    if (!device) all.push_back("no published run on " + kind.device + " was checked");
    if (!stack) all.push_back("no published run with the stack '" + s.stack.name + "' was checked");
    const bool alike = device || stack;
    const Reach& reach = alike ? near : far;
    const std::string among = alike ? "on this device or stack" : "of all";
    note_excess(all, "devices", kind.devices, reach.devices, among);
    note_excess(all, "tokens in a sequence", kind.sequence_length, reach.sequence_length, among);
    note_excess(all, "parameters", kind.parameters, reach.parameters, among);
    for (std::size_t i = 0; i < std::size(traits); ++i)
        if ((kind.traits & ~used) >> i & 1u) all.push_back(std::string("no published run with ") + traits[i].words + " was checked");
    return all;
}

}  // namespace

RunKind kind_of(const Scenario& s) {
    RunKind k{s.stack.id, device_family(s.machine.device.name), s.recipe.precision, nodes_used(s) > 1, s.layout.devices,
              s.recipe.sequence_length, has_experts(s.model), parameters(s.model), 0};
    for (std::size_t i = 0; i < std::size(traits); ++i)
        if (traits[i].has(s)) k.traits |= 1u << i;
    return k;
}

Evidence evidence_of(const Score& score) { return {trials(score.rows), trials(score.memory_rows)}; }

Spread spread_of(const RunKind& kind, const std::vector<Trial>& seen, const Trial* without) {
    std::array<Ring, circles> ring;
    for (const Trial& t : seen)
        if (&t != without) {
            Ring& r = ring[int(circle_of(kind, t.kind))];
            ++r.runs_of[t.source];
            ++r.runs;
        }
    int inner = 0;
    while (inner + 1 < circles && ring[inner].runs == 0) ++inner;
    std::vector<Weighed> weighed;
    for (const Trial& t : seen) {
        const int at = int(circle_of(kind, t.kind));
        if (&t == without) continue;
        const double share = outer_weight / double(ring[at].runs_of.size()) / ring[at].runs_of[t.source];
        weighed.push_back({std::abs(std::log1p(t.error)), at == inner ? 1 : share});
    }
    return {std::expm1(quantile(std::move(weighed), one_sigma)), Circle(inner), ring[inner].runs, int(ring[inner].runs_of.size())};
}

Band band_of(const Scenario& s, const Evidence& seen) {
    const RunKind kind = kind_of(s);
    Band b;
    b.time_spread = spread_of(kind, seen.time);
    b.memory_spread = spread_of(kind, seen.memory);
    b.time = b.time_spread.band;
    b.memory = b.memory_spread.band;
    b.beyond = beyond(s, kind, seen.time);
    return b;
}

}  // namespace plimsoll

#include "core/answers/search/measured_search.h"

#include "core/answers/search/ranking.h"

#include <algorithm>
#include <tuple>

namespace plimsoll {

namespace {

double memory_factor(const Scenario& plan) {
    const Outcome o = plan.measured ? estimate(plan) : Outcome(Estimate{});
    return o ? o->measured.memory : 1;
}

std::vector<Candidate> from_runs(const Scenario& plan, const Headroom& asked, const std::vector<Candidate>& found) {
    std::vector<Candidate> all;
    for (const Candidate& c : found) {
        const Scenario here = with_layout(plan, c.layout);
        if (const Outcome o = estimate(here); runs(o)) all.push_back(candidate_of(here, *o, asked));
    }
    return all;
}

void sort_by(Objective objective, std::vector<Candidate>& all) {
    std::ranges::stable_sort(
        all, {}, [&](const Candidate& c) { return std::tuple(value_of(c, objective), c.step); });
}

}  // namespace

Scenario compared_by_model(const Scenario& plan) {
    Scenario s = model_alone(plan);
    s.machine.device.memory = s.machine.device.memory / memory_factor(plan);
    return s;
}

void start_from_runs(const Scenario& plan, const SearchOptions& options, std::optional<Candidate>& c) {
    if (!plan.measured || !c) return;
    const std::vector<Candidate> told = from_runs(plan, options.headroom, {*c});
    c = told.empty() ? std::nullopt : std::optional(told.front());
}

void start_from_runs(const Scenario& plan, const SearchOptions& options, SearchResult& r) {
    if (!plan.measured) return;
    r.top = from_runs(plan, options.headroom, r.top);
    sort_by(options.objective, r.top);
    const std::vector<Candidate> front = from_runs(plan, options.headroom, r.front);
    r.front.clear();
    for (const Candidate& c : front)
        if (std::ranges::none_of(front, [&](const Candidate& other) { return dominates(other, c); }))
            r.front.push_back(c);
    sort_by(Objective::time, r.front);
    for (SplitCell& cell : r.splits) start_from_runs(plan, options, cell.best);
    const double factor = memory_factor(plan);
    for (NearMiss& m : r.near_misses)
        if (m.tier == Tier::device) m = {m.layout, m.tier, factor * m.need, factor * m.limit};
}

}  // namespace plimsoll

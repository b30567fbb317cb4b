#include "core/answers/plan/remedies.h"

#include "core/answers/plan/rules.h"
#include "core/answers/plan/headline.h"
#include "core/answers/plan/valid_values.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace plimsoll {
namespace {

struct Edit {
    const Knob* knob;
    double value;
};

// A changed plan that has not been priced yet.
struct Attempt {
    std::vector<Edit> edits;
    Scenario scenario;
};

struct PricedAttempt {
    Attempt attempt;
    Estimate estimate;
    Seconds run;
    double size_change, recipe_change;  // from the plan asked about, in logarithms
};

constexpr int most_estimates = 400;
constexpr std::size_t most_attempts = 256;

std::vector<Attempt> applied(const Attempt& from, const std::vector<Edit>& edits) {
    std::vector<Attempt> attempts;
    for (const Edit& e : edits) {
        if (std::ranges::find(from.edits, e.knob, &Edit::knob) != from.edits.end()) continue;  // back and forth
        const auto turned = with(from.scenario, *e.knob, e.value);
        if (!turned || *turned == from.scenario) continue;
        attempts.push_back({from.edits, *turned});
        attempts.back().edits.push_back(e);
    }
    return attempts;
}

// ---- Memory: what usually helps, cheapest to say first

void add(std::vector<Edit>& edits, const char* id, const std::vector<double>& values) {
    for (double v : values) edits.push_back({find_knob(id), v});
}

std::vector<double> above(std::vector<double> values, double low, double high, std::size_t most) {
    std::erase_if(values, [&](double v) { return v <= low || v > high; });
    if (values.size() > most) values.resize(most);
    return values;
}

std::vector<Edit> memory_edits(const Scenario& s) {
    const Layout& l = s.layout;
    std::vector<Edit> edits;
    add(edits, "layout.recompute", {1, 2});
    if (l.recomputes_some()) add(edits, "layout.recompute_layers", {0});
    add(edits, "layout.zero_stage", {1, 2, 3});
    add(edits, "layout.sequence_parallel", {1});
    add(edits, "layout.micro_batch", {1});
    for (const char* kept : {"layout.offload.optimizer_state", "layout.offload.activations"})
        add(edits, kept, {double(Tier::device), double(Tier::host), double(Tier::nvme)});
    const Knob& tensor = *find_knob("layout.tensor_parallel");
    add(edits, "layout.tensor_parallel",
        above(valid_values(s, tensor), l.tensor_parallel, s.machine.devices_per_node, 6));
    const Knob& pipeline = *find_knob("layout.pipeline_parallel");
    add(edits, "layout.pipeline_parallel", above(valid_values(s, pipeline), l.pipeline_parallel, pipeline.high, 8));
    add(edits, "nodes", above(node_counts(s), nodes_used(s), s.machine.nodes, 4));
    return edits;
}

// ---- Obstacles: their nearest values, and those that leave no obstacle at all

void add_valid(std::vector<Edit>& edits, const Scenario& s, const std::string& id) {
    if (const Knob* k = find_knob(id))
        for (double v : valid_values(s, *k, 4)) edits.push_back({k, v});
}

std::vector<Edit> edits_for(const Scenario& s, const Obstacle& o) {
    std::vector<Edit> edits;
    if (const Knob* k = find_knob(o.knob))
        for (double v : o.valid) edits.push_back({k, v});
    add_valid(edits, s, o.knob);
    if (o.of.starts_with("layout.")) add_valid(edits, s, o.of);  // the other side; the model stays what it is
    return edits;
}

// Computable plans with as few edits as it takes, up to three.
std::vector<Attempt> cleared(const Scenario& s) {
    std::vector<Attempt> open{{{}, s}}, clear;
    for (int edits = 0; edits <= 3 && clear.empty(); ++edits) {
        std::vector<Attempt> next;
        for (const Attempt& a : open) {
            const std::vector<Obstacle> obstacles = check(a.scenario);
            if (obstacles.empty()) clear.push_back(a);
            for (const Obstacle& o : obstacles)
                if (next.size() < most_attempts)
                    std::ranges::move(applied(a, edits_for(a.scenario, o)), std::back_inserter(next));
        }
        open = std::move(next);
    }
    return clear;
}

// ---- Pricing

double size_change(const Scenario& from, const Estimate& to) {
    return std::abs(std::log(1.0 * to.nodes / std::max(1, nodes_used(from))));
}

double recipe_change(const Scenario& from, const Attempt& to) {
    double change = 0;
    for (const Edit& e : to.edits)
        if (e.knob->group == KnobGroup::recipe && e.knob->kind == KnobKind::integer)
            change += std::abs(std::log(e.value / e.knob->get(from)));
    return change;
}

std::vector<const Knob*> knobs_of(const Attempt& a) {
    std::vector<const Knob*> turned;
    for (const Edit& e : a.edits) turned.push_back(e.knob);
    std::sort(turned.begin(), turned.end());
    return turned;
}

class Search {
public:
    explicit Search(const Scenario& from) : from_(from) {}

    // Estimates it while the budget lasts; true if it can be run.
    bool price(const Attempt& a) {
        if (++tried_ > most_estimates) return false;
        const Outcome o = estimate(a.scenario);
        if (!runs(o)) return false;
        ideas_.insert(knobs_of(a));
        found_.push_back({a, *o, headline(a.scenario, *o).run, size_change(from_, *o), recipe_change(from_, a)});
        return true;
    }
    std::vector<PricedAttempt> found() && { return std::move(found_); }
    std::size_t ideas() const { return ideas_.size(); }  // different sets of knobs among the found

private:
    const Scenario& from_;
    int tried_ = 0;
    std::vector<PricedAttempt> found_;
    std::set<std::vector<const Knob*>> ideas_;
};

// Single edits; pairs of those that do not help alone where singles are too few.
void search_memory(Search& search, const Attempt& from, std::size_t most) {
    std::vector<Attempt> insufficient;
    const std::vector<Edit> edits = memory_edits(from.scenario);
    for (Attempt& a : applied(from, edits))
        if (!search.price(a)) insufficient.push_back(std::move(a));
    if (search.ideas() >= most) return;
    for (std::size_t i = 0; i < insufficient.size(); ++i) {
        const Edit first = insufficient[i].edits.back();
        std::vector<Edit> second;
        for (std::size_t j = i + 1; j < insufficient.size(); ++j)
            if (const Edit& e = insufficient[j].edits.back(); e.knob != first.knob) second.push_back(e);
        for (const Attempt& a : applied(insufficient[i], second)) search.price(a);
    }
}

// ---- Choosing

// One remedy per set of knobs turned, so that three remedies are three ideas:
// the one nearest to the plan in nodes and recipe, of these the fastest.
std::vector<PricedAttempt> distinct(std::vector<PricedAttempt> all) {
    std::map<std::vector<const Knob*>, PricedAttempt> best;
    const auto order = [](const PricedAttempt& p) { return std::tuple(p.size_change, p.recipe_change, p.run); };
    for (PricedAttempt& p : all) {
        const auto [at, fresh] = best.try_emplace(knobs_of(p.attempt), p);
        if (!fresh && order(p) < order(at->second)) at->second = std::move(p);
    }
    std::vector<PricedAttempt> chosen;
    for (auto& [turned, p] : best) chosen.push_back(std::move(p));
    return chosen;
}

std::string name_of(const std::vector<Edit>& edits) {
    std::string name;
    for (const Edit& e : edits) name += (name.empty() ? "" : " + ") + say_edit(*e.knob, e.value);
    return name;
}

// The edits again, on the plan with its sources.
Remedy remedy(const Scenario& s, const PricedAttempt& p) {
    Remedy r{name_of(p.attempt.edits), s, p.estimate};
    for (const Edit& e : p.attempt.edits) e.knob->set(r.scenario, e.value);
    return r;
}

}  // namespace

std::vector<Remedy> remedies(const Scenario& scenario, int most) {
    const Scenario s = without_sources(scenario);
    const auto wanted = static_cast<std::size_t>(std::max(0, most));
    if (runs(estimate(s))) return {};
    Search search(s);
    std::vector<Attempt> too_large;
    for (Attempt& a : cleared(s))
        if (a.edits.empty() || !search.price(a)) too_large.push_back(std::move(a));
    for (const Attempt& a : too_large)
        if (search.ideas() < wanted) search_memory(search, a, wanted);
    std::vector<PricedAttempt> found = distinct(std::move(search).found());
    std::ranges::stable_sort(found, {}, [](const PricedAttempt& p) { return std::tuple(p.run, p.estimate.nodes); });
    std::vector<Remedy> best;
    for (const PricedAttempt& p : found) {
        const Layout& layout = p.attempt.scenario.layout;
        const auto same = [&](const Remedy& r) { return r.scenario.layout == layout && r.estimate == p.estimate; };
        if (best.size() < wanted && std::ranges::none_of(best, same)) best.push_back(remedy(scenario, p));
    }
    return best;
}

}  // namespace plimsoll

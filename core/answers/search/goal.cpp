#include "core/answers/search/goal.h"

#include "core/answers/search/envelope.h"
#include "core/answers/campaign/headline.h"
#include "core/answers/plan/power_limit.h"
#include "core/answers/search/sizes.h"
#include "core/values/basics/phrase.h"
#include "core/values/knobs/knobs.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace plimsoll {

namespace {

constexpr std::string_view goal_labels[] = {"days", "nodes", "node-hours", "energy", "money", "power", "headroom"};
constexpr GoalLimit goal_limits[] = {GoalLimit::time, GoalLimit::nodes, GoalLimit::node_hours, GoalLimit::energy,
                                     GoalLimit::money, GoalLimit::power, GoalLimit::headroom};
constexpr std::string_view aim_names[] = {"time", "nodes", "node-hours", "energy", "carbon", "money"};
constexpr std::string_view aim_labels[] = {"Earliest end", "Fewest nodes", "Least node-hours",
                                           "Least energy", "Least carbon", "Least money"};
constexpr int every_count = 1'000'000;   // of nodes: no list is thinned
constexpr int layouts_kept = 200;
constexpr double most_goal_tokens = 1e18;

bool is_set(const GoalLimits& l, GoalLimit of) {
    switch (of) {
    case GoalLimit::time: return l.time.has_value();
    case GoalLimit::nodes: return l.nodes.has_value();
    case GoalLimit::node_hours: return l.node_hours.has_value();
    case GoalLimit::energy: return l.energy.has_value();
    case GoalLimit::money: return l.money.has_value();
    case GoalLimit::power: return l.power.has_value();
    case GoalLimit::headroom: return l.headroom > 0;
    }
    return false;
}

GoalLimits without(GoalLimits l, GoalLimit of) {
    switch (of) {
    case GoalLimit::time: l.time.reset(); break;
    case GoalLimit::nodes: l.nodes.reset(); break;
    case GoalLimit::node_hours: l.node_hours.reset(); break;
    case GoalLimit::energy: l.energy.reset(); break;
    case GoalLimit::money: l.money.reset(); break;
    case GoalLimit::power: l.power.reset(); break;
    case GoalLimit::headroom: l.headroom = 0; break;
    }
    return l;
}

// One plan with all that limits look at; nothing where it cannot run at all.
struct Tried {
    GoalPlan goal;
    Estimate estimate;
};
std::optional<Tried> tried(const Scenario& s) {
    Outcome o = estimate(s);
    if (!runs(o)) return std::nullopt;
    const Totals t = totals(s, headline(s, *o), Counting::all);
    if (!t.ends()) return std::nullopt;
    const auto cost = cost_of(s, t);
    GoalPlan g{s, t, o->parameters, tokens_read(s.recipe), o->worst().total(), fit_verdict(*o),
               cost ? std::optional(cost->high) : std::nullopt, carbon_of(s, t).known_kg(), power_of(*o)};
    return Tried{std::move(g), *std::move(o)};
}

Scenario with_steps(Scenario s, double steps) {
    set_tokens(s.recipe, steps * tokens_of_step(s.recipe));
    return s;
}

bool holds(const Scenario& s, const GoalLimits& limits) {
    const auto t = tried(s);
    return t && broken(t->goal, limits, t->estimate).empty();
}

// What is longer takes more of everything, so the most steps are found by halving.
std::optional<Tried> most_steps(const Scenario& s, const GoalLimits& limits, long long& count) {
    const auto fine = [&](double steps) {
        ++count;
        return holds(with_steps(s, steps), limits);
    };
    const double cap = std::floor(most_goal_tokens / tokens_of_step(s.recipe));
    double low = 0, high = 1;
    while (high < cap && fine(high)) {
        low = high;
        high = std::min(2 * high, cap);
    }
    if (high == cap && fine(cap)) low = cap;
    while (high - low > 1) {
        const double middle = std::floor((low + high) / 2);
        (fine(middle) ? low : high) = middle;
    }
    return low > 0 ? tried(with_steps(s, low)) : std::nullopt;
}

// What is better, by what moves and what is aimed at.
struct Wish {
    GoalMoves moves;
    GoalAim aim;

    bool prefers(const GoalPlan& a, const GoalPlan& b) const {
        if (moves.tokens && a.tokens != b.tokens) return a.tokens > b.tokens;
        if (moves.size && a.parameters != b.parameters) return a.parameters > b.parameters;
        const double of_a = value_of(a, aim).value_or(unknown), of_b = value_of(b, aim).value_or(unknown);
        if (of_a != of_b) return of_a < of_b;
        if (a.totals.time != b.totals.time) return a.totals.time < b.totals.time;
        return a.totals.node_hours < b.totals.node_hours;
    }
    void keep(std::optional<GoalPlan>& best, const GoalPlan& g) const {
        if (!best || prefers(g, *best)) best = g;
    }
    void keep(std::map<int, GoalPoint>& best, const GoalPlan& g, bool within) const {
        const auto [at, fresh] = best.try_emplace(nodes_used(g.plan), GoalPoint{g, within});
        const bool better = within != at->second.within ? within : prefers(g, at->second.plan);
        if (!fresh && better) at->second = {g, within};
    }
    bool alike(const GoalPlan& a, const GoalPlan& b) const { return !prefers(a, b) && !prefers(b, a); }

    static constexpr double unknown = std::numeric_limits<double>::infinity();
};

// The plan with every model that is tried.
std::vector<Scenario> sizes_tried(const Scenario& plan, const GoalMoves& moves, const GoalSpace& space) {
    if (!moves.size) return {plan};
    std::vector<Scenario> all;
    for (const int layers : space.layer_counts)
        if (auto sized = with(plan, *find_knob("model.layers"), layers)) all.push_back(*std::move(sized));
    if (!space.layer_counts.empty()) return all;
    for (Model& m : family_sizes(plan, !moves.layout)) {
        all.push_back(plan);
        all.back().model = std::move(m);
    }
    return all;
}

// Numbers of nodes that are tried; 0 stands for the plan's own.
std::vector<int> counts_tried(const Scenario& plan, const GoalMoves& moves, const GoalSpace& space, bool each) {
    if (!moves.nodes) return {0};
    if (!space.node_counts.empty()) return space.node_counts;
    return each ? envelope_nodes(plan, every_count) : envelope_nodes(plan);
}

std::vector<Scenario> sizes_and_counts(const Scenario& plan, const GoalMoves& moves, const GoalSpace& space,
                                       const std::vector<int>& nodes) {
    std::vector<Scenario> all;
    for (const Scenario& sized : sizes_tried(plan, moves, space))
        for (const int n : nodes) {
            if (n == 0) { all.push_back(sized); continue; }
            if (moves.layout) { all.push_back(on_nodes(sized, n)); continue; }
            if (const auto here = with(sized, *find_knob("nodes"), n)) all.push_back(*here);
        }
    return all;
}

// The plans of one size on one number of nodes that are tried.
std::vector<Scenario> layouts_tried(const Scenario& s, const GoalLimits& limits, const GoalMoves& moves,
                                    const GoalSpace& space) {
    if (!moves.layout) return {s};
    SearchOptions options;
    options.limit = layouts_kept;
    options.threads = space.threads;
    std::vector<Scenario> all;
    const auto take = [&](const SearchResult& r) {
        for (const auto* list : {&r.top, &r.front})
            for (const Candidate& c : *list) all.push_back(with_layout(s, c.layout));
    };
    take(search(s, space.layouts, options));
    if (limits.power) {
        options.most_power = *limits.power;
        take(search(s, space.layouts, options));
    }
    return all;
}

void give_back_sources(GoalAnswer& a, const Scenario& given) {
    const auto give = [&](std::optional<GoalPlan>& g) {
        if (!g) return;
        g->plan.model.sources = given.model.sources;
        g->plan.machine.sources = given.machine.sources;
        g->plan.stack.sources = given.stack.sources;
    };
    give(a.best);
    for (GoalRelaxed& r : a.relaxed) give(r.best);
}

}  // namespace

template <> std::span<const std::string_view> names_of<GoalAim>() { return aim_names; }

std::string_view label_of(GoalLimit l) { return goal_labels[static_cast<std::size_t>(l)]; }
std::string_view label_of(GoalAim a) { return aim_labels[static_cast<std::size_t>(a)]; }

std::optional<double> value_of(const GoalPlan& g, GoalAim aim) {
    switch (aim) {
    case GoalAim::time: return g.totals.time / second;
    case GoalAim::nodes: return nodes_used(g.plan);
    case GoalAim::node_hours: return g.totals.node_hours;
    case GoalAim::energy: return g.totals.facility_energy / joule;
    case GoalAim::carbon: return g.carbon_kg;
    case GoalAim::money: return g.money;
    }
    return std::nullopt;
}

std::string cannot_aim(const Scenario& s, GoalAim aim) {
    const Machine& m = s.machine;
    const bool priced = m.price.amount > 0 || m.usd_per_device_hour_low || m.usd_per_device_hour_high;
    if (aim == GoalAim::money && !priced) return phrase("No price of {1} is known: state one first.", m.name);
    if (aim == GoalAim::carbon && !m.grid_gCO2e_per_kWh && !m.embodied_gCO2e_per_node_hour)
        return phrase("How much CO2e a kilowatt-hour of {1} stands for is not known: state it first.", m.name);
    return {};
}

bool GoalAnswer::ends_at_largest() const {
    const auto ends = [&](const std::optional<GoalPlan>& g) { return g && g->parameters == most_parameters; };
    return ends(best)
        || std::any_of(relaxed.begin(), relaxed.end(), [&](const GoalRelaxed& r) { return r.better && ends(r.best); });
}

std::vector<GoalLimit> broken(const GoalPlan& g, const GoalLimits& l, const Estimate& e) {
    std::vector<GoalLimit> all;
    if (l.time && g.totals.time > *l.time) all.push_back(GoalLimit::time);
    if (l.nodes && nodes_used(g.plan) > *l.nodes) all.push_back(GoalLimit::nodes);
    if (l.node_hours && g.totals.node_hours > *l.node_hours) all.push_back(GoalLimit::node_hours);
    if (l.energy && g.totals.facility_energy > *l.energy) all.push_back(GoalLimit::energy);
    // A limit of money holds of nothing whose price is not known.
    if (l.money && (!g.money || *g.money > *l.money)) all.push_back(GoalLimit::money);
    if (l.power && g.power > *l.power) all.push_back(GoalLimit::power);
    if (room_of(e, Headroom{l.headroom}) == Room::tight) all.push_back(GoalLimit::headroom);
    return all;
}

namespace {

// One search for a goal: what was tried so far, and the best of it.
class GoalSearch {
public:
    GoalSearch(const Scenario& plan, const GoalLimits& limits, const Wish& wish, const GoalSpace& space)
        : plan_(plan), limits_(limits), wish_(wish), space_(space) {
        for (const GoalLimit l : goal_limits)
            if (is_set(limits, l)) answer.relaxed.push_back({l, {}, false});
    }

    void search(const std::vector<int>& nodes, std::stop_token stop, const SearchProgress& progress) {
        const std::vector<Scenario> sizes = sizes_and_counts(plan_, wish_.moves, space_, nodes);
        for (std::size_t i = 0; i < sizes.size() && !stop.stop_requested(); ++i) {
            if (progress) progress(static_cast<long long>(i), static_cast<long long>(sizes.size()));
            if (wish_.moves.size) {
                answer.most_parameters = std::max(answer.most_parameters, parameters(sizes[i].model));
                answer.most_layers = std::max(answer.most_layers, sizes[i].model.layers);
            }
            for (const Scenario& s : layouts_tried(sizes[i], limits_, wish_.moves, space_))
                wish_.moves.tokens ? try_steps(s) : try_plan(s);
        }
    }
    // Of the numbers of nodes that the coarse list leaves out, those below the fewest that were found; all if none was.
    std::vector<int> fewer_nodes() const {
        std::vector<int> fewer;
        const std::vector<int> coarse = counts_tried(plan_, wish_.moves, space_, false);
        for (const int n : counts_tried(plan_, wish_.moves, space_, true))
            if ((!answer.best || n < nodes_used(answer.best->plan)) && !std::ranges::count(coarse, n))
                fewer.push_back(n);
        return fewer;
    }
    void say_what_binds() {
        std::vector<const GoalRelaxed*> gains;
        for (GoalRelaxed& r : answer.relaxed) {
            r.better = r.best && (!answer.best || !wish_.alike(*r.best, *answer.best));
            if (r.better) gains.push_back(&r);
        }
        std::stable_sort(gains.begin(), gains.end(), [&](const GoalRelaxed* a, const GoalRelaxed* b) {
            return wish_.prefers(*a->best, *b->best);
        });
        for (const GoalRelaxed* r : gains) answer.binds.push_back(r->limit);
    }

    GoalAnswer answer;

private:
    // Without the only limit of length a run has no end.
    void try_steps(const Scenario& s) {
        if (const auto t = most_steps(s, limits_, answer.tried)) {
            wish_.keep(answer.best, t->goal);
            wish_.keep(answer.over_nodes, t->goal, true);
        }
        for (GoalRelaxed& r : answer.relaxed) {
            const GoalLimits rest = without(limits_, r.limit);
            if (!rest.end_a_run()) continue;
            if (const auto t = most_steps(s, rest, answer.tried)) wish_.keep(r.best, t->goal);
        }
    }
    void try_plan(const Scenario& s) {
        ++answer.tried;
        const auto t = tried(s);
        if (!t) return;
        const auto breaks = broken(t->goal, limits_, t->estimate);
        if (breaks.empty()) wish_.keep(answer.best, t->goal);
        wish_.keep(answer.over_nodes, t->goal, breaks.empty());
        for (GoalRelaxed& r : answer.relaxed)
            if (breaks.empty() || (breaks.size() == 1 && breaks.front() == r.limit)) wish_.keep(r.best, t->goal);
    }

    const Scenario& plan_;
    const GoalLimits& limits_;
    const Wish wish_;
    const GoalSpace& space_;
};

}  // namespace

GoalAnswer best_within(const Scenario& given, const GoalLimits& limits, const GoalMoves& moves,
                       const GoalSpace& space, GoalAim aim, std::stop_token stop, const SearchProgress& progress) {
    const Scenario plan = without_sources(given);
    GoalSearch goal(plan, limits, {moves, aim}, space);
    goal.search(counts_tried(plan, moves, space, false), stop, progress);
    const bool counts_decide = aim == GoalAim::nodes && moves.nodes && !moves.tokens && !moves.size;
    if (counts_decide) goal.search(goal.fewer_nodes(), stop, progress);
    goal.say_what_binds();
    give_back_sources(goal.answer, given);
    return std::move(goal.answer);
}

std::optional<GoalPlan> best_within_plainly(const Scenario& given, const GoalLimits& limits, const GoalMoves& moves,
                                            const GoalSpace& space, GoalAim aim, long long most) {
    const Scenario plan = without_sources(given);
    const Wish wish{moves, aim};
    std::optional<GoalPlan> best;
    const auto take = [&](const Scenario& s) {
        const auto t = tried(s);
        if (t && broken(t->goal, limits, t->estimate).empty()) wish.keep(best, t->goal);
    };
    const std::vector<int> nodes = counts_tried(plan, moves, space, aim == GoalAim::nodes);
    for (const Scenario& size : sizes_and_counts(plan, moves, space, nodes)) {
        std::vector<Scenario> all{size};
        if (moves.layout) {
            all.clear();
            const Layouts layouts(size, space.layouts);
            for (const Layout& l : layouts.all()) all.push_back(with_layout(size, l));
        }
        for (const Scenario& s : all) {
            if (!moves.tokens) take(s);
            else
                for (long long steps = 1; steps <= most; ++steps) take(with_steps(s, double(steps)));
        }
    }
    return best;
}

}  // namespace plimsoll

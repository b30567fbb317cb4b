#include "core/answers/search/goal.h"

#include "core/answers/search/envelope.h"
#include "core/answers/plan/headline.h"
#include "core/answers/plan/power_limit.h"
#include "core/answers/search/sizes.h"
#include "core/values/knobs/knobs.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace plimsoll {

namespace {

constexpr std::string_view goal_labels[] = {"days", "node-hours", "energy", "money", "power", "headroom"};
constexpr GoalLimit goal_limits[] = {GoalLimit::time, GoalLimit::node_hours, GoalLimit::energy, GoalLimit::money,
                                     GoalLimit::power, GoalLimit::headroom};
constexpr int layouts_kept = 200;
constexpr double most_goal_tokens = 1e18;

bool is_set(const GoalLimits& l, GoalLimit of) {
    switch (of) {
    case GoalLimit::time: return l.time.has_value();
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
    case GoalLimit::node_hours: l.node_hours.reset(); break;
    case GoalLimit::energy: l.energy.reset(); break;
    case GoalLimit::money: l.money.reset(); break;
    case GoalLimit::power: l.power.reset(); break;
    case GoalLimit::headroom: l.headroom = 0; break;
    }
    return l;
}

double tokens_of_step(const Recipe& r) { return 1.0 * r.global_batch_sequences * r.sequence_length; }

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
    GoalPlan g{s, t, o->parameters, tokens_read(s.recipe), o->worst().total(),
               cost ? std::optional(cost->high) : std::nullopt, power_of(*o)};
    return Tried{std::move(g), *std::move(o)};
}

Scenario with_steps(Scenario s, double steps) {
    s.recipe.tokens = steps * tokens_of_step(s.recipe);
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

bool better_goal(const GoalPlan& a, const GoalPlan& b, const GoalMoves& m) {
    if (m.tokens && a.tokens != b.tokens) return a.tokens > b.tokens;
    if (m.size && a.parameters != b.parameters) return a.parameters > b.parameters;
    if (a.totals.time != b.totals.time) return a.totals.time < b.totals.time;
    return a.totals.node_hours < b.totals.node_hours;
}

void keep_better(std::optional<GoalPlan>& best, const GoalPlan& g, const GoalMoves& m) {
    if (!best || better_goal(g, *best, m)) best = g;
}

bool same_plan(const GoalPlan& a, const GoalPlan& b, const GoalMoves& m) {
    return !better_goal(a, b, m) && !better_goal(b, a, m);
}

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

std::vector<Scenario> sizes_and_counts(const Scenario& plan, const GoalMoves& moves, const GoalSpace& space) {
    std::vector<int> nodes{0};
    if (moves.nodes) nodes = space.node_counts.empty() ? envelope_nodes(plan) : space.node_counts;
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

std::string_view label_of(GoalLimit l) { return goal_labels[static_cast<std::size_t>(l)]; }

bool GoalAnswer::ends_at_largest() const {
    const auto ends = [&](const std::optional<GoalPlan>& g) { return g && g->parameters == most_parameters; };
    return ends(best)
        || std::any_of(relaxed.begin(), relaxed.end(), [&](const GoalRelaxed& r) { return r.better && ends(r.best); });
}

std::vector<GoalLimit> broken(const GoalPlan& g, const GoalLimits& l, const Estimate& e) {
    std::vector<GoalLimit> all;
    if (l.time && g.totals.time > *l.time) all.push_back(GoalLimit::time);
    if (l.node_hours && g.totals.node_hours > *l.node_hours) all.push_back(GoalLimit::node_hours);
    if (l.energy && g.totals.facility_energy > *l.energy) all.push_back(GoalLimit::energy);
    // A limit of money holds of nothing whose price is not known.
    if (l.money && (!g.money || *g.money > *l.money)) all.push_back(GoalLimit::money);
    if (l.power && g.power > *l.power) all.push_back(GoalLimit::power);
    if (room_of(e, Headroom{l.headroom}) == Room::tight) all.push_back(GoalLimit::headroom);
    return all;
}

GoalAnswer best_within(const Scenario& given, const GoalLimits& limits, const GoalMoves& moves,
                       const GoalSpace& space, std::stop_token stop, const SearchProgress& progress) {
    const Scenario plan = without_sources(given);
    GoalAnswer answer;
    std::vector<GoalLimit> asked;
    for (const GoalLimit l : goal_limits)
        if (is_set(limits, l)) {
            asked.push_back(l);
            answer.relaxed.push_back({l, {}, false});
        }
    const std::vector<Scenario> sizes = sizes_and_counts(plan, moves, space);
    for (const Scenario& size : sizes)
        if (moves.size) {
            answer.most_parameters = std::max(answer.most_parameters, parameters(size.model));
            answer.most_layers = std::max(answer.most_layers, size.model.layers);
        }
    for (std::size_t i = 0; i < sizes.size() && !stop.stop_requested(); ++i) {
        if (progress) progress(static_cast<long long>(i), static_cast<long long>(sizes.size()));
        for (const Scenario& s : layouts_tried(sizes[i], limits, moves, space)) {
            if (moves.tokens) {
                if (const auto t = most_steps(s, limits, answer.tried)) keep_better(answer.best, t->goal, moves);
                // Without the only limit of length a run has no end.
                for (GoalRelaxed& r : answer.relaxed) {
                    const GoalLimits rest = without(limits, r.limit);
                    if (!rest.end_a_run()) continue;
                    if (const auto t = most_steps(s, rest, answer.tried)) keep_better(r.best, t->goal, moves);
                }
                continue;
            }
            ++answer.tried;
            const auto t = tried(s);
            if (!t) continue;
            const auto breaks = broken(t->goal, limits, t->estimate);
            if (breaks.empty()) keep_better(answer.best, t->goal, moves);
            for (GoalRelaxed& r : answer.relaxed)
                if (breaks.empty() || (breaks.size() == 1 && breaks.front() == r.limit))
                    keep_better(r.best, t->goal, moves);
        }
    }
    give_back_sources(answer, given);
    for (GoalRelaxed& r : answer.relaxed)
        r.better = r.best && (!answer.best || !same_plan(*r.best, *answer.best, moves));
    std::vector<const GoalRelaxed*> gains;
    for (const GoalRelaxed& r : answer.relaxed)
        if (r.better) gains.push_back(&r);
    std::stable_sort(gains.begin(), gains.end(), [&](const GoalRelaxed* a, const GoalRelaxed* b) {
        return better_goal(*a->best, *b->best, moves);
    });
    for (const GoalRelaxed* r : gains) answer.binds.push_back(r->limit);
    return answer;
}

std::optional<GoalPlan> best_within_plainly(const Scenario& given, const GoalLimits& limits, const GoalMoves& moves,
                                            const GoalSpace& space, long long most) {
    const Scenario plan = without_sources(given);
    std::optional<GoalPlan> best;
    const auto take = [&](const Scenario& s) {
        const auto t = tried(s);
        if (t && broken(t->goal, limits, t->estimate).empty()) keep_better(best, t->goal, moves);
    };
    for (const Scenario& size : sizes_and_counts(plan, moves, space)) {
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

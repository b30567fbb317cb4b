#include "core/answers/curves/goal_figure.h"

namespace plimsoll {

namespace {

// What the curve is of: a quantity in a unit, and its limit where there is one.
struct Drawn {
    Axis axis;
    double size = 1;                 // of the unit, in what value() returns
    double (*value)(const GoalPlan&);
    std::optional<double> limit;     // likewise
};

template <class Q, std::size_t N>
Drawn drawn_in(const char* label, const Unit<Q> (&units)[N], Q chosen, Q one, double (*value)(const GoalPlan&),
               const std::optional<Q>& limit) {
    const Unit<Q> unit = readable(chosen, units);
    return {{label, unit.name}, unit.size / one, value, limit ? std::optional(*limit / one) : std::nullopt};
}

GoalAim drawn_aim(GoalAim aim, const GoalLimits& l) {
    if (aim != GoalAim::nodes || l.time) return aim == GoalAim::nodes ? GoalAim::time : aim;
    return l.node_hours ? GoalAim::node_hours : l.energy ? GoalAim::energy : l.money ? GoalAim::money : GoalAim::time;
}

Drawn drawn(const GoalPlan& chosen, const GoalLimits& l, const GoalMoves& moves, GoalAim aim) {
    if (moves.tokens) return {{"Training tokens", ""}, 1, [](const GoalPlan& g) { return g.tokens; }, {}};
    if (moves.size) return {{"Parameters", ""}, 1, [](const GoalPlan& g) { return g.parameters; }, {}};
    switch (drawn_aim(aim, l)) {
    case GoalAim::node_hours:
        return {{"Node-hours", ""}, 1, [](const GoalPlan& g) { return g.totals.node_hours; }, l.node_hours};
    case GoalAim::energy:
        return drawn_in("Energy, facility", energy_units, chosen.totals.facility_energy, joule,
                        [](const GoalPlan& g) { return g.totals.facility_energy / joule; }, l.energy);
    case GoalAim::carbon:
        return {{"Carbon", "t CO2e"}, 1000, [](const GoalPlan& g) { return g.carbon_kg.value_or(0); }, {}};
    case GoalAim::money: {
        const auto cost = cost_of(chosen.plan, chosen.totals);
        return {{"Cost, at most", cost ? cost->currency : ""}, 1,
                [](const GoalPlan& g) { return g.money.value_or(0); }, l.money};
    }
    default:
        return drawn_in("Time to train", run_units, chosen.totals.time, second,
                        [](const GoalPlan& g) { return g.totals.time / second; }, l.time);
    }
}

}  // namespace

Figure goal_figure(const GoalAnswer& a, const GoalLimits& limits, const GoalMoves& moves, GoalAim aim) {
    Figure f;
    f.id = "goal";
    f.title = "The best plan on every number of nodes";
    if (a.over_nodes.empty()) return f;
    const Drawn d = drawn(a.best ? *a.best : a.over_nodes.begin()->second.plan, limits, moves, aim);
    f.x = {"Nodes", "", true};
    f.y = d.axis;
    Series line{"best", "The best plan on so many nodes", Mark::line, {}, {}, {}};
    Series within{"within", "Within all limits", Mark::point, {}, {}, {}};
    Series beyond{"beyond", "Beyond a limit", Mark::point, {}, {}, {}};
    const auto add = [&](Series& s, int nodes, const GoalPlan& g) {
        s.x.push_back(nodes);
        s.y.push_back(d.value(g) / d.size);
        if (s.mark == Mark::point) s.names.push_back(std::to_string(nodes));
    };
    for (const auto& [nodes, point] : a.over_nodes) {
        add(line, nodes, point.plan);
        add(point.within ? within : beyond, nodes, point.plan);
    }
    f.series.push_back(std::move(line));
    for (Series* s : {&within, &beyond})
        if (!s->x.empty()) f.series.push_back(std::move(*s));
    if (a.best) {
        Series chosen{"chosen", "The answer", Mark::point, {}, {}, {}};
        add(chosen, nodes_used(a.best->plan), *a.best);
        f.series.push_back(std::move(chosen));
    }
    if (d.limit) f.series.push_back({"limit", "The limit", Mark::limit, {}, {*d.limit / d.size}, {}});
    f.caption = "The best plan on every number of nodes that was tried, failures, checkpoints and ends of jobs "
                "counted, with the limit and the answer.";
    return f;
}

}  // namespace plimsoll

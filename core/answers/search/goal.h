#pragma once
// The best plan within limits: fix some of days, nodes, node-hours, energy, money, power and free memory, and let
// nodes, layout, model size or tokens move.
//
//   GoalLimits limits; limits.time = 130 * day;
//   const GoalAnswer a = best_within(plan, limits, {.nodes = true, .layout = true}, space, GoalAim::nodes);
//   a.best->plan;  a.binds;  a.relaxed;      // the plan on fewest nodes, what stops it, and what each limit costs
//   a.over_nodes;                            // the best on every number of nodes that was tried
//
// Most tokens win where tokens move, else the largest model where its size moves, else the aim decides. Ties go to the
// earlier end, then to fewer node-hours. Totals count failures, checkpoints and ends of jobs.
//
// With the aim of fewest nodes every number of nodes below the best of the coarse list is tried as well, so that none
// fewer is left out.
//
// What is predicted to take no more than the memory is a plan, whether it surely fits or may not; each says which.
//
// With the layout free, the 200 layouts that search() ranks first by time on each node count are tried, and those that
// nothing beats in time, energy and memory at once: of a space of up to 200 layouts that fit this is all of them. With
// a limit of power those that rank first within it are tried as well.

#include "core/answers/campaign/money.h"
#include "core/answers/search/search.h"
#include "core/values/basics/names.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

enum class GoalAim { time, nodes, node_hours, energy, carbon, money };
template <> std::span<const std::string_view> names_of<GoalAim>();   // "time", "nodes", "node-hours", ...
std::string_view label_of(GoalAim);                                  // "Earliest end"

struct GoalLimits {
    std::optional<Seconds> time;
    std::optional<int> nodes;
    std::optional<double> node_hours;
    std::optional<Joules> energy;      // facility
    std::optional<double> money;       // at the upper price, in its currency
    std::optional<Watts> power;        // of the facility while it trains
    double headroom = usual_headroom;  // share of a device's memory that stays free
    // Whether one of them bounds how long a run may be: without, free tokens have no most.
    bool end_a_run() const { return time || node_hours || energy || money; }
};

enum class GoalLimit { time, nodes, node_hours, energy, money, power, headroom };
std::string_view label_of(GoalLimit);

struct GoalMoves {
    bool nodes = false, layout = false, size = false, tokens = false;
};

struct GoalSpace {
    std::vector<int> node_counts;      // tried where nodes move; empty: envelope_nodes()
    std::vector<int> layer_counts;     // of the plan's width, tried where the size moves; empty: family_sizes()
    Space layouts;                     // where the layout moves
    int threads = 1;
};

struct GoalPlan {
    Scenario plan;
    Totals totals;
    double parameters = 0, tokens = 0;
    Bytes memory;
    FitVerdict verdict = FitVerdict::fits;
    std::optional<double> money;
    std::optional<double> carbon_kg;   // operational, and embodied where it is known
    Watts power;                       // of the facility while it trains
};
// Nothing where no price or no factor is known. Times are in seconds, energies in joules.
std::optional<double> value_of(const GoalPlan&, GoalAim);
// Why this aim says nothing of plans on the machine: no price, no factor of the grid. Empty: it does.
std::string cannot_aim(const Scenario&, GoalAim);

// What is got without one of the limits.
struct GoalRelaxed {
    GoalLimit limit = GoalLimit::time;
    std::optional<GoalPlan> best;
    bool better = false;               // than the best within all limits: then the limit binds
};

// The best on one number of nodes: within all limits where there is one, else the best that breaks some of them.
struct GoalPoint {
    GoalPlan plan;
    bool within = false;
};

struct GoalAnswer {
    std::optional<GoalPlan> best;
    std::map<int, GoalPoint> over_nodes;  // by nodes; those on which nothing runs are left out
    std::vector<GoalLimit> binds;      // limits without which there is a better plan; the most useful first
    std::vector<GoalRelaxed> relaxed;  // one for each limit
    long long tried = 0;               // plans whose totals were worked out
    double most_parameters = 0;        // that were tried, where the size moves
    int most_layers = 0;
    bool ends_at_largest() const;      // one of the plans has so many: a larger model may be within the limits too
};

// Ended early by `stop`, it has what was found up to then. `progress` counts sizes and node counts.
GoalAnswer best_within(const Scenario&, const GoalLimits&, const GoalMoves&, const GoalSpace&,
                       GoalAim = GoalAim::time, std::stop_token stop = {}, const SearchProgress& progress = {});
// The slow twin: every layout of every node count and size, and every number of steps up to `most_steps`.
std::optional<GoalPlan> best_within_plainly(const Scenario&, const GoalLimits&, const GoalMoves&, const GoalSpace&,
                                            GoalAim = GoalAim::time, long long most_steps = 2000);

// "2.1 d, 13,000 node-hours, ...": whether each limit holds.
std::vector<GoalLimit> broken(const GoalPlan&, const GoalLimits&, const Estimate&);

}  // namespace plimsoll

#pragma once
// The answer to a goal as a curve: what the best plan on every number of nodes takes, the limit, and the plan chosen.
//
//   const Figure f = goal_figure(best_within(plan, limits, moves, space, aim), limits, moves, aim);
//
// "goal": over the nodes, what is aimed at. Where the fewest nodes are, it is what the first limit is of, or the time.
// Plans that break a limit are points of another kind. Without plans it has no series.

#include "core/answers/curves/figures.h"
#include "core/answers/search/goal.h"

namespace plimsoll {

Figure goal_figure(const GoalAnswer&, const GoalLimits&, const GoalMoves&, GoalAim);

}  // namespace plimsoll

#pragma once
// The best layout of a plan's devices: every layout of a space, priced.
//
//   const SearchResult r = search(plan, full_space(), {.objective = Objective::energy});
//   if (!r.top.empty()) plan.layout = r.top.front().layout;
//   else show(r.near_misses);            // what lacks least
//
// Model, recipe, machine, software and device count stay as they are. The same
// functions price a layout here and in estimate(); they agree to the last bit.
// Layouts are ranked by the objective, ties by the order the space lists them,
// so the answer does not depend on the number of threads.

#include "core/answers/search/candidates.h"

namespace plimsoll {

SearchResult search(const Scenario&, const Space&, const SearchOptions& = {}, std::stop_token = {},
                    const SearchProgress& = {});

// The slow twin: estimate() of every layout, one after the other.
SearchResult search_plainly(const Scenario&, const Space&, const SearchOptions& = {}, std::stop_token = {},
                            const SearchProgress& = {});

}  // namespace plimsoll

#pragma once
// Software that was measured on a plan's device, where the plan's own never was.
//
//   for (const SuitedStack& s : suited_stacks(plan, evidence, library.stacks))
//       offer(s.scenario, s.runs);   // 123 published runs used this stack on the plan's device
//
// A plan moved to another machine keeps its software, and a prediction of software on a device where nobody published a
// run of it rests on other devices alone. What was measured there is read from the published runs, not from a table.

#include "core/answers/plan/estimate.h"
#include "core/evidence/published/band.h"

#include <map>
#include <string>
#include <vector>

namespace plimsoll {

struct SuitedStack {
    Stack stack;
    Scenario scenario;        // the plan with it
    Estimate estimate;
    int runs = 0, sources = 0;   // published, with this stack on this device
};

// Most told of first: those with runs of the plan's kind of model (dense, or a mixture of experts), then of most
// sources, then of most runs, which of one source count as the square root of their number. Those with which the plan
// cannot be computed are left out. Empty where runs of the plan's own stack on its device were published, or none.
std::vector<SuitedStack> suited_stacks(const Scenario&, const Evidence&, const std::map<std::string, Stack>&,
                                       int most = 1);

// Published runs of the plan's software on its device: how often anybody measured the pair.
int runs_of_pair(const Scenario&, const Evidence&);

}  // namespace plimsoll

#pragma once
// Failures and checkpoints as trees: the same arithmetic as costs/resilience.h.

#include "core/answers/plan/headline.h"
#include "core/answers/explain/term.h"

namespace plimsoll {

Term explain_mtbf(const Scenario&);
Term explain_checkpoint_size(const Scenario&);
Term explain_checkpoint_time(const Scenario&);
Term explain_interval(const Scenario&);
Term explain_overhead(const Scenario&);
Term explain_goodput(const Scenario&);
// From the tree of the failure-free run.
Term explain_wall(const Scenario&, Term run);
Term explain_failures(const Scenario&, Term run);

}  // namespace plimsoll

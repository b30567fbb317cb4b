#pragma once
// What a published row leaves open and whoever ran it chose by price: the fastest of the values that fit the memory, as
// the planner prices them.
//
//   if (!row.layout.expert) choose_expert_degree(run, RunEnded::well);
//   choose_schedule(row, run);   // micro-batch, chunks of a stage, recomputation
//   make_fit(row, run);          // whatever was chosen: it ran
//
// Each acts on the plan of the run and says so in FilledRun::filled. The rules stand in run_rules.h.

#include "core/evidence/published/run_rules.h"

namespace plimsoll {

// The degree that a practitioner would have chosen: the fastest of those that fit, or of all where none does or the
// run may not have fitted.
void choose_expert_degree(FilledRun&, RunEnded);

// What a tuned row leaves out of its schedule.
void choose_schedule(const PublishedRow&, FilledRun&);

// It ran, so what nobody states was chosen so that it could.
void make_fit(const PublishedRow&, FilledRun&);

// TorchTitan's configurations keep every other product unless told otherwise, however hard the rest was tuned.
bool keeps_alternate_by_default(const RowLayout&, const Stack&);

}  // namespace plimsoll

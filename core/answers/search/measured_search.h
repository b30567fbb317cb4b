#pragma once
// Searches of plans that carry measured runs of one's own (Scenario::measured).
//
//   const Scenario compared = compared_by_model(plan);   // what is priced layout by layout
//   start_from_runs(plan, options, result);              // what was found, as estimate() tells it
//
// Bounds that spare most of the work hold for the model alone, so layouts are compared by that, with memory as scarce
// as the runs say. What is kept is priced once more: all that a search tells of a layout equals estimate() of it.

#include "core/answers/search/candidates.h"

namespace plimsoll {

// Without the runs; a device has so much less memory as they say that a plan needs more.
Scenario compared_by_model(const Scenario& plan);

// Nothing changes for a plan that carries no runs. What no longer fits is left out.
void start_from_runs(const Scenario& plan, const SearchOptions&, SearchResult&);
void start_from_runs(const Scenario& plan, const SearchOptions&, std::optional<Candidate>&);

}  // namespace plimsoll

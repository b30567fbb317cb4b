#pragma once
// Measured runs as named on the command line: ids of shipped tables, files, or
// nothing for all that ship.

#include "app/commands/plan.h"
#include "core/files/results/published_runs.h"

namespace plimsoll {

Expected<PublishedRows, Refusal> read_measured_rows(const std::vector<std::string>& names, const Library&);

}  // namespace plimsoll

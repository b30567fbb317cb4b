#pragma once
// What happens at Calibrate on every machine, for `plimsoll calibrate --machines` and the help page that quotes it.

#include "core/files/launch/calibration_start.h"

#include <span>
#include <string>

namespace plimsoll {

// [{"machine", "name", "device", "back_end", "way": "here", "script" or "refused", "scheduler", "script": "slurm" or
//   null, "site_lines", "options": [...], "nodes", "ranks_per_node" (null: one for each core), "precisions": [...],
//   "expected_seconds", "reasons": [...], "works": [{"options": [...], "what"}]}]
std::string to_json(std::span<const MachineStart>);

// One row for each kind of device and what happens to it, as a table in Markdown: how many machines, the first of
// them, and of what is refused why and what works.
std::string to_markdown(std::span<const MachineStart>);

}  // namespace plimsoll

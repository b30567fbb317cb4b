#pragma once
// The user's own runs for a scaling table: a CSV with a header, or JSON.
//
//   nodes,step_s,machine,date,job,gpu_utilisation      [{"nodes": 8, "step_s": 12.4, "machine": "lumi",
//   8,12.41,lumi,2026-11-03,123456,0.93                  "date": "2026-11-03", "job": "123456"}]
//
// nodes and step_s (or step_ms) are needed; machine, date, job, software, scaling (strong or weak) and
// gpu_utilisation (0 to 1) may follow. JSON may also have the list under "runs".

#include "core/answers/propose/measured_scaling.h"
#include "core/files/text/problem.h"

#include <filesystem>
#include <string_view>

namespace plimsoll {

Expected<std::vector<ScalingRun>, Problems> read_scaling_runs(std::string_view text, const std::string& file = {});
Expected<std::vector<ScalingRun>, Problems> load_scaling_runs(const std::filesystem::path&);

// A table with these columns, or JSON of such runs; not whether all of them can be read.
bool looks_like_scaling_runs(std::string_view text);

// The runs that a proposal uses, word for word as they were understood.
std::string scaling_runs_json(const std::vector<ScalingRun>&);

}  // namespace plimsoll

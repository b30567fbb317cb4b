#pragma once
// Steps of a running job, from what it wrote: the engine's log, or a table.
//
//   step_s                      step_s,gemm,data_parallel
//   12.41            or         12.41,7.9,2.1
//   12.39                       12.39,7.9,2.0
//
// A table has a header with step_s (or step_time, seconds, or step_ms, step_time_ms),
// and may have columns named as the parts of a step (gemm, tensor_parallel, ...) in
// the same unit; columns of other names are ignored. Separators are commas, tabs or blanks.

#include "core/answers/replan/replan.h"
#include "core/files/text/problem.h"

#include <filesystem>
#include <string_view>

namespace plimsoll {

// Errors: no step time among the columns (with the columns there are), a field that is no number or not positive, no
// steps.
Expected<MeasuredSteps, Problems> read_measured_steps(std::string_view text, const std::string& file = {});
Expected<MeasuredSteps, Problems> load_measured_steps(const std::filesystem::path&);

}  // namespace plimsoll

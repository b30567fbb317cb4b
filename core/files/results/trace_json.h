#pragma once
// A timeline in the trace event format of Chrome: chrome://tracing and Perfetto open it.
//
// One process is the pipeline, one thread a stage (counted from 1); complete
// events ("X") with start and duration in microseconds.

#include "core/answers/curves/timeline.h"

#include <string>

namespace plimsoll {

std::string to_trace_json(const Timeline&, const Scenario&);

}  // namespace plimsoll

#pragma once
// Reads one line of what plimsoll-engine says: JSON lines, schema 1.
//
//   const auto line = read_engine_line(R"({"type":"beat","run":"r","seq":3,"t_s":1.5})");
//   if (line && line->event) std::visit(show, *line->event);
//
// Keys that are missing or null leave the value they have in engine_event.h,
// except where one says nothing without them: a step's number and time. Unknown
// keys are ignored.

#include "core/evidence/calibration/fit/engine_event.h"
#include "core/files/text/problem.h"

#include <string_view>

namespace plimsoll {

struct EngineLine {
    std::string run;
    long long seq = 0;
    Seconds at;                              // since the run began
    std::optional<EngineEvent> event;        // nothing for a type that is not known here
};

// Without its newline. Errors name the field; a newer protocol is one.
Expected<EngineLine, Problems> read_engine_line(std::string_view);

}  // namespace plimsoll

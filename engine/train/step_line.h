#pragma once
// One step as the log tells it: over all ranks, the time of every pass and part,
// what each dimension of the layout sent, and how much of that was waited for.
//
//   log.write("step", step_line(timing, world));     // collective over world

#include "engine/comm/comm.h"
#include "engine/comm/timed.h"

#include <nlohmann/json.hpp>

namespace plimsoll::engine {

struct StepTiming {
    int step = 0;
    double loss = 0, norm = 0, seconds = 0, tokens = 0, peak_bytes = 0;
    double cpu_seconds = 0;  // of the thread that drives the rank
    double device_bytes = 0;  // that the device or the system counts; 0: not told
    const PhaseSeconds* phases = nullptr;
    Traffic tensor, data, pipeline;
};

// Collective: every rank calls it, rank 0 uses the answer.
nlohmann::ordered_json step_line(const StepTiming&, Comm& world);

}  // namespace plimsoll::engine

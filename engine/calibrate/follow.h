#pragma once
// Follows the plan of a calibration: its benches and layouts one after the other in
// this allocation, and before the first layout that is held back what the
// measurements so far predict of all of them.
//
//   return follow(options, {world, log, dog, run_one});     // options.calibrate names the plan; the log keeps its lines
//
// A layout that does not fit is left out and said; the rest goes on. What is
// complete in the log of an earlier attempt (--resume) is taken over, except what is
// held back: that runs after this log's predictions, always.

#include "engine/options.h"
#include "engine/train/run.h"

namespace plimsoll::engine {

struct Allocation {
    const MpiComm& world;
    Log& log;
    Watchdog& dog;
    std::function<Outcome(Options&, const MpiComm& part)> run;  // a bench or a training run, collective over `part`
};

// Exit code; the log is closed.
int follow(const Options&, const Allocation&);

}  // namespace plimsoll::engine

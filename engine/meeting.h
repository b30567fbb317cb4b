#pragma once
// How the ranks of an allocation wait for each other between runs.
//
//   const int fate = meet(world, dog, outcome.stopped ? stopped : done);   // the worst of all ranks

#include "engine/comm/mpi.h"
#include "engine/report/watchdog.h"

#include <string>

namespace plimsoll::engine {

enum Fate { done, left_out, stopped, failed };  // left_out: this run failed, others may go on

// Those that had no part in a run sleep until the others are done: spinning would take their cores.
int meet(const MpiComm& world, Watchdog& dog, int fate);

// Rank 0's text on all ranks.
std::string shared(const MpiComm& world, std::string text);

}  // namespace plimsoll::engine

#pragma once
// A rank's failure as a value, and how it becomes known when the other ranks can
// no longer be reached: one JSON line on stderr and in the rank's own FILE.rankN.
// No communication and no lock: fit for a watchdog's thread while the rank hangs.
//
//   if (bytes > free) return Failure{ExitCode::out_of_memory, "needs 3.1 GB more than the 16 GB there are", rank};
//   report(failure, run, options.out);    // then MPI_Abort(int(failure.code))

#include "engine/report/exit_codes.h"

#include <string>

namespace plimsoll::engine {

struct Failure {
    ExitCode code = ExitCode::usage;
    std::string text;  // what was found, and what would work
    int rank = 0;
};

// {"type":"error","run":..,"code":..,"rank":..,"text":..,"exit_code":..,"fatal":true} and a line end.
std::string line_of(const Failure&, const std::string& run);

// `out`: the log's file, whose sibling OUT.rankN takes the line too; empty: stderr alone.
// What cannot be written is left out silently: there is nobody left to tell.
void report(const Failure&, const std::string& run, const std::string& out);

}  // namespace plimsoll::engine

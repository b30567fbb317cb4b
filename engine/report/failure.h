#pragma once
// A rank's failure as a value, and how it becomes known when the other ranks can
// no longer be reached: one JSON line on stderr and in the rank's own FILE.rankN.
// No communication and no lock: fit for a watchdog's thread while the rank hangs.
//
//   if (bytes > free) return Failure{ExitCode::out_of_memory, "needs 3.1 GB more than the 16 GB there are", rank};
//   report(failure, run, options.out);    // then MPI_Abort(int(failure.code))

#include <iterator>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace plimsoll::engine {

// How the engine ends, as a number for whoever started it. Ends by a signal are
// 128 plus its number, as shells count; 70, 74 and 75 are those of sysexits.h.
//
//   return int(ExitCode::cancelled);      word_of(ExitCode::cancelled) == "cancelled"
enum class ExitCode : int {
    ok = 0,
    usage = 2,               // an option, a file that cannot be opened, a log that fails --check
    unsupported_layout = 3,  // the message names the nearest layouts that work
    out_of_memory = 4,       // predicted before anything is allocated: the message says by how much
    numerics = 5,            // the loss is not finite
    device = 6,              // the GPU, its driver or its library
    timeout = 70,            // a watchdog saw no progress
    log_unwritable = 74,     // full disk or quota: FILE.part ends with its last complete line
    cancelled = 75,          // signal, closed stdin or stdout, cancel file
};

struct ExitCodeRow {
    ExitCode code;
    const char* word;  // `code` of error lines
};
inline constexpr ExitCodeRow exit_codes[] = {
    {ExitCode::ok, "ok"},
    {ExitCode::usage, "usage"},
    {ExitCode::unsupported_layout, "unsupported_layout"},
    {ExitCode::out_of_memory, "out_of_memory"},
    {ExitCode::numerics, "numerics"},
    {ExitCode::device, "device"},
    {ExitCode::timeout, "timeout"},
    {ExitCode::log_unwritable, "log_unwritable"},
    {ExitCode::cancelled, "cancelled"},
};
inline constexpr const char* word_of(ExitCode code) {
    for (const ExitCodeRow& row : exit_codes)
        if (row.code == code) return row.word;
    return "unknown";
}

struct Failure {
    ExitCode code = ExitCode::usage;
    std::string text;  // what was found, and what would work
    int rank = 0;
};

// `code`, `rank`, `text`, `exit_code`, `fatal` of an error line.
nlohmann::ordered_json fields_of(const Failure&);

// On one line; what is no UTF-8 is replaced.
std::string one_line(const nlohmann::ordered_json&);

// {"type":"error","run":..,"code":..,"rank":..,"text":..,"exit_code":..,"fatal":true} and a line end.
std::string line_of(const Failure&, const std::string& run);

// `out`: the log's file, whose sibling OUT.rankN takes the line too; empty: stderr alone.
// What cannot be written is left out silently: there is nobody left to tell.
void report(const Failure&, const std::string& run, const std::string& out);

}  // namespace plimsoll::engine

#pragma once
// How the engine ends, as a number for whoever started it. Ends by a signal are
// 128 plus its number, as shells count; 70, 74 and 75 are those of sysexits.h.
//
//   return int(ExitCode::cancelled);      word_of(ExitCode::cancelled) == "cancelled"

#include <iterator>

namespace plimsoll::engine {

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

}  // namespace plimsoll::engine

#pragma once
// How plimsoll-engine is started on this computer: program, arguments and
// environment, the same for the command line and the window.
//
//   const Expected<EngineHost, std::string> host = find_engine_host(ranks > 1);
//   const ProcessStart start = engine_start(*host, ranks, {"--layers", "6", "--dp", "2"});
//   run_process(start, {.out = take_line});
//
// Several ranks go through mpirun, one goes without. The engine is told that a
// closed stdin ends it, so whoever starts it keeps a pipe open.

#include "core/evidence/calibration/plan/trial.h"
#include "core/files/launch/process.h"
#include "core/files/measured/engine_log.h"
#include "core/values/basics/expected.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

enum class Mpi { open_mpi, mpich };  // mpich: also those built from it (Intel, Cray, ParaStation)

struct EngineHost {
    std::string engine;         // path of plimsoll-engine
    std::string mpirun;         // path; empty where none was found or none is needed
    Mpi mpi = Mpi::open_mpi;
    bool root = false;          // mpirun of Open MPI refuses root unless told
    Computer computer;
};

ProcessStart engine_start(const EngineHost&, int ranks, const std::vector<std::string>& options);

// How long an engine whose longest step took so long may need to end well: it agrees on the end within two steps and
// writes its summary, or gives up by itself after five seconds or two and a half steps (engine/PROTOCOL.md). mpirun
// kills its ranks soon after SIGTERM, so that signal waits as long. Ten minutes at most.
StopLadder engine_patience(Seconds longest_step);
Seconds longest_step(const EngineLog&);   // zero before the first

// Whose mpirun it is, from what `mpirun --version` says.
Mpi mpi_from(std::string_view version);

// The product of the layout's degrees among the engine's options, both "--dp 2" and "--dp=2"; at least 1.
int ranks_of(const std::vector<std::string>& options);

// What the exit code of engine or mpirun means; empty for success and for codes without a meaning of their own.
std::string say_exit(int code);

// The engine while it is still being built after the planner was started: packaging/start writes the file
// plimsoll-engine.building beside the program, with one line, "building" or "failed LOG", and removes it when the
// engine is there. Nothing where the engine is there, or where no such file stands beside the place it will have.
struct EngineBuild {
    bool failed = false;
    std::string log;            // of a build that failed
    friend bool operator==(const EngineBuild&, const EngineBuild&) = default;
};
std::optional<EngineBuild> engine_build();

// The engine from $PLIMSOLL_ENGINE, beside this program, or in $PATH; mpirun from $PLIMSOLL_MPIRUN or $PATH.
// Otherwise what to install, or how far its build is. Runs `mpirun --version` once, for at most `limit`.
Expected<EngineHost, std::string> find_engine_host(bool needs_mpi,
                                                   std::chrono::milliseconds limit = std::chrono::seconds(5));

}  // namespace plimsoll

#pragma once
// Batch systems and the lines every job has on them: name, nodes, time. One
// place for the scripts of frameworks and for our own jobs.
//
//   if (const auto kind = batch_kind(machine.scheduler)) text = header_lines(*kind, {.name = "job", .nodes = 2, .walltime = "00:20"});

#include "core/values/plan/machine.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace plimsoll {

enum class BatchKind { slurm, lsf, pjm, pbs, flux, grid_engine };

// Those jobs of ours are made for, in the order they are listed: all but Grid Engine.
std::span<const BatchKind> batch_kinds();
std::string_view id_of(BatchKind);      // "slurm", as on the command line
std::string_view title_of(BatchKind);   // "Slurm", as in sentences
std::optional<BatchKind> batch_kind_from(std::string_view id);   // of batch_kinds()
// What a preset's words mean: "PJM (Fujitsu TCS)".
std::optional<BatchKind> batch_kind(const Scheduler&);

struct JobHeader {
    std::string name;
    int nodes = 1;
    int per_node = 0;          // ranks; 0: not said
    int accelerators = 0;      // of a node; 0: not said
    std::string walltime;      // hh:mm; empty: not said
};
// "#SBATCH "; lines of the script that begin so are read by the scheduler.
std::string_view directive_prefix(BatchKind);
std::string header_lines(BatchKind, const JobHeader&);

// Rounded up to minutes, "02:05".
std::string hours_and_minutes(Seconds);

}  // namespace plimsoll

#pragma once
// The batch system of this computer: which one it is, the commands that submit,
// ask for and cancel a job, and what they print. Nothing is run here; whoever
// runs the commands hands their output back.
//
//   const auto here = schedulers_here();                       // several: ask the user which
//   run(submit_command(kind, folder, "job.sh"));  const auto id = job_id(kind, printed);
//   JobStatus status = job_status(kind, *id, outputs of poll_commands(kind, *id), in order);
//   wait(poll_interval(polls_so_far));

#include "core/values/plan/machine.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

// ---- Batch systems, and the lines every job has on them

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

// "# text", for a script or a configuration; whatever the text holds, it ends with this line.
std::string comment_line(std::string_view text);

// Rounded up to minutes, "02:05".
std::string hours_and_minutes(Seconds);

// ---- Which one

using HasTool = std::function<bool(const char* name)>;

// Those whose tools can be run, as on a login node; several where one is installed inside another.
std::vector<BatchKind> schedulers_among(const HasTool&);
std::vector<BatchKind> schedulers_here();        // of this process's PATH

// ---- Commands: the program in PATH, then its arguments

using Command = std::vector<std::string>;
// Submits `script` from inside `folder`, whose names no shell takes apart.
Command submit_command(BatchKind, const std::string& folder, const std::string& script);
// Each in turn until one of them knows the job: queues forget what has ended, histories know nothing of what waits.
std::vector<Command> poll_commands(BatchKind, const std::string& id);
Command cancel_command(BatchKind, const std::string& id);
// Whether it can be an id of this kind; anything else must not reach a command line.
bool is_job_id(BatchKind, std::string_view);

// ---- What they print

enum class JobState { queued, running, done, failed, cancelled, unknown };
std::string_view name_of(JobState);              // "queued"
struct JobStatus {
    JobState state = JobState::unknown;
    std::string words;                           // the scheduler's own: "PENDING", "EXIT"
    std::string reason;                          // why it waits or how it ended; empty: nothing said
    bool ended() const { return state == JobState::done || state == JobState::failed || state == JobState::cancelled; }
    friend bool operator==(const JobStatus&, const JobStatus&) = default;
};

// From what the submission printed; nothing where no job was made.
std::optional<std::string> job_id(BatchKind, std::string_view printed);
// From what one of the poll commands printed.
JobStatus job_status(BatchKind, std::string_view id, std::string_view printed);
// "running", "queued: Priority", "failed: TIMEOUT"
std::string say(const JobStatus&);

// How long to wait before poll number `polls` (from 0): 15 s, a quarter more each time, 60 s at most.
Seconds poll_interval(int polls);

}  // namespace plimsoll

#pragma once
// What the lines of a batch system at the top of a script ask for, and which variables the system then sets: Slurm,
// PBS, PJM, LSF, Flux and Grid Engine.
//
//   BatchRequest b = read_directives("#SBATCH -N 6\n#SBATCH --ntasks-per-node=4\n");
//   b.environment["SLURM_NTASKS"]    // "24"
//
// Internal to core/files.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::files {

// What an option of a batch system or a launcher counts.
enum class JobCount { none, nodes, tasks, tasks_per_node, devices_per_node, devices, devices_per_task, cpus_per_task };

struct JobStatement {
    JobCount counts = JobCount::none;
    std::string key, value;     // as they stand: "#--gpus-per-node", "mi250:8"
    std::optional<int> number;  // nothing: not understood
    int line = 0;
};
struct BatchRequest {
    std::vector<JobStatement> said;
    std::map<std::string, std::string> environment;
    std::string hosts;      // one line for each task of a node that the list of nodes holds; names are made up
    std::string host_file;  // the name of the file that has them
};
BatchRequest read_directives(std::string_view script);

// The number in "4", "a100:4", "gpu:a100:4" and "2:8", of which the last counts.
std::optional<int> job_number(std::string_view word);
struct CountedOption {
    std::string_view option;  // by its long name or "-N"
    JobCount counts;
};
JobCount count_in(std::span<const CountedOption>, std::string_view option);
// What sbatch and srun share, and the commands of flux.
std::span<const CountedOption> slurm_options(), flux_options();
int said_of(const std::vector<JobStatement>&, JobCount);  // the last; 0: not said

}  // namespace plimsoll::files

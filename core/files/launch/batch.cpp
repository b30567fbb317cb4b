#include "core/files/launch/batch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <unistd.h>

namespace plimsoll {

namespace {

struct Trace {
    BatchKind kind;
    const char* variable;   // holds the job's id
    const char* also;       // a second sign that has to be there
};
constexpr Trace traces[] = {
    {BatchKind::flux, "FLUX_JOB_ID", nullptr},
    {BatchKind::flux, "FLUX_URI", nullptr},
    {BatchKind::pjm, "PJM_JOBID", nullptr},
    {BatchKind::lsf, "LSB_JOBID", nullptr},
    {BatchKind::pbs, "PBS_JOBID", "PBS_NODEFILE"},
    {BatchKind::slurm, "SLURM_JOB_ID", nullptr},
};

struct Tools {
    BatchKind kind;
    std::array<const char*, 2> needed;   // all of them
};
constexpr Tools tools[] = {
    {BatchKind::flux, {"flux", nullptr}},
    {BatchKind::pjm, {"pjsub", nullptr}},
    {BatchKind::lsf, {"bsub", "jsrun"}},
    {BatchKind::pbs, {"qsub", "pbsnodes"}},   // Grid Engine has a qsub too, but no pbsnodes
    {BatchKind::slurm, {"sbatch", nullptr}},
};

bool in_path(const char* name) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const auto file = std::filesystem::path(folder) / name;
        std::error_code error;
        if (!folder.empty() && std::filesystem::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0) return true;
    }
    return false;
}

const char* submission(BatchKind kind) {
    switch (kind) {
        case BatchKind::slurm: return "exec sbatch --parsable \"$2\"";
        case BatchKind::lsf: return "exec bsub < \"$2\"";
        case BatchKind::pjm: return "exec pjsub \"$2\"";
        case BatchKind::pbs: return "exec qsub \"$2\"";
        case BatchKind::flux: return "exec flux batch \"$2\"";
        case BatchKind::grid_engine: break;
    }
    return "exit 2";
}

}  // namespace

std::optional<RunningJob> job_around(const Variable& variable) {
    for (const Trace& trace : traces)
        if (const std::string id = variable(trace.variable); !id.empty() && (!trace.also || !variable(trace.also).empty())) return RunningJob{trace.kind, id};
    return std::nullopt;
}

std::vector<BatchKind> schedulers_among(const HasTool& has) {
    std::vector<BatchKind> found;
    for (const Tools& each : tools)
        if (std::all_of(each.needed.begin(), each.needed.end(), [&](const char* tool) { return !tool || has(tool); })) found.push_back(each.kind);
    return found;
}

std::optional<RunningJob> job_around_us() {
    return job_around([](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value ? value : "");
    });
}

std::vector<BatchKind> schedulers_here() { return schedulers_among(in_path); }

Command submit_command(BatchKind kind, const std::string& folder, const std::string& script) {
    return {"sh", "-c", std::string("cd -- \"$1\" && ").append(submission(kind)), "sh", folder, script};
}

std::vector<Command> poll_commands(BatchKind kind, const std::string& id) {
    switch (kind) {
        case BatchKind::slurm: return {{"squeue", "--noheader", "--jobs", id, "--format=%T|%r"}, {"scontrol", "--oneliner", "show", "job", id},
                                       {"sacct", "--noheader", "--allocations", "--parsable2", "--jobs", id, "--format=State,ExitCode"}};
        case BatchKind::lsf: return {{"bjobs", "-a", "-noheader", "-o", "stat exit_code exit_reason pend_reason delimiter='|'", id}};
        case BatchKind::pjm: return {{"pjstat", "-v", id}, {"pjstat", "-v", "-H", id}};
        case BatchKind::pbs: return {{"qstat", "-x", "-f", id}, {"qstat", "-f", id}};
        case BatchKind::flux: return {{"flux", "jobs", "-n", "-o", "{status}|{returncode}|{exception.type}|{exception.note}", id}};
        case BatchKind::grid_engine: break;
    }
    return {};
}

Command cancel_command(BatchKind kind, const std::string& id) {
    switch (kind) {
        case BatchKind::slurm: return {"scancel", id};
        case BatchKind::lsf: return {"bkill", id};
        case BatchKind::pjm: return {"pjdel", id};
        case BatchKind::pbs: return {"qdel", id};
        case BatchKind::flux: return {"flux", "cancel", id};
        case BatchKind::grid_engine: break;
    }
    return {};
}

Seconds poll_interval(int polls) { return std::min(60.0, 15 * std::pow(1.25, std::clamp(polls, 0, 100))) * second; }

}  // namespace plimsoll

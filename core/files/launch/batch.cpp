#include "core/files/launch/batch.h"

#include "core/files/launch/process.h"
#include "core/values/basics/foreign_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace plimsoll {

namespace {

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

bool in_path(const char* name) { return !program_in_path(name).empty(); }

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

std::vector<BatchKind> schedulers_among(const HasTool& has) {
    std::vector<BatchKind> found;
    for (const Tools& each : tools)
        if (std::all_of(each.needed.begin(), each.needed.end(), [&](const char* tool) { return !tool || has(tool); }))
            found.push_back(each.kind);
    return found;
}

std::vector<BatchKind> schedulers_here() { return schedulers_among(in_path); }

Command submit_command(BatchKind kind, const std::string& folder, const std::string& script) {
    return {"sh", "-c", std::string("cd -- \"$1\" && ").append(submission(kind)), "sh", folder, script};
}

std::vector<Command> poll_commands(BatchKind kind, const std::string& id) {
    switch (kind) {
        case BatchKind::slurm:
            return {{"squeue", "--noheader", "--jobs", id, "--format=%T|%r"},
                    {"scontrol", "--oneliner", "show", "job", id},
                    {"sacct", "--noheader", "--allocations", "--parsable2", "--jobs", id, "--format=State,ExitCode"}};
        case BatchKind::lsf:
            return {{"bjobs", "-a", "-noheader", "-o", "stat exit_code exit_reason pend_reason delimiter='|'", id}};
        case BatchKind::pjm: return {{"pjstat", "-v", id}, {"pjstat", "-v", "-H", id}};
        case BatchKind::pbs: return {{"qstat", "-x", "-f", id}, {"qstat", "-f", id}};
        case BatchKind::flux:
            return {{"flux", "jobs", "-n", "-o", "{status}|{returncode}|{exception.type}|{exception.note}", id}};
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

namespace {

struct BatchRow {
    BatchKind kind;
    std::string_view id, title, prefix;
};
constexpr std::array rows{
    BatchRow{BatchKind::slurm, "slurm", "Slurm", "#SBATCH "},
    BatchRow{BatchKind::lsf, "lsf", "LSF", "#BSUB "},
    BatchRow{BatchKind::pjm, "pjm", "PJM", "#PJM "},
    BatchRow{BatchKind::pbs, "pbs", "PBS", "#PBS "},
    BatchRow{BatchKind::flux, "flux", "Flux", "#flux: "},
    BatchRow{BatchKind::grid_engine, "grid-engine", "Grid Engine", "#$ "},
};
constexpr std::array of_jobs{BatchKind::slurm, BatchKind::lsf, BatchKind::pjm, BatchKind::pbs, BatchKind::flux};

const BatchRow& row_of(BatchKind kind) { return rows[std::size_t(kind)]; }

// The options of one kind in its own words; what is not said is left out.
std::vector<std::string> options_of(BatchKind kind, const JobHeader& j) {
    const std::string n = std::to_string(j.nodes), timed = j.walltime;
    std::vector<std::string> all;
    const auto add = [&](const char* option, std::string value) { if (!value.empty()) all.push_back(option + value); };
    const auto number = [](int v) { return v > 0 ? std::to_string(v) : std::string(); };
    const std::string with_seconds = timed.empty() ? timed : timed + ":00";
    switch (kind) {
        case BatchKind::slurm:
            add("--job-name=", j.name);
            add("--nodes=", n);
            add("--ntasks-per-node=", number(j.per_node));
            add("--gpus-per-node=", number(j.accelerators));
            add("--time=", with_seconds);
            break;
        case BatchKind::lsf:
            add("-J ", j.name);
            add("-nnodes ", n);
            add("-W ", timed);
            break;
        case BatchKind::pbs:
            add("-N ", j.name.substr(0, 15));
            add("-l select=", n);
            add("-l walltime=", with_seconds);
            break;
        case BatchKind::flux: {
            add("--nodes=", n);
            add("--job-name=", j.name);
            int hours = 0, minutes = 0;
            if (std::sscanf(timed.c_str(), "%d:%d", &hours, &minutes) == 2)
                add("--time-limit=", std::to_string(hours * 60 + minutes).append("m"));
            break;
        }
        case BatchKind::pjm:
            add("-N ", j.name);
            add("-L node=", n);
            add("-L elapse=", with_seconds);
            break;
        case BatchKind::grid_engine:
            add("-N ", j.name);
            add("-l rt_F=", n);
            add("-l h_rt=", with_seconds);
            break;
    }
    return all;
}

}  // namespace

std::span<const BatchKind> batch_kinds() { return of_jobs; }
std::string_view id_of(BatchKind kind) { return row_of(kind).id; }
std::string_view title_of(BatchKind kind) { return row_of(kind).title; }
std::string_view directive_prefix(BatchKind kind) { return row_of(kind).prefix; }

std::optional<BatchKind> batch_kind_from(std::string_view id) {
    for (const BatchKind kind : of_jobs)
        if (id_of(kind) == id) return kind;
    return std::nullopt;
}

std::optional<BatchKind> batch_kind(const Scheduler& s) {
    for (const BatchRow& row : rows)
        if (s.kind.find(row.title) != s.kind.npos) return row.kind;
    return std::nullopt;
}

std::string header_lines(BatchKind kind, const JobHeader& header) {
    std::string text;
    for (const std::string& option : options_of(kind, header))
        text.append(directive_prefix(kind)).append(option).append("\n");
    return text;
}

std::string comment_line(std::string_view text) {
    std::string line = visible(text);
    std::replace(line.begin(), line.end(), '\n', ' ');
    return "# " + line + "\n";
}

std::string hours_and_minutes(Seconds t) {
    const int minutes = int(std::ceil(t / minute - 1e-9));
    char text[32];
    std::snprintf(text, sizeof text, "%02d:%02d", minutes / 60, minutes % 60);
    return text;
}

}  // namespace plimsoll

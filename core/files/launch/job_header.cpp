#include "core/files/launch/job_header.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace plimsoll {

namespace {

struct Row {
    BatchKind kind;
    std::string_view id, title, prefix;
};
constexpr std::array rows{
    Row{BatchKind::slurm, "slurm", "Slurm", "#SBATCH "},
    Row{BatchKind::lsf, "lsf", "LSF", "#BSUB "},
    Row{BatchKind::pjm, "pjm", "PJM", "#PJM "},
    Row{BatchKind::pbs, "pbs", "PBS", "#PBS "},
    Row{BatchKind::flux, "flux", "Flux", "#flux: "},
    Row{BatchKind::grid_engine, "grid-engine", "Grid Engine", "#$ "},
};
constexpr std::array of_jobs{BatchKind::slurm, BatchKind::lsf, BatchKind::pjm, BatchKind::pbs, BatchKind::flux};

const Row& row_of(BatchKind kind) { return rows[std::size_t(kind)]; }

// The options of one kind in its own words; what is not said is left out.
std::vector<std::string> options_of(BatchKind kind, const JobHeader& j) {
    const std::string n = std::to_string(j.nodes), timed = j.walltime;
    std::vector<std::string> all;
    const auto add = [&](const char* option, std::string value) { if (!value.empty()) all.push_back(option + value); };
    const auto number = [](int v) { return v > 0 ? std::to_string(v) : std::string(); };
    const std::string with_seconds = timed.empty() ? timed : timed + ":00";
    switch (kind) {
        case BatchKind::slurm:
            add("--job-name=", j.name), add("--nodes=", n), add("--ntasks-per-node=", number(j.per_node));
            add("--gpus-per-node=", number(j.accelerators)), add("--time=", with_seconds);
            break;
        case BatchKind::lsf: add("-J ", j.name), add("-nnodes ", n), add("-W ", timed); break;
        case BatchKind::pbs: add("-N ", j.name.substr(0, 15)), add("-l select=", n), add("-l walltime=", with_seconds); break;
        case BatchKind::flux: {
            add("--nodes=", n), add("--job-name=", j.name);
            int hours = 0, minutes = 0;
            if (std::sscanf(timed.c_str(), "%d:%d", &hours, &minutes) == 2) add("--time-limit=", std::to_string(hours * 60 + minutes).append("m"));
            break;
        }
        case BatchKind::pjm: add("-N ", j.name), add("-L node=", n), add("-L elapse=", with_seconds); break;
        case BatchKind::grid_engine: add("-N ", j.name), add("-l rt_F=", n), add("-l h_rt=", with_seconds); break;
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
    for (const Row& row : rows)
        if (s.kind.find(row.title) != s.kind.npos) return row.kind;
    return std::nullopt;
}

std::string header_lines(BatchKind kind, const JobHeader& header) {
    std::string text;
    for (const std::string& option : options_of(kind, header)) text.append(directive_prefix(kind)).append(option).append("\n");
    return text;
}

std::string hours_and_minutes(Seconds t) {
    const int minutes = int(std::ceil(t / minute - 1e-9));
    char text[32];
    std::snprintf(text, sizeof text, "%02d:%02d", minutes / 60, minutes % 60);
    return text;
}

}  // namespace plimsoll

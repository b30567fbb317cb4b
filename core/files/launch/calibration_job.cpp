#include "core/files/launch/calibration_job.h"

#include "core/evidence/calibration/plan/experiments.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/foreign_text.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace plimsoll {

namespace {

using Placeholders = std::map<std::string, std::string, std::less<>>;

bool described(const Machine& m, BatchKind kind) { return m.scheduler.job && batch_kind(m.scheduler) == kind; }

SiteJob site_of(const Machine& m, BatchKind kind) {
    if (described(m, kind)) return *m.scheduler.job;
    const bool accelerators = device_kind(m) != DeviceKind::processor;
    return files::generic_site(kind, {accelerators, !accelerators && m.devices_per_node == 1});
}

Seconds walltime_of(const JobRequest& r) { return r.walltime > Seconds{} ? r.walltime : 1.5 * r.budget + 5 * minute; }
long long whole_minutes(Seconds t) { return (long long)std::ceil(t / minute - 1e-9); }

// ---- What keeps a request from becoming a job

void look_at_words(Sentences& found, const JobRequest& r) {
    for (const auto& [what, word] : {std::pair{phrase("account"), &r.account}, {phrase("queue"), &r.queue}})
        if (!is_plain_word(*word))
            found.push_back(phrase("{1} \"{2}\" has characters that are not allowed: use {3}", what, *word,
                                   phrase(say_plain_word)));
    if (!r.folder.empty() && (!r.folder.starts_with('/') || !is_line(r.folder)))
        found.push_back(phrase(
            "folder \"{1}\" is no absolute path on one line: name it from / on, ~ is not expanded", r.folder));
    const bool bare = r.engine.find('/') == r.engine.npos;
    if (r.engine.empty() || r.engine.starts_with('-') || !is_line(r.engine) || (!bare && !r.engine.starts_with('/')))
        found.push_back(
            phrase("engine \"{1}\" is neither a name in PATH nor an absolute path on one line", r.engine));
    for (const std::string& option : r.options)
        if (!is_line(option))
            found.push_back(phrase("an option of the engine holds a line break; arguments are passed one a line"));
}

void look_at_time(Sentences& found, const Machine& m, const JobRequest& r, int nodes) {
    const Seconds walltime = walltime_of(r);
    if (!(r.budget > Seconds{}) || walltime > 240 * hour) {
        found.push_back(phrase("budget {1} s gives no time limit a job could have; 60 to 3600 s are usual",
                               std::llround(r.budget / second)));
        return;
    }
    // Limits of other queues than the one asked for do not count.
    const std::string queue = !r.queue.empty() || !m.scheduler.job ? r.queue : m.scheduler.job->queue;
    const auto admits = [&](const QueueBin& bin) {
        return (bin.queue.empty() || queue.empty() || bin.queue == queue) && nodes >= bin.min_nodes
            && nodes <= bin.max_nodes;
    };
    for (const QueueBin& bin : m.scheduler.bins)
        if (admits(bin) && walltime <= bin.walltime) return;
    for (const QueueBin& bin : m.scheduler.bins)
        if (admits(bin)) {
            found.push_back(phrase("time limit {1} is above the {2} that {3} gives jobs of {4} nodes",
                                   hours_and_minutes(walltime), hours_and_minutes(bin.walltime), m.name, nodes));
            return;
        }
}

void look_at_shape(Sentences& found, const Machine& m, const JobShape& shape) {
    if (shape.nodes < 1 || shape.nodes > m.nodes)
        found.push_back(phrase("nodes {1}: {2} has 1 to {3}", shape.nodes, m.name, m.nodes));
    if (shape.ranks_per_node < 1 || shape.ranks_per_node > 4096)
        found.push_back(phrase("ranks per node {1}: 1 to 4096 can be", shape.ranks_per_node));
}

// A site that bills by account refuses jobs without: better said here than by its scheduler.
void look_at_needs(Sentences& found, const Machine& m, const SiteJob& site, const Placeholders& values) {
    for (const char* name : {"account", "queue"}) {
        const auto names_it = [&](const std::string& line) {
            const auto all = placeholders(line);
            return std::find(all.begin(), all.end(), name) != all.end();
        };
        if (values.at(name).empty() && std::any_of(site.directives.begin(), site.directives.end(), names_it))
            found.push_back(name[0] == 'a'
                                ? phrase("{1} wants jobs to name an account (the project that pays)", m.name)
                                : phrase("{1} wants jobs to name a queue", m.name));
    }
}

// ---- The script

// Empty where a placeholder has no value: such a line is left out.
std::string filled(const std::string& line, const Placeholders& values) {
    std::string text = line;
    for (const std::string& name : placeholders(line)) {
        const std::string& value = values.at(name);
        if (value.empty()) return {};
        const std::string mark = "{" + name + "}";
        text.replace(text.find(mark), mark.size(), value);
    }
    return text;
}

// Where the job was submitted: schedulers that copy the script say so in a variable.
std::string_view submitted_from(BatchKind kind) {
    switch (kind) {
        case BatchKind::slurm: return "\"${SLURM_SUBMIT_DIR:-$PWD}\"";
        case BatchKind::lsf: return "\"${LS_SUBCWD:-$PWD}\"";
        case BatchKind::pjm: return "\"${PJM_O_WORKDIR:-$PWD}\"";
        case BatchKind::pbs: return "\"${PBS_O_WORKDIR:-$PWD}\"";
        case BatchKind::flux: case BatchKind::grid_engine: break;
    }
    return "\"$PWD\"";
}

std::string_view submit_line(BatchKind kind) {
    switch (kind) {
        case BatchKind::slurm: return "sbatch job.sh";
        case BatchKind::lsf: return "bsub < job.sh";
        case BatchKind::pjm: return "pjsub job.sh";
        case BatchKind::pbs: return "qsub job.sh";
        case BatchKind::flux: return "flux batch job.sh";
        case BatchKind::grid_engine: break;
    }
    return "";
}

constexpr Seconds ahead_of_limit = 60 * second;

// Slurm sends the signal itself. Elsewhere a clock in the script creates the file the engine looks for.
std::string soft_stop(BatchKind kind, Seconds walltime) {
    if (kind == BatchKind::slurm) return {};
    const std::string seconds =
        std::to_string(std::llround((60 * double(whole_minutes(walltime)) * second - ahead_of_limit) / second));
    return "# A minute before the limit the engine is asked to stop, so that its log is whole.\n"
           "( sleep " + seconds + " & trap 'kill $!' TERM; wait $! && : > stop ) > /dev/null 2>&1 &\n"
           "clock=$!\n"
           "trap 'kill \"$clock\" 2> /dev/null || :' EXIT\n";
}

std::string script_of(const Machine& m, BatchKind kind, const JobRequest& r, const SiteJob& site, const JobShape& shape,
                      const Placeholders& values) {
    const std::string prefix(directive_prefix(kind));
    std::string text =
        "#!/bin/bash\n"
        + header_lines(
            kind, {.name = "plimsoll-calibrate", .nodes = shape.nodes, .walltime = hours_and_minutes(walltime_of(r))});
    for (const std::string& line : site.directives)
        if (const std::string done = filled(line, values); !done.empty()) text += prefix + done + "\n";
    if (kind == BatchKind::slurm) text += prefix + "--signal=TERM@60\n";
    text += comment_line("Calibration of " + m.name + ": " + std::to_string(shape.nodes)
                    + (shape.nodes == 1 ? " node, " : " nodes, ") + std::to_string(shape.ranks_per_node)
                    + " ranks on each, at most " + std::to_string(whole_minutes(walltime_of(r))) + " minutes.");
    text += comment_line("Submit it inside its folder: " + std::string(submit_line(kind)));
    text += "set -eu\nRUN=" + (r.folder.empty() ? std::string(submitted_from(kind)) : shell_word(r.folder))
          + "\nENGINE=" + shell_word(r.engine) + "\ncd \"$RUN\"\nrm -f stop\n";
    for (const std::string& line : site.environment)
        if (const std::string done = filled(line, values); !done.empty()) text += done + "\n";
    return text + soft_stop(kind, walltime_of(r)) + filled(site.launch, values) + "\n";
}

Placeholders values_of(const JobRequest& r, const SiteJob& site, const JobShape& shape) {
    const auto number = [](int v) { return v > 0 ? std::to_string(v) : std::string(); };
    return {{"account", r.account},
            {"queue", r.queue.empty() ? site.queue : r.queue},
            {"nodes", number(shape.nodes)},
            {"ranks", number(shape.ranks())},
            {"ranks_per_node", number(shape.ranks_per_node)},
            {"cores_per_rank", number(shape.cores_per_rank)},
            {"walltime", hours_and_minutes(walltime_of(r)) + ":00"},
            {"engine", "\"$ENGINE\" @\"$RUN/args\""}};
}

// One word a line, as the engine's @FILE reads them. Threads only where no plan says them of each run.
std::string arguments_of(const JobRequest& r, const JobShape& shape) {
    Sentences words;
    if (!r.plan.empty()) words = {"--calibrate", "plan.json"};
    words.insert(words.end(), {"--out", "result.jsonl", "--cancel-file", "stop"});
    if (r.plan.empty() && shape.cores_per_rank > 0)
        words.insert(words.end(), {"--threads", std::to_string(shape.cores_per_rank)});
    words.insert(words.end(), r.options.begin(), r.options.end());
    std::string text;
    for (const std::string& word : words) text += word + "\n";
    return text;
}

std::vector<JobFile> files_of(const Machine& m, BatchKind kind, const JobRequest& r, const SiteJob& site,
                              const JobShape& shape, const Placeholders& values) {
    std::vector<JobFile> all{{"job.sh", script_of(m, kind, r, site, shape, values)}, {"args", arguments_of(r, shape)}};
    if (!r.plan.empty()) all.push_back({"plan.json", r.plan});
    for (const SiteFile& file : site.files) {
        std::string text;
        for (const std::string& line : file.lines) text += line + "\n";
        all.push_back({file.name, text});
    }
    return all;
}

Sentences notes_of(const Machine& m, BatchKind kind, const SiteJob& site, const JobShape& shape) {
    Sentences notes{say_run_for_real(kind)};
    const bool others = !m.scheduler.kind.empty() && m.scheduler.kind != "none" && batch_kind(m.scheduler) != kind;
    if (others)
        notes.push_back(phrase("Jobs of {1} are started by {2}, not by {3}: the directives of this script and its line "
                               "that starts the ranks are to be replaced.",
                               m.name, m.scheduler.kind, title_of(kind)));
    if (!described(m, kind))
        notes.push_back(
            phrase("The preset of {1} does not describe {2} jobs: these are the general lines, and the site may want "
                   "more. Compare them with its guide.",
                   m.name, title_of(kind)));
    if (!described(m, kind) && kind == BatchKind::pbs && device_kind(m) != DeviceKind::processor)
        notes.push_back(phrase("PBS gives a job the GPUs that its line -l select names: where {1} does not give whole "
                               "nodes by themselves, add :ngpus={2}:mpiprocs={2} to it.",
                               m.name, shape.ranks_per_node));
    if (!site.note.empty()) notes.push_back(site.note);
    return notes;
}

}  // namespace

bool run_for_real(BatchKind kind) { return kind == BatchKind::slurm; }

std::string say_run_for_real(BatchKind kind) {
    const std::string title(title_of(kind));
    if (run_for_real(kind))
        return phrase("{1} script: jobs like it have been run by us on a real {1}, on one node; a site's own lines "
                      "have not.",
                      title);
    return phrase("{1} script: generated and syntax-checked, never run by us on a real {1}.", title);
}

JobShape job_shape(const Machine& m, BatchKind kind, const JobRequest& r) {
    const SiteJob site = site_of(m, kind);
    const int usual = site.ranks_per_node > 0 ? site.ranks_per_node : m.devices_per_node;
    JobShape shape{r.nodes != 0 ? r.nodes : std::min(2, m.nodes), r.ranks_per_node != 0 ? r.ranks_per_node : usual,
                   site.cores_per_rank};
    if (site.cores_per_rank > 0 && shape.ranks_per_node > 0)
        shape.cores_per_rank = std::max(1, site.cores_per_rank * usual / shape.ranks_per_node);
    return shape;
}

Sentences foreign_lines(const Machine& m, BatchKind kind, const std::map<std::string, Machine>& installed) {
    if (!described(m, kind)) return {};
    const SiteJob& job = *m.scheduler.job;
    for (const auto& [id, ours] : installed)
        if (ours.scheduler.job == m.scheduler.job) return {};
    Sentences lines;
    for (const std::string& line : job.directives) lines.push_back(std::string(directive_prefix(kind)) + line);
    lines.insert(lines.end(), job.environment.begin(), job.environment.end());
    lines.push_back(job.launch);
    for (const SiteFile& file : job.files)
        for (const std::string& line : file.lines) lines.push_back(file.name + ": " + line);
    return lines;
}

Expected<JobFiles, Sentences> calibration_job(const Machine& m, BatchKind kind, const JobRequest& r) {
    if (kind == BatchKind::grid_engine)
        return Unexpected{
            Sentences{phrase("There is no script for Grid Engine; slurm, lsf, pjm, pbs and flux are known.")}};
    const SiteJob site = site_of(m, kind);
    const JobShape shape = job_shape(m, kind, r);
    const Placeholders values = values_of(r, site, shape);
    Sentences found = problems(site);
    look_at_shape(found, m, shape);
    look_at_words(found, r);
    look_at_time(found, m, r, shape.nodes);
    if (described(m, kind)) look_at_needs(found, m, site, values);
    if (!found.empty()) return Unexpected{std::move(found)};
    JobFiles job;
    job.files = files_of(m, kind, r, site, shape, values);
    job.shape = shape;
    job.walltime = walltime_of(r);
    job.notes = notes_of(m, kind, site, shape);
    if (r.folder.empty())
        job.steps.push_back(phrase("Copy the folder to a file system of {1} that its compute nodes see.", m.name));
    job.steps.push_back(phrase("Submit the job inside that folder: {1}", submit_line(kind)));
    job.steps.push_back(phrase("result.jsonl, which then lies beside the script, is the whole result: import it."));
    if (kind == BatchKind::slurm && !r.plan.empty())
        job.steps.push_back(
            phrase("Where Slurm counts energy, the joules of the whole job come along: {1} once it has ended, and {2}.",
                   "sacct -j ID --format=JobID,Elapsed,NNodes,ConsumedEnergyRaw -P > energy.txt",
                   "--import result.jsonl --sacct energy.txt"));
    return job;
}

}  // namespace plimsoll

namespace plimsoll::files {

namespace {

// Every rank sees all GPUs of its node and takes one by its place there. Slurm would bind a task to the one core that
// it takes it to want: a rank that computes on a whole node would have that one, and one that drives a GPU would share
// it with the threads that NCCL sends by. Nodes are measured alone, and ranks bound to no core.
SiteJob slurm(const NodeUse& use) {
    SiteJob site;
    site.directives = {"--account={account}", "--partition={queue}", "--ntasks-per-node={ranks_per_node}"};
    if (use.accelerators) site.directives.push_back("--gpus-per-node={ranks_per_node}");
    const bool unbound = use.accelerators || use.whole;
    if (unbound) site.directives.push_back("--exclusive");
    site.launch = "srun --nodes={nodes} --ntasks={ranks} ";
    if (use.accelerators) site.launch += "--gpu-bind=none ";
    if (unbound) site.launch += "--cpu-bind=none ";
    site.launch += "{engine}";
    return site;
}

// One resource set for each node, with all that it has; jsrun would bind each task to one core of it.
SiteJob lsf(bool accelerators) {
    SiteJob site;
    site.directives = {"-P {account}", "-q {queue}"};
    site.launch = "jsrun --nrs {nodes} --rs_per_host 1 --tasks_per_rs {ranks_per_node} --cpu_per_rs ALL_CPUS ";
    if (accelerators) site.launch += "--gpu_per_rs {ranks_per_node} --bind rs ";
    site.launch += "{engine}";
    return site;
}

// The launcher writes a file for each rank: named, and none for those that print nothing.
SiteJob pjm() {
    SiteJob site;
    site.directives = {"-g {account}", "-L rscgrp={queue}", "--mpi \"proc={ranks},max-proc-per-node={ranks_per_node}\"",
                       "-s"};
    site.environment = {"export PLE_MPI_STD_EMPTYFILE=off"};
    site.launch = "mpiexec -std-proc \"$RUN/rank\" {engine}";
    return site;
}

SiteJob pbs() {
    SiteJob site;
    site.directives = {"-A {account}", "-q {queue}", "-l place=scatter"};
    site.launch = "mpiexec -n {ranks} -ppn {ranks_per_node} {engine}";
    return site;
}

SiteJob flux(bool accelerators) {
    SiteJob site;
    site.directives = {"--bank={account}", "--queue={queue}", "--nslots={ranks}", "--exclusive"};
    site.launch = accelerators ? "flux run -N {nodes} -n {ranks} --gpus-per-task=1 {engine}"
                               : "flux run -N {nodes} -n {ranks} {engine}";
    return site;
}

}  // namespace

SiteJob generic_site(BatchKind kind, const NodeUse& use) {
    switch (kind) {
        case BatchKind::slurm: return slurm(use);
        case BatchKind::lsf: return lsf(use.accelerators);
        case BatchKind::pjm: return pjm();
        case BatchKind::pbs: return pbs();
        case BatchKind::flux: return flux(use.accelerators);
        case BatchKind::grid_engine: break;
    }
    return {};
}

}  // namespace plimsoll::files

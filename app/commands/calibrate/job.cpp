// plimsoll calibrate where a batch system runs it: writes the job, submits it, asks after it and cancels it.
#include "app/commands/calibrate/calibrate.h"

#include "app/commands/command_line.h"
#include "core/files/launch/batch.h"
#include "core/files/launch/calibration_job.h"
#include "core/files/measured/calibration_plan.h"
#include "core/files/launch/calibration_start.h"
#include "core/files/launch/engine_launch.h"
#include "core/files/launch/process.h"
#include "core/files/text/disk.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>

namespace plimsoll {

namespace {

namespace fs = std::filesystem;

struct BatchReply {
    ProcessEnd end;
    std::string out, err;
};

// Through env, which looks the program up in PATH.
BatchReply ask_batch(const Command& command) {
    BatchReply reply;
    const auto gather = [](std::string& to) { return [&to](std::string_view line) { to.append(line).append("\n"); }; };
    reply.end =
        run_process({"/usr/bin/env", command, {}}, {gather(reply.out), gather(reply.err)}, {.heed_signals = true});
    return reply;
}

int failed(const std::string& sentence) { return refuse(Refusal{exit_failure, "plimsoll: " + sentence + "\n"}); }

bool is_here(BatchKind kind) {
    const auto here = schedulers_here();
    return std::find(here.begin(), here.end(), kind) != here.end();
}

std::string name_of_system(BatchKind kind) { return std::string(title_of(kind)); }

int submit_job(BatchKind kind, const std::string& folder, const std::string& script) {
    const BatchReply reply = ask_batch(submit_command(kind, folder, script));
    const auto id = reply.end.code == 0 ? job_id(kind, reply.out) : std::nullopt;
    if (!id)
        return failed(name_of_system(kind) + " took no job: " +
                      (reply.end.failure.empty() ? reply.out + reply.err : reply.end.failure));
    std::cout << "Submitted: job " << *id << "\n"
              << "Ask after it: plimsoll calibrate --script " << id_of(kind) << " --job " << *id << " --poll\n";
    return exit_ok;
}

// Files of the job's names that hold something else: a job that runs, or one that was changed by hand.
std::string other_files(const fs::path& folder, const JobFiles& job) {
    std::vector<std::string> names;
    std::error_code error;
    for (const JobFile& file : job.files) {
        if (!fs::exists(folder / file.name, error)) continue;
        const auto text = read_text(folder / file.name);
        if (!text || *text != file.text) names.push_back(file.name);
    }
    return joined(names, ", ");
}

// The job's files, and what to do with them; exit code of the command.
int write_job(const Machine& machine, BatchKind kind, JobRequest request, const CalibrateJobArguments& a) {
    const std::string& out = a.out;
    const bool submit = a.submit;
    if (submit && !is_here(kind))
        return failed("there is no " + name_of_system(kind) + " here to submit to: its commands are not in PATH");
    std::error_code error;
    const fs::path folder = fs::absolute(out, error);
    if (submit && request.folder.empty()) request.folder = folder.lexically_normal().string();
    const auto job = calibration_job(machine, kind, request);
    if (!job) {
        std::string all;
        for (const std::string& why : job.error()) all.append(why).append("\n");
        return refuse(Refusal{exit_usage, all});
    }
    if (const auto lines = foreign_lines(machine, kind, shipped_library().machines); !lines.empty() && !a.accept_lines)
        return refuse(Refusal{exit_usage, "The job would execute these lines, which come from the plan and from no "
                                          "installed machine preset:\n  " + joined(lines, "\n  ")
                                              + "\nWhere they are what they should be, --accept-lines writes the job."
                                                "\n"});
    if (const std::string others = other_files(folder, *job); !others.empty() && !a.replace)
        return refuse(Refusal{exit_usage, folder.string() + " holds other files of these names: " + others
                                              + "\nNothing was written. Name another --out, or --replace them.\n"});
    fs::create_directories(folder, error);
    if (error) return failed(folder.string() + ": " + error.message());
    for (const JobFile& file : job->files)
        if (const auto written = write_atomically(folder / file.name, file.text); !written)
            return refuse(Refusal{exit_failure, say(written.error())});
    std::cout << "Wrote " << folder.string() << ":";
    for (const JobFile& file : job->files) std::cout << " " << file.name;
    const JobShape& shape = job->shape;
    std::cout << "\n" << counted(shape.nodes, "node", "nodes") << " with "
              << counted(shape.ranks_per_node, "rank", "ranks") << (shape.nodes == 1 ? "" : " each") << ", at most "
              << hours_and_minutes(job->walltime) << " (hh:mm).\n";
    for (const std::string& note : job->notes) std::cout << "Mind: " << note << "\n";
    if (submit) return submit_job(kind, folder.string(), job->script);
    std::cout << "Next:\n";
    for (const std::string& step : job->steps) std::cout << "  " << step << "\n";
    return exit_ok;
}

enum class JobQuestion { poll, cancel };

int ask_job(BatchKind kind, const std::string& id, JobQuestion question) {
    if (!is_job_id(kind, id))
        return refuse(Refusal{exit_usage, "\"" + id + "\" is no job id of " + name_of_system(kind) + "\n"});
    if (!is_here(kind))
        return failed("there is no " + name_of_system(kind) + " here to ask: its commands are not in PATH");
    if (question == JobQuestion::cancel) {
        const BatchReply reply = ask_batch(cancel_command(kind, id));
        return reply.end.code == 0 ? exit_ok : failed(reply.out + reply.err);
    }
    for (const Command& command : poll_commands(kind, id)) {
        const JobStatus status = job_status(kind, id, ask_batch(command).out);
        if (status.state == JobState::unknown) continue;
        std::cout << say(status) << "\n";
        return exit_ok;
    }
    return failed(name_of_system(kind) + " does not know job " + id + ", or has forgotten it");
}

// On the machine itself the engine beside us, or in PATH, is the one; elsewhere only its name is known.
std::string engine_of(const CalibrateJobArguments& a, BatchKind kind) {
    if (!a.engine.empty()) return a.engine;
    if (is_here(kind))
        if (const auto host = find_engine_host(false)) return host->engine;
    return "plimsoll-engine";
}

int write_calibration_job(const CalibrateJobArguments& a, BatchKind kind) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    JobRequest request{.nodes = a.nodes,
                       .ranks_per_node = a.ranks_per_node,
                       .account = a.account,
                       .queue = a.queue,
                       .engine = engine_of(a, kind),
                       .folder = a.folder};
    if (a.trial_steps > 0) {
        request.options = trial_options(a.trial_steps, job_shape(plan->machine, kind, request).ranks());
    } else if (!a.plan_file.empty()) {
        const auto text = read_text(a.plan_file);
        if (!text) return refuse(Refusal{exit_invalid_file, say(text.error())});
        const auto read = read_calibration_plan(*text, a.plan_file);
        if (!read) return refuse(Refusal{exit_invalid_file, say(read.error())});
        request.plan = *text;
        request.budget = read->expected();
    } else {
        const auto stack = shipped_library().stacks.find("plimsoll-engine");
        if (stack == shipped_library().stacks.end())
            return refuse(Refusal{exit_invalid_file,
                                  "the preset plimsoll-engine, whose layouts are predicted, is not there\n"});
        const auto own =
            plan_for_job(*plan, stack->second, kind, {.budget = a.budget * second, .codecs = a.codecs}, request);
        if (!own) return refuse(no_experiments(own.error()));
    }
    if (a.budget > 0) request.budget = a.budget * second;
    return write_job(plan->machine, kind, request, a);
}

}  // namespace

int run_calibrate_job(const CalibrateJobArguments& a) {
    const auto kind = batch_kind_from(a.script);
    if (!kind) return refuse(Refusal{exit_usage, "--script: which batch system? slurm, lsf, pjm, pbs or flux\n"});
    if (!a.job.empty()) {
        if (a.poll == a.cancel) return refuse(Refusal{exit_usage, "--job wants --poll or --cancel\n"});
        return ask_job(*kind, a.job, a.cancel ? JobQuestion::cancel : JobQuestion::poll);
    }
    if (a.plan.file.empty())
        return refuse(Refusal{exit_usage, "whose machine? Name a scenario file, or the id of a shipped scenario\n"});
    return write_calibration_job(a, *kind);
}

}  // namespace plimsoll

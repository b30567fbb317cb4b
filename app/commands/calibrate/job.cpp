#include "app/commands/calibrate/job.h"

#include "app/commands/command_line.h"
#include "app/commands/plan.h"
#include "core/files/launch/process.h"
#include "core/files/text/disk.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace plimsoll {

namespace {

namespace fs = std::filesystem;

struct Reply {
    ProcessEnd end;
    std::string out, err;
};

// Through env, which looks the program up in PATH.
Reply ask(const Command& command) {
    Reply reply;
    const auto gather = [](std::string& to) { return [&to](std::string_view line) { to.append(line).append("\n"); }; };
    reply.end = run_process({"/usr/bin/env", command, {}}, {gather(reply.out), gather(reply.err)}, {.heed_signals = true});
    return reply;
}

int fail(const std::string& sentence) { return refuse(Refusal{exit_failure, "plimsoll: " + sentence + "\n"}); }

bool present(BatchKind kind) {
    const auto here = schedulers_here();
    return std::find(here.begin(), here.end(), kind) != here.end();
}

int submit(BatchKind kind, const std::string& folder, const std::string& script) {
    const Reply reply = ask(submit_command(kind, folder, script));
    const auto id = reply.end.code == 0 ? job_id(kind, reply.out) : std::nullopt;
    if (!id) return fail(std::string(title_of(kind)) + " took no job: " + (reply.end.failure.empty() ? reply.out + reply.err : reply.end.failure));
    std::cout << "Submitted: job " << *id << "\n"
              << "Ask after it: plimsoll calibrate --script " << id_of(kind) << " --job " << *id << " --poll\n";
    return exit_ok;
}

}  // namespace

int write_job(const Machine& machine, BatchKind kind, JobRequest request, const JobOutput& output) {
    if (output.submit && !present(kind)) return fail("there is no " + std::string(title_of(kind)) + " here to submit to: its commands are not in PATH");
    std::error_code error;
    const fs::path folder = fs::absolute(output.out, error);
    if (output.submit && request.folder.empty()) request.folder = folder.lexically_normal().string();
    const auto job = calibration_job(machine, kind, request);
    if (!job) {
        std::string all;
        for (const std::string& why : job.error()) all.append(why).append("\n");
        return refuse(Refusal{exit_usage, all});
    }
    fs::create_directories(folder, error);
    if (error) return fail(folder.string() + ": " + error.message());
    for (const JobFile& file : job->files)
        if (const auto written = write_atomically(folder / file.name, file.text); !written) return refuse(Refusal{exit_failure, say(written.error())});
    std::cout << "Wrote " << folder.string() << ":";
    for (const JobFile& file : job->files) std::cout << " " << file.name;
    std::cout << "\n" << job->shape.nodes << (job->shape.nodes == 1 ? " node with " : " nodes with ") << job->shape.ranks_per_node
              << (job->shape.ranks_per_node == 1 ? " rank" : " ranks") << (job->shape.nodes == 1 ? "" : " each") << ", at most " << hours_and_minutes(job->walltime) << " (hh:mm).\n";
    for (const std::string& note : job->notes) std::cout << "Mind: " << note << "\n";
    if (output.submit) return submit(kind, folder.string(), job->script);
    std::cout << "Next:\n";
    for (const std::string& step : job->steps) std::cout << "  " << step << "\n";
    return exit_ok;
}

int ask_job(BatchKind kind, const std::string& id, JobQuestion question) {
    if (!is_job_id(kind, id)) return refuse(Refusal{exit_usage, "\"" + id + "\" is no job id of " + std::string(title_of(kind)) + "\n"});
    if (!present(kind)) return fail("there is no " + std::string(title_of(kind)) + " here to ask: its commands are not in PATH");
    if (question == JobQuestion::cancel) {
        const Reply reply = ask(cancel_command(kind, id));
        return reply.end.code == 0 ? exit_ok : fail(reply.out + reply.err);
    }
    for (const Command& command : poll_commands(kind, id)) {
        const JobStatus status = job_status(kind, id, ask(command).out);
        if (status.state == JobState::unknown) continue;
        std::cout << say(status) << "\n";
        return exit_ok;
    }
    return fail(std::string(title_of(kind)) + " does not know job " + id + ", or has forgotten it");
}

}  // namespace plimsoll

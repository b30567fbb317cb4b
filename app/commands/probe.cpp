// Short runs of the user's own software, and what they say of a plan: plimsoll probe.
#include "app/commands/command.h"

#include "app/commands/tables.h"
#include "core/files/results/probe_results.h"
#include "core/files/results/track_record.h"
#include "core/files/text/disk.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

#include <filesystem>
#include <iostream>

namespace plimsoll {

namespace {

struct ProbeArguments {
    PlanArguments plan;
    ProbeLimits limits;
    double minutes = 0;
    std::string framework = "megatron", out, read, keep;
};

void print_probes(const ProbePlan& p) {
    TextRows rows{{"run", "what it tells", "nodes", "step, predicted", "takes", "node-hours"}};
    for (const ProbeRun& r : p.runs)
        rows.push_back({r.name, r.why, std::to_string(nodes_used(r.plan)), say(r.step), say(r.time),
                        fixed(r.node_hours, 2)});
    std::cout << table(rows) << "\nOne job of " << counted(p.nodes, "node", "nodes") << ", " << say(p.time) << ", "
              << fixed(p.node_hours, 2) << " node-hours. Afterwards two plans in three lie within "
              << percent(p.band) << " of what they say, nine in ten within " << percent(p.wide) << ".\n";
    for (const std::string& each : p.unseen) std::cout << "They do not show: " << each << "\n";
}

int write_job(const Scenario& plan, const ProbePlan& probes, const ProbeArguments& a) {
    const auto job = probe_job(plan, probes, *framework_from(a.framework), a.limits, shipped_library());
    if (!job) {
        for (const std::string& why : job.error()) std::cerr << why << "\n";
        return exit_infeasible;
    }
    std::error_code error;
    std::filesystem::create_directories(a.out, error);
    for (const JobFile& f : *job) {
        const auto written = write_atomically(std::filesystem::path(a.out) / f.name, f.text);
        if (!written) return refuse(Refusal{exit_failure, say(written.error())});
    }
    std::cout << "\nWrote " << a.out << ": submit job.sh there.\n";
    return exit_ok;
}

void print_result(TextRows& rows, const ProbeResult& r) {
    rows.push_back({r.run.name, std::to_string(r.run.plan.model.layers), std::to_string(r.run.plan.layout.devices),
                    say(r.run.step), r.measured ? say(*r.measured) : "",
                    r.measured ? signed_percent(r.run.step / *r.measured - 1) : "not measured",
                    r.measured ? percent(r.scatter) : "", r.memory ? say(r.memory->most) : ""});
}

int read_results(const ProbeArguments& a) {
    const auto read = read_probes(a.read, shipped_library());
    if (!read) return refuse(Refusal{exit_invalid_file, say(read.error())});
    TextRows rows{{"run", "layers", "devices", "predicted", "measured", "error", "scatter", "memory"}};
    for (const ProbeResult& r : read->results) print_result(rows, r);
    std::cout << table(rows);
    for (const ProbeResult& r : read->results)
        for (const std::string& each : r.remarks) std::cout << "  " << each << "\n";
    for (const std::string& each : read->remarks) std::cout << "  " << each << "\n";
    if (!read->record.sealed)
        std::cout << "  probes.json is not as it was written: its predictions may be later than the runs.\n";
    if (read->anchors.empty()) {
        std::cerr << "No probe was measured.\n";
        return exit_infeasible;
    }
    std::cout << "\n";
    if (const auto after = after_probes(read->record.plan, read->anchors, track_record(shipped_library()).evidence))
        for (const std::string& each : say(*after)) std::cout << each << "\n";
    if (a.keep.empty()) {
        std::cout << "--keep FILE writes the runs for --anchor.\n";
        return exit_ok;
    }
    const auto written = write_atomically(a.keep, write_measured_runs(read->measured, shipped_library()));
    if (!written) return refuse(Refusal{exit_failure, say(written.error())});
    std::cout << "Wrote " << a.keep << "\n";
    return exit_ok;
}

int run_probe(ProbeArguments a) {
    if (!a.read.empty()) return read_results(a);
    if (a.plan.file.empty()) return refuse(Refusal{exit_usage, "name a plan, or a folder of probes with --read\n"});
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    if (a.minutes > 0) a.limits.longest = a.minutes * minute;
    const auto probes = plan_probes(*plan, a.limits);
    if (!probes) {
        for (const std::string& why : probes.error()) std::cerr << why << "\n";
        return exit_infeasible;
    }
    print_probes(*probes);
    return a.out.empty() ? exit_ok : write_job(*plan, *probes, a);
}

}  // namespace

void add_probe(Program& program) {
    const auto a = std::make_shared<ProbeArguments>();
    CLI::App& command = add_command(program.app, {
        "probe", "Short runs of your own software that tell most about the plan, as one job",
        "A copy of the plan that is cut in layers and replicas tells nearly all of the error that the prediction has "
        "on your machine and software. Lists the two or three runs that tell most, what they cost and how far off the "
        "plan may be afterwards. --out writes them as one job for the framework, with the flags of the real run.\n\n"
        "--read takes the logs of that folder: measured beside predicted, and the plan before and after. What was "
        "measured then counts with --anchor."});
    add_plan(command, a->plan);
    command.get_option("file")->required(false);
    const auto names = framework_names();
    command.add_option("--framework", a->framework,
                       "megatron, deepspeed, fsdp, torchtitan, bridge, trainer, torchtune or axolotl")
        ->check(CLI::IsMember(std::vector<std::string>(names.begin(), names.end())));
    command.add_option("--nodes", a->limits.nodes, "Nodes at hand (default: those of one copy, at least two)")
        ->check(CLI::Range(1, 100000));
    command.add_option("--minutes", a->minutes, "Longest job (default: 30)")->check(CLI::PositiveNumber);
    command.add_option("--steps", a->limits.steps, "Steps of each run (default: 50)")->check(CLI::Range(5, 100000));
    command.add_option("--visits", a->limits.visits, "How often each run is made, in turn (default: 2)")
        ->check(CLI::Range(1, 20));
    command.add_option("--scatter", a->limits.scatter,
        "How far the middle step of two visits is apart, as a share (default: 0.02)")->check(CLI::Range(0.0, 1.0));
    command.add_option("--out", a->out, "Folder for the job")->type_name(folder_value);
    auto* read = command.add_option("--read", a->read, "Folder of a job that ran: what the probes say of the plan")
                     ->type_name(folder_value);
    command.add_option("--keep", a->keep, "File for the measured runs, for --anchor")
        ->needs(read)->type_name(file_value);
    command.callback([a, &program] { program.code = run_probe(*a); });
}

}  // namespace plimsoll

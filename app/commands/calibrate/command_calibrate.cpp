// `plimsoll calibrate`: measurements that turn a machine preset into one of the hardware at hand.
#include "app/commands/calibrate/job.h"
#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/plan.h"
#include "core/evidence/calibration/plan/experiments.h"
#include "core/files/launch/calibration_plan.h"
#include "core/files/launch/engine_launch.h"
#include "core/files/text/disk.h"

#include <algorithm>

namespace plimsoll {

namespace {

// A few steps of a tiny model on every rank: shows that jobs start, log and end here before hours are queued for.
std::vector<std::string> trial(int steps, int ranks) {
    return {"--layers", "1", "--width", "64", "--heads", "1", "--vocabulary", "64", "--sequence", "32", "--steps", std::to_string(steps), "--dp", std::to_string(ranks)};
}

// On the machine itself the engine beside us, or in PATH, is the one; elsewhere only its name is known.
std::string engine_of(const CalibrateArguments& a, BatchKind kind) {
    if (!a.engine.empty()) return a.engine;
    const auto here = schedulers_here();
    if (std::find(here.begin(), here.end(), kind) != here.end())
        if (const auto host = find_engine_host(false)) return host->engine;
    return "plimsoll-engine";
}

// The plan's own machine, as many ranks as the job has.
Expected<ExperimentPlan, Refusal> plan_there(const Scenario& s, const CalibrateArguments& a, const JobShape& job) {
    const auto stack = shipped_library().stacks.find("plimsoll-engine");
    if (stack == shipped_library().stacks.end()) return Unexpected{Refusal{exit_invalid_file, "the preset plimsoll-engine, whose layouts are predicted, is not there\n"}};
    auto place = place_on(s.machine, stack->second, {job.nodes, job.ranks_per_node, job.cores_per_rank});
    if (!place) return Unexpected{Refusal{exit_infeasible, place.error() + "\n"}};
    place->codecs = a.codecs;
    place->budget = a.budget * second;
    auto plan = plan_experiments(s, *place);
    if (plan) return *std::move(plan);
    Refusal r{exit_infeasible, "There is no plan for a calibration:\n"};
    for (const std::string& each : plan.error()) r.message.append("  ").append(each).append("\n");
    return Unexpected{std::move(r)};
}

int run_job(const CalibrateArguments& a, BatchKind kind) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    JobRequest request{.nodes = a.nodes, .ranks_per_node = a.ranks_per_node, .account = a.account, .queue = a.queue, .budget = a.budget * second,
                       .engine = engine_of(a, kind), .folder = a.folder};
    if (a.trial_steps > 0) {
        request.options = trial(a.trial_steps, job_shape(plan->machine, kind, request).ranks());
    } else if (!a.plan_file.empty()) {
        const auto text = read_text(a.plan_file);
        if (!text) return refuse(Refusal{exit_invalid_file, say(text.error())});
        request.plan = *text;
    } else {
        if (request.ranks_per_node == 0) request.ranks_per_node = plan->machine.devices_per_node;   // a rank is a device there, whatever the site's habit
        const auto own = plan_there(*plan, a, job_shape(plan->machine, kind, request));
        if (!own) return refuse(own.error());
        request.plan = write_calibration_plan(*own);
    }
    return write_job(plan->machine, kind, request, {a.out, a.submit});
}

}  // namespace

int run_calibrate(const CalibrateArguments& a) {
    const auto kind = batch_kind_from(a.script);
    if (!kind) return refuse(Refusal{exit_usage, "--script: which batch system? slurm, lsf, pjm, pbs or flux\n"});
    if (!a.job.empty()) {
        if (a.poll == a.cancel) return refuse(Refusal{exit_usage, "--job wants --poll or --cancel\n"});
        return ask_job(*kind, a.job, a.cancel ? JobQuestion::cancel : JobQuestion::poll);
    }
    if (a.plan.file.empty()) return refuse(Refusal{exit_usage, "whose machine? Name a scenario file, or the id of a shipped scenario\n"});
    return run_job(a, *kind);
}

}  // namespace plimsoll

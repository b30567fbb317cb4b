#include "app/commands/calibrate/options.h"

namespace plimsoll {

namespace {

// On this computer, or of a result.
void add_local(CLI::App& command, CalibrateLocalArguments& a) {
    auto* plan = command.add_flag_callback("--plan", [&a] { a.action = CalibrateAction::plan; }, "What would run and what each run tells; nothing runs");
    auto* run = command.add_option_function<std::string>("--run", [&a](const std::string&) { a.action = CalibrateAction::run; },
                                                         "local: run it on this computer, under mpirun")
                    ->check(CLI::IsMember({"local"}))->excludes(plan);
    auto* import = command.add_option_function<std::string>("--import", [&a](const std::string& file) { a.action = CalibrateAction::import, a.out = file; },
                                             "What a result says that was measured here or elsewhere")
        ->excludes(plan)->excludes(run);
    command.add_option("--sacct", a.sacct, "With --import: what sacct -j ID --format=JobID,Elapsed,NNodes,ConsumedEnergyRaw -P printed of its job")->needs(import);
    command.add_flag("--resume", a.resume, "Go on from what an interrupted run left beside --out")->needs(run);
    command.add_flag("--codecs", a.codecs, "Also run with codecs on gradients, activations and transfers");
    command.add_flag("--json", a.json, "The plan, or the result, as JSON");
}

CLI::Option* add_job(CLI::App& command, CalibrateArguments& a) {
    auto* script = command.add_option("--script", a.script, "Write it as a job instead, for slurm, lsf, pjm, pbs or flux")
        ->check(CLI::IsMember({"slurm", "lsf", "pjm", "pbs", "flux"}))->excludes("--run")->excludes("--import");
    command.add_option("--account", a.account, "The project that pays")->needs(script);
    command.add_option("--queue", a.queue, "Queue or partition; the site's for short jobs without")->needs(script);
    command.add_option("--nodes", a.nodes, "Nodes to measure on; two without")->check(CLI::Range(1, 1 << 20))->needs(script);
    command.add_option("--ranks-per-node", a.ranks_per_node, "One for each device without; of a trial the site's")->check(CLI::Range(1, 4096))->needs(script);
    command.add_option("--engine", a.engine, "plimsoll-engine on that machine: an absolute path, or a name in its PATH")->needs(script);
    command.add_option("--folder", a.folder, "The job's folder on that machine; where it is submitted without")->needs(script);
    auto* plan = command.add_option("--plan-file", a.plan_file, "A plan that --plan --json wrote, instead of the scenario's own")->needs(script);
    command.add_option("--trial", a.trial_steps, "Only train a tiny model for so many steps, to see that jobs start and end there")
        ->check(CLI::Range(1, 1000000))->needs(script)->excludes(plan);
    command.add_flag("--submit", a.submit, "Submit it too, where the batch system is here")->needs(script);
    auto* job = command.add_option("--job", a.job, "A submitted job's id")->needs(script);
    command.add_flag("--poll", a.poll, "What has become of the job")->needs(job);
    command.add_flag("--cancel", a.cancel, "End the job")->needs(job);
    return script;
}

int run(CalibrateOptions& o, bool as_job) {
    if (as_job) {
        o.job.plan = o.plan;
        o.job.codecs = o.local.codecs;
        if (!o.out.empty()) o.job.out = o.out;
        if (o.budget) o.job.budget = *o.budget;
        return run_calibrate(o.job);
    }
    o.local.plan = o.plan;
    if (!o.out.empty() && o.local.action != CalibrateAction::import) o.local.out = o.out;
    o.local.budget = o.budget.value_or(0);
    return run_calibrate_local(o.local);
}

}  // namespace

void add_calibrate(CLI::App& app, CalibrateOptions& o, int& code) {
    auto* command = app.add_subcommand("calibrate", "Short runs that turn a machine preset into one of the hardware at hand");
    command->add_option("file", o.plan.file, "What shall be predicted, and with --script on whose machine: scenario file, or the id of a shipped scenario");
    command->add_option("--set", o.plan.settings, "Change a knob first: id=value, e.g. machine=frontier");
    command->add_option("--out", o.out, "The result, as JSON lines (OUT.part until it is complete); with --script the folder of the job");
    command->add_option("--budget", o.budget, "Seconds of measurements: scales repetitions, never what is held back")->check(CLI::Range(1.0, 1e5));
    add_local(*command, o.local);
    auto* script = add_job(*command, o.job);
    command->callback([&o, script, &code] { code = run(o, script->count() > 0); });
}

}  // namespace plimsoll

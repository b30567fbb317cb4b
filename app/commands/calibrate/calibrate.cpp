// plimsoll calibrate: measurements that turn a machine preset into one of the hardware at hand.
#include "app/commands/calibrate/calibrate.h"

#include "app/commands/command.h"

#include <optional>

namespace plimsoll {

namespace {

struct CalibrateOptions {
    PlanArguments plan;
    std::string out;                 // empty: the usual name of what is written
    std::optional<double> budget;    // seconds
    CalibrateLocalArguments local;
    CalibrateJobArguments job;
    bool machines = false, markdown = false;
};

// On this computer, or of a result.
void add_local_options(CLI::App& command, CalibrateLocalArguments& a) {
    const auto choose_plan = [&a] { a.action = CalibrateAction::plan; };
    const auto choose_run = [&a](const std::string&) { a.action = CalibrateAction::run; };
    const auto choose_import = [&a](const std::string& file) {
        a.action = CalibrateAction::import;
        a.out = file;
    };
    auto* plan = command.add_flag_callback("--plan", choose_plan,
        "Only print what would run and what each run tells");
    auto* run = command.add_option_function<std::string>("--run", choose_run,
        "local: run on this computer, under mpirun")->check(CLI::IsMember({"local"}))->excludes(plan);
    auto* import = command.add_option_function<std::string>("--import", choose_import,
        "Read a result that was measured here or elsewhere")->excludes(plan)->excludes(run)->type_name(file_value);
    command.add_option("--sacct", a.sacct,
        "File with what sacct -j ID --format=JobID,Elapsed,NNodes,ConsumedEnergyRaw -P printed of its job")
        ->needs(import)->type_name(file_value);
    command.add_flag("--save", a.save, "Save what was read as a machine preset; on a terminal it is asked for")
        ->needs(import);
    command.add_flag("--resume", a.resume, "Go on from what an interrupted run left beside --out")->needs(run);
    command.add_flag("--codecs", a.codecs, "Also run with codecs on gradients, activations and transfers");
    command.add_flag("--json", a.json, "The plan, the result or the machines as JSON");
}

CLI::Option* add_job_options(CLI::App& command, CalibrateJobArguments& a) {
    auto* script = command.add_option("--script", a.script,
        "Write a job instead, for slurm, lsf, pjm, pbs or flux")
        ->check(CLI::IsMember({"slurm", "lsf", "pjm", "pbs", "flux"}))->excludes("--run")->excludes("--import");
    command.add_option("--account", a.account, "Project that the job is charged to")->needs(script);
    command.add_option("--queue", a.queue, "Queue or partition (default: the site's for short jobs)")->needs(script);
    command.add_option("--nodes", a.nodes, "Nodes to measure on (default: two)")
        ->check(CLI::Range(1, 1 << 20))->needs(script);
    command
        .add_option("--ranks-per-node", a.ranks_per_node,
                    "Ranks on a node (default: one for each device; for --trial what the site prescribes)")
        ->check(CLI::Range(1, 4096))
        ->needs(script);
    command.add_option("--engine", a.engine,
        "plimsoll-engine on that machine: an absolute path, or a name in its PATH")->needs(script);
    command.add_option("--folder", a.folder,
        "The job's folder on that machine (default: where it is submitted)")->needs(script);
    auto* plan = command.add_option("--plan-file", a.plan_file,
        "A plan that --plan --json wrote, instead of the scenario's own")->needs(script)->type_name(file_value);
    command.add_option("--trial", a.trial_steps,
        "Only train a tiny model for so many steps, to see that jobs start and end there")
        ->check(CLI::Range(1, 1000000))->needs(script)->excludes(plan);
    command.add_flag("--accept-lines", a.accept_lines,
        "Also write lines of shell that the plan brings along and no installed machine preset has")->needs(script);
    command.add_flag("--replace", a.replace, "Also replace files of the same names that hold something else")
        ->needs(script);
    command.add_flag("--submit", a.submit, "Also submit the job; the batch system has to be on this computer")
        ->needs(script);
    auto* job = command.add_option("--job", a.job, "A submitted job's id")->needs(script)->type_name("ID");
    command.add_flag("--poll", a.poll, "Print the state of the job")->needs(job);
    command.add_flag("--cancel", a.cancel, "End the job")->needs(job);
    return script;
}

int run_as_job(CalibrateOptions& o) {
    o.job.plan = o.plan;
    o.job.codecs = o.local.codecs;
    if (!o.out.empty()) o.job.out = o.out;
    o.job.budget = o.budget.value_or(0);
    return run_calibrate_job(o.job);
}

// Of every machine, and so of no single one.
void add_machines_options(CLI::App& command, CalibrateOptions& o) {
    auto* machines = command.add_flag("--machines", o.machines,
        "Print what happens on each machine there is: runs there, a script, or refused with every reason");
    for (const char* other : {"--plan", "--run", "--import", "--script"}) machines->excludes(other);
    command.add_flag("--markdown", o.markdown, "The machines by kinds of device, as a table in Markdown")
        ->needs(machines)->excludes("--json");
}

MachinesFormat format_of(const CalibrateOptions& o) {
    if (o.markdown) return MachinesFormat::markdown;
    return o.local.json ? MachinesFormat::json : MachinesFormat::text;
}

int run_on_this_computer(CalibrateOptions& o) {
    o.local.plan = o.plan;
    if (!o.out.empty() && o.local.action != CalibrateAction::import) o.local.out = o.out;
    o.local.budget = o.budget.value_or(0);
    return run_calibrate_local(o.local);
}

}  // namespace

Refusal no_experiments(const std::vector<std::string>& reasons) {
    Refusal refusal{exit_infeasible, "There is no plan for a calibration:\n"};
    for (const std::string& reason : reasons) refusal.message.append("  ").append(reason).append("\n");
    return refusal;
}

void add_calibrate(Program& program) {
    const auto o = std::make_shared<CalibrateOptions>();
    CLI::App& command = add_command(program.app, {
        "calibrate", "Short runs that turn a machine preset into one of the hardware at hand",
        "Runs benches and small trainings. Constants of the machine are fitted to some of them, with intervals; other "
        "layouts are held back and predicted before they run. The preset goes to the user's own.\n\n"
        "--plan says what would run, --run local runs it here, --script writes it as a job for slurm, lsf, pjm, pbs or "
        "flux (--submit hands it in), and --import reads a result, with --sacct FILE also the energy that Slurm "
        "counted, and with --save makes a preset of it. --machines says what would happen on every machine there is."});
    command.add_option("file", o->plan.file,
        "Plan to predict, and with --script its machine: scenario file, or the id of a shipped scenario")
        ->type_name(scenario_value);
    add_settings(command, o->plan.settings, "Change a knob first: id=value, e.g. machine=frontier");
    command.add_option("--out", o->out,
        "File for the result, as JSON lines (OUT.part until it is complete); with --script the folder of the job")
        ->type_name(file_value);
    command
        .add_option("--budget", o->budget,
                    "Seconds of measurements: scales the repetitions, not the layouts that are held back")
        ->check(CLI::Range(1.0, 1e5));
    add_local_options(command, o->local);
    auto* script = add_job_options(command, o->job);
    add_machines_options(command, *o);
    command.callback([o, script, &program] {
        if (o->machines) program.code = run_calibrate_machines(o->plan, format_of(*o));
        else program.code = script->count() > 0 ? run_as_job(*o) : run_on_this_computer(*o);
    });
}

}  // namespace plimsoll

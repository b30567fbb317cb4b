#include "app/commands/command_line.h"

#include "app/commands/calibrate/options.h"
#include "app/commands/commands.h"
#ifdef PLIMSOLL_GUI
#include "app/instruments/instruments.h"
#include "app/window/gui_main.h"
#endif

#include <CLI/CLI.hpp>

#include <cstdio>
#include <iostream>

namespace plimsoll {

namespace {

void add_plan(CLI::App* command, PlanArguments& plan) {
    command->add_option("file", plan.file, "Scenario file, or the id of a shipped scenario")->required();
    command->add_option("--set", plan.settings, "Change a knob first: id=value (tensor_parallel=8, tokens=300B, machine=frontier)");
}

}  // namespace

int run(int argc, char** argv) {
    CLI::App app{"Plimsoll: what it takes to pre-train a large language model on a supercomputer", "plimsoll"};
    app.set_version_flag("--version", PLIMSOLL_VERSION);
    int code = exit_ok;

    std::string window_file;
    app.add_option("file", window_file, "Scenario to open in the window");

    EstimateArguments estimate_arguments;
    auto* estimate_command = app.add_subcommand("estimate", "Time, memory and energy of a plan");
    add_plan(estimate_command, estimate_arguments.plan);
    estimate_command->add_flag("--json", estimate_arguments.json, "As JSON");
    estimate_command->add_flag("--paper", estimate_arguments.paper, "The ORNL study's equations beside the full model");
    estimate_command->add_flag("--no-band", estimate_arguments.no_band, "Skip pricing the published runs the band is judged by (0.1 s)");
    estimate_command->callback([&] { code = run_estimate(estimate_arguments); });

    SweepArguments sweep_arguments;
    auto* sweep_command = app.add_subcommand("sweep", "The same plan with one knob turned");
    add_plan(sweep_command, sweep_arguments.plan);
    sweep_command->add_option("--knob", sweep_arguments.knob, "Id of the knob, e.g. nodes")->required();
    sweep_command->add_option("--values", sweep_arguments.values, "a,b,c or from:to:xfactor or from:to:step")->required();
    sweep_command->add_flag("--json", sweep_arguments.json, "As JSON");
    sweep_command->add_flag("--csv", sweep_arguments.csv, "As CSV (the default)");
    sweep_command->callback([&] { code = run_sweep(sweep_arguments); });

    TimelineArguments timeline_arguments;
    auto* timeline_command = app.add_subcommand("timeline", "Who works on what when in one step, as a trace for Perfetto");
    add_plan(timeline_command, timeline_arguments.plan);
    timeline_command->add_option("--out", timeline_arguments.out, "File to write; standard output without");
    timeline_command->add_flag("--csv", timeline_arguments.csv, "A table instead of a trace");
    timeline_command->callback([&] { code = run_timeline(timeline_arguments); });

    ExplainArguments explain_arguments;
    auto* explain_command = app.add_subcommand("explain", "How a number came about, down to its sources");
    add_plan(explain_command, explain_arguments.plan);
    explain_command->add_option("--number", explain_arguments.number, "Id of the number, e.g. step_seconds")->required();
    explain_command->add_option("--versus", explain_arguments.versus, "Also name what changes at knob=value, term by term");
    explain_command->add_option("--depth", explain_arguments.depth, "Levels to print");
    explain_command->add_flag("--json", explain_arguments.json, "As JSON");
    explain_command->callback([&] { code = run_explain(explain_arguments); });

    LargestArguments largest_arguments;
    auto* largest_command = app.add_subcommand("largest", "The largest model of the plan's width that a node holds, tier by tier");
    add_plan(largest_command, largest_arguments.plan);
    largest_command->add_option("--devices", largest_arguments.devices, "How many devices; one node without")->check(CLI::Range(1, 1 << 20));
    largest_command->add_flag("--json", largest_arguments.json, "As JSON");
    largest_command->callback([&] { code = run_largest(largest_arguments); });

    TransientsArguments transients_arguments;
    auto* transients_command = app.add_subcommand("transients", "Transient memory of a layer, placed before anything runs");
    add_plan(transients_command, transients_arguments.plan);
    transients_command->callback([&] { code = run_transients(transients_arguments); });

    StrategiesArguments strategies_arguments;
    auto* strategies_command = app.add_subcommand("strategies", "The fastest way of spreading every layer by itself, and what one way for all loses");
    add_plan(strategies_command, strategies_arguments.plan);
    strategies_command->add_option("--profile", strategies_arguments.profile,
        "Measured layer costs in place of the model's: a folder of Galvatron's profiles, or one file that holds them");
    strategies_command->add_option("--devices", strategies_arguments.devices, "How many devices; the plan's without")->check(CLI::Range(1, 4096));
    strategies_command->add_option("--memory", strategies_arguments.memory_gib, "GiB of a device; the machine's without")->check(CLI::Range(0.001, 4095.0));
    strategies_command->add_option("--batches", strategies_arguments.batches, "Sequences per step to choose from, with commas; the plan's without")
        ->delimiter(',')->check(CLI::Range(1, 1 << 20));
    strategies_command->add_option("--micro-batches", strategies_arguments.micro_batches,
        "Micro-batches per step to choose from, with commas; all divisors of the batch without")->delimiter(',')->check(CLI::Range(1, 1 << 20));
    strategies_command->add_flag("--as-galvatron", strategies_arguments.as_galvatron,
        "With --profile: price pipelines and the hand-over between layers as Galvatron does, to compare with it");
    strategies_command->add_flag("--json", strategies_arguments.json, "As JSON");
    strategies_command->callback([&] { code = run_strategies(strategies_arguments); });

    BudgetArguments budget_arguments;
    auto* budget_command = app.add_subcommand("budget", "What node-hours would train at the rate of a plan");
    add_plan(budget_command, budget_arguments.plan);
    budget_command->add_option("--node-hours", budget_arguments.node_hours, "The budget")->required()->check(CLI::PositiveNumber);
    budget_command->add_option("--doubling-months", budget_arguments.doubling_months, "In which the compute of the largest runs doubles")
        ->check(CLI::PositiveNumber);
    budget_command->callback([&] { code = run_budget(budget_arguments); });

    LaunchArguments launch_arguments;
    auto* launch_command = app.add_subcommand("launch", "A job script of the plan, with the framework's flags or JSON");
    add_plan(launch_command, launch_arguments.plan);
    launch_command->add_option("--framework", launch_arguments.framework, "megatron, deepspeed or fsdp")
        ->check(CLI::IsMember({"megatron", "deepspeed", "fsdp"}));
    launch_command->callback([&] { code = run_launch(launch_arguments); });

    RuleArguments rule_arguments;
    auto* rule_command = app.add_subcommand("rule", "Fit with model parallelism first, then data parallel: beside the plan and the fastest split");
    add_plan(rule_command, rule_arguments.plan);
    rule_command->add_option("--out", rule_arguments.out, "Write the rule's plan");
    rule_command->callback([&] { code = run_rule(rule_arguments); });

    SearchArguments search_arguments;
    auto* search_command = app.add_subcommand("search", "The best layout of the plan's devices, of every one there is");
    add_plan(search_command, search_arguments.plan);
    search_command->add_option("--objective", search_arguments.objective, "time, energy, cost, node-hours or memory")
        ->check(CLI::IsMember({"time", "energy", "cost", "node-hours", "memory"}));
    search_command->add_option("--space", search_arguments.space, "common, full or a file that lists values");
    search_command->add_option("--limit", search_arguments.limit, "Layouts to list")->check(CLI::Range(1, 100000));
    search_command->add_option("--threads", search_arguments.threads, "Threads to search with")->check(CLI::Range(1, 1024));
    auto* search_json = search_command->add_flag("--json", search_arguments.json, "As JSON");
    auto* over_nodes = search_command->add_flag("--over-nodes", search_arguments.over_nodes, "The best layout at every node count instead")->excludes(search_json);
    search_command->add_option("--node-hours", search_arguments.node_hours, "With --over-nodes: which node count ends first within so many")
        ->check(CLI::PositiveNumber)->needs(over_nodes);
    search_command->add_flag("--sensitivity", search_arguments.sensitivity, "Also whether the winner stays with 0.80 and 1.25 times what the machine has");
    search_command->add_option("--out", search_arguments.out, "Write the plan with the best layout");
    search_command->add_flag("--csv", search_arguments.csv, "The ranking as CSV")->excludes(search_json);
    search_command->callback([&] { code = run_search(search_arguments); });

    ReplanArguments replan_arguments;
    auto* replan_command = app.add_subcommand("replan", "A running job's steps against the plan, and whether another layout would pay");
    add_plan(replan_command, replan_arguments.plan);
    replan_command->add_option("--measured", replan_arguments.measured, "Its steps: a table with a column step_s, or a log of plimsoll-engine")->required();
    replan_command->add_option("--threshold", replan_arguments.threshold, "Share by which steps have to differ from the prediction")
        ->check(CLI::Range(0.0, 10.0));
    replan_command->add_option("--steps-left", replan_arguments.steps_left, "Steps still to go; the whole run's without")->check(CLI::PositiveNumber);
    replan_command->callback([&] { code = run_replan(replan_arguments); });

    ImportArguments import_arguments;
    auto* import_command = app.add_subcommand("import", "A model from Hugging Face's config.json or from the shapes of its weights");
    import_command->add_option("file", import_arguments.file, "config.json, {\"name\": [rows, columns]} or a safetensors header")->required();
    import_command->add_option("--tensor", import_arguments.tensor_parallel, "Tensor-parallel ranks to cut the weights over")
        ->check(CLI::Range(1, 16384));
    import_command->add_option("--heads", import_arguments.heads, "Attention heads, which shapes do not tell")->check(CLI::Range(1, 65536));
    import_command->add_option("--bytes", import_arguments.bytes_per_parameter, "Model-state bytes per parameter")->check(CLI::PositiveNumber);
    import_command->add_option("--memory-GB", import_arguments.memory_gb, "Say whether the states fit a device of this memory")
        ->check(CLI::PositiveNumber);
    import_command->add_option("--name", import_arguments.name, "What the model is called");
    import_command->add_option("--out", import_arguments.out, "Write a model preset that scenarios can use");
    import_command->callback([&] { code = run_import(import_arguments); });

    ExportArguments export_arguments;
    auto* export_command = app.add_subcommand("export", "Every chart as PDF, SVG, PNG and CSV");
    add_plan(export_command, export_arguments.plan);
    export_command->add_option("--out", export_arguments.out, "Directory to write to")->required();
    export_command->add_option("--formats", export_arguments.formats, "Any of pdf,svg,png,csv")->delimiter(',');
    export_command->add_option("--dpi", export_arguments.dpi, "Resolution of PNG files")->check(CLI::Range(30, 1200));
    export_command->callback([&] { code = run_export_command(argc, argv, export_arguments); });

    PresetsArguments presets_arguments;
    auto* presets_command = app.add_subcommand("presets", "Machines, models, stacks, scenarios and published runs that ship");
    presets_command->add_option("kind", presets_arguments.kind, "machines, models, stacks, scenarios, runs or fits")
        ->check(CLI::IsMember({"machines", "models", "stacks", "scenarios", "runs", "fits"}));
    presets_command->add_option("--schema", presets_arguments.schema,
                                "Print the JSON Schema of a file written by hand: model, machine, stack, scenario, fit "
                                "or published-runs");
    presets_command->add_flag("--json", presets_arguments.json, "As JSON");
    presets_command->callback([&] { code = run_presets(presets_arguments); });

    ValidateArguments validate_arguments;
    auto* validate_command = app.add_subcommand("validate", "Predictions against published runs, misses shown");
    validate_command->add_option("sets", validate_arguments.sets, "Files or ids of shipped sets; all shipped without");
    validate_command->add_option("--stack", validate_arguments.stack, "Predict every run with this one stack preset");
    auto* validate_json = validate_command->add_flag("--json", validate_arguments.json, "As JSON");
    validate_command->add_flag("--csv", validate_arguments.csv, "One row a line, as CSV")->excludes(validate_json);
    validate_command->callback([&] { code = run_validate(validate_arguments); });

    FitArguments fit_arguments;
    auto* fit_command = app.add_subcommand("fit", "Constants of machines and stacks from measured runs, with intervals");
    fit_command->add_option("rows", fit_arguments.rows, "Files of measured runs or ids of published ones; all published without");
    auto* fit_free = fit_command->add_option("--free", fit_arguments.free,
        "What may change: device, network, stack, memory, the id of a constant, or id@name for one machine, family or stack; several with commas")
        ->delimiter(',')->allow_extra_args(false);
    fit_command->add_option("--recipe", fit_arguments.recipe, "File or id that lists rows and constants: 'shipped' gives the presets'")
        ->excludes(fit_free);
    fit_command->add_option("--leave-out", fit_arguments.leave_out, "source: also fit without each source in turn and predict it")
        ->check(CLI::IsMember({"none", "source"}));
    fit_command->add_option("--out", fit_arguments.out, "Where to write the presets that change: a directory like presets/, or one .json");
    fit_command->add_flag("--json", fit_arguments.json, "As JSON");
    fit_command->callback([&] { code = run_fit(fit_arguments); });

    EngineArguments engine_arguments;
    auto* engine_command = app.add_subcommand("engine", "Train a small model on this computer with plimsoll-engine, and see how the prediction does");
    engine_command->allow_extras();
    engine_command->footer("Everything else goes to the engine, e.g. --layers 6 --width 384 --dp 2 --steps 20 --out run.jsonl.");
    auto* engine_plan = engine_command->add_option("--plan", engine_arguments.plan,
        "Train the model of this plan in its layout: scenario file or id; measured parts are shown beside predicted ones");
    engine_command->add_option("--set", engine_arguments.settings, "Change a knob of the plan first: id=value")->needs(engine_plan);
    engine_command->add_flag("--as-planned", engine_arguments.as_planned, "Predict for the plan's own machine and software instead of this computer's")
        ->needs(engine_plan);
    engine_command->add_option("--ranks", engine_arguments.ranks, "Processes to start; those of the layout without")
        ->check(CLI::Range(1, 1 << 20))->excludes(engine_plan);
    engine_command->add_option("--check", engine_arguments.check, "Check the log of a run instead")->excludes(engine_plan);
    engine_command->add_flag("--json", engine_arguments.json, "The engine's own lines, untouched");
    engine_command->callback([&] {
        engine_arguments.words = engine_command->remaining();
        code = run_engine(engine_arguments);
    });

    CalibrateOptions calibrate_options;
    add_calibrate(app, calibrate_options, code);

    BenchArguments bench_arguments;
    auto* bench_command = app.add_subcommand("bench", "Estimates per second, frame times and the digest of all estimates");
    bench_command->add_flag("--json", bench_arguments.json, "As JSON");
    bench_command->add_flag("--digest", bench_arguments.digest_only, "Only the digest");
    BenchSearchArguments bench_search_arguments;
    auto* bench_search = bench_command->add_subcommand("search", "Layouts per second, the envelope over node counts, growth with devices");
    bench_search->add_option("file", bench_search_arguments.plan.file, "Scenario file, or the id of a shipped scenario");
    bench_search->add_option("--set", bench_search_arguments.plan.settings, "Change a knob first: id=value");
    bench_search->add_option("--threads", bench_search_arguments.threads, "Of the envelope")->check(CLI::Range(1, 1024));
    bench_search->add_flag("--json", bench_search_arguments.json, "As JSON");
    bench_search->callback([&] { code = run_bench_search(argc, argv, bench_search_arguments); });
    bench_command->callback([&] {
        if (bench_command->get_subcommands().empty()) code = run_bench(argc, argv, bench_arguments);
    });

#ifdef PLIMSOLL_GUI
    std::string shot_file, shot_png, shot_theme = "light", shot_page = "overview", shot_size = "1400x900";
    auto* shot_command = app.add_subcommand("screenshot", "A picture of the window, for documents");
    shot_command->add_option("file", shot_file, "Scenario file or id")->required();
    shot_command->add_option("--out", shot_png, "PNG file")->required();
    shot_command->add_option("--theme", shot_theme, "light or dark")->check(CLI::IsMember({"light", "dark"}));
    shot_command->add_option("--page", shot_page, "Page to show");
    shot_command->add_option("--size", shot_size, "Of the window, in pixels")->check([](const std::string& text) {
        int width = 0, height = 0;
        const bool fine = std::sscanf(text.c_str(), "%dx%d", &width, &height) == 2 && width >= 640 && height >= 400 && width <= 8000 && height <= 8000;
        return fine ? std::string() : std::string("expected WIDTHxHEIGHT from 640x400 to 8000x8000");
    });
    shot_command->callback([&] { code = run_screenshot(argc, argv, shot_file, shot_png, shot_theme, shot_page, shot_size); });
#endif

    app.require_subcommand(0, 1);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        const int cli = app.exit(error);
        return cli == 0 ? exit_ok : exit_usage;
    }
    if (!app.get_subcommands().empty()) return code;
#ifdef PLIMSOLL_GUI
    return run_window(argc, argv, window_file);
#else
    std::cerr << "plimsoll: this build has no window; try 'plimsoll --help' for what it can do\n";
    return exit_usage;
#endif
}

}  // namespace plimsoll

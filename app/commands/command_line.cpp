#include "app/commands/command_line.h"

#include "app/commands/command.h"
#include "app/commands/manual.h"
#include "app/commands/terminal.h"

#include <algorithm>
#include <exception>
#include <iostream>
#include <new>
#include <optional>

namespace plimsoll {

namespace {

const Manual& program_manual() {
    static const Manual manual{
        .purpose = "what it takes to pre-train or fine-tune a large language model",
        .description =
            "Estimates the time, memory and energy of a training run, pre-training or fine-tuning, from the shape of "
            "the model, the machine, the parallel layout and the recipe. Without a command it opens the planner's "
            "window. The commands answer on the terminal and need no display. They take the file of a scenario or the "
            "id of one that ships.\n\n"
            "--set KNOB=VALUE changes a knob before the answer, for example layout.tensor_parallel=8 or "
            "recipe.tokens=300B. It may be given more than once. The id of a knob is the path of the value in a "
            "scenario file, or its last part where that is unique; nodes is the number of whole nodes.",
        .version = PLIMSOLL_VERSION,
        .sections = {
            {"Exit status", {{"0", "The command has answered."},
                             {"1", "Something failed that is no fault of the plan: a file could not be written, a "
                                   "program could not be started, a calibration was too disturbed for a preset."},
                             {"2", "The command line is wrong."},
                             {"3", "The plan cannot be computed or needs more memory than there is; the reasons are "
                                   "printed."},
                             {"4", "A file cannot be read or is not valid."}}},
            {"Environment", {{"PLIMSOLL_PRESETS", "Directories to read presets from, separated by colons, instead of "
                                                  "the shipped ones."},
                             {"PLIMSOLL_ENGINE", "The micro-trainer to start, instead of plimsoll-engine beside this "
                                                 "program or in PATH."},
                             {"PLIMSOLL_MPIRUN", "The launcher of several ranks, instead of mpirun in PATH."}}},
            {"Files", {{"$XDG_DATA_HOME/plimsoll/presets", "Presets of your own. They replace shipped presets of the "
                                                           "same id."}}},
            {"Examples", {{"plimsoll estimate gpt-neox-20b-a100.json --set nodes=24", ""},
                          {"plimsoll sweep gpt-neox-20b-a100.json --knob nodes --values 6:48:x2 --csv", ""},
                          {"plimsoll export gpt-neox-20b-a100.json --out figures", ""}}},
        }};
    return manual;
}

void add_commands(Program& program) {
    for (const auto add : {add_estimate, add_sweep, add_timeline, add_explain, add_largest, add_transients,
                           add_strategies, add_budget, add_launch, add_probe, add_rule, add_search, add_replan,
                           add_compare, add_goal, add_tornado, add_ask, add_propose, add_import, add_export,
                           add_presets, add_validate, add_fit, add_engine, add_calibrate, add_bench})
        add(program);
    if (program.window) add_screenshot(program);
}

// What the installation asks for; not among the options, because nobody else needs it.
std::optional<std::string> document_of(const CLI::App& app, const std::vector<std::string>& words) {
    if (words == std::vector<std::string>{"--man"}) return manual_page(app, program_manual());
    if (words.size() != 2 || words[0] != "--completions") return std::nullopt;
    if (words[1] == "bash") return completions(app, Shell::bash);
    if (words[1] == "zsh") return completions(app, Shell::zsh);
    if (words[1] == "fish") return completions(app, Shell::fish);
    return std::nullopt;
}

int answer(int argc, char** argv, Window* window) {
    const Manual& manual = program_manual();
    CLI::App app{"Plimsoll: " + manual.purpose, "plimsoll"};
    Program program{app, window};
    app.set_version_flag("--version", PLIMSOLL_VERSION);
    app.require_subcommand(0, 1);

    std::string file, language;
    app.add_option("file", file, "Scenario or workspace to open in the window")->type_name(scenario_value);
    app.add_option("--language", language, "Language of the window: en or ja; otherwise as chosen in it")
        ->check(CLI::IsMember({"en", "ja"}));
    add_commands(program);
    app.footer(help_of(manual));   // last: commands would inherit it

    if (const auto document = document_of(app, {argv + std::min(argc, 1), argv + argc})) {
        std::cout << *document;
        return exit_ok;
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? exit_ok : exit_usage;
    }
    if (!app.get_subcommands().empty()) return program.code;
    if (window) return window->open(file, language);
    std::cerr << "plimsoll: this build has no window; try 'plimsoll --help' for what it can do\n";
    return exit_usage;
}

}  // namespace

int run(int argc, char** argv, Window* window) {
    Terminal terminal;
    try {
        return terminal.exit_code(answer(argc, argv, window));
    } catch (const std::bad_alloc&) {
        std::cerr << "plimsoll: there is not enough memory for it\n";
    } catch (const std::exception& e) {
        std::cerr << "plimsoll: it failed, by a fault of the program: " << e.what() << "\n";
    }
    return exit_failure;
}

}  // namespace plimsoll

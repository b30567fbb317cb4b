#pragma once
// How a command of the program is added: its words, its options and what it does.
//
//   void add_budget(Program& program) {
//       const auto a = std::make_shared<BudgetArguments>();
//       CLI::App& command = add_command(program, {"budget", "What node-hours would train", "A longer text."});
//       add_plan(command, a->plan);
//       command.callback([a, &program] { program.code = run_budget(*a); });
//   }
//
// --help, the manual page and the completions of the shells all follow from this description.

#include "app/commands/command_line.h"
#include "app/commands/plan.h"
#include "app/commands/window.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>

namespace plimsoll {

struct Program {
    CLI::App& app;
    Window* window = nullptr;   // of a build that has one
    int code = exit_ok;         // of the command that ran
};

struct CommandWords {
    std::string name;
    std::string summary;        // one line, for the list of commands
    std::string description;    // paragraphs, parted by empty lines; stand below the options in --help
};
CLI::App& add_command(CLI::App& parent, const CommandWords&);

// The kinds of values that completions know how to offer.
inline constexpr const char* scenario_value = "SCENARIO";   // a file, or the id of one that ships
inline constexpr const char* file_value = "FILE";
inline constexpr const char* folder_value = "FOLDER";
inline constexpr const char* knob_value = "KNOB";
inline constexpr const char* setting_value = "KNOB=VALUE";

// The plan that a command is about, --set and --anchor.
void add_plan(CLI::App& command, PlanArguments&);
// --price: what an hour costs, where the machine's own price is another.
void add_price(CLI::App& command, PlanArguments&);
// --anchor FILE: measured runs of one's own that predictions start from.
CLI::Option* add_anchor(CLI::App& command, std::string& file);
// --headroom: how much of a device's memory is to stay free, 5 % where nothing is said.
CLI::Option* add_headroom(CLI::App& command, double& share);
// --max-power: what the facility may draw while the plan trains; nothing said is no limit.
void add_max_power(CLI::App& command, Watts&);
CLI::Option* add_settings(CLI::App& command, std::vector<std::string>& settings, const std::string& description);

// Lines of at most 80 columns. Lines that begin with a space stay as they are.
std::string wrapped(const std::string& paragraphs);

// In the order of --help.
void add_estimate(Program&);
void add_sweep(Program&);
void add_timeline(Program&);
void add_explain(Program&);
void add_largest(Program&);
void add_transients(Program&);
void add_strategies(Program&);
void add_budget(Program&);
void add_launch(Program&);
void add_probe(Program&);
void add_rule(Program&);
void add_search(Program&);
void add_replan(Program&);
void add_import(Program&);
void add_export(Program&);
void add_presets(Program&);
void add_validate(Program&);
void add_fit(Program&);
void add_engine(Program&);
void add_calibrate(Program&);
void add_propose(Program&);
void add_compare(Program&);
void add_goal(Program&);
void add_tornado(Program&);
void add_ask(Program&);
void add_bench(Program&);
void add_screenshot(Program&);   // only with a window

}  // namespace plimsoll

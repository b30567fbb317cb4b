#include "app/commands/command.h"

#include "core/answers/plan/power_limit.h"

#include <sstream>

namespace plimsoll {

namespace {

constexpr std::size_t columns_of_help = 80;

std::string wrapped_line(const std::string& line) {
    std::string text;
    std::size_t column = 0;
    std::istringstream words(line);
    for (std::string word; words >> word; column += word.size()) {
        if (column > 0 && column + 1 + word.size() > columns_of_help) {
            text += '\n';
            column = 0;
        } else if (column > 0) {
            text += ' ';
            ++column;
        }
        text += word;
    }
    return text;
}

}  // namespace

std::string wrapped(const std::string& paragraphs) {
    std::string text;
    std::istringstream lines(paragraphs);
    for (std::string line; std::getline(lines, line);) {
        if (!text.empty()) text += '\n';
        text += line.starts_with(' ') ? line : wrapped_line(line);
    }
    return text;
}

CLI::App& add_command(CLI::App& parent, const CommandWords& words) {
    CLI::App* command = parent.add_subcommand(words.name, words.summary);
    command->footer(wrapped(words.description));
    return *command;
}

CLI::Option* add_headroom(CLI::App& command, double& share) {
    return command
        .add_option_function<std::string>(
            "--headroom",
            [&share](const std::string& text) {
                const auto read = parse_headroom(text);
                if (!read) throw CLI::ValidationError("--headroom", read.error());
                share = *read;
            },
            "Share of a device's memory to keep free; a plan with less is tight and ranks last (default: 5%). Whether "
            "it fits is said apart from that: up to " + percent(surely_fits, 0) + " of a device it does, up to "
                + percent(surely_fails, 0) + " it may not, above it does not")
        ->type_name("SHARE");
}

CLI::Option* add_anchor(CLI::App& command, std::string& file) {
    return command.add_option("--anchor", file,
        "Measured runs of your own, from which all numbers of plans like them start: what 'I measured this' of the "
        "window keeps, a table of measured runs, or for a plan the table of its nodes and step times that 'plimsoll "
        "propose --measured' takes")
        ->type_name(file_value);
}

void add_price(CLI::App& command, PlanArguments& plan) {
    command.add_option("--price", plan.price,
        "What an hour costs you, as 2.69 CHF/node-hour or 1.99 USD/device-hour; goes before the machine's price")
        ->type_name("PRICE");
}

void add_max_power(CLI::App& command, Watts& most) {
    command
        .add_option_function<std::string>(
            "--max-power",
            [&most](const std::string& text) {
                const auto read = parse_power(text);
                if (!read) throw CLI::ValidationError("--max-power", read.error());
                most = *read;
            },
            "What the facility may draw while the plan trains, PUE counted, as 20MW or 500kW")
        ->type_name("POWER");
}

CLI::Option* add_settings(CLI::App& command, std::vector<std::string>& settings, const std::string& description) {
    return command.add_option("--set", settings, description)->type_name(setting_value);
}

void add_plan(CLI::App& command, PlanArguments& plan) {
    command.add_option("file", plan.file, "Scenario file, or the id of a shipped scenario")
        ->required()
        ->type_name(scenario_value);
    add_settings(command, plan.settings,
                 "Change a knob first: id=value (tensor_parallel=8, recipe.tokens=300B, machine=frontier)");
    add_anchor(command, plan.anchor);
}

}  // namespace plimsoll

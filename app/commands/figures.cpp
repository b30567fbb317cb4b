// What the graphical half writes without opening a window: plimsoll export and screenshot.
#include "app/commands/command.h"

#include "core/answers/plan/estimate.h"
#include "core/values/knobs/wording.h"

#include <iostream>

namespace plimsoll {

namespace {

struct ExportArguments {
    PlanArguments plan;
    std::string out;
    std::vector<std::string> formats{"pdf", "svg", "png", "csv"};
    int dpi = 300;
    std::string language = "en";
};

int run_export_command(Window* window, const ExportArguments& a) {
    for (const std::string& format : a.formats)
        if (format != "pdf" && format != "svg" && format != "png" && format != "csv") {
            std::cerr << "--formats " << format << ": expected any of pdf, svg, png, csv\n";
            return exit_usage;
        }
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    const Outcome outcome = estimate(*plan);
    if (!outcome) return refuse(outcome.error());
    if (!window) {
        std::cerr << "plimsoll: this build has no figures (configured without PLIMSOLL_GUI); "
                     "'plimsoll sweep --csv' writes the data\n";
        return exit_usage;
    }
    const int code = window->export_figures(*plan, a.out, a.formats, a.dpi, a.language);
    if (code != exit_ok) return code;
    return runs(outcome) ? exit_ok : exit_infeasible;
}

std::string size_problem(const std::string& text) {
    int width = 0, height = 0;
    const bool two_numbers = std::sscanf(text.c_str(), "%dx%d", &width, &height) == 2;
    const bool fine = two_numbers && width >= 640 && height >= 400 && width <= 8000 && height <= 8000;
    return fine ? "" : "expected WIDTHxHEIGHT from 640x400 to 8000x8000";
}

}  // namespace

void add_export(Program& program) {
    const auto a = std::make_shared<ExportArguments>();
    CLI::App& command = add_command(program.app, {
        "export", "Every chart as PDF, SVG, PNG and CSV",
        "Writes every figure of the plan as a file, with its caption. Without --formats all formats are written."});
    add_plan(command, a->plan);
    command.add_option("--out", a->out, "Directory to write to")->required()->type_name(folder_value);
    command.add_option("--formats", a->formats, "Any of pdf,svg,png,csv")->delimiter(',')->type_name("LIST");
    command.add_option("--dpi", a->dpi, "Resolution of PNG files (default: 300)")->check(CLI::Range(30, 1200));
    command.add_option("--language", a->language, "Language of the pictures: en or ja; tables stay English")
        ->check(CLI::IsMember({"en", "ja"}));
    command.callback([a, &program] { program.code = run_export_command(program.window, *a); });
}

void add_screenshot(Program& program) {
    const auto shot = std::make_shared<Screenshot>();
    CLI::App& command = add_command(program.app, {"screenshot", "A picture of the window, for documents", ""});
    command.add_option("file", shot->file, "Scenario file or id")->required()->type_name(scenario_value);
    command.add_option("--out", shot->png, "PNG file")->required()->type_name(file_value);
    command.add_option("--theme", shot->theme, "light or dark")->check(CLI::IsMember({"light", "dark"}));
    command.add_option("--page", shot->page, "Page to show");
    command.add_option("--language", shot->language, "en or ja")->check(CLI::IsMember({"en", "ja"}));
    command.add_option("--size", shot->size, "Width and height of the window in pixels, e.g. 1400x900")
        ->check(size_problem);
    command.callback([shot, &program] { program.code = program.window->take(*shot); });
}

}  // namespace plimsoll

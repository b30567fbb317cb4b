// What the graphical half writes without opening a window: plimsoll export and screenshot.
#include "app/commands/command.h"

#include "core/answers/plan/estimate.h"
#include "core/evidence/calibration/proof/figures.h"
#include "core/files/measured/scaling_runs.h"
#include "core/files/presets/programme_json.h"
#include "core/values/basics/foreign_text.h"
#include "core/values/basics/text.h"

#include <iostream>

namespace plimsoll {

namespace {

struct ExportArguments {
    PlanArguments plan;
    std::string out, measured, programme;
    ExportOptions options;
};

Expected<MeasuredScaling, Refusal> measured_of(const ExportArguments& a) {
    MeasuredScaling measured;
    if (!a.measured.empty()) {
        auto runs = load_scaling_runs(a.measured);
        if (!runs) return Unexpected{Refusal{exit_invalid_file, say(runs.error())}};
        measured.runs = *std::move(runs);
    }
    if (a.programme.empty()) return measured;
    const auto read = load_programme(a.programme, shipped_library());
    if (!read) return Unexpected{Refusal{exit_invalid_file, say(read.error())}};
    measured.floor = read->programme.evidence.efficiency_floor;
    measured.floor_of = read->programme.name;
    return measured;
}

// The first that is asked for and not there, with those that are; empty: all are there.
std::string unknown_figure(const ExportOptions& asked, const Scenario& s) {
    std::vector<std::string> known;
    for (const Figure& f : figures(s)) known.push_back(f.id);
    known.emplace_back("pipeline-timeline");
    if (const Calibration* c = s.machine.calibration.get())
        for (const Figure& f : proof_figures(*c)) known.push_back(f.id);
    for (const std::string& id : asked.figures)
        if (std::find(known.begin(), known.end(), id) == known.end())
            return "no figure is called \"" + visible(id) + "\"; known: " + joined(known, ", ");
    return {};
}

int run_export_command(Window* window, const ExportArguments& a) {
    if (const std::string what = problem_with(a.options); !what.empty()) {
        std::cerr << "plimsoll export: " << what << "\n";
        return exit_usage;
    }
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    const Outcome outcome = estimate(*plan);
    if (!outcome) return refuse(outcome.error());
    if (const std::string what = unknown_figure(a.options, *plan); !what.empty()) {
        std::cerr << "plimsoll export: " << what << "\n";
        return exit_usage;
    }
    const auto measured = measured_of(a);
    if (!measured) return refuse(measured.error());
    if (!window) {
        std::cerr << "plimsoll: this build has no figures (configured without PLIMSOLL_GUI); "
                     "'plimsoll sweep --csv' writes the data\n";
        return exit_usage;
    }
    const int code = window->export_figures(*plan, a.out, a.options, *measured);
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
    a->options.language = "en";
    CLI::App& command = add_command(program.app, {
        "export", "Every chart as PDF, SVG, PNG and CSV",
        "Writes every figure of the plan as a file, with its caption. Without --formats all formats are written."});
    add_plan(command, a->plan);
    command.add_option("--out", a->out, "Directory to write to")->required()->type_name(folder_value);
    FigureOptions& f = a->options.figure;
    command.add_option("--formats", a->options.formats, "Any of pdf,svg,png,csv")->delimiter(',')->type_name("LIST");
    command.add_option("--figures", a->options.figures, "Ids of figures, as time-vs-nodes (default: all)")
        ->delimiter(',')->type_name("LIST");
    command.add_option("--width-mm", f.width_mm, "Width (default: 165; a column of a journal: 85, two: 170)")
        ->type_name("MM");
    command.add_option("--height-mm", f.height_mm, "Height (default: by the width)")->type_name("MM");
    command.add_option("--dpi", f.dpi, "Resolution of PNG files (default: 300)");
    command.add_option("--font", f.font, "Font (default: DejaVu Sans)")->type_name("NAME");
    command.add_option("--font-size", f.font_pt, "Of every letter, on paper (default: 8.25)")->type_name("POINTS");
    command.add_flag("--title", f.title, "With the figure's title");
    command.add_flag_function("--no-title", [&f](std::int64_t) { f.title = false; }, "Without it, as usual");
    command.add_flag_function("--no-legend", [&f](std::int64_t) { f.legend = false; }, "Without the legend");
    command.add_flag("--grey", f.grey, "No colours: greys, dashes, marks and hatches");
    command.add_flag("--sheet", a->options.sheet, "All of them on the pages of one PDF as well");
    command.add_option("--measured", a->measured,
        "Your own runs, CSV or JSON: nodes, step_s, and machine, date, job, scaling; they become points")
        ->type_name(file_value);
    command.add_option("--programme", a->programme, "Whose floor of efficiency is drawn beside them")
        ->type_name("PROGRAMME");
    command.add_option("--language", a->options.language, "Language of the pictures: en or ja; tables stay English")
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

#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/fit_report.h"
#include "app/commands/measured_rows.h"
#include "core/evidence/fitting/fit.h"
#include "core/files/presets/preset_json.h"
#include "core/files/results/answers_json.h"
#include "core/files/results/fit_recipe.h"
#include "core/files/results/track_record.h"
#include "core/files/text/disk.h"

#include <iostream>

namespace plimsoll {

namespace {

namespace fs = std::filesystem;

Refusal usage(const std::string& message) { return {exit_usage, message + "\n"}; }

Expected<FitRecipe, Refusal> recipe_of(const FitArguments& a, const Library& library) {
    const auto shipped = library.fits.find(a.recipe);
    const fs::path path = shipped == library.fits.end() ? fs::path(a.recipe) : shipped->second;
    const auto text = read_text(path);
    if (!text) return Unexpected{Refusal{exit_invalid_file, say(text.error())}};
    auto recipe = read_fit_recipe(*text, library.machines, library.stacks, path.string());
    if (!recipe) return Unexpected{Refusal{exit_invalid_file, say(recipe.error())}};
    if (!a.rows.empty()) recipe->rows = a.rows;
    return *std::move(recipe);
}

Expected<FitProblem, Refusal> problem_of(const FitArguments& a, const Library& library) {
    FitRecipe recipe;
    recipe.rows = a.rows;
    if (!a.recipe.empty()) {
        auto read = recipe_of(a, library);
        if (!read) return Unexpected{read.error()};
        recipe = *std::move(read);
    }
    const auto rows = read_measured_rows(recipe.rows, library);
    if (!rows) return Unexpected{rows.error()};
    FitProblem problem;
    problem.observations = observations_of(score(*rows, row_presets(library)), recipe.dense_only);
    if (problem.observations.empty())
        return Unexpected{usage("none of the rows can be predicted: 'plimsoll validate' with the same files says why")};
    problem.constants = std::move(recipe.constants);
    if (!problem.constants.empty()) return problem;
    std::vector<Scenario> plans;
    for (const Observation& o : problem.observations) plans.push_back(o.plan);
    auto chosen = choose(a.free, plans, library.machines, library.stacks);
    if (!chosen) return Unexpected{usage("--free " + chosen.error())};
    problem.constants = *std::move(chosen);
    return problem;
}

// One preset under a name of its own, or all of them in the folders a library reads.
using Texts = std::vector<std::pair<fs::path, std::string>>;

Expected<Texts, Refusal> texts_of(Overlay o, const fs::path& out) {
    Texts texts;
    if (out.extension() != ".json") {
        for (const auto& [id, m] : o.machines) texts.emplace_back(out / "machines" / (id + ".json"), write_machine(m));
        for (const auto& [id, k] : o.stacks) texts.emplace_back(out / "stacks" / (id + ".json"), write_stack(k));
        return texts;
    }
    if (o.machines.size() + o.stacks.size() != 1)
        return Unexpected{usage("--out " + out.string() + " is one preset, but " + std::to_string(o.machines.size()) + " machines and " +
                                std::to_string(o.stacks.size()) + " stacks change: name a directory, or free less")};
    const std::string id = out.stem().string();
    for (auto& [old, m] : o.machines) texts.emplace_back(out, (m.id = id, write_machine(m)));
    for (auto& [old, k] : o.stacks) texts.emplace_back(out, (k.id = id, write_stack(k)));
    return texts;
}

int write_presets(const FitProblem& problem, const Fit& f, const Library& library, const fs::path& out) {
    const auto texts = texts_of(overlay(problem, f.constants, library.machines, library.stacks), out);
    if (!texts) return refuse(texts.error());
    for (const auto& [path, text] : *texts) {
        std::error_code error;
        if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
        if (const auto written = write_atomically(path, text); !written) return refuse(Refusal{exit_failure, say(written.error())});
        std::cerr << "wrote " << path.string() << "\n";
    }
    return exit_ok;
}

}  // namespace

int run_fit(const FitArguments& a) {
    const Library& library = shipped_library();
    const auto problem = problem_of(a, library);
    if (!problem) return refuse(problem.error());
    const FitReport report = fitted(*problem, a.leave_out == "source" ? LeaveOut::source : LeaveOut::none);
    if (a.json) std::cout << write_fit(*problem, report);
    else print_fit(std::cout, *problem, report);
    return a.out.empty() ? exit_ok : write_presets(*problem, report.fit, library, a.out);
}

}  // namespace plimsoll

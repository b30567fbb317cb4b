#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/plan.h"
#include "app/commands/validate_report.h"
#include "core/answers/explain/wording.h"
#include "core/files/text/disk.h"
#include "core/files/results/published_runs.h"
#include "core/files/results/runs_json.h"

#include <iostream>

namespace plimsoll {

namespace {

Refusal invalid(const Problems& problems) { return {exit_invalid_file, say(problems)}; }

std::vector<Residual> residuals_of(RunSet& set, const Stack* stack) {
    std::vector<Residual> residuals;
    for (PublishedRun& run : set.runs) {
        if (stack) run.scenario.stack = *stack;
        residuals.push_back(residual_of(run));
    }
    return residuals;
}

// A file of either kind: plimsoll/runs is scored as it is, records are collected first.
Expected<bool, Refusal> take(const std::filesystem::path& path, const Stack* stack, std::vector<ScoredSet>& sets, PublishedRows& rows) {
    const auto text = read_text(path);
    if (!text) return Unexpected{invalid(text.error())};
    const std::string stem = path.stem().string();
    if (is_published_rows(*text)) {
        const auto read = read_published_rows(*text, stem);
        if (!read) return Unexpected{invalid(read.error())};
        rows.insert(rows.end(), read->begin(), read->end());
        return true;
    }
    auto set = read_runs(*text, shipped_library(), stem);
    if (!set) return Unexpected{invalid(set.error())};
    std::vector<Residual> residuals = residuals_of(*set, stack);
    sets.push_back({std::move(*set), std::move(residuals)});
    return true;
}

std::vector<std::filesystem::path> all_shipped(const Library& library) {
    std::vector<std::filesystem::path> paths;
    for (const auto& files : {library.runs, library.published_runs})
        for (const auto& [id, path] : files) paths.push_back(path);
    return paths;
}

// Ids first; a name that is none is a file.
std::vector<std::filesystem::path> paths_of(const std::vector<std::string>& names, const Library& library) {
    std::vector<std::filesystem::path> paths;
    for (const std::string& name : names) {
        bool shipped = false;
        for (const auto* files : {&library.runs, &library.published_runs})
            if (const auto found = files->find(name); found != files->end()) {
                paths.push_back(found->second);
                shipped = true;
            }
        if (!shipped) paths.emplace_back(name);
    }
    return paths;
}

}  // namespace

int run_validate(const ValidateArguments& a) {
    const Library& library = shipped_library();
    const Stack* stack = nullptr;
    if (!a.stack.empty()) {
        const auto found = library.stacks.find(a.stack);
        if (found == library.stacks.end()) {
            std::cerr << "no stack preset '" << a.stack << "'; 'plimsoll presets stacks' lists them\n";
            return exit_usage;
        }
        stack = &found->second;
    }
    std::vector<ScoredSet> sets;
    PublishedRows rows;
    for (const auto& path : a.sets.empty() ? all_shipped(library) : paths_of(a.sets, library)) {
        std::error_code error;
        if (!std::filesystem::is_regular_file(path, error)) {
            std::cerr << "no file and no set of published runs '" << path.string() << "'; 'plimsoll presets runs' lists them\n";
            return exit_usage;
        }
        if (const auto taken = take(path, stack, sets, rows); !taken) {
            std::cerr << taken.error().message;
            return taken.error().code;
        }
    }
    const Score scored = score(rows, library.machines, library.stacks, stack);
    if (a.json) print_json(std::cout, sets, scored);
    else if (a.csv) print_csv(std::cout, sets, scored);
    else print_text(std::cout, sets, scored);
    return exit_ok;
}

}  // namespace plimsoll

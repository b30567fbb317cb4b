#include "app/command_line.h"
#include "app/commands.h"
#include "app/plan.h"
#include "app/tables.h"
#include "core/answers/wording.h"
#include "core/files/disk.h"
#include "core/files/runs_json.h"

#include <iostream>

namespace plimsoll {

namespace {

struct Scored {
    RunSet set;
    std::vector<Residual> residuals;
};

Expected<Scored, Refusal> score(const std::string& id, const std::filesystem::path& path, const Stack* stack) {
    const auto text = read_text(path);
    if (!text) return Unexpected{Refusal{exit_invalid_file, say(text.error())}};
    const auto set = read_runs(*text, shipped_library(), id);
    if (!set) return Unexpected{Refusal{exit_invalid_file, say(set.error())}};
    Scored scored{*set, {}};
    for (PublishedRun& run : scored.set.runs) {
        if (stack) run.scenario.stack = *stack;
        scored.residuals.push_back(residual_of(run));
    }
    return scored;
}

void print_text(const Scored& s) {
    std::cout << s.set.title << "\n" << s.set.source.text << "\n";
    std::vector<std::vector<std::string>> rows{{"run", "devices", "published", "predicted", "unit", "error of time", "memory"}};
    for (std::size_t i = 0; i < s.residuals.size(); ++i) {
        const PublishedRun& run = s.set.runs[i];
        const Residual& r = s.residuals[i];
        if (!r.obstacles.empty()) rows.push_back({run.id, "", "", "", "", say(r.obstacles.front())});
        else rows.push_back({run.id, std::to_string(run.scenario.layout.devices), fixed(r.published, 2), fixed(r.predicted, 2),
                             unit_of(run.quantity), percent(r.error), r.fits ? "fits" : "over"});
    }
    std::cout << table(rows) << "mean absolute error " << fixed(100 * mean_absolute_error(s.residuals), 2) << " %\n\n";
}

void print_json(const std::vector<Scored>& all) {
    std::cout << "[";
    for (std::size_t k = 0; k < all.size(); ++k) {
        std::cout << (k ? ",\n" : "\n") << "{\"id\": \"" << all[k].set.id << "\", \"mean_absolute_error\": "
                  << mean_absolute_error(all[k].residuals) << ", \"rows\": [";
        for (std::size_t i = 0; i < all[k].residuals.size(); ++i) {
            const Residual& r = all[k].residuals[i];
            std::cout << (i ? ", " : "") << "{\"id\": \"" << all[k].set.runs[i].id << "\", \"published\": " << r.published
                      << ", \"predicted\": " << r.predicted << ", \"error\": " << r.error << "}";
        }
        std::cout << "]}";
    }
    std::cout << "\n]\n";
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
    std::vector<Scored> all;
    std::vector<Residual> together;
    for (const auto& [id, path] : library.runs) {
        if (!a.set.empty() && a.set != id) continue;
        const auto scored = score(id, path, stack);
        if (!scored) {
            std::cerr << scored.error().message;
            return scored.error().code;
        }
        all.push_back(*scored);
        together.insert(together.end(), scored->residuals.begin(), scored->residuals.end());
    }
    if (all.empty()) {
        std::cerr << "no set of published runs '" << a.set << "'; 'plimsoll presets runs' lists them\n";
        return exit_usage;
    }
    if (a.json) print_json(all);
    else {
        for (const Scored& s : all) print_text(s);
        std::cout << together.size() << " runs, mean absolute error " << fixed(100 * mean_absolute_error(together), 2) << " %\n";
    }
    return exit_ok;
}

}  // namespace plimsoll

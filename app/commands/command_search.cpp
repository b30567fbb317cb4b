#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/plan.h"
#include "app/commands/tables.h"
#include "core/answers/explain/wording.h"
#include "core/answers/search/search.h"
#include "core/answers/search/wording.h"
#include "core/files/presets/scenario_json.h"
#include "core/files/presets/space_json.h"
#include "core/files/results/search_json.h"
#include "core/files/text/disk.h"

#include <chrono>
#include <iostream>

namespace plimsoll {

namespace {

Expected<Space, Refusal> space_of(const std::string& name) {
    if (name == "common") return common_space();
    if (name == "full") return full_space();
    const auto text = read_text(name);
    if (!text) return Unexpected{Refusal{exit_usage, "--space takes common, full or a file: " + say(text.error())}};
    auto space = read_space(*text, name);
    if (!space) return Unexpected{Refusal{exit_invalid_file, say(space.error())}};
    return *std::move(space);
}

std::vector<std::string> row_of(const std::string& name, const Candidate& c) {
    return {name, say_layout(c.layout), say(c.memory), say(c.energy), say(c.step)};
}

void print(const SearchResult& r, Seconds took) {
    std::cout << say_count(double(r.count)) << " layouts of the " << r.space << " space, " << say_count(double(r.feasible)) << " computable, "
              << say_count(double(r.fits)) << " fit; " << say(took) << "\n";
    for (const Exclusion& e : r.exclusions) std::cout << "  " << say_count(double(e.count)) << " excluded, as " << say(e.obstacle) << "\n";
    std::vector<std::vector<std::string>> rows{{"rank", "layout", "memory", "energy a step", "step"}};
    for (std::size_t i = 0; i < r.top.size(); ++i) rows.push_back(row_of(std::to_string(i + 1), r.top[i]));
    if (!r.top.empty()) std::cout << "\n" << table(rows);
    if (r.front.size() > 1) {
        rows = {{"front", "layout", "memory", "energy a step", "step"}};
        for (std::size_t i = 0; i < r.front.size() && i < r.top.size(); ++i) rows.push_back(row_of(std::to_string(i + 1), r.front[i]));
        std::cout << "\nNone is better in time, energy and memory at once (" << r.front.size() << "):\n" << table(rows);
    }
    if (!r.top.empty()) return;
    std::cout << "\nNone fits. Nearest:\n";
    for (const NearMiss& m : r.near_misses) std::cout << "  " << say_layout(m.layout) << ": " << say_miss(m) << "\n";
}

}  // namespace

int run_search(const SearchArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    const auto space = space_of(a.space);
    if (!space) return refuse(space.error());
    SearchOptions options;
    options.objective = *from_name<Objective>(a.objective);
    options.limit = a.limit;
    options.threads = a.threads;
    const auto began = std::chrono::steady_clock::now();
    const SearchResult found = search(*plan, *space, options);
    const Seconds took = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() * second;
    if (a.json) std::cout << search_json(found, took);
    else if (a.csv) std::cout << search_csv(found);
    else print(found, took);
    if (found.top.empty()) return exit_infeasible;
    if (a.out.empty()) return exit_ok;
    const auto written = write_atomically(a.out, write_scenario(with_layout(*plan, found.top.front().layout), shipped_library()));
    if (!written) return refuse(Refusal{exit_invalid_file, say(written.error())});
    return exit_ok;
}

}  // namespace plimsoll

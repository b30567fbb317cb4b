#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/plan.h"
#include "app/commands/tables.h"
#include "core/values/knobs/wording.h"
#include "core/answers/search/fit_first.h"
#include "core/answers/plan/headline.h"
#include "core/answers/search/winner.h"
#include "core/answers/search/wording.h"
#include "core/files/presets/scenario_json.h"
#include "core/files/presets/space_json.h"
#include "core/files/results/answers_json.h"
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

// Against the plan as it stands, part by part.
void print_why(const Scenario& plan, const Candidate& best) {
    const std::vector<PartChange> parts = changes(plan, with_layout(plan, best.layout));
    if (parts.empty()) return;
    std::vector<std::vector<std::string>> rows{{"the winner against the plan", "plan", "winner", "difference"}};
    for (const PartChange& c : parts) rows.push_back({std::string(c.label), say(c.from), say(c.to), fixed((c.to - c.from) / second, 3) + " s"});
    std::cout << "\n" << table(rows);
}

void print_rule(const Scenario& plan, const Candidate& best) {
    const Splits s = splits(plan);
    if (!s.rule) return;
    std::cout << "\nFit first with model parallelism, then data parallel, all else as in the plan: " << say_degrees(s.rule->scenario.layout) << ", "
              << say(s.rule->step()) << ", " << signed_percent(s.rule->step() / best.step - 1) << " against the winner.\n";
}

void print_sensitivity(const Scenario& plan, const Space& space, const SearchOptions& options) {
    const Sensitivity found = sensitivity(plan, space, options);
    if (!found.winner) return;
    std::vector<std::vector<std::string>> rows{{"with", "times", "best step", "the winner there", "best layout"}};
    for (const Turn& t : found.turns)
        rows.push_back({t.what, fixed(t.factor, 2), t.best ? say(t.best->step) : "none fits", t.present ? say(*t.present) : "does not fit",
                        t.stays(found.winner->layout) ? "stays" : t.best ? say_layout(t.best->layout) : ""});
    std::cout << "\n" << table(rows);
}

int print_over_nodes(const Scenario& plan, const Space& space, const SearchOptions& options, const SearchArguments& a) {
    const std::vector<int> nodes = envelope_nodes(plan);
    const std::vector<EnvelopePoint> points = envelope(plan, space, nodes, options);
    if (a.csv) std::cout << envelope_csv(points);
    std::vector<std::vector<std::string>> rows{{"nodes", "best layout", "step", "time to train", "node-hours"}};
    for (const EnvelopePoint& p : points) {
        if (!p.best) {
            rows.push_back({std::to_string(p.nodes), "none fits", "", "", ""});
            continue;
        }
        const Scenario here = with_layout(plan, p.best->layout);
        const Headline h = headline(here, *estimate(here));
        rows.push_back({std::to_string(p.nodes), say_layout(p.best->layout), say(h.step), say(h.run), say_count(h.node_hours)});
    }
    const auto fewest = fewest_nodes(points);
    if (a.csv) return fewest ? exit_ok : exit_infeasible;
    std::cout << table(rows);
    if (!fewest) return exit_infeasible;
    std::cout << "\nFewest nodes that fit: " << fewest->nodes << "\n";
    if (a.node_hours <= 0) return exit_ok;
    const auto within = fastest_within(plan, points, a.node_hours);
    if (!within) std::cout << "No node count trains it within " << say_count(a.node_hours) << " node-hours.\n";
    else std::cout << "Within " << say_count(a.node_hours) << " node-hours it ends first on " << within->nodes << " nodes.\n";
    return within ? exit_ok : exit_infeasible;
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
    if (a.over_nodes) return print_over_nodes(*plan, *space, options, a);
    const auto began = std::chrono::steady_clock::now();
    const SearchResult found = search(*plan, *space, options);
    const Seconds took = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() * second;
    if (a.json) std::cout << search_json(found, took);
    else if (a.csv) std::cout << search_csv(found);
    else print(found, took);
    if (found.top.empty()) return exit_infeasible;
    if (!a.json && !a.csv) {
        print_why(*plan, found.top.front());
        print_rule(*plan, found.top.front());
        if (a.sensitivity) print_sensitivity(*plan, *space, options);
    }
    if (a.out.empty()) return exit_ok;
    const auto written = write_atomically(a.out, write_scenario(with_layout(*plan, found.top.front().layout), shipped_library()));
    if (!written) return refuse(Refusal{exit_invalid_file, say(written.error())});
    return exit_ok;
}

}  // namespace plimsoll

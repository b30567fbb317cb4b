// Other layouts for a plan: plimsoll rule, search and replan.
#include "app/commands/command.h"

#include "app/commands/tables.h"
#include "core/answers/campaign/money.h"
#include "core/answers/plan/estimate.h"
#include "core/answers/campaign/headline.h"
#include "core/answers/replan/replan_wording.h"
#include "core/answers/search/fit_first.h"
#include "core/answers/search/over_knobs.h"
#include "core/answers/curves/study.h"
#include "core/answers/search/winner.h"
#include "core/answers/search/wording.h"
#include "core/files/results/log_run.h"
#include "core/files/presets/scenario_json.h"
#include "core/files/results/answers_json.h"
#include "core/files/results/track_record.h"
#include "core/files/text/disk.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <tuple>

namespace plimsoll {

namespace {

// Nothing without a file name.
int write_plan_to(const std::string& file, const Scenario& plan) {
    if (file.empty()) return exit_ok;
    const auto written = write_atomically(file, write_scenario(plan, shipped_library()));
    return written ? exit_ok : refuse(Refusal{exit_failure, say(written.error())});
}

// ---- rule

struct RuleArguments {
    PlanArguments plan;
    std::string out;
    double headroom = usual_headroom;
};

TextRow split_row(const std::string& name, const Scenario& s, const Estimate& e) {
    const Layout& l = s.layout;
    return {name,
            std::to_string(l.tensor_parallel),
            std::to_string(l.pipeline_parallel),
            std::to_string(l.data_parallel),
            with_doubt(say(e.worst().total()), fit_verdict(e)),
            say(e.step.total()),
            say(totals(s, headline(s, e)).time)};
}

std::string against(Seconds a, Seconds b) {
    const double more = a / b - 1;
    if (std::abs(more) < 0.0005) return "as fast as";
    return percent(std::abs(more)) + (more < 0 ? " faster than" : " slower than");
}

int run_rule(const RuleArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    const Splits found = splits(*plan, {a.headroom});
    const Outcome as_it_stands = estimate(*plan);
    if (!found.rule && !found.fastest) {
        std::cout << "None of " << found.tried << " splits of " << plan->layout.devices << " devices fits in memory.\n";
        return exit_infeasible;
    }
    TextRows rows{{"split", "tensor", "pipeline", "data", "memory", "step", "time to train"}};
    if (as_it_stands) rows.push_back(split_row("as it stands", *plan, *as_it_stands));
    if (found.rule)
        rows.push_back(split_row("least model parallelism", found.rule->scenario, found.rule->estimate));
    rows.push_back(split_row("fastest split, all else as it stands", found.fastest->scenario, found.fastest->estimate));
    std::cout << table(rows) << found.fitting << " of " << found.tried << " splits fit";
    if (found.tight > 0)
        std::cout << "; " << found.tight << " of them leave less than " << percent(a.headroom, 0)
                  << " headroom and are taken only where no other fits";
    std::cout << ".\n" << say_ranked_by_fit()
              << "\nMicro-batch, recomputation and sharding stay as they are; 'plimsoll search' turns them too.\n";
    if (found.rule) {
        std::cout << "The rule's plan is ";
        if (runs(as_it_stands))
            std::cout << against(found.rule->step(), as_it_stands->step.total()) << " the plan as it stands and ";
        std::cout << against(found.rule->step(), found.fastest->step()) << " the fastest.\n";
    } else {
        std::cout << "No split with tensor groups inside a node fits.\n";
    }
    return write_plan_to(a.out, found.rule ? found.rule->scenario : found.fastest->scenario);
}

// ---- search

struct SearchArguments {
    PlanArguments plan;
    std::string objective = "time", space = "full", out;
    std::vector<std::string> over;
    int limit = 20, threads = 1;
    double node_hours = 0, headroom = usual_headroom;
    Watts most_power;
    bool json = false, csv = false, over_nodes = false, sensitivity = false;
};

TextRow candidate_row(const std::string& name, const Candidate& c) {
    return {name, say_layout(c.layout), say(c.memory), say_fit(c.share) + (c.tight ? ", tight" : ""), say(c.energy),
            say(c.step)};
}

// What a whole run with this layout costs, and its carbon, as far as either is known.
struct LayoutPrice {
    std::string time = {};
    std::optional<Cost> cost = {};
    std::optional<double> carbon_kg = {};
};
LayoutPrice price_of(const Scenario& plan, const Candidate& c) {
    const Scenario here = with_layout(plan, c.layout);
    const Outcome e = estimate(here);
    if (!e) return {};
    const Totals t = totals(here, headline(here, *e));
    return {say(t.time), cost_of(here, t), carbon_of(here, t).known_kg()};
}

// By the carbon of the whole run. The layout with least is among those that nothing beats in time, energy and memory:
// carbon is so much of the energy and so much of the hours.
void rank_by_carbon(const Scenario& plan, SearchResult& r, int limit) {
    for (const Candidate& c : r.front)
        if (std::find(r.top.begin(), r.top.end(), c) == r.top.end()) r.top.push_back(c);
    std::vector<std::pair<double, Candidate>> all;
    for (const Candidate& c : r.top) all.emplace_back(price_of(plan, c).carbon_kg.value_or(0), c);
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
        return std::tuple(a.second.stalls, a.second.tight, a.first)
             < std::tuple(b.second.stalls, b.second.tight, b.first);
    });
    r.top.clear();
    for (const auto& [kg, c] : all)
        if (int(r.top.size()) < limit) r.top.push_back(c);
}

void print_prices(const Scenario& plan, const SearchResult& r) {
    TextRows rows{{"rank", "whole run", "cost", "carbon"}};
    for (std::size_t i = 0; i < r.top.size(); ++i) {
        const LayoutPrice p = price_of(plan, r.top[i]);
        rows.push_back({std::to_string(i + 1), p.time, p.cost ? say(*p.cost) : "unknown",
                        p.carbon_kg ? say_kg(*p.carbon_kg) : "unknown"});
    }
    std::cout << "\n" << table(rows);
}

// What the answer does not look at, and what it puts behind the rest.
void print_limits(const SearchResult& r, const std::string& left_out, double headroom) {
    if (r.tight > 0)
        std::cout << say_count(double(r.tight)) << " that fit leave less than " << percent(headroom, 0)
                  << " headroom, or their likely range passes the memory; they rank after all others\n";
    if (!left_out.empty()) std::cout << "Not tried: " << left_out << "\n";
}

void print_ranking(const SearchResult& r, Seconds took, const std::string& left_out, const SearchArguments& a) {
    const auto count = [](long long n) { return say_count(double(n)); };
    std::cout << count(r.count) << " layouts of the " << r.space << " space, " << count(r.feasible) << " computable, "
              << count(r.fits) << " fit; " << say(took) << "\n";
    print_limits(r, left_out, a.headroom);
    if (a.most_power > Watts{}) std::cout << "Left out: layouts that draw more than " << say(a.most_power) << "\n";
    for (const Exclusion& e : r.exclusions)
        std::cout << "  " << count(e.count) << " excluded, as " << say(e.obstacle) << "\n";
    TextRows rows{{"rank", "layout", "memory", "of a device", "energy a step", "step"}};
    for (std::size_t i = 0; i < r.top.size(); ++i) rows.push_back(candidate_row(std::to_string(i + 1), r.top[i]));
    if (!r.top.empty()) std::cout << "\n" << table(rows) << say_ranked_by_fit() << "\n";
    if (const std::string sure = say_surely(r); !sure.empty()) std::cout << sure << "\n";
    if (r.front.size() > 1) {
        rows = {{"front", "layout", "memory", "of a device", "energy a step", "step"}};
        for (std::size_t i = 0; i < r.front.size() && i < r.top.size(); ++i)
            rows.push_back(candidate_row(std::to_string(i + 1), r.front[i]));
        std::cout << "\nNone is better in time, energy and memory at once (" << r.front.size() << "):\n" << table(rows);
    }
    if (!r.top.empty()) return;
    if (r.fits > 0) {
        std::cout << "\nAll that fit draw more than " << say(a.most_power) << ".\n";
        return;
    }
    std::cout << "\nNone fits. Nearest:\n";
    for (const NearMiss& m : r.near_misses) std::cout << "  " << say_layout(m.layout) << ": " << say_miss(m) << "\n";
}

// Against the plan as it stands, part by part.
void print_winner_against(const Scenario& plan, const Candidate& best) {
    const std::vector<PartChange> parts = changes(plan, with_layout(plan, best.layout));
    if (parts.empty()) return;
    TextRows rows{{"the winner against the plan", "plan", "winner", "difference"}};
    for (const PartChange& c : parts)
        rows.push_back({std::string(c.label), say(c.from), say(c.to), fixed((c.to - c.from) / second, 3) + " s"});
    std::cout << "\n" << table(rows);
}

void print_fit_first(const Scenario& plan, const Candidate& best, const Headroom& asked) {
    const Splits s = splits(plan, asked);
    if (!s.rule) return;
    std::cout << "\nLeast model parallelism, all else as in the plan: "
              << with_doubt(say_degrees(s.rule->scenario.layout), fit_verdict(s.rule->estimate)) << ", "
              << say(s.rule->step()) << ", "
              << signed_percent(s.rule->step() / best.step - 1) << " against the winner.\n";
}

void print_sensitivity(const Scenario& plan, const Space& space, const SearchOptions& options) {
    const Sensitivity found = sensitivity(plan, space, options);
    if (!found.winner) return;
    TextRows rows{{"with", "times", "best step", "the winner there", "best layout"}};
    for (const Turn& t : found.turns) {
        const std::string best = t.best ? say_layout(t.best->layout) : "";
        rows.push_back({t.what, fixed(t.factor, 2), t.best ? say(t.best->step) : "none fits",
                        t.present ? with_doubt(say(*t.present), t.verdict) : say(t.verdict),
                        t.stays(found.winner->layout) ? "stays" : best});
    }
    std::cout << "\n" << table(rows);
}

int print_over_nodes(const Scenario& plan, const Space& space, const SearchOptions& options, const SearchArguments& a) {
    const std::vector<int> nodes = envelope_nodes(plan);
    const std::vector<EnvelopePoint> points = envelope(plan, space, nodes, options);
    if (a.csv) std::cout << envelope_csv(points);
    TextRows rows{{"nodes", "best layout", "step", "time to train", "node-hours"}};
    for (const EnvelopePoint& p : points) {
        const Scenario here = p.best ? with_layout(plan, p.best->layout) : plan;
        const Outcome e = estimate(here);
        if (!p.best || !e) {
            rows.push_back({std::to_string(p.nodes), "none fits", "", "", ""});
            continue;
        }
        const Headline h = headline(here, *e);
        const Totals t = totals(here, h);
        rows.push_back({std::to_string(p.nodes), with_doubt(say_layout(p.best->layout), p.best->verdict()), say(h.step),
                        say(t.time) + (t.all ? "" : ", training alone"), say_count(t.node_hours)});
    }
    const auto fewest = fewest_nodes(points);
    if (a.csv) return fewest ? exit_ok : exit_infeasible;
    std::cout << table(rows) << say_ranked_by_fit() << "\n";
    if (!fewest) return exit_infeasible;
    std::cout << "\nFewest nodes that fit: " << fewest->nodes << "\n";
    if (a.node_hours <= 0) return exit_ok;
    const auto within = fastest_within(plan, points, a.node_hours);
    if (!within) std::cout << "No node count trains it within " << say_count(a.node_hours) << " node-hours.\n";
    else
        std::cout << "Within " << say_count(a.node_hours) << " node-hours it ends first on " << within->nodes
                  << " nodes.\n";
    return within ? exit_ok : exit_infeasible;
}

// "method.rank=8,16" and others: every combination.
Expected<std::vector<KnobAxis>, Refusal> axes_of(const std::vector<std::string>& texts) {
    constexpr std::size_t most_combinations = 1000;
    std::vector<KnobAxis> axes;
    std::size_t combinations = 1;
    for (const std::string& text : texts) {
        const auto at = text.find('=');
        const Knob* knob = find_knob(text.substr(0, at));
        if (!knob) return Unexpected{unknown_knob(text.substr(0, at))};
        if (at == text.npos)
            return Unexpected{Refusal{exit_usage, "--over takes a knob and its values, as in method.rank=8,16\n"}};
        const auto values = parse_values(*knob, text.substr(at + 1));
        if (!values) return Unexpected{values.error()};
        axes.push_back({knob, *values});
        combinations *= values->size();
        if (combinations > most_combinations)
            return Unexpected{Refusal{exit_usage, "--over: more than 1,000 combinations of values\n"}};
    }
    return axes;
}

int print_over_knobs(const Scenario& plan, const Space& space, const SearchOptions& options, const SearchArguments& a) {
    const auto axes = axes_of(a.over);
    if (!axes) return refuse(axes.error());
    TextRows rows{{"with", "best layout", "memory", "step", "tokens/s", "time to train"}};
    const std::vector<AtValues> all = search_over(plan, *axes, space, options);
    const AtValues* first = nullptr;
    Seconds earliest{};
    std::string named;
    for (const AtValues& at : all) {
        std::string name;
        for (std::size_t i = 0; i < axes->size(); ++i)
            name += (i == 0 ? "" : ", ") + say_edit(*(*axes)[i].knob, at.values[i]);
        const Outcome e = estimate(at.plan);
        if (!at.best || !e) {
            rows.push_back({name, "none fits", "", "", "", ""});
            continue;
        }
        const Headline h = headline(at.plan, *e);
        const Totals t = totals(at.plan, h);
        rows.push_back({name, with_doubt(say_layout(at.best->layout), at.best->verdict()), say(at.best->memory),
                        say(h.step), say_count(h.tokens_per_second / (token / second)), say(t.time)});
        if (first && earliest <= t.time) continue;
        first = &at;
        earliest = t.time;
        named = name;
    }
    std::cout << table(rows) << say_ranked_by_fit() << "\n";
    if (!first) return exit_infeasible;
    std::cout << "\nIt ends first with: " << named << "\n";
    return write_plan_to(a.out, first->plan);
}

// How far the winner's step may be off, where measured runs are like it; and what the model alone says of it.
void print_anchored_winner(const Scenario& plan, const Candidate& best) {
    if (!plan.measured) return;
    const Scenario winner = with_layout(plan, best.layout);
    const Anchoring a = anchored(winner, track_record(shipped_library()).evidence);
    if (!a.any()) {
        std::cout << "\nNo measured run is like the winner.\n";
        return;
    }
    const LikelyRange<Seconds> range = range_around(best.step, a.band.time);
    std::cout << "\n" << say_anchoring(a) << " The winner's step: " << say(best.step) << ", " << say(range.low)
              << " to " << say(range.high) << "; the model alone: " << say(best.step / a.time_factor) << ".\n";
}

int run_search(const SearchArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    const auto space = space_of(a.space, *plan);
    if (!space) return refuse(space.error());
    SearchOptions options;
    const bool by_carbon = a.objective == "carbon";
    options.objective = by_carbon ? Objective::energy : *from_name<Objective>(a.objective);
    if (by_carbon && !plan->machine.grid_gCO2e_per_kWh && !plan->machine.embodied_gCO2e_per_node_hour)
        return refuse(Refusal{exit_usage, "--rank carbon: " + plan->machine.id
                                              + " states neither the grid's factor nor an embodied share\n"});
    if (a.objective == "cost" && !cost_of(*plan, Totals{}))
        std::cerr << "no price of " << plan->machine.id << " is known; layouts rank as by time, which cost follows\n";
    options.limit = 2 * a.limit;   // some are the same in effect
    options.threads = a.threads;
    options.with_plan = true;
    options.most_power = a.most_power;
    options.headroom = judged(a.headroom, anchored(*plan, track_record(shipped_library()).evidence).band);
    if (a.over_nodes) return print_over_nodes(*plan, *space, options, a);
    if (!a.over.empty()) return print_over_knobs(*plan, *space, options, a);
    const auto began = std::chrono::steady_clock::now();
    SearchResult found = search(*plan, *space, options);
    if (by_carbon) rank_by_carbon(*plan, found, options.limit);
    found.top = each_once(found.top, plan->layout);
    if (found.top.size() > std::size_t(a.limit)) found.top.resize(a.limit);
    const Seconds took = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() * second;
    if (a.json) std::cout << search_json(found, took);
    else if (a.csv) std::cout << search_csv(found);
    else print_ranking(found, took, say_left_out(*space, *plan), a);
    if (found.top.empty()) return exit_infeasible;
    if (!a.json && !a.csv) {
        if (by_carbon || a.objective == "cost") print_prices(*plan, found);
        print_winner_against(*plan, found.top.front());
        print_anchored_winner(*plan, found.top.front());
        print_fit_first(*plan, found.top.front(), options.headroom);
        if (a.sensitivity) print_sensitivity(*plan, *space, options);
    }
    return write_plan_to(a.out, with_layout(*plan, found.top.front().layout));
}

// ---- replan

struct ReplanArguments {
    PlanArguments plan;
    std::string measured;
    double threshold = 0.1, steps_left = 0;
};

void print_advice(const std::vector<Replan>& readings) {
    TextRows rows{replan_headings()};
    for (const Replan& r : readings) rows.push_back(replan_cells(r));
    if (!readings.empty()) std::cout << "\n" << table(rows);
    if (readings.size() > 1) std::cout << say_at_worst() << "\n";
    std::cout << say_advice(readings) << "\n";
}

int run_replan(const ReplanArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    const Outcome planned = estimate(*plan);
    if (!planned) return refuse(Refusal{exit_infeasible, "The plan cannot be computed; plimsoll estimate says why\n"});
    const auto measured = load_measured_steps(a.measured, *plan);
    if (!measured) return refuse(Refusal{exit_invalid_file, say(measured.error())});
    const Drift drift = drift_of(*plan, *measured);
    std::cout << say_drift(drift) << "\n";
    if (!drift.departs(a.threshold)) {
        std::cout << say_verdict(drift, a.threshold) << "\n";
        return exit_ok;
    }
    const double left = a.steps_left > 0 ? a.steps_left : headline(*plan, *planned).steps;
    print_advice(replan(*plan, drift, left, full_space(),
                        {.headroom = {usual_headroom}, .ranking_only = true}));
    return exit_ok;
}

}  // namespace

void add_rule(Program& program) {
    const auto a = std::make_shared<RuleArguments>();
    CLI::App& command = add_command(program.app, {
        "rule", "A rule of thumb for the split of the devices, beside the plan and the fastest split",
        "The rule: model parallelism until the model fits in memory, then data parallelism with all other devices. "
        "Only the tensor and pipeline degrees are turned; micro-batch, recomputation and sharding stay."});
    add_plan(command, a->plan);
    add_headroom(command, a->headroom);
    command.add_option("--out", a->out, "File for the plan that follows from the rule")->type_name(file_value);
    command.callback([a, &program] { program.code = run_rule(*a); });
}

void add_search(Program& program) {
    const auto a = std::make_shared<SearchArguments>();
    CLI::App& command = add_command(program.app, {
        "search", "The best of all layouts of the plan's devices",
        "Ranks every layout of the plan's devices by time, energy, cost, carbon, node-hours or memory. --over-nodes "
        "gives the best layout at every node count, --over at other values of any knob: rank, what is trained. "
        "--sensitivity searches again with other networks, memories and efficiencies. --out writes the plan with the "
        "best layout."});
    add_plan(command, a->plan);
    const std::vector<std::string> objectives{"time", "energy", "cost", "carbon", "node-hours", "memory"};
    auto* objective = command.add_option("--objective", a->objective,
        "What is to be least: time, energy, cost, carbon, node-hours or memory")->check(CLI::IsMember(objectives));
    command.add_option("--rank", a->objective, "The same as --objective")
        ->check(CLI::IsMember(objectives))->excludes(objective);
    add_price(command, a->plan);
    command.add_option("--space", a->space, "Layouts to try: common, full or a file that lists values")
        ->type_name(file_value);
    command.add_option("--limit", a->limit, "Layouts to list")->check(CLI::Range(1, 100000));
    command.add_option("--threads", a->threads, "Threads to search with")->check(CLI::Range(1, 1024));
    auto* json = command.add_flag("--json", a->json, "As JSON");
    auto* over_nodes = command.add_flag("--over-nodes", a->over_nodes, "The best layout at every node count instead")
        ->excludes(json);
    command.add_option("--over", a->over,
        "The best layout at each of these values instead, as in method.rank=8,16; again for every combination")
        ->type_name("KNOB=VALUES")->excludes(json)->excludes(over_nodes);
    command.add_option("--node-hours", a->node_hours,
        "With --over-nodes: also the node count that ends first within this budget")
        ->check(CLI::PositiveNumber)->needs(over_nodes);
    command.add_flag("--sensitivity", a->sensitivity,
        "Also whether the same layout wins with 0.80 and 1.25 times the machine's network, memory and efficiencies");
    command.add_option("--out", a->out, "File for the plan with the best layout")->type_name(file_value);
    add_headroom(command, a->headroom);
    add_max_power(command, a->most_power);
    command.add_flag("--csv", a->csv, "The ranking as CSV")->excludes(json);
    command.callback([a, &program] { program.code = run_search(*a); });
}

void add_replan(Program& program) {
    const auto a = std::make_shared<ReplanArguments>();
    CLI::App& command = add_command(program.app, {
        "replan", "A running job's steps against the plan, and whether another layout would pay",
        "Compares the measured steps of a running job with its plan. Where they differ by more than the threshold, "
        "layouts are searched again for the steps that are left."});
    add_plan(command, a->plan);
    command.add_option("--measured", a->measured,
        "Measured steps: a table with a column step_s, or a log of plimsoll-engine")->required()->type_name(file_value);
    command
        .add_option("--threshold", a->threshold,
                    "Relative difference from the prediction above which layouts are searched again")
        ->check(CLI::Range(0.0, 10.0));
    command.add_option("--steps-left", a->steps_left, "Steps still to go (default: those of the whole run)")
        ->check(CLI::PositiveNumber);
    command.callback([a, &program] { program.code = run_replan(*a); });
}

}  // namespace plimsoll

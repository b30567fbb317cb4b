// One question about a plan each: sweep, timeline, explain, largest, transients, budget.
#include "app/commands/command.h"

#include "app/commands/tables.h"
#include "core/answers/campaign/scaling.h"
#include "core/answers/curves/sweep.h"
#include "core/answers/curves/timeline.h"
#include "core/answers/explain/explain.h"
#include "core/answers/campaign/headline.h"
#include "core/answers/plan/rules.h"
#include "core/answers/search/largest.h"
#include "core/files/results/answers_json.h"
#include "core/files/text/disk.h"
#include "core/papers/transients.h"
#include "core/values/basics/csv.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>

namespace plimsoll {

namespace {

// ---- sweep

struct SweepArguments {
    PlanArguments plan;
    std::string knob, values;
    bool json = false, csv = false;
};

void print_sweep_csv(const Knob& knob, const std::vector<SweepPoint>& points) {
    CsvRow names;
    for (const char* name : {knob.id.c_str(), "feasible", "fits", "step_seconds", "run_days", "node_hours", "mfu",
                             "tflops_per_device", "facility_MWh", "worst_stage_GiB"})
        names.text(name);
    for (const auto& part : step_parts) names.text(std::string(part.id).append("_seconds"));
    std::cout << names.text("obstacle").line();
    for (const SweepPoint& p : points) {
        CsvRow row;
        row.number(p.value).whole(bool(p.outcome)).whole(runs(p.outcome));
        if (!p.outcome) {
            row.empty(7 + int(std::size(step_parts))).quoted(say(p.outcome.error().front()));
            std::cout << row.line();
            continue;
        }
        const Headline h = headline(p.scenario, *p.outcome);
        for (double v : {h.step / second, h.run / day, h.node_hours, h.mfu, h.per_device / (teraflop / second),
                         h.facility_energy / megawatt_hour, p.outcome->worst().total() / gibibyte})
            row.number(v);
        for (const auto& part : step_parts) row.number((p.outcome->step.*part.value) / second);
        std::cout << row.empty().line();
    }
}

int run_sweep(const SweepArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    const Knob* knob = find_knob(a.knob);
    if (!knob) return refuse(unknown_knob(a.knob));
    const auto values = parse_values(*knob, a.values);
    if (!values) return refuse(values.error());
    const auto points = sweep(*plan, *knob, *values);
    if (a.json) std::cout << to_json(*knob, points);
    else print_sweep_csv(*knob, points);
    for (const SweepPoint& p : points)
        if (runs(p.outcome)) return exit_ok;
    return exit_infeasible;
}

// ---- timeline

struct TimelineArguments {
    PlanArguments plan;
    std::string out;
    bool csv = false;
};

int run_timeline(const TimelineArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    if (const auto obstacles = check(*plan); !obstacles.empty()) return refuse(obstacles);
    const Timeline t = timeline(*plan);
    const std::string text = a.csv ? to_csv(t, *plan) : to_trace_json(t, *plan);
    if (a.out.empty()) {
        std::cout << text;
        return exit_ok;
    }
    if (const auto written = write_atomically(a.out, text); !written) {
        std::cerr << say(written.error());
        return exit_failure;
    }
    std::cout << note(t) << "\n";
    return exit_ok;
}

// ---- explain

struct ExplainArguments {
    PlanArguments plan;
    std::string number, versus;
    int depth = 99;
    bool json = false;
};

// Device-seconds per sequence: what a plan pays for each part, whatever its size.
double device_seconds(const Scenario& s, const Estimate& e, Seconds StepTime::*part) {
    return (e.step.*part) / second * e.devices / s.recipe.global_batch_sequences;
}

// Which terms make the device rate differ between two plans, largest first.
void print_versus(const Scenario& here, const Estimate& a, const Scenario& there, const Estimate& b,
                  const std::string& change) {
    struct Line {
        std::string label;
        double here, there;
    };
    std::vector<Line> lines;
    for (const auto& part : step_parts)
        lines.push_back({std::string(part.label), device_seconds(here, a, part.value),
                         device_seconds(there, b, part.value)});
    std::stable_sort(lines.begin(), lines.end(), [](const Line& x, const Line& y) {
        return std::abs(x.there - x.here) > std::abs(y.there - y.here);
    });
    TextRows rows{{"device-seconds per sequence", "this plan", change, "difference"}};
    Line sum{"Sum", 0, 0};
    for (const Line& l : lines) {
        rows.push_back({l.label, fixed(l.here, 4), fixed(l.there, 4), fixed(l.there - l.here, 4)});
        sum.here += l.here;
        sum.there += l.there;
    }
    rows.push_back({sum.label, fixed(sum.here, 4), fixed(sum.there, 4), fixed(sum.there - sum.here, 4)});
    const auto rate = [](const Scenario& s, const Estimate& e) { return say(headline(s, e).hardware_per_device); };
    rows.push_back({"Rate per device, recomputation counted", rate(here, a), rate(there, b), ""});
    std::cout << "\n" << table(rows);
}

int run_explain(const ExplainArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    const auto term = explain(*plan, a.number);
    if (!term && term.error().empty()) {
        std::cerr << "no number '" << a.number << "'; there are:";
        for (const std::string& id : explainable()) std::cerr << " " << id;
        std::cerr << "\n";
        return exit_usage;
    }
    if (!term) return refuse(term.error());
    std::cout << (a.json ? to_json(*term) + "\n" : to_text(*term, a.depth));
    if (a.versus.empty()) return exit_ok;
    const auto other = apply_setting(*plan, a.versus);
    if (!other) return refuse(other.error());
    const Outcome here = estimate(*plan), there = estimate(*other);
    if (!here) return refuse(here.error());
    if (!there) return refuse(there.error());
    print_versus(*plan, *here, *other, *there, a.versus);
    return exit_ok;
}

// ---- largest

struct LargestArguments {
    PlanArguments plan;
    int devices = 0;
    bool json = false;
};

TextRow largest_row(const LargestModel& m) {
    if (!m.obstacles.empty()) return {m.strategy, "-", "", "", "", say(m.obstacles.front())};
    if (m.layers == 0) return {m.strategy, "none", "", "", "", say_none_fits(m)};
    const Headline h = headline(m.scenario, m.estimate);
    return {m.strategy, say_count(m.parameters), std::to_string(m.layers), say(m.estimate.host.use.total()),
            say(m.estimate.nvme.use.total()), say(h.per_device)};
}

int run_largest(const LargestArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    const auto all = largest_models(*plan, a.devices);
    if (a.json) {
        std::cout << to_json(all) << "\n";
        return exit_ok;
    }
    const int devices = a.devices > 0 ? a.devices : plan->machine.devices_per_node;
    const std::string head = "largest model on " + counted(devices, "device", "devices") + " of " + plan->machine.name;
    TextRows rows{{head, "parameters", "layers", "host memory", "drives", "per device"}};
    for (const LargestModel& m : all) rows.push_back(largest_row(m));
    std::cout
        << table(rows)
        << "Layers of the plan's width are added until the next does not fit; micro-batch 1, full recomputation.\n";
    return exit_ok;
}

// ---- transients

struct TransientsArguments {
    PlanArguments plan;
};

void print_transients(const char* title, const std::vector<Transient>& all, const BlockPlacement& p) {
    TextRows rows{{title, "size", "from step", "to step", "offset"}};
    for (std::size_t i = 0; i < all.size(); ++i) {
        const MemoryBlock& b = all[i].block;
        rows.push_back({all[i].name, say(b.size), std::to_string(b.born), std::to_string(b.freed), say(p.offset[i])});
    }
    rows.push_back({"in all", say(p.peak), "", "", ""});
    std::cout << table(rows) << "\n";
}

int run_transients(const TransientsArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    if (const auto obstacles = check(*plan); !obstacles.empty()) return refuse(obstacles);
    const TransientPlan t = plan_transients(*plan);
    print_transients("one layer, forward", forward_transients(*plan), t.forward);
    print_transients("one layer, backward", backward_transients(*plan), t.backward);
    std::cout << "All layers and the loss: " << say(t.peak) << ", " << fixed(t.lost(), 4)
              << " of the most that is alive at once" << (t.exact ? "; the layers' plans are optimal" : "")
              << ".\nThe stack's allocator is taken at " << fixed(plan->stack.memory.fragmentation, 3)
              << " of what it holds.\n";
    return exit_ok;
}

// ---- budget

struct BudgetArguments {
    PlanArguments plan;
    double node_hours = 0, doubling_months = 5.7, headroom = usual_headroom;
};

std::string work_text(Flop work) { return significant(work / flop, 3) + " FLOP"; }

void print_budget_rate(const Scenario& s, const Headline& h, const BudgetArguments& a, Flop work) {
    std::cout << table({{say_count(a.node_hours) + " node-hours of " + s.machine.name, ""},
                        {"model FLOP utilisation", fixed(100 * h.mfu, 1) + " %"},
                        {"goodput", fixed(100 * h.resilience.goodput(), 1) + " %"},
                        {"work, 6 P D", work_text(work)},
                        {"wall time on the plan's nodes", say(a.node_hours / nodes_used(s) * hour)}});
}

void print_budget_models(const Scenario& s, Flop work) {
    const auto row = [](const char* rule, const Optimum& o) -> std::vector<std::string> {
        return {rule, say_count(o.parameters), say_count(o.tokens), fixed(o.tokens_per_parameter(), 1)};
    };
    const double p = parameters(s.model);
    std::cout << "\n" << table({{"would train", "parameters", "tokens", "tokens per parameter"},
                                row("20 tokens per parameter (Hoffmann et al. 2022)", optimum(work)),
                                row("loss law fitted again (Besiroglu et al. 2024)", optimum(refit_2024, work)),
                                row("the plan's model", {p, work / flop / 6 / p})});
}

void print_budget_context(const BudgetArguments& a, Flop work) {
    Trend trend;
    trend.doubling_months = a.doubling_months;
    const WeatherRun weather;
    std::cout << "\n"
              << table({{"for comparison", ""},
                        {"year in which the largest runs reach this",
                         fixed(trend.year_of(work), 1) + " (doubling in " + fixed(trend.doubling_months, 1)
                             + " months from GPT-3, " + work_text(trend.work) + " in 2020)"},
                        {"global weather forecasts at 3.5 km, by node-hours",
                         say_count(weather.runs_of(a.node_hours)) + " (one is " + say_count(weather.node_hours())
                             + " node-hours of Fugaku at " + fixed(weather.rate() / (petaflop / second), 2)
                             + " PFLOP/s)"},
                        {"the same, by FLOP", say_count(work / (weather.points * weather.per_point))}});
    std::cout << "A published slide prints " << say_count(weather.printed_node_hours)
              << " hours for the forecast; nodes x time is " << say_count(std::round(weather.node_hours())) << ".\n";
}

int run_budget(const BudgetArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    const Outcome outcome = estimate(*plan);
    if (!outcome) return refuse(outcome.error());
    const Headline h = headline(*plan, *outcome);
    const Flop work = budget_flop(*plan, *outcome, a.node_hours);
    print_budget_rate(*plan, h, a, work);
    if (!h.resilience.makes_progress()) {
        std::cout << "\nFailures and checkpoints take all of the time: this budget trains nothing.\n";
        return exit_infeasible;
    }
    print_budget_models(*plan, work);
    print_budget_context(a, work);
    if (fit_verdict(*outcome) != FitVerdict::fits) std::cout << say_fit_verdict(*outcome) << "\n";
    if (const std::string why = say_tight(*outcome, {a.headroom}); !why.empty())
        std::cout << "The plan is tight: " << why << ".\n";
    return runs(outcome) ? exit_ok : exit_infeasible;
}

}  // namespace

void add_sweep(Program& program) {
    const auto a = std::make_shared<SweepArguments>();
    CLI::App& command = add_command(program.app, {
        "sweep", "The same plan with one knob turned",
        "LIST is a,b,c or from:to:step or from:to:xfactor, for example 64:1024:x2. The answer is CSV, one row for "
        "every value."});
    add_plan(command, a->plan);
    command.add_option("--knob", a->knob, "Id of the knob, e.g. nodes")->required()->type_name(knob_value);
    command.add_option("--values", a->values, "a,b,c or from:to:xfactor or from:to:step")
        ->required()
        ->type_name("LIST");
    command.add_flag("--json", a->json, "As JSON");
    command.add_flag("--csv", a->csv, "As CSV (the default)");
    command.callback([a, &program] { program.code = run_sweep(*a); });
}

void add_timeline(Program& program) {
    const auto a = std::make_shared<TimelineArguments>();
    CLI::App& command = add_command(program.app, {
        "timeline", "Who works on what when in one step, as a trace for Perfetto",
        "Every forward and backward pass of every pipeline stage, as a trace that Perfetto and chrome://tracing "
        "open, or with --csv as a table."});
    add_plan(command, a->plan);
    command.add_option("--out", a->out, "File to write (default: standard output)")->type_name(file_value);
    command.add_flag("--csv", a->csv, "A table instead of a trace");
    command.callback([a, &program] { program.code = run_timeline(*a); });
}

void add_explain(Program& program) {
    const auto a = std::make_shared<ExplainArguments>();
    CLI::App& command = add_command(program.app, {
        "explain", "How a number came about, down to its sources",
        "Prints the terms of one number down to the inputs, each with its source. Ids are the keys of 'plimsoll "
        "estimate --json'. --versus names what changes, term by term, when a knob is turned."});
    add_plan(command, a->plan);
    command.add_option("--number", a->number, "Id of the number, e.g. step_seconds")->required()->type_name("ID");
    command.add_option("--versus", a->versus, "Also name what changes at knob=value, term by term")
        ->type_name(setting_value);
    command.add_option("--depth", a->depth, "Levels to print");
    command.add_flag("--json", a->json, "As JSON");
    command.callback([a, &program] { program.code = run_explain(*a); });
}

void add_largest(Program& program) {
    const auto a = std::make_shared<LargestArguments>();
    CLI::App& command = add_command(program.app, {
        "largest", "The largest model of the plan's width that a node holds, by memory tier",
        "Layers of the plan's width are added until the next does not fit, once for every way of using the memory "
        "of devices, hosts and drives."});
    add_plan(command, a->plan);
    command.add_option("--devices", a->devices, "How many devices (default: one node)")->check(CLI::Range(1, 1 << 20));
    command.add_flag("--json", a->json, "As JSON");
    command.callback([a, &program] { program.code = run_largest(*a); });
}

void add_transients(Program& program) {
    const auto a = std::make_shared<TransientsArguments>();
    CLI::App& command = add_command(program.app, {
        "transients", "Transient memory of a layer, with the place of every buffer planned in advance",
        "Prints the buffers that live during the forward and the backward pass of one layer, each with its size, "
        "its lifetime and its offset, and the memory they need together."});
    add_plan(command, a->plan);
    command.callback([a, &program] { program.code = run_transients(*a); });
}

void add_budget(Program& program) {
    const auto a = std::make_shared<BudgetArguments>();
    CLI::App& command = add_command(program.app, {
        "budget", "What node-hours would train at the rate of a plan",
        "Says which model and how many tokens the budget would train, by two published scaling laws and for the "
        "plan's own model."});
    add_plan(command, a->plan);
    command.add_option("--node-hours", a->node_hours, "The budget")->required()->check(CLI::PositiveNumber);
    add_headroom(command, a->headroom);
    command.add_option("--doubling-months", a->doubling_months,
        "Months in which the compute of the largest runs doubles")->check(CLI::PositiveNumber);
    command.callback([a, &program] { program.code = run_budget(*a); });
}

}  // namespace plimsoll

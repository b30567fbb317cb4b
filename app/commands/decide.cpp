// Plans against each other and against limits: plimsoll compare, goal and tornado.
#include "app/commands/command.h"

#include "app/commands/tables.h"
#include "core/answers/compare/compare_sheet.h"
#include "core/answers/curves/goal_figure.h"
#include "core/answers/curves/tornado.h"
#include "core/answers/search/goal.h"
#include "core/answers/search/wording.h"
#include "core/files/presets/workspace_json.h"
#include "core/files/results/decide_json.h"
#include "core/files/results/track_record.h"
#include "core/files/text/disk.h"
#include "core/values/knobs/wording.h"

#include <cmath>
#include <filesystem>
#include <iostream>

namespace plimsoll {

namespace {

// ---- compare

struct CompareArguments {
    std::vector<std::string> plans, settings;
    std::string anchor;
    bool json = false, markdown = false, differences = false;
};

// Under each answer stands its difference from the first plan.
TextRows rows_of_compared(const std::vector<std::string>& head, const std::vector<ComparedRow>& rows, bool changes) {
    TextRows out{head};
    for (const ComparedRow& r : rows) {
        TextRow line{r.label}, below{""};
        for (std::size_t i = 0; i < r.values.size(); ++i) {
            line.push_back(r.values[i]);
            below.push_back(changes ? say_change(r, i) : "");
        }
        const bool any = std::ranges::any_of(below, [](const std::string& cell) { return !cell.empty(); });
        out.push_back(std::move(line));
        if (any) out.push_back(std::move(below));
    }
    return out;
}

void print_waterfall(const Waterfall& w, const std::string& from, const std::string& to) {
    TextRows rows{{"from " + from + " to " + to, "days"}};
    const auto days = [](Seconds s) { return fixed(s / day, 3); };
    rows.push_back({from, days(w.from)});
    for (const WaterfallPart& p : w.parts)
        if (p.change != Seconds{}) rows.push_back({"  " + p.label, (p.change > Seconds{} ? "+" : "") + days(p.change)});
    rows.push_back({to, days(w.to)});
    std::cout << "\n" << table(rows) << to << " against " << from << ": " << w.why << ".\n";
}

struct NamedPlan {
    std::string name;   // as it was asked for, or its own
    Scenario plan;
};

// The plans of a workspace file, each with the settings; nothing where the file is none.
Expected<std::vector<NamedPlan>, Refusal> plans_of_workspace(const std::string& file,
                                                             const std::vector<std::string>& settings) {
    std::vector<NamedPlan> plans;
    std::error_code none;
    if (!is_workspace(file, {}) && !std::filesystem::is_regular_file(file, none)) return plans;  // the id of a plan
    const auto text = read_text(file);
    if (!text) return Unexpected{Refusal{exit_invalid_file, say(text.error())}};
    if (!is_workspace(file, *text)) return plans;
    auto read = read_workspace(*text, shipped_library(), file);
    if (!read) return Unexpected{Refusal{exit_invalid_file, say(read.error())}};
    if (!read->warnings.empty()) std::cerr << say(read->warnings);
    for (std::size_t i = 0; i < read->plans.size(); ++i) {
        Scenario plan = std::move(read->plans[i].scenario);
        for (const std::string& setting : settings) {
            auto changed = apply_setting(plan, setting);
            if (!changed) return Unexpected{changed.error()};
            plan = *std::move(changed);
        }
        plans.push_back({plan.name.empty() ? file + " " + std::to_string(i + 1) : plan.name, std::move(plan)});
    }
    return plans;
}

int run_compare(const CompareArguments& a) {
    const auto runs = anchors_of(a.anchor, nullptr);
    if (!runs) return refuse(runs.error());
    const auto measured = measured_by(*runs);
    std::vector<Scenario> plans;
    std::vector<std::string> names;
    for (const std::string& file : a.plans) {
        auto several = plans_of_workspace(file, a.settings);
        if (!several) return refuse(several.error());
        if (several->empty()) {
            const auto plan = load_plan({file, a.settings});
            if (!plan) return refuse(plan.error());
            several->push_back({file, *plan});
        }
        for (NamedPlan& each : *several) {
            names.push_back(std::move(each.name));
            plans.push_back(std::move(each.plan));
            plans.back().measured = measured;
        }
    }
    if (plans.size() < 2 || plans.size() > 6) {
        std::cerr << "compare takes two to six plans; these are " << plans.size() << "\n";
        return exit_usage;
    }
    const auto c = compare(plans);
    if (!c) {
        std::cerr << names[std::size_t(c.error().plan)] << ":\n";
        return refuse(c.error().obstacles);
    }
    if (a.json) {
        std::cout << to_json(*c, names);
        return exit_ok;
    }
    const std::vector<std::string> by_difference = names_by_difference(plans, *c);
    if (a.markdown) {
        std::cout << to_markdown(compare_sheet(*c, by_difference, a.differences));
        return exit_ok;
    }
    for (std::size_t i = 0; i < plans.size(); ++i)
        std::cout << by_difference[i] << ": " << (plans[i].name.empty() ? names[i] : plans[i].name) << "\n"
                  << say_own_runs(plans[i]);
    std::vector<std::string> head{"input"};
    head.insert(head.end(), by_difference.begin(), by_difference.end());
    std::cout << "\n"
              << (c->inputs.empty() ? "No input differs.\n" : table(rows_of_compared(head, c->inputs, false)));
    head.front() = "answer";
    std::vector<ComparedRow> answers = c->answers;
    if (a.differences) std::erase_if(answers, [](const ComparedRow& r) { return !r.differs; });
    std::cout << "\n" << table(rows_of_compared(head, answers, true)) << about_signs() << "\n";
    std::cout << "Failures, checkpoints and ends of jobs are counted.\n";
    for (std::size_t i = 0; i < c->waterfalls.size(); ++i) print_waterfall(c->waterfalls[i], head[1], head[i + 2]);
    return exit_ok;
}

// ---- goal

struct GoalArguments {
    PlanArguments plan;
    std::string space = "common", out;
    std::vector<std::string> move{"layout"};
    std::string aim = "time";
    std::vector<int> nodes, layers;
    int max_nodes = 0;
    double days = 0, node_hours = 0, MWh = 0, money = 0, headroom = usual_headroom;
    Watts most_power;
    int threads = 1;
    bool json = false, csv = false;
};

TextRow goal_row(const std::string& name, const std::optional<GoalPlan>& g) {
    if (!g) return {name, "none", "", "", "", "", "", "", "", "", "", ""};
    return {name, say(g->totals.time), say_count(g->totals.node_hours), say(g->totals.facility_energy),
            say(g->power), g->money ? say_count(*g->money) : "unknown",
            g->carbon_kg ? say_kg(*g->carbon_kg) : "unknown", std::to_string(nodes_used(g->plan)),
            say_count(g->parameters), say_shape(g->plan.model), say_count(g->tokens),
            with_doubt(say_layout(g->plan.layout), g->verdict)};
}

void print_goal(const GoalAnswer& a) {
    TextRows rows{
        {"plan", "time", "node-hours", "energy", "power", "money, at most", "carbon", "nodes", "parameters", "model",
         "tokens", "layout"}};
    rows.push_back(goal_row("best within all limits", a.best));
    for (const GoalRelaxed& r : a.relaxed)
        if (r.better) rows.push_back(goal_row("without the limit of " + std::string(label_of(r.limit)), r.best));
    std::cout << table(rows) << say_count(double(a.tried)) << " plans tried; failures and ends of jobs are counted.\n"
              << say_ranked_by_fit() << "\n";
    if (a.binds.empty())
        std::cout << (a.best ? "No single limit binds: none of them alone keeps a better plan away.\n"
                             : "No single limit is to blame: with any one of them gone there is still no plan.\n");
    else
        std::cout << "Binds most: " << label_of(a.binds.front()) << ".\n";
    if (a.ends_at_largest())
        std::cout << "No model of more than " << say_count(a.most_parameters)
                  << " parameters was tried: a larger answer begins from a larger model.\n";
}

int run_goal(const GoalArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    const auto space = space_of(a.space, *plan);
    if (!space) return refuse(space.error());
    GoalLimits limits;
    if (a.days > 0) limits.time = a.days * day;
    if (a.max_nodes > 0) limits.nodes = a.max_nodes;
    if (a.node_hours > 0) limits.node_hours = a.node_hours;
    if (a.MWh > 0) limits.energy = a.MWh * megawatt_hour;
    if (a.money > 0) limits.money = a.money;
    if (a.most_power > Watts{}) limits.power = a.most_power;
    limits.headroom = a.headroom;
    GoalMoves moves;
    for (const std::string& m : a.move) {
        moves.nodes |= m == "nodes";
        moves.layout |= m == "layout";
        moves.size |= m == "size";
        moves.tokens |= m == "tokens";
    }
    if (moves.tokens && !limits.end_a_run()) {
        std::cerr << "--move tokens needs one of --days, --node-hours, --MWh, --money: else there is no most\n";
        return exit_usage;
    }
    const GoalAim aim = *from_name<GoalAim>(a.aim);
    if (const std::string why = cannot_aim(*plan, aim); !why.empty()) return refuse(Refusal{exit_usage, why + "\n"});
    const GoalAnswer answer = best_within(*plan, limits, moves, {a.nodes, a.layers, *space, a.threads}, aim);
    if (a.json) std::cout << to_json(answer, limits, aim);
    else if (a.csv) std::cout << to_csv(goal_figure(answer, limits, moves, aim), *plan);
    else {
        print_goal(answer);
        if (answer.best) std::cout << say_own_runs(answer.best->plan);
    }
    if (!answer.best) return exit_infeasible;
    if (a.out.empty()) return exit_ok;
    const auto written = write_atomically(a.out, write_scenario(answer.best->plan, shipped_library()));
    return written ? exit_ok : refuse(Refusal{exit_failure, say(written.error())});
}

// ---- tornado

struct TornadoArguments {
    PlanArguments plan;
    std::string of = "time";
    bool json = false, csv = false;
};

// Two thirds of runs like the plan, and what makes the range so wide.
void print_range_parts(const Band& band, double value, const std::string& unit) {
    if (band.time_parts.empty()) return;
    const LikelyRange<double> range = range_around(value, band.time);
    TextRows rows{{"cause of the likely range", "alone", "share"}};
    for (const BandPart& p : band.time_parts)
        rows.push_back({p.cause, percent(p.alone()),
                        percent(p.variance / (std::log1p(band.time) * std::log1p(band.time)), 0)});
    std::cout << "\nLikely range: " << significant(range.low, 4) << " to " << significant(range.high, 4)
              << (unit.empty() ? "" : " " + unit) << ", " << percent(band.time) << " either way\n" << table(rows)
              << say_part_rule() << "\n";
}

int run_tornado(const TornadoArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    const Outcome o = estimate(*plan);
    if (!o) return refuse(o.error());
    const TornadoOf of = *tornado_named(a.of);
    const auto here = tornado_value(*plan, of);
    if (!here) {
        std::cerr << (of == TornadoOf::cost ? "no price is known; state one with --price\n"
                                            : "failures take all of the time\n");
        return exit_infeasible;
    }
    const auto bars = tornado(*plan, of);
    const Band band = anchored(*plan, track_record(shipped_library()).evidence).band;
    if (a.json) {
        std::cout << to_json(bars, of, *here, &band);
        return exit_ok;
    }
    if (a.csv) {
        std::cout << to_csv(tornado_figure(*plan, of, bars), *plan);
        return exit_ok;
    }
    const std::string unit(unit_of_tornado(of));
    TextRows rows{{"input", "from", "to", a.of + " there", "and there", "ends"}};
    for (const TornadoBar& b : bars)
        rows.push_back({b.what, significant(b.low_value, 4), significant(b.high_value, 4), significant(b.at_low, 5),
                        significant(b.at_high, 5), b.ends});
    std::cout << say_own_runs(*plan) << "The plan: " << significant(*here, 5) << (unit.empty() ? "" : " " + unit)
              << ", failures and ends of jobs counted\n" << table(rows);
    print_range_parts(band, *here, unit);
    return exit_ok;
}

}  // namespace

void add_compare(Program& program) {
    const auto a = std::make_shared<CompareArguments>();
    CLI::App& command = add_command(program.app, {
        "compare", "Two to six plans beside each other, and why one takes longer",
        "Lists the inputs that differ, every answer with the difference from the first plan, and for each plan the way "
        "from the first plan's time to its own, part by part: the parts sum to the difference."});
    command.add_option("plans", a->plans, "Scenario files or ids, two to six, or a workspace file that holds them")
        ->required()->type_name(scenario_value);
    add_settings(command, a->settings, "Change a knob of every plan first");
    add_anchor(command, a->anchor);
    auto* json = command.add_flag("--json", a->json, "As JSON");
    command.add_flag("--markdown", a->markdown, "As a table in Markdown")->excludes(json);
    command.add_flag("--differences", a->differences, "Only the answers that differ")->excludes(json);
    command.callback([a, &program] { program.code = run_compare(*a); });
}

void add_goal(Program& program) {
    const auto a = std::make_shared<GoalArguments>();
    CLI::App& command = add_command(program.app, {
        "goal", "The best plan within limits of days, node-hours, energy, money, power and free memory",
        "--move says what may change: nodes, layout, size (width, heads and layers of the model together) or tokens. "
        "Best is most tokens where they move, else the largest model where its size moves, else what --aim names. "
        "Says which limit binds and what there would be without it."});
    add_plan(command, a->plan);
    command.add_option("--move", a->move, "Any of nodes,layout,size,tokens (default: layout)")->delimiter(',')
        ->check(CLI::IsMember({"nodes", "layout", "size", "tokens"}))->type_name("LIST");
    command.add_option("--aim", a->aim, "time (the earliest end), nodes (the fewest), node-hours, energy, carbon or "
        "money (default: time)")->check(CLI::IsMember({"time", "nodes", "node-hours", "energy", "carbon", "money"}))
        ->type_name("AIM");
    command.add_option("--days", a->days, "Limit of the time, failures counted")->check(CLI::PositiveNumber);
    command.add_option("--max-nodes", a->max_nodes, "Limit of the nodes")->check(CLI::PositiveNumber);
    command.add_option("--node-hours", a->node_hours, "Limit of the node-hours")->check(CLI::PositiveNumber);
    command.add_option("--MWh", a->MWh, "Limit of the facility's energy")->check(CLI::PositiveNumber);
    command.add_option("--money", a->money, "Limit of the cost, in the currency of the price")
        ->check(CLI::PositiveNumber);
    add_price(command, a->plan);
    add_max_power(command, a->most_power);
    add_headroom(command, a->headroom);
    command.add_option("--nodes", a->nodes, "Node counts to try (default: up to 40 of the whole machine's)")
        ->delimiter(',')->check(CLI::PositiveNumber)->type_name("LIST");
    command.add_option("--layers", a->layers,
        "Numbers of layers to try at the plan's width (default: a sixteenth to sixteen times its parameters, "
        "width, heads and layers growing together)")
        ->delimiter(',')->check(CLI::PositiveNumber)->type_name("LIST");
    command.add_option("--space", a->space, "Layouts to try: common, full or a file that lists values")
        ->type_name(file_value);
    command.add_option("--threads", a->threads, "Threads to search with")->check(CLI::Range(1, 1024));
    command.add_option("--out", a->out, "File for the best plan")->type_name(file_value);
    auto* json = command.add_flag("--json", a->json, "As JSON");
    command.add_flag("--csv", a->csv, "The best on every number of nodes as CSV")->excludes(json);
    command.callback([a, &program] { program.code = run_goal(*a); });
}

void add_tornado(Program& program) {
    const auto a = std::make_shared<TornadoArguments>();
    CLI::App& command = add_command(program.app, {
        "tornado", "What an answer hangs on: one input at a time at both ends of what it may be",
        "Inputs that were measured go from end to end of their interval, a market price over its range, all others "
        "from 0.80 to 1.25 times the preset's. The widest bar comes first."});
    add_plan(command, a->plan);
    command.add_option("--of", a->of, "time, node-hours, energy or cost (default: time)")
        ->check(CLI::IsMember({"time", "node-hours", "energy", "cost"}));
    add_price(command, a->plan);
    auto* json = command.add_flag("--json", a->json, "As JSON");
    command.add_flag("--csv", a->csv, "As CSV")->excludes(json);
    command.callback([a, &program] { program.code = run_tornado(*a); });
}

}  // namespace plimsoll

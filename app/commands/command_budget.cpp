#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/plan.h"
#include "app/commands/tables.h"
#include "core/answers/campaign/scaling.h"
#include "core/values/knobs/wording.h"

#include <cmath>
#include <cstdio>
#include <iostream>

namespace plimsoll {

namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string work_of(Flop work) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g FLOP", work / flop);
    return text;
}

void print_rate(const Scenario& s, const Headline& h, const BudgetArguments& a, Flop work) {
    std::cout << table({{say_count(a.node_hours) + " node-hours of " + s.machine.name, ""},
                        {"model FLOP utilisation", fixed(100 * h.mfu, 1) + " %"},
                        {"goodput", fixed(100 * h.resilience.goodput(), 1) + " %"},
                        {"work, 6 P D", work_of(work)},
                        {"wall time on the plan's nodes", say(a.node_hours / nodes_used(s) * hour)}});
}

void print_models(const Scenario& s, Flop work) {
    const auto row = [](const char* rule, const Optimum& o) -> std::vector<std::string> {
        return {rule, say_count(o.parameters), say_count(o.tokens), fixed(o.tokens_per_parameter(), 1)};
    };
    const double p = parameters(s.model);
    std::cout << "\n" << table({{"would train", "parameters", "tokens", "tokens per parameter"},
                                row("20 tokens per parameter (Hoffmann et al. 2022)", optimum(work)),
                                row("loss law fitted again (Besiroglu et al. 2024)", optimum(refit_2024, work)),
                                row("the plan's model", {p, work / flop / 6 / p})});
}

void print_context(const BudgetArguments& a, Flop work) {
    Trend trend;
    trend.doubling_months = a.doubling_months;
    const WeatherRun weather;
    std::cout << "\n" << table({{"for comparison", ""},
        {"year in which the largest runs reach this", fixed(trend.year_of(work), 1) + " (doubling in " + fixed(trend.doubling_months, 1)
             + " months from GPT-3, " + work_of(trend.work) + " in 2020)"},
        {"global weather forecasts at 3.5 km, by node-hours", say_count(weather.runs_of(a.node_hours)) + " (one is " + say_count(weather.node_hours())
             + " node-hours of Fugaku at " + fixed(weather.rate() / (petaflop / second), 2) + " PFLOP/s)"},
        {"the same, by FLOP", say_count(work / (weather.points * weather.per_point))}});
    std::cout << "A published slide prints " << say_count(weather.printed_node_hours) << " hours for the forecast; nodes x time is "
              << say_count(std::round(weather.node_hours())) << ".\n";
}

}  // namespace

int run_budget(const BudgetArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    const Outcome outcome = estimate(*plan);
    if (!outcome) return refuse(outcome.error());
    const Headline h = headline(*plan, *outcome);
    const Flop work = budget_flop(*plan, *outcome, a.node_hours);
    print_rate(*plan, h, a, work);
    if (!h.resilience.makes_progress()) {
        std::cout << "\nFailures and checkpoints take all of the time: this budget trains nothing.\n";
        return exit_infeasible;
    }
    print_models(*plan, work);
    print_context(a, work);
    if (!outcome->fits()) std::cout << "The plan does not fit in memory; its rate is hypothetical.\n";
    return runs(outcome) ? exit_ok : exit_infeasible;
}

}  // namespace plimsoll

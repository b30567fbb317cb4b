// plimsoll replan: a running job's steps against the plan, and whether another
// layout would pay from here on.
#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/plan.h"
#include "app/commands/tables.h"
#include "core/answers/explain/wording.h"
#include "core/answers/plan/estimate.h"
#include "core/answers/search/wording.h"
#include "core/files/measured/measured_steps.h"

#include <cmath>
#include <iostream>

namespace plimsoll {

namespace {

void print_drift(const Drift& d, double threshold) {
    std::cout << "measured " << say(d.measured) << " a step (" << say(d.low) << " to " << say(d.high) << ", " << d.steps << " steps), predicted "
              << say(d.predicted) << ": " << percent(d.factor() - 1) << "\n";
    if (!d.departs(threshold)) std::cout << "That is within " << percent(threshold) << ": the plan holds, nothing was searched.\n";
}

std::string worth(const Replan& r) {
    if (!r.best) return "no layout fits";
    if (r.stays()) return "the present layout stays the best";
    if (r.net() <= Seconds{}) return "costs more than it saves";
    return "saves " + say(r.net());
}

void print(const std::vector<Replan>& readings) {
    std::vector<std::vector<std::string>> rows{{"should", "best layout", "its step", "gain a step", "at worst", "changing takes", "pays after", "until the end"}};
    for (const Replan& r : readings)
        rows.push_back({r.reading, r.best ? say_layout(r.best->layout) : "none fits", r.best ? say(r.best->step) : "", say(r.gain()), r.least_gain < Seconds{} ? "loses " + say(-r.least_gain) : say(r.least_gain), say(r.cost()),
                        r.break_even() && !r.stays() ? say_count(std::ceil(*r.break_even())) + " steps" : "", worth(r)});
    std::cout << "\n" << table(rows);
    if (readings.size() > 1)
        std::cout << "Only whole steps were measured, so what slowed them is not known: \"at worst\" is the layout's gain should another row be right.\n"
                     "Columns named as the parts of a step (plimsoll estimate lists them) would tell.\n";
}

}  // namespace

int run_replan(const ReplanArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    if (!estimate(*plan)) return refuse(Refusal{exit_infeasible, "The plan cannot be computed; plimsoll estimate says why\n"});
    const auto measured = load_measured_steps(a.measured);
    if (!measured) return refuse(Refusal{exit_invalid_file, say(measured.error())});
    const Drift drift = drift_of(*plan, *measured);
    print_drift(drift, a.threshold);
    if (!drift.departs(a.threshold)) return exit_ok;
    const double per_step = double(plan->recipe.global_batch_sequences) * plan->recipe.sequence_length;
    const double left = a.steps_left > 0 ? a.steps_left : plan->recipe.tokens / per_step;
    print(replan(*plan, drift, left, full_space(), {.ranking_only = true}));
    return exit_ok;
}

}  // namespace plimsoll

// plimsoll replan: a running job's steps against the plan, and whether another
// layout would pay from here on.
#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/plan.h"
#include "app/commands/tables.h"
#include "core/answers/plan/estimate.h"
#include "core/answers/plan/headline.h"
#include "core/answers/replan/replan_wording.h"
#include "core/files/measured/measured_steps.h"

#include <iostream>

namespace plimsoll {

namespace {

void print(const std::vector<Replan>& readings) {
    std::vector<std::vector<std::string>> rows{replan_headings()};
    for (const Replan& r : readings) rows.push_back(replan_cells(r));
    if (!readings.empty()) std::cout << "\n" << table(rows);
    if (readings.size() > 1) std::cout << say_at_worst() << "\n";
    std::cout << say_advice(readings) << "\n";
}

}  // namespace

int run_replan(const ReplanArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    const Outcome planned = estimate(*plan);
    if (!planned) return refuse(Refusal{exit_infeasible, "The plan cannot be computed; plimsoll estimate says why\n"});
    const auto measured = load_measured_steps(a.measured);
    if (!measured) return refuse(Refusal{exit_invalid_file, say(measured.error())});
    const Drift drift = drift_of(*plan, *measured);
    std::cout << say_drift(drift) << "\n";
    if (!drift.departs(a.threshold)) {
        std::cout << say_verdict(drift, a.threshold) << "\n";
        return exit_ok;
    }
    const double left = a.steps_left > 0 ? a.steps_left : headline(*plan, *planned).steps;
    print(replan(*plan, drift, left, full_space(), {.ranking_only = true}));
    return exit_ok;
}

}  // namespace plimsoll

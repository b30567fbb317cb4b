#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/plan.h"
#include "app/commands/tables.h"
#include "core/values/knobs/wording.h"
#include "core/answers/search/fit_first.h"
#include "core/answers/plan/headline.h"
#include "core/files/presets/scenario_json.h"
#include "core/files/text/disk.h"

#include <iostream>

namespace plimsoll {

namespace {

std::vector<std::string> row_of(const std::string& name, const Scenario& s, const Estimate& e) {
    const Layout& l = s.layout;
    return {name, std::to_string(l.tensor_parallel), std::to_string(l.pipeline_parallel), std::to_string(l.data_parallel),
            say(e.worst().total()) + (e.fits() ? "" : ", too much"), say(e.step.total()), say(headline(s, e).run)};
}

std::string against(Seconds a, Seconds b) {
    const double percent = 100 * (a / b - 1);
    if (std::abs(percent) < 0.05) return "as fast as";
    return fixed(std::abs(percent), 1) + " % " + (percent < 0 ? "faster than" : "slower than");
}

}  // namespace

int run_rule(const RuleArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    const Splits found = splits(*plan);
    const Outcome present = estimate(*plan);
    if (!found.rule && !found.fastest) {
        std::cout << "None of " << found.tried << " splits of " << plan->layout.devices << " devices fits in memory.\n";
        return exit_infeasible;
    }
    std::vector<std::vector<std::string>> rows{{"split", "tensor", "pipeline", "data", "memory", "step", "time to train"}};
    if (present) rows.push_back(row_of("as it stands", *plan, *present));
    if (found.rule) rows.push_back(row_of("fit first, then data parallel", found.rule->scenario, found.rule->estimate));
    rows.push_back(row_of("fastest of all", found.fastest->scenario, found.fastest->estimate));
    std::cout << table(rows) << found.fitting << " of " << found.tried << " splits fit.\n";
    if (!found.rule) std::cout << "No split with tensor groups inside a node fits.\n";
    else {
        if (runs(present)) std::cout << "The rule's plan is " << against(found.rule->step(), present->step.total()) << " the plan as it stands and ";
        else std::cout << "The rule's plan is ";
        std::cout << against(found.rule->step(), found.fastest->step()) << " the fastest.\n";
    }
    if (a.out.empty()) return exit_ok;
    const Scenario& chosen = found.rule ? found.rule->scenario : found.fastest->scenario;
    const auto written = write_atomically(a.out, write_scenario(chosen, shipped_library()));
    if (!written) return refuse(Refusal{exit_invalid_file, say(written.error())});
    return exit_ok;
}

}  // namespace plimsoll

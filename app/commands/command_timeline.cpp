#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/plan.h"
#include "core/answers/plan/rules.h"
#include "core/answers/curves/timeline.h"
#include "core/values/knobs/wording.h"
#include "core/files/text/disk.h"
#include "core/files/results/answers_json.h"

#include <iostream>

namespace plimsoll {

int run_timeline(const TimelineArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    if (const auto obstacles = check(*plan); !obstacles.empty()) {
        for (const Obstacle& o : obstacles) std::cerr << say(o) << "\n";
        return exit_infeasible;
    }
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

}  // namespace plimsoll

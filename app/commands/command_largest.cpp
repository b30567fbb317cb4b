#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/plan.h"
#include "app/commands/tables.h"
#include "core/values/knobs/wording.h"
#include "core/answers/plan/headline.h"
#include "core/answers/search/largest.h"
#include "core/files/results/answers_json.h"

#include <iostream>

namespace plimsoll {

namespace {

using Row = std::vector<std::string>;

Row row_of(const LargestModel& m) {
    if (!m.obstacles.empty()) return {m.strategy, "-", "", "", "", say(m.obstacles.front())};
    if (m.layers == 0) return {m.strategy, "none", "", "", "", "not one layer fits"};
    const Headline h = headline(m.scenario, m.estimate);
    return {m.strategy, say_count(m.parameters), std::to_string(m.layers), say(m.estimate.host.use.total()),
            say(m.estimate.nvme.use.total()), say(h.per_device)};
}

}  // namespace

int run_largest(const LargestArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    const auto all = largest_models(*plan, a.devices);
    if (a.json) {
        std::cout << to_json(all) << "\n";
        return exit_ok;
    }
    const int devices = a.devices > 0 ? a.devices : plan->machine.devices_per_node;
    std::vector<Row> rows{{"largest model on " + std::to_string(devices) + (devices == 1 ? " device" : " devices") + " of " + plan->machine.name,
                           "parameters", "layers", "host memory", "drives", "per device"}};
    for (const LargestModel& m : all) rows.push_back(row_of(m));
    std::cout << table(rows) << "Layers of the plan's width are added until the next does not fit; micro-batch 1, full recomputation.\n";
    return exit_ok;
}

}  // namespace plimsoll

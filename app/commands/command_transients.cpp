#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/plan.h"
#include "app/commands/tables.h"
#include "core/values/knobs/wording.h"
#include "core/answers/plan/rules.h"
#include "core/papers/transients.h"

#include <iostream>

namespace plimsoll {

namespace {

void print_pass(const char* title, const std::vector<Transient>& all, const BlockPlacement& p) {
    std::vector<std::vector<std::string>> rows{{title, "size", "from step", "to step", "offset"}};
    for (std::size_t i = 0; i < all.size(); ++i) {
        const MemoryBlock& b = all[i].block;
        rows.push_back({all[i].name, say(b.size), std::to_string(b.born), std::to_string(b.freed), say(p.offset[i])});
    }
    rows.push_back({"in all", say(p.peak), "", "", ""});
    std::cout << table(rows) << "\n";
}

}  // namespace

int run_transients(const TransientsArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    if (const auto obstacles = check(*plan); !obstacles.empty()) return refuse(obstacles);
    const TransientPlan t = plan_transients(*plan);
    print_pass("one layer, forward", forward_transients(*plan), t.forward);
    print_pass("one layer, backward", backward_transients(*plan), t.backward);
    std::cout << "All layers and the loss: " << say(t.peak) << ", " << fixed(t.lost(), 4) << " of the most that is alive at once"
              << (t.exact ? "; the layers' plans are optimal" : "") << ".\nThe stack's allocator is taken at "
              << fixed(plan->stack.fragmentation, 3) << " of what it holds.\n";
    return exit_ok;
}

}  // namespace plimsoll

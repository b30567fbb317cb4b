#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/plan.h"
#include "core/files/launch/launch.h"

#include <iostream>

namespace plimsoll {

int run_launch(const LaunchArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    const auto script = launch_script(*plan, *framework_from(a.framework));
    if (script) {
        std::cout << *script;
        return exit_ok;
    }
    for (const std::string& why : script.error()) std::cerr << why << "\n";
    return exit_infeasible;
}

}  // namespace plimsoll

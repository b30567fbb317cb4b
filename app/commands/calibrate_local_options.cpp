#include "app/commands/calibrate_local_options.h"

namespace plimsoll {

bool asks_for_local(const CLI::App& command) {
    return command.count("--plan") + command.count("--run") + command.count("--import") > 0;
}

void add_calibrate_local(CLI::App& command, CalibrateLocalArguments& a) {
    auto* plan = command.add_flag_callback("--plan", [&a] { a.action = CalibrateAction::plan; }, "What would run and what each run tells; nothing runs");
    auto* run = command.add_option_function<std::string>("--run", [&a](const std::string&) { a.action = CalibrateAction::run; },
                                                         "local: run it on this computer, under mpirun")
                    ->check(CLI::IsMember({"local"}))->excludes(plan);
    command.add_option_function<std::string>("--import", [&a](const std::string& file) { a.action = CalibrateAction::import, a.out = file; },
                                             "What a result says that was measured here or elsewhere")
        ->excludes(plan)->excludes(run);
    command.add_flag("--resume", a.resume, "Go on from what an interrupted run left beside --out")->needs(run);
    command.add_flag("--json", a.json, "The plan, or the result, as JSON");
}

}  // namespace plimsoll

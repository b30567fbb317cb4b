#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/plan.h"
#include "core/answers/plan/estimate.h"
#include "core/values/knobs/wording.h"
#ifdef PLIMSOLL_GUI
#include "app/window/gui_main.h"
#endif

#include <algorithm>
#include <iostream>

namespace plimsoll {

int run_export_command([[maybe_unused]] int argc, [[maybe_unused]] char** argv, const ExportArguments& a) {
    for (const std::string& format : a.formats)
        if (format != "pdf" && format != "svg" && format != "png" && format != "csv") {
            std::cerr << "--formats " << format << ": expected any of pdf, svg, png, csv\n";
            return exit_usage;
        }
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    const Outcome outcome = estimate(*plan);
    if (!outcome) return refuse(outcome.error());
#ifdef PLIMSOLL_GUI
    const int code = run_export(argc, argv, *plan, a.out, a.formats, a.dpi);
    return code != exit_ok ? code : runs(outcome) ? exit_ok : exit_infeasible;
#else
    std::cerr << "plimsoll: this build has no figures (configured without PLIMSOLL_GUI); 'plimsoll sweep --csv' writes the data\n";
    return exit_usage;
#endif
}

}  // namespace plimsoll

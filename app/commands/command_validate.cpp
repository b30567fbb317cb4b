#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/measured_rows.h"
#include "app/commands/validate_report.h"
#include "core/files/results/track_record.h"

#include <iostream>

namespace plimsoll {

int run_validate(const ValidateArguments& a) {
    const Library& library = shipped_library();
    const Stack* stack = nullptr;
    if (!a.stack.empty()) {
        const auto found = library.stacks.find(a.stack);
        if (found == library.stacks.end()) {
            std::cerr << "no stack preset '" << a.stack << "'; 'plimsoll presets stacks' lists them\n";
            return exit_usage;
        }
        stack = &found->second;
    }
    const auto rows = read_measured_rows(a.sets, library);
    if (!rows) return refuse(rows.error());
    const Score scored = score(*rows, row_presets(library), stack);
    if (a.json) print_json(std::cout, scored);
    else if (a.csv) print_csv(std::cout, scored);
    else print_text(std::cout, scored);
    return exit_ok;
}

}  // namespace plimsoll

#pragma once
// The options of `plimsoll calibrate` for this computer and for results.
//
//   add_calibrate_local(*app.add_subcommand("calibrate", "..."), arguments);

#include "app/commands/calibrate_local.h"

#include <CLI/CLI.hpp>

namespace plimsoll {

// The options that say that this computer is meant, or a result: any of them given?
bool asks_for_local(const CLI::App& command);
// --plan, --run local, --import, --resume, --json, --result, --budget. Fills `arguments` when parsed.
void add_calibrate_local(CLI::App& command, CalibrateLocalArguments& arguments);

}  // namespace plimsoll

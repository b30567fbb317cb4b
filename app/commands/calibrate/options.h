#pragma once
// The options of `plimsoll calibrate`: on this computer, in a batch job, or of a
// result that is there.
//
//   add_calibrate(app, options, code);   // `code` becomes the command's exit code

#include "app/commands/calibrate/local.h"

#include <CLI/CLI.hpp>

#include <optional>

namespace plimsoll {

struct CalibrateOptions {
    PlanArguments plan;
    std::string out;                 // empty: the usual name of what is written
    std::optional<double> budget;    // seconds
    CalibrateLocalArguments local;
    CalibrateArguments job;
};

void add_calibrate(CLI::App&, CalibrateOptions&, int& code);

}  // namespace plimsoll

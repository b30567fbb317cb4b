#pragma once
// What main() needs of the graphical half; everything else of Qt stays in views.

#include "core/values/plan/scenario.h"

#include <string>
#include <vector>

namespace plimsoll {

// The window. `file` may be empty: the example plan is shown.
int run_window(int argc, char** argv, const std::string& file);

// Figures of a plan into `dir`; works without a display. 0, or 1 with the problem on stderr.
int run_export(int argc, char** argv, const Scenario&, const std::string& dir, const std::vector<std::string>& formats,
               int dpi);

}  // namespace plimsoll

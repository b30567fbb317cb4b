#pragma once
// The window used as an instrument: how fast it follows (plimsoll bench), and pictures of it (plimsoll screenshot).
// Nothing here runs when the window is opened.

#include "app/commands/window.h"
#include "core/values/plan/scenario.h"

#include <string>

namespace plimsoll {

WindowTimes measure_frames(int argc, char** argv, int frames);
AutomaticTimes measure_live(int argc, char** argv, const Scenario&, int moves);

// A picture of the window as a PNG. `theme` is "light" or "dark", `size` as "1400x900". `page` is one of
//   a page of MainWindow::show_page, or "help", "help-NAME" for a page of the help in its own window;
//   "explain": the overview with the explanation open;
//   "calibrate-plan", "calibrate-job": before a calibration, and as a batch job;
//   "calibrate-run": the trial after a run of what its form opens with;
//   "calibrate-going", "calibrate-cancelled", "calibrate-end": a calibration after 20 s, cancelled then, at its end;
//   "calibrate-proof", "-steps", "-done", "-cautions": the result, where the file is the log of a calibration;
//   "calibrate-drift", "-parts", "-empty": a running job with steps made up for the picture, with their parts, before
//   any are opened.
// 0, or 1 with the problem on stderr.
int run_screenshot(int argc, char** argv, const std::string& scenario_file, const std::string& png,
                   const std::string& theme, const std::string& page, const std::string& size,
                   const std::string& language);

}  // namespace plimsoll

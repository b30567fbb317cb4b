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

// From a step of the node slider until every chart in view is painted, on the
// overview page of a 1400 x 900 window, drawn in memory.
struct FrameTimes {
    double median_ms = 0, p95_ms = 0;
};
FrameTimes measure_frames(int argc, char** argv, int frames);

// With automatic layout on: from a step of the node slider until the best layout is taken, the best
// of every node count is there and the charts in view are painted; and the longest time the window
// took over any batch of events meanwhile.
struct LiveTimes {
    double median_ms = 0, p95_ms = 0, longest_gap_ms = 0;
};
LiveTimes measure_live(int argc, char** argv, const Scenario&, int moves);

// A picture of the window. Theme "light" or "dark"; page as in MainWindow::show_page, 
// "explain" for the overview with the explanation open, "calibrate-run" for the trial after a run of what its
// form opens with, "calibrate-plan", "calibrate-job", "calibrate-going" for a calibration after 20 s, "calibrate-cancelled" for one that is
// cancelled then, "calibrate-end" for the end of one, "calibrate-proof", "-steps", "-done" and
// "-cautions" for the result where the file is the log of one, "calibrate-drift" for a running job with steps made up for the picture,
// "calibrate-drift-parts" with their parts, "calibrate-drift-empty" before any are opened; size as "1400x900".
int run_screenshot(int argc, char** argv, const std::string& scenario_file, const std::string& png,
                   const std::string& theme, const std::string& page, const std::string& size);

}  // namespace plimsoll

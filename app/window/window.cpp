#include "app/window/window.h"

#include "app/instruments/instruments.h"
#include "app/window/gui_main.h"

namespace plimsoll {

int PlannerWindow::open(const std::string& file) { return run_window(argc_, argv_, file); }

int PlannerWindow::export_figures(const Scenario& s, const std::string& folder,
                                  const std::vector<std::string>& formats, int dpi) {
    return run_export(argc_, argv_, s, folder, formats, dpi);
}

int PlannerWindow::take(const Screenshot& shot) {
    return run_screenshot(argc_, argv_, shot.file, shot.png, shot.theme, shot.page, shot.size);
}

FrameTimes PlannerWindow::measure_frames(int frames) { return plimsoll::measure_frames(argc_, argv_, frames); }

LiveTimes PlannerWindow::measure_live(const Scenario& s, int moves) {
    return plimsoll::measure_live(argc_, argv_, s, moves);
}

}  // namespace plimsoll

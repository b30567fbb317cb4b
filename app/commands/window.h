#pragma once
// What the command line asks of the graphical half. A program without one is given none, and the
// commands say so; that is why no command includes anything of Qt.

#include "core/answers/curves/figure_options.h"
#include "core/answers/propose/measured_points.h"
#include "core/files/results/proposal_pack.h"
#include "core/values/plan/scenario.h"

#include <string>
#include <vector>

namespace plimsoll {

// From a step of the node slider until every chart in view is painted, on the
// overview page of a 1400 x 900 window, drawn in memory.
struct FrameTimes {
    double median_ms = 0, p95_ms = 0;
};
struct WindowTimes {
    FrameTimes alone;          // a single plan is open
    FrameTimes six_open;       // in tabs; the other five stay behind
    FrameTimes six_compared;   // on the page that compares them
};

// With automatic layout on, from an edit until the charts in view are painted, until the best layout is taken and
// painted, and the longest time the window took over any batch of events until then: of a step of the node slider, and
// of an edit of the batch, after which everything is searched again.
struct LiveTimes {
    FrameTimes charts, best;
    double longest_batch_ms = 0;
};
struct AutomaticTimes {
    LiveTimes nodes, batch, nodes_six_open;
};

struct Screenshot {
    std::string file;                 // scenario
    std::string png;                  // where to write
    std::string theme = "light";      // or "dark"
    std::string page = "overview";
    std::string size = "1400x900";
    std::string language = "en";
};

class Window {
public:
    virtual ~Window() = default;

    // Until it is closed; the program's exit code. Without a file the example plan is shown.
    // `language`: "en", "ja", or "" for the one that was chosen in the window.
    virtual int open(const std::string& file, const std::string& language) = 0;
    // Figures of a plan into a folder, without a display. 0, or 1 with the problem on stderr.
    virtual int export_figures(const Scenario&, const std::string& folder, const ExportOptions&,
                               const MeasuredScaling&) = 0;
    // The files of a proposal into its folder, with its figures drawn and its report as PDF, `footer` on every page.
    // Likewise.
    virtual int write_proposal(const ProposalPack&, const std::string& folder, const std::string& footer) = 0;
    virtual int take(const Screenshot&) = 0;
    virtual WindowTimes measure_frames(int frames) = 0;
    virtual AutomaticTimes measure_live(const Scenario&, int moves) = 0;
};

}  // namespace plimsoll

#pragma once
// One figure laid out on a QCustomPlot: title, axes, legend block, theme. The
// window's charts and the exported files are both drawn by this.

#include "views/charts/drawing.h"

#include <QFont>

namespace plimsoll {

struct FrameStyle {
    const ChartTheme* theme = &light_chart();
    QFont text{"DejaVu Sans", 9};
    bool title = true;  // on paper the caption says it
    double stroke = 1.6;
};

FrameStyle screen_style(const ChartTheme&);  // of every chart in the window

class PlotFrame {
public:
    explicit PlotFrame(QCustomPlot& plot) : plot_(plot) {}
    void set_style(const FrameStyle&);
    // Everything but the replot. `drawing.theme` and `stroke` are filled in here.
    void set_figure(Drawing drawing);

private:
    void lay_out(bool beside);
    void style_axis(QCPAxis*, const Axis&, bool log);
    void set_ticks(const Drawing&);
    void fit_upright_title();
    int most_names(const Figure&) const;
    bool names_stand_upright(const Figure&) const;
    int room_for_names() const;   // pixels across
    int longest_name(const Figure&) const;
    double label_room(const Figure&) const;

    QCustomPlot& plot_;
    FrameStyle style_;
    QCPTextElement* title_ = nullptr;
    LegendBlock* legend_ = nullptr;
    bool beside_ = false;
};

}  // namespace plimsoll

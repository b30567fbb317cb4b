#pragma once
// One figure laid out on a QCustomPlot: title, axes, legend block, theme. The
// window's charts and the exported files are both drawn by this.

#include "views/charts/drawing.h"
#include "views/charts/look.h"

#include <QFont>

#include <qcustomplot.h>
#include <string>
#include <vector>

namespace plimsoll {

struct FrameStyle {
    const ChartTheme* theme = &light_chart();
    QFont text{"DejaVu Sans", 9};  // of files, which look alike wherever they are made
    bool title = true;  // on paper the caption says it
    bool legend = true;
    double stroke = 1.6;
    bool steady = false;   // the plot's place depends on the size and the kind of figure alone, not on its numbers
};

FrameStyle screen_style(const ChartTheme&);  // of every chart in the window

class PlotFrame {
public:
    explicit PlotFrame(QCustomPlot& plot) : plot_(plot) {}
    void set_style(const FrameStyle&);
    // Everything but the replot. `drawing.theme` and `stroke` are filled in here.
    void set_figure(Drawing drawing);
    int rows_with_room() const;  // names below each other
    int least_height() const;    // that shows a legend below the plot whole; 0 where none is

private:
    void lay_out(bool beside);
    void style_axis(QCPAxis*, const Axis&, bool log);
    void set_ticks(const Drawing&);
    void fit_upright_title();
    void keep_place(const Drawing&);
    void keep_room_of_legend(const Drawing&);
    int most_names(const Figure&) const;
    bool names_stand_upright(const Figure&) const;
    int room_for_names() const;
    int room_for_name(const Figure&) const;   // pixels across
    int longest_name(const Figure&) const;
    int room_upright() const;
    double label_room(const Figure&) const;

    QCustomPlot& plot_;
    FrameStyle style_;
    QCPTextElement* title_ = nullptr;
    LegendBlock* legend_ = nullptr;
    bool beside_ = false;
    int legend_lines_ = 0;      // the most that were needed below a plot of this width
    int legend_width_ = 0;      // of the plot
};

// What is painted over a finished plot: it costs a blit, not a replot, and
// never reaches an exported file.

// Lines of text in a box beside `at`, inside a widget of this size.
void paint_value_label(QPainter&, const ChartTheme&, const QStringList& lines, const QPointF& at, const QSize& size);
void paint_focus(const QWidget&, QPainter&);  // an edge while it has the keyboard

// Axis ticks with plain labels: 1-2-5 steps on a logarithmic axis (decades
// only when there are many, and never fewer than two labels), powers of two
// where nodes or devices are counted, "4,096" rather than 4e3, names for
// categories.
QString tick_label(double value);
QString short_tick_label(double value);   // "250k" and "3M", of six letters at the most
using TickText = QString (*)(double);

// `most` is how many labels have room.
class LinearTicks : public QCPAxisTicker {
public:
    explicit LinearTicks(int most, TickText text = tick_label) : text_(text) {
        setTickCount(std::max(2, std::min(5, most)));
    }

protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return text_(tick); }

private:
    TickText text_;
};

class LogTicks : public QCPAxisTicker {
public:
    // `whole`: nothing stands between 1 and 2 nodes, nor below 1; and few machines are used by 20 or 50 nodes.
    explicit LogTicks(int most, bool whole = false, TickText text = tick_label)
        : most_(std::max(2, most)), whole_(whole), text_(text) {}
    QVector<double> ticks(const QCPRange& range) { return createTickVector(0, range); }

protected:
    QVector<double> createTickVector(double step, const QCPRange&) override;
    QVector<double> createSubTickVector(int, const QVector<double>&) override { return {}; }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return text_(tick); }
    int getSubTickCount(double) override { return 0; }

private:
    int most_;
    bool whole_;
    TickText text_;
};

// One tick per category at 0, 1, 2 ...; names are left out evenly when there
// are more than `most`.
class CategoryTicks : public QCPAxisTicker {
public:
    explicit CategoryTicks(const std::vector<std::string>& names, int most);

protected:
    QVector<double> createTickVector(double step, const QCPRange&) override;
    QString getTickLabel(double tick, const QLocale&, QChar, int) override;
    int getSubTickCount(double) override { return 0; }

private:
    std::vector<QString> names_;
    int stride_;
};

}  // namespace plimsoll

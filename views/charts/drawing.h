#pragma once
// Turns a Figure into plottables and legend entries of a QCustomPlot, and
// finds the axis ranges. Knows nothing of widgets, hovering or files.

#include "views/charts/items.h"

#include "core/answers/curves/figures.h"

namespace plimsoll {

inline constexpr double bar_width = 0.78;  // of stacked bars, where the distance from bar to bar is 1

struct Drawing {
    const Figure* figure = nullptr;
    const Figure* whole = nullptr;     // with parts that are nothing, for which there is room on screen; null: none
    const Figure* baseline = nullptr;  // same id, drawn dashed and faint; may be null
    const ChartTheme* theme = nullptr;
    bool log_x = false, log_y = false;
    double stroke = 1.6;
    const std::vector<int>* looks = nullptr;  // of rows (shown.h); null: each part's own place
    QFont font;  // of what is written inside the plot
};

// One series of bars with names too long for columns lies down: rows, read from
// the top, each with its value and share written at the end. Points in categories
// lie down likewise, as strips.
enum class Shape { lines, columns, rows, strips };
Shape shape_of(const Figure&);
bool has_points(const Figure&);
double height_of_bar(const Figure&, std::size_t category);   // of a stack of bars
QString with_unit(double value, const Axis&);                // "41.2 days"
inline bool is_bars(const Figure& f) { return shape_of(f) != Shape::lines; }
// Replaces all plottables; the returned entries describe them, in legend order.
std::vector<LegendEntry> draw_series(QCustomPlot&, const Drawing&);
// Of the plot's own axes: for rows the categories are vertical.
QCPRange range_of(const Drawing&, Qt::Orientation);
QCPRange bar_positions(std::size_t count);   // of so many columns or rows, with room at both ends
QString axis_title(const Axis&);
// Whether the labels of rows also give each part's share of the whole.
inline bool has_room_for_shares(const QCustomPlot& plot) { return plot.viewport().width() >= 360; }

// Lines, points and bands of a figure as graphs of a QCustomPlot, each with its
// legend entry. For drawing.cpp alone; bars are drawn there.

// A graph on the axes the figure's shape asks for: categories of a strip are vertical.
QCPGraph* add_graph(QCustomPlot&, const Drawing&, const QPen&);

LegendEntry add_line(QCustomPlot&, const Series&, const SeriesLook&, const Drawing&);
LegendEntry add_points(QCustomPlot&, const Series&, const SeriesLook&, const Drawing&);
LegendEntry add_change(QCustomPlot&, const Series&, const SeriesLook&, const Drawing&);
LegendEntry add_band(QCustomPlot&, const Series&, const QColor&, const Drawing&);
LegendEntry add_ideal(QCustomPlot&, const Series&, const Drawing&);
LegendEntry add_limit(QCustomPlot&, const Series&, const Drawing&);
LegendEntry add_baseline(QCustomPlot&, const Drawing&);  // all its lines
LegendEntry add_here(QCustomPlot&, const Drawing&);      // where the current plan is

bool all_fit(const Series&);
inline QVector<double> vector(const std::vector<double>& v) { return QVector<double>(v.begin(), v.end()); }

}  // namespace plimsoll

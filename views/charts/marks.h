#pragma once
// Lines, points and bands of a figure as graphs of a QCustomPlot, each with its
// legend entry. For drawing.cpp alone; bars are drawn there.

#include "views/charts/drawing.h"

namespace plimsoll {

// A graph on the axes the figure's shape asks for: categories of a strip are vertical.
QCPGraph* add_graph(QCustomPlot&, const Drawing&, const QPen&);

LegendEntry add_line(QCustomPlot&, const Series&, const SeriesLook&, const Drawing&);
LegendEntry add_points(QCustomPlot&, const Series&, const SeriesLook&, const Drawing&);
LegendEntry add_band(QCustomPlot&, const Series&, const QColor&, const Drawing&);
LegendEntry add_ideal(QCustomPlot&, const Series&, const Drawing&);
LegendEntry add_limit(QCustomPlot&, const Series&, const Drawing&);
LegendEntry add_baseline(QCustomPlot&, const Drawing&);  // all its lines
LegendEntry add_here(QCustomPlot&, const Drawing&);      // where the present plan is

bool all_fit(const Series&);
inline QVector<double> vector(const std::vector<double>& v) { return QVector<double>(v.begin(), v.end()); }

}  // namespace plimsoll

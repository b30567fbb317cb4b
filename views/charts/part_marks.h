#pragma once
// One part of stacked bars, marked in all of them over the finished plot: outlined, with its value beside each.
//
//   const std::string id = part_at(plot, figure, mouse);    // of the part that lies there; empty: none
//   paint_part(painter, plot, figure, id, theme);
//   part_values(figure, id);                                // "3.95", "4.2": of each bar, with the unit

#include "views/charts/look.h"

#include "core/answers/curves/figures.h"

#include <qcustomplot.h>

#include <QStringList>

#include <string>

namespace plimsoll {

std::string part_at(const QCustomPlot&, const Figure&, const QPointF&);
// The part `by` places above or below another that is in the figure; the lowest or the highest from none.
std::string next_part(const Figure&, const std::string& id, int by);
void paint_part(QPainter&, const QCustomPlot&, const Figure&, const std::string& id, const ChartTheme&);
QStringList part_values(const Figure&, const std::string& id);
const Series* find_part(const Figure&, const std::string& id);

}  // namespace plimsoll

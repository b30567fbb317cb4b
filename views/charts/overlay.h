#pragma once
// What is painted over a finished plot: it costs a blit, not a replot, and
// never reaches an exported file.

#include "views/charts/look.h"

namespace plimsoll {

// Lines of text in a box beside `at`, inside a widget of this size.
void paint_value_label(QPainter&, const ChartTheme&, const QStringList& lines, const QPointF& at, const QSize& size);
void paint_focus(const QWidget&, QPainter&);  // an edge while it has the keyboard

}  // namespace plimsoll

#pragma once
// How charts look: two palettes, and per series a colour, dash, marker and
// hatch, so that a chart printed in grey can still be read.

#include <qcustomplot.h>
#include <QColor>
#include <QFont>

#include <vector>

namespace plimsoll {

enum class Hatch { none, rising, falling, level, upright };

struct ChartTheme {
    QColor background, text, faint, grid, axis;
    QColor limit;  // capacity lines
    QColor ideal;  // reference curves and the pinned baseline
    QColor here;   // the current plan
    std::vector<QColor> series;
    std::vector<QColor> lines = {};   // of lines and points, where they differ from areas
};

// Okabe and Ito, the pale ones darker: every series stands out 3:1 from the ground. Also for everything exported.
const ChartTheme& light_chart();
const ChartTheme& dark_chart();   // the same hues, lifted for a dark ground
// Without any colour: areas of neighbouring series differ in their grey and hatch, lines in dash and mark and are all
// dark.
const ChartTheme& grey_chart();

QColor ink_on(const QColor& fill);  // black or white, whichever is read better on it
QColor hatch_ink(const QColor& fill);   // of the lines of a hatch on it
QFont chart_font();               // of all text in charts on screen: the application's, somewhat smaller

struct SeriesLook {
    QColor colour;
    QColor ink;        // of lines and points
    Qt::PenStyle dash = Qt::SolidLine;
    QCPScatterStyle::ScatterShape marker = QCPScatterStyle::ssDisc;
    Hatch hatch = Hatch::none;
};
// Depends on the position only, so a series keeps its look when others come and go.
SeriesLook look_of(const ChartTheme&, int index);

// Lines across `box` for a hatch, `spacing` pixels apart. Computed rather than
// clipped or taken from a brush pattern: both get lost in SVG.
QVector<QLineF> hatch_lines(Hatch, const QRectF& box, double spacing);

}  // namespace plimsoll

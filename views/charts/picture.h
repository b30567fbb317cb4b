#pragma once
// Whatever is drawn on paper: a figure, a timeline. One layout for all formats, so that the same picture comes out of
// PDF, SVG, PNG, the printer and the dialog that shows it beforehand.
//
//   const Picture p = picture_of(figure, options);
//   write(bytes_of(p, options, "pdf"));
//   write(sheet_of({p, q}, options, "Plan"));      // on the pages of one PDF
//
// A picture is laid out with letters of one size, in pixels, and scaled as a whole to the size that is asked for. So
// letters have exactly the stated points, and lines and marks keep their proportion to them.
// Needs a QGuiApplication (offscreen will do). The same picture gives the same bytes.

#include "core/answers/curves/figure_options.h"
#include "core/answers/curves/figures.h"
#include "views/charts/look.h"

#include <QByteArray>
#include <QString>

#include <functional>
#include <vector>

class QPagedPaintDevice;

namespace plimsoll {

// What a picture is drawn on: from (0, 0), in the painter's own units.
struct Paper {
    QSize size;
    QFont font;                  // of all its text
    const ChartTheme& theme;
};

struct Picture {
    QString id, title, description;
    double height_mm = 0;
    std::function<void(QCPPainter&, const Paper&, QCPPainter::PainterModes)> paint;
};

// Strips grow with their categories: every name has to stand there.
Picture picture_of(const Figure&, const FigureOptions&);

// "pdf", "svg" or "png"; empty for any other format.
QByteArray bytes_of(const Picture&, const FigureOptions&, const QString& format);

// Of all on A4 pages, below and beside each other as they fit, `heading` and the page's number on each.
QByteArray sheet_of(const std::vector<Picture>&, const FigureOptions&, const QString& heading);
// The same on a printer or its preview, on the paper that is in it.
void paint_sheet(QPagedPaintDevice&, const std::vector<Picture>&, const FigureOptions&, const QString& heading);

QByteArray undated(QByteArray pdf);  // without the time it was made

}  // namespace plimsoll

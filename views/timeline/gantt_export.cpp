#include "views/timeline/gantt_export.h"

#include "views/charts/export.h"

#include <QBuffer>
#include <QImage>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>

namespace plimsoll {

namespace {

// CSS pixels (1/96 inch), as the other figures.
const QSize page(int(figure_width_mm / 25.4 * 96 + 0.5), int(figure_height_mm / 25.4 * 96 + 0.5));
constexpr int png_dpi = 300;

void paint(QPainter& p, const Timeline& t, GanttView view) {
    QFont text(QStringLiteral("DejaVu Sans"));
    text.setPixelSize(11);
    p.setFont(text);
    view.area = QRectF(QPointF(0, 0), page);
    paint_gantt(p, t, view, light_chart());
}

}  // namespace

QByteArray gantt_picture(const Timeline& t, GanttView view, const QString& format, const QString& title) {
    QBuffer out;
    out.open(QIODevice::WriteOnly);
    if (format == QStringLiteral("svg")) {
        QSvgGenerator svg;
        svg.setOutputDevice(&out);
        svg.setTitle(title);
        svg.setResolution(96);
        svg.setSize(page);
        svg.setViewBox(QRect(QPoint(0, 0), page));
        QPainter p(&svg);
        paint(p, t, view);
    } else if (format == QStringLiteral("pdf")) {
        QPdfWriter pdf(&out);
        pdf.setCreator(QStringLiteral("Plimsoll"));
        pdf.setTitle(title);
        pdf.setResolution(96);
        pdf.setPageSize(QPageSize(QSizeF(figure_width_mm, figure_height_mm), QPageSize::Millimeter, {}, QPageSize::ExactMatch));
        pdf.setPageMargins(QMarginsF());
        QPainter p(&pdf);
        paint(p, t, view);
    } else if (format == QStringLiteral("png")) {
        const double scale = png_dpi / 96.0;
        QImage image(page * scale, QImage::Format_RGB32);
        image.fill(Qt::white);
        image.setDotsPerMeterX(int(png_dpi / 0.0254 + 0.5));
        image.setDotsPerMeterY(int(png_dpi / 0.0254 + 0.5));
        {
            QPainter p(&image);
            p.scale(scale, scale);
            paint(p, t, view);
        }
        image.save(&out, "PNG");
    }
    return out.data();
}

}  // namespace plimsoll

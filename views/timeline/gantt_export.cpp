#include "views/timeline/gantt_export.h"

#include "core/files/results/trace_json.h"
#include "core/files/text/disk.h"
#include "views/charts/export.h"
#include "views/plan/text.h"

#include <QBuffer>
#include <QFileInfo>
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

Problems save_timeline(const Timeline& t, const GanttView& view, const Scenario& plan, const QString& path) {
    const QString ending = QFileInfo(path).suffix().toLower();
    if (t.tasks.empty()) return {{Severity::error, path.toStdString(), {}, note(t)}};
    const auto text = [&]() -> std::string {
        if (ending == QStringLiteral("json")) return to_trace_json(t, plan);
        if (ending == QStringLiteral("csv")) return to_csv(t, plan);
        return gantt_picture(t, view, ending, to_qt(plan.name)).toStdString();
    }();
    if (text.empty())
        return {{Severity::error, path.toStdString(), {},
                 QObject::tr("unknown ending; known: json, csv, svg, png, pdf").toStdString()}};
    const auto written = write_atomically(path.toStdString(), text);
    return written ? Problems{} : written.error();
}

Problems export_timeline(const Scenario& plan, const QString& stem, const std::vector<std::string>& formats) {
    const Timeline t = timeline(without_sources(plan));
    const GanttView whole{{}, Seconds{}, t.span, t.stages()};
    for (const std::string& format : formats) {
        const QString path = stem + QStringLiteral("-pipeline-timeline.") + to_qt(format);
        if (Problems problems = save_timeline(t, whole, plan, path); !problems.empty()) return problems;
    }
    return {};
}

}  // namespace plimsoll

#include "views/charts/picture.h"

#include "views/charts/plot_frame.h"
#include "views/charts/shown.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <QBuffer>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>

namespace plimsoll {

namespace {

constexpr int letter_pixels = 11;            // of the layout
constexpr double pixels_per_inch = 96, points_per_inch = 72, mm_per_inch = 25.4;

// How much larger on paper than in the layout, where a pixel is 1/96 inch.
double scale_of(const FigureOptions& o) { return o.font_pt / (letter_pixels * points_per_inch / pixels_per_inch); }

QSizeF layout_of(const FigureOptions& o, double height_mm) {
    const double pixels_per_mm = pixels_per_inch / mm_per_inch / scale_of(o);
    return {o.width_mm * pixels_per_mm, height_mm * pixels_per_mm};
}

Paper paper_of(const FigureOptions& o, double height_mm) {
    QFont font(to_qt(o.font));
    font.setPixelSize(letter_pixels);
    font.setStyleStrategy(QFont::NoSubpixelAntialias);   // whose edges are coloured
    const QSizeF layout = layout_of(o, height_mm);
    return {QSize(int(layout.width() + 0.5), int(layout.height() + 0.5)), font,
            o.grey ? grey_chart() : light_chart()};
}

void paint_on(QCPPainter& painter, const Picture& p, const FigureOptions& o, QCPPainter::PainterModes modes) {
    const Paper paper = paper_of(o, p.height_mm);
    painter.setModes(modes);
    painter.setFont(paper.font);
    p.paint(painter, paper, modes);
}

constexpr QCPPainter::PainterMode drawn = QCPPainter::pmVectorized;

// What `paint` draws on pages of this size, in the units of the layout.
template <class Paint>
QByteArray pdf_of(const QString& title, const QPageSize& size, const QMarginsF& margins_mm, Paint paint) {
    QBuffer out;
    out.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&out);
        writer.setCreator(QStringLiteral("Plimsoll"));
        writer.setTitle(title);
        writer.setResolution(int(pixels_per_inch));
        writer.setPageSize(size);
        writer.setPageMargins(margins_mm, QPageLayout::Millimeter);
        paint(writer);
    }
    return undated(out.data());
}

QByteArray as_pdf(const Picture& p, const FigureOptions& o) {
    const QPageSize size(QSizeF(o.width_mm, p.height_mm), QPageSize::Millimeter, {}, QPageSize::ExactMatch);
    return pdf_of(p.title, size, {}, [&](QPdfWriter& writer) {
        QCPPainter painter(&writer);
        painter.scale(scale_of(o), scale_of(o));
        paint_on(painter, p, o, QCPPainter::PainterModes(drawn) | QCPPainter::pmNoCaching);
    });
}

// Its units are those of the layout: what is written has the size that its font-size says, times millimetres by units.
QByteArray as_svg(const Picture& p, const FigureOptions& o) {
    constexpr double steps_per_mm = 100;
    QBuffer out;
    out.open(QIODevice::WriteOnly);
    {
        QSvgGenerator generator;
        generator.setOutputDevice(&out);
        generator.setTitle(p.title.toHtmlEscaped());  // written into the XML as they are
        generator.setDescription(p.description.toHtmlEscaped());
        generator.setResolution(int(steps_per_mm * mm_per_inch));
        generator.setSize(QSize(int(std::lround(o.width_mm * steps_per_mm)),
                                int(std::lround(p.height_mm * steps_per_mm))));
        generator.setViewBox(QRectF(QPointF(0, 0), layout_of(o, p.height_mm)));
        QCPPainter painter(&generator);
        paint_on(painter, p, o, QCPPainter::PainterModes(drawn) | QCPPainter::pmNoCaching);
    }
    return out.data();
}

QByteArray as_png(const Picture& p, const FigureOptions& o) {
    const double scale = scale_of(o) * o.dpi / pixels_per_inch;
    QImage image(int(std::lround(o.width_mm / mm_per_inch * o.dpi)),
                 int(std::lround(p.height_mm / mm_per_inch * o.dpi)), QImage::Format_RGB32);
    image.fill(Qt::white);
    {
        QCPPainter painter(&image);
        painter.scale(scale, scale);
        paint_on(painter, p, o, QCPPainter::PainterModes(QCPPainter::pmNoCaching) | QCPPainter::pmNonCosmetic);
    }
    if (o.grey) image = image.convertToFormat(QImage::Format_Grayscale8);
    // After it is painted: letters of so many points would grow with it.
    image.setDotsPerMeterX(int(std::lround(o.dpi / 0.0254)));
    image.setDotsPerMeterY(int(std::lround(o.dpi / 0.0254)));
    QBuffer out;
    out.open(QIODevice::WriteOnly);
    image.save(&out, "PNG");
    return out.data();
}

double figure_height(const Figure& f, const FigureOptions& o) {
    const double strip = 4 * scale_of(o), around = 24 * scale_of(o);
    return shape_of(f) == Shape::strips ? std::max(height_of(o), around + strip * double(f.categories.size()))
                                        : height_of(o);
}

}  // namespace

Picture picture_of(const Figure& figure, const FigureOptions& o) {
    Picture p;
    p.id = to_qt(figure.id);
    p.title = worded(figure.title);
    p.description = to_qt(figure.caption);
    p.height_mm = figure_height(figure, o);
    p.paint = [figure, title = o.title, legend = o.legend](QCPPainter& painter, const Paper& paper,
                                                           QCPPainter::PainterModes) {
        QCustomPlot plot;
        plot.resize(paper.size);
        PlotFrame frame(plot);
        FrameStyle style;
        style.theme = &paper.theme;
        style.title = title;
        style.legend = legend;
        style.stroke = 1.5;
        style.text = paper.font;
        frame.set_style(style);
        plot.setViewport(QRect(QPoint(0, 0), paper.size));
        const Shown shown = shown_of(figure, frame.rows_with_room());
        Drawing d;
        d.figure = &shown.figure;
        d.looks = shown.looks.empty() ? nullptr : &shown.looks;
        d.log_x = figure.x.logarithmic;
        d.log_y = figure.y.logarithmic;
        frame.set_figure(d);
        plot.toPainter(&painter, paper.size.width(), paper.size.height());
    };
    return p;
}

QByteArray bytes_of(const Picture& p, const FigureOptions& o, const QString& format) {
    if (format == QStringLiteral("pdf")) return as_pdf(p, o);
    if (format == QStringLiteral("svg")) return as_svg(p, o);
    if (format == QStringLiteral("png")) return as_png(p, o);
    return {};
}

// Spaces in its place: nothing moves, so that the file's table of places stays right.
QByteArray undated(QByteArray pdf) {
    const QByteArray entry("/CreationDate (");
    const qsizetype from = pdf.indexOf(entry);
    const qsizetype to = from < 0 ? -1 : pdf.indexOf(')', from);
    if (to > from && to - from < 64) pdf.replace(from, to - from + 1, QByteArray(to - from + 1, ' '));
    return pdf;
}

namespace {

struct Place {
    int page = 0;
    QPointF at;          // mm from the upper left of what can be printed
    double shrink = 1;   // of a picture that is larger than the page
};

constexpr double gap_mm = 6, head_mm = 10;

// Rows from the left, one below the other.
std::vector<Place> places_of(const std::vector<Picture>& pictures, double width_mm, const QSizeF& room) {
    std::vector<Place> places;
    Place next;
    next.at.setY(head_mm);
    double row = 0;
    for (const Picture& p : pictures) {
        const double shrink = std::min({1.0, room.width() / width_mm, (room.height() - head_mm) / p.height_mm});
        const QSizeF size(shrink * width_mm, shrink * p.height_mm);
        if (next.at.x() > 0 && next.at.x() + size.width() > room.width() + 0.01) {
            next.at = QPointF(0, next.at.y() + row + gap_mm);
            row = 0;
        }
        if (next.at.y() > head_mm && next.at.y() + size.height() > room.height() + 0.01) {
            next = {next.page + 1, QPointF(0, head_mm), 1};
            row = 0;
        }
        places.push_back({next.page, next.at, shrink});
        row = std::max(row, size.height());
        next.at.rx() += size.width() + gap_mm;
    }
    return places;
}

}  // namespace

void paint_sheet(QPagedPaintDevice& device, const std::vector<Picture>& pictures, const FigureOptions& o,
                 const QString& heading) {
    if (pictures.empty()) return;
    QCPPainter painter(&device);
    if (!painter.isActive()) return;
    const double dots_per_mm = device.logicalDpiX() / mm_per_inch;
    const QSizeF room(device.width() / dots_per_mm, device.height() / dots_per_mm);
    const std::vector<Place> places = places_of(pictures, o.width_mm, room);
    const int pages = places.back().page + 1;
    const double to_device = device.logicalDpiX() / pixels_per_inch;
    int page = -1;
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        if (places[i].page != page) {
            if (page >= 0) device.newPage();
            page = places[i].page;
            const Paper paper = paper_of(o, head_mm);
            painter.save();
            painter.scale(to_device * scale_of(o), to_device * scale_of(o));
            const double unit = pixels_per_inch / mm_per_inch / scale_of(o);   // of the layout in a millimetre
            const QRectF line(0, 0, room.width() * unit, (head_mm - 2) * unit);
            painter.setFont(paper.font);
            painter.setPen(paper.theme.faint);
            const QString number = QStringLiteral("%1 / %2").arg(page + 1).arg(pages);
            const double taken = QFontMetricsF(paper.font).horizontalAdvance(number) + 12;
            painter.drawText(line, Qt::AlignRight | Qt::AlignTop, number);
            painter.drawText(line, Qt::AlignLeft | Qt::AlignTop,
                             QFontMetricsF(paper.font).elidedText(heading, Qt::ElideRight, line.width() - taken));
            painter.restore();
        }
        painter.save();
        painter.translate(places[i].at * dots_per_mm);
        const double scale = to_device * scale_of(o) * places[i].shrink;
        painter.scale(scale, scale);
        paint_on(painter, pictures[i], o, QCPPainter::PainterModes(drawn) | QCPPainter::pmNoCaching);
        painter.restore();
    }
}

QByteArray sheet_of(const std::vector<Picture>& pictures, const FigureOptions& o, const QString& heading) {
    return pdf_of(heading, QPageSize(QPageSize::A4), {15, 15, 15, 15},
                  [&](QPdfWriter& writer) { paint_sheet(writer, pictures, o, heading); });
}

}  // namespace plimsoll

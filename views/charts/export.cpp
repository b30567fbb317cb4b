#include "views/charts/export.h"

#include "core/files/text/disk.h"
#include "core/values/basics/phrase.h"
#include "views/charts/plot_frame.h"
#include "views/charts/shown.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QDir>
#include <QMimeData>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>

namespace plimsoll {

namespace {

// One layout for all three formats, in CSS pixels (1/96 inch).
constexpr double pixels_per_mm = 96 / 25.4;

// Strips grow with their categories: every name has to stand there.
double height_mm(const Figure& f) {
    constexpr double strip = 4, around = 24;
    return shape_of(f) == Shape::strips ? std::max(figure_height_mm, around + strip * double(f.categories.size()))
                                        : figure_height_mm;
}

QSize page_of(const Figure& f) {
    return {static_cast<int>(figure_width_mm * pixels_per_mm + 0.5),
            static_cast<int>(height_mm(f) * pixels_per_mm + 0.5)};
}

void paint(const Figure& f, QCPPainter& painter, QCPPainter::PainterModes modes) {
    const QSize page = page_of(f);
    QCustomPlot plot;
    plot.resize(page);
    PlotFrame frame(plot);
    FrameStyle style;
    style.title = false;
    style.stroke = 1.5;
    style.text.setPixelSize(11);  // 8.25 pt
    frame.set_style(style);
    plot.setViewport(QRect(QPoint(0, 0), page));
    const Shown shown = shown_of(f, frame.rows_with_room());
    Drawing d;
    d.figure = &shown.figure;
    d.looks = shown.looks.empty() ? nullptr : &shown.looks;
    d.log_x = f.x.logarithmic;
    d.log_y = f.y.logarithmic;
    frame.set_figure(d);
    painter.setModes(modes);
    plot.toPainter(&painter, page.width(), page.height());
}

}  // namespace

QByteArray figure_pdf(const Figure& f) {
    QBuffer out;
    out.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&out);
        writer.setCreator(QStringLiteral("Plimsoll"));
        writer.setTitle(worded(f.title));
        writer.setResolution(96);
        writer.setPageSize(
            QPageSize(QSizeF(figure_width_mm, height_mm(f)), QPageSize::Millimeter, {}, QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF());
        QCPPainter painter(&writer);
        paint(f, painter, QCPPainter::pmVectorized | QCPPainter::pmNoCaching);
    }
    return undated(out.data());
}

// Spaces in its place: nothing moves, so that the file's table of places stays right.
QByteArray undated(QByteArray pdf) {
    const QByteArray entry("/CreationDate (");
    const qsizetype from = pdf.indexOf(entry);
    const qsizetype to = from < 0 ? -1 : pdf.indexOf(')', from);
    if (to > from && to - from < 64) pdf.replace(from, to - from + 1, QByteArray(to - from + 1, ' '));
    return pdf;
}

QByteArray figure_svg(const Figure& f) {
    QBuffer out;
    out.open(QIODevice::WriteOnly);
    {
        QSvgGenerator generator;
        generator.setOutputDevice(&out);
        generator.setTitle(worded(f.title).toHtmlEscaped());  // written into the XML as they are
        generator.setDescription(to_qt(f.caption).toHtmlEscaped());
        generator.setResolution(96);
        generator.setSize(page_of(f));
        generator.setViewBox(QRect(QPoint(0, 0), page_of(f)));
        QCPPainter painter(&generator);
        paint(f, painter, QCPPainter::pmVectorized | QCPPainter::pmNoCaching);
    }
    return out.data();
}

QByteArray figure_png(const Figure& f, int dpi) {
    const double scale = dpi / 96.0;
    QImage image(static_cast<int>(std::lround(figure_width_mm / 25.4 * dpi)),
                 static_cast<int>(std::lround(height_mm(f) / 25.4 * dpi)), QImage::Format_RGB32);
    image.fill(Qt::white);
    {
        QCPPainter painter(&image);
        painter.scale(scale, scale);
        paint(f, painter, QCPPainter::pmNoCaching | QCPPainter::pmNonCosmetic);
    }
    image.setDotsPerMeterX(static_cast<int>(std::lround(dpi / 0.0254)));
    image.setDotsPerMeterY(static_cast<int>(std::lround(dpi / 0.0254)));
    QBuffer out;
    out.open(QIODevice::WriteOnly);
    image.save(&out, "PNG");
    return out.data();
}

void copy_figure(const Figure& f, const std::string& csv) {
    auto* data = new QMimeData;
    data->setImageData(QImage::fromData(figure_png(f, 200)));
    data->setData(QStringLiteral("image/svg+xml"), figure_svg(f));
    data->setData(QStringLiteral("text/csv"), QByteArray::fromStdString(csv));
    data->setText(to_qt(csv));
    QApplication::clipboard()->setMimeData(data);
}

const std::vector<std::string>& export_formats() {
    static const std::vector<std::string> all{"pdf", "svg", "png", "csv"};
    return all;
}

QString file_stem(const Scenario& s) {
    QString stem;
    for (const QChar c : to_qt(s.name).trimmed()) {
        const bool plain = c.unicode() < 128 && (c.isLetterOrNumber() || c == u'.' || c == u'_');
        if (plain) stem.append(c);
        else if (!stem.endsWith(u'-')) stem.append(u'-');
    }
    while (stem.startsWith(u'-') || stem.startsWith(u'.')) stem.remove(0, 1);
    while (stem.endsWith(u'-')) stem.chop(1);
    return stem.isEmpty() ? QStringLiteral("plan") : stem;
}

namespace {

std::string content(const Figure& f, const std::string& csv, const std::string& format, int dpi) {
    if (format == "csv") return csv;
    if (format == "pdf") return figure_pdf(f).toStdString();
    if (format == "svg") return figure_svg(f).toStdString();
    return figure_png(f, dpi).toStdString();
}

Problem problem(const QString& file, const QString& message) {
    return {Severity::error, file.toStdString(), {}, message.toStdString()};
}

}  // namespace

ExportFiles figure_files(const Figure& f, const std::string& csv, const QString& stem,
                         const std::vector<std::string>& formats, int dpi) {
    ExportFiles files;
    for (const std::string& format : formats)
        files.push_back({stem + u'-' + to_qt(f.id) + u'.' + to_qt(format),
                         [f, csv, format, dpi] { return content(f, csv, format, dpi); }});
    return files;
}

Expected<ExportFiles, Problems> plan_files(const Scenario& s, const std::vector<Figure>& figures, const QString& dir,
                                           const std::vector<std::string>& formats, int dpi) {
    const auto refused = [](const QString& file, const QString& why) {
        return Unexpected{Problems{problem(file, why)}};
    };
    for (const std::string& format : formats)
        if (std::find(export_formats().begin(), export_formats().end(), format) == export_formats().end())
            return refused({}, QObject::tr("unknown format \"%1\"; known: pdf, svg, png, csv").arg(to_qt(format)));
    if (dpi < 30 || dpi > 2400) return refused({}, QObject::tr("resolution %1 dpi is outside 30 to 2400").arg(dpi));
    if (figures.empty())
        return refused({}, QObject::tr("the plan has no figures: it cannot be computed as it stands"));
    if (!QDir().mkpath(dir)) return refused(dir, QObject::tr("the folder cannot be created"));

    ExportFiles all;
    const QString stem = QDir(dir).filePath(file_stem(s));
    for (const Figure& f : figures)
        for (ExportFile& file : figure_files(f, to_csv(f, s), stem, formats, dpi)) all.push_back(std::move(file));
    all.push_back({stem + QStringLiteral("-captions.txt"), [figures, s] { return captions(figures, s); }});
    return all;
}

Problems write_files(const ExportFiles& files) {
    const Speaking english(nullptr);
    for (const ExportFile& file : files) {
        const auto content = file.content();
        if (!content) return content.error();
        const auto written = write_atomically(file.path.toStdString(), *content);
        if (!written) return written.error();
    }
    return {};
}

Problems export_figures(const Scenario& s, const std::vector<Figure>& figures, const QString& dir,
                        const std::vector<std::string>& formats, int dpi) {
    const auto files = plan_files(s, figures, dir, formats, dpi);
    return files ? write_files(*files) : files.error();
}

}  // namespace plimsoll

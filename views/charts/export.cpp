#include "views/charts/export.h"

#include "core/files/text/disk.h"
#include "core/values/basics/phrase.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QMimeData>

#include <algorithm>

namespace plimsoll {

namespace {
constexpr int copied_dpi = 200;
}

QByteArray figure_pdf(const Figure& f, const FigureOptions& o) {
    return bytes_of(picture_of(f, o), o, QStringLiteral("pdf"));
}

QByteArray figure_svg(const Figure& f, const FigureOptions& o) {
    return bytes_of(picture_of(f, o), o, QStringLiteral("svg"));
}

QByteArray figure_png(const Figure& f, const FigureOptions& o) {
    return bytes_of(picture_of(f, o), o, QStringLiteral("png"));
}

void copy_figure(const Figure& f, const std::string& csv) {
    auto* data = new QMimeData;
    data->setImageData(QImage::fromData(figure_png(f, {.dpi = copied_dpi})));
    data->setData(QStringLiteral("image/svg+xml"), figure_svg(f));
    data->setData(QStringLiteral("text/csv"), QByteArray::fromStdString(csv));
    data->setText(to_qt(csv));
    QApplication::clipboard()->setMimeData(data);
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

Problem problem(const QString& file, const QString& message) {
    return {Severity::error, file.toStdString(), {}, message.toStdString()};
}

}  // namespace

ExportFiles figure_files(const Figure& f, const std::string& csv, const QString& stem, const ExportOptions& o) {
    ExportFiles files;
    if (!wants(o, f.id)) return files;
    for (const std::string& format : o.formats)
        files.push_back({stem + u'-' + to_qt(f.id) + u'.' + to_qt(format),
                         [f, csv, format, o]() -> Expected<std::string, Problems> {
            if (format == "csv") return csv;
            const SpokenIn language(to_qt(o.language));
            return bytes_of(picture_of(f, o.figure), o.figure, to_qt(format)).toStdString();
        }});
    return files;
}

Expected<ExportFiles, Problems> plan_files(const Scenario& s, const std::vector<Figure>& figures, const QString& dir,
                                           const ExportOptions& o) {
    const auto refused = [](const QString& file, const QString& why) {
        return Unexpected{Problems{problem(file, why)}};
    };
    if (const std::string what = problem_with(o); !what.empty()) return refused({}, to_qt(what));
    if (figures.empty())
        return refused({}, QObject::tr("the plan has no figures: it cannot be computed as it stands"));
    if (!QDir().mkpath(dir)) return refused(dir, QObject::tr("the folder cannot be created"));

    ExportFiles all;
    std::vector<Figure> wanted;
    const QString stem = QDir(dir).filePath(file_stem(s));
    for (const Figure& f : figures) {
        if (wants(o, f.id)) wanted.push_back(f);
        for (ExportFile& file : figure_files(f, to_csv(f, s), stem, o)) all.push_back(std::move(file));
    }
    if (!wanted.empty())
        all.push_back({stem + QStringLiteral("-captions.txt"), [wanted, s] { return captions(wanted, s); }});
    return all;
}

ExportFile sheet_file(std::vector<Picture> pictures, const QString& stem, const QString& heading,
                      const ExportOptions& o) {
    return {stem + QStringLiteral("-sheet.pdf"),
            [pictures = std::move(pictures), heading, o]() -> Expected<std::string, Problems> {
        const SpokenIn language(to_qt(o.language));
        return sheet_of(pictures, o.figure, heading).toStdString();
    }};
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
                        const ExportOptions& o) {
    const auto files = plan_files(s, figures, dir, o);
    return files ? write_files(*files) : files.error();
}

}  // namespace plimsoll

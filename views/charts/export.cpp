#include "views/charts/export.h"

#include "core/files/text/disk.h"
#include "core/values/basics/phrase.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QMimeData>
#include <QSettings>

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

namespace {

QString group_of(const QString& programme) {
    return QStringLiteral("export/") + (programme.isEmpty() ? QStringLiteral("general")
                                                            : QStringLiteral("programme-") + programme);
}

}  // namespace

std::optional<ExportOptions> own_choice(const QString& programme) {
    QSettings settings;
    settings.beginGroup(group_of(programme));
    if (!settings.contains(QStringLiteral("width_mm"))) return {};
    ExportOptions o;
    FigureOptions& f = o.figure;
    f.width_mm = settings.value(QStringLiteral("width_mm")).toDouble();
    f.height_mm = settings.value(QStringLiteral("height_mm")).toDouble();
    f.dpi = settings.value(QStringLiteral("dpi"), f.dpi).toInt();
    f.font = settings.value(QStringLiteral("font"), to_qt(f.font)).toString().toStdString();
    f.font_pt = settings.value(QStringLiteral("font_pt"), f.font_pt).toDouble();
    f.title = settings.value(QStringLiteral("title"), f.title).toBool();
    f.legend = settings.value(QStringLiteral("legend"), f.legend).toBool();
    f.grey = settings.value(QStringLiteral("grey"), f.grey).toBool();
    o.formats.clear();
    for (const QString& format : settings.value(QStringLiteral("formats")).toStringList())
        o.formats.push_back(format.toStdString());
    o.language = settings.value(QStringLiteral("language")).toString().toStdString();
    o.sheet = settings.value(QStringLiteral("sheet")).toBool();
    return problem_with(o).empty() ? std::optional(o) : std::nullopt;
}

ExportOptions stored_choice(const QString& programme) {
    if (const auto own = own_choice(programme)) return *own;
    return own_choice({}).value_or(ExportOptions{});
}

void store_choice(const QString& programme, const ExportOptions& o) {
    QSettings settings;
    settings.setValue(QStringLiteral("export/last"), programme);
    settings.beginGroup(group_of(programme));
    const FigureOptions& f = o.figure;
    settings.setValue(QStringLiteral("width_mm"), f.width_mm);
    settings.setValue(QStringLiteral("height_mm"), f.height_mm);
    settings.setValue(QStringLiteral("dpi"), f.dpi);
    settings.setValue(QStringLiteral("font"), to_qt(f.font));
    settings.setValue(QStringLiteral("font_pt"), f.font_pt);
    settings.setValue(QStringLiteral("title"), f.title);
    settings.setValue(QStringLiteral("legend"), f.legend);
    settings.setValue(QStringLiteral("grey"), f.grey);
    settings.setValue(QStringLiteral("formats"), to_qt(o.formats));
    settings.setValue(QStringLiteral("language"), to_qt(o.language));
    settings.setValue(QStringLiteral("sheet"), o.sheet);
}

QString last_programme() { return QSettings().value(QStringLiteral("export/last")).toString(); }

}  // namespace plimsoll

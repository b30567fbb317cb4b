#include "views/charts/export_choice.h"

#include "views/parts/text.h"

#include <QSettings>

namespace plimsoll {

namespace {

QString group_of(const QString& programme) {
    return QStringLiteral("export/") + (programme.isEmpty() ? QStringLiteral("general")
                                                            : QStringLiteral("programme-") + programme);
}

QStringList words_of(const std::vector<std::string>& all) {
    QStringList words;
    for (const std::string& each : all) words << to_qt(each);
    return words;
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
    settings.setValue(QStringLiteral("formats"), words_of(o.formats));
    settings.setValue(QStringLiteral("language"), to_qt(o.language));
    settings.setValue(QStringLiteral("sheet"), o.sheet);
}

QString last_programme() { return QSettings().value(QStringLiteral("export/last")).toString(); }

}  // namespace plimsoll

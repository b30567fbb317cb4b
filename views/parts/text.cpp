#include "views/parts/text.h"

#include <QRegularExpression>
#include <QTextDocument>

#include <cmath>

namespace plimsoll {

namespace {

constexpr qsizetype longest_word = 60;

// A zero-width space after every so many characters of a word.
QString breakable(const QString& text) {
    QString out;
    qsizetype word = 0;
    for (const QChar c : text) {
        word = c.isSpace() ? 0 : word + 1;
        out += c;
        if (word % longest_word == 0 && word > 0 && !c.isHighSurrogate()) out += QChar(0x200B);
    }
    return out;
}

}  // namespace

QStringList to_qt(const std::vector<std::string>& texts) {
    QStringList all;
    for (const std::string& text : texts) all << to_qt(text);
    return all;
}

QString plain_text(const QString& text, qsizetype most) {
    const QString cut = text.size() > most ? text.left(most) + QStringLiteral("...") : text;
    const QString plain = breakable(cut);
    if (!Qt::mightBeRichText(plain)) return plain;
    return QStringLiteral("<qt>%1</qt>").arg(plain.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>")));
}

QString with_units_kept(QString text) {
    static const QRegularExpression gap(QStringLiteral(
        "(?<=[0-9]) (?=(?:%|d|h|min|s|ms|us|ns|days|[KMGTPE]i?B|kB|[kMGT]?Wh?|[kMGTP]?J|[GTPE]FLOP/s)"
        "(?![A-Za-z0-9]))"));
    return text.replace(gap, QString(QChar::Nbsp));
}

QString grouped(double value) {
    const double size = std::abs(value);
    if (!std::isfinite(value)) return QStringLiteral("-");
    if (size == 0) return QStringLiteral("0");
    if (size >= 1e12) return QLocale::c().toString(value, 'g', 4);
    if (size >= 999.5) {
        // Three digits are what the model is good for; whole thousands stay exact.
        const double step = std::pow(10.0, std::floor(std::log10(size)) - 2);
        const double rounded = std::floor(value) == value && size < 1e5 ? value : std::round(value / step) * step;
        return QLocale(QLocale::English).toString(static_cast<qlonglong>(std::llround(rounded)));
    }
    return QLocale::c().toString(value, 'g', 3);
}

QString delta_text(double now, double before) {
    if (!(std::abs(before) > 0)) return {};
    const double percent = (now / before - 1) * 100;
    if (std::abs(percent) < 0.05) return QStringLiteral("unchanged");
    const QString digits = QLocale::c().toString(std::abs(percent), 'f', std::abs(percent) < 10 ? 1 : 0);
    return (percent > 0 ? QStringLiteral("+") : QStringLiteral("\u2212")) + digits + QStringLiteral(" %");
}

QString share_text(double share) { return grouped(100 * share) + QStringLiteral(" %"); }

QString signed_share(double share) {
    const double size = std::abs(100 * share);
    const QString digits = QLocale::c().toString(size, 'f', size < 9.95 ? 1 : 0);
    if (size < 0.05) return digits + QStringLiteral(" %");
    return (share < 0 ? QStringLiteral("\u2212") : QStringLiteral("+")) + digits + QStringLiteral(" %");
}

}  // namespace plimsoll

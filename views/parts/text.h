#pragma once
// Core's text as Qt's, and numbers as the window shows them.

#include <QLocale>
#include <QString>
#include <QStringList>

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

inline QString to_qt(std::string_view s) { return QString::fromUtf8(s.data(), qsizetype(s.size())); }

QStringList to_qt(const std::vector<std::string>&);

// Text that may come from a file, for whatever takes plain and rich text: tooltips and message boxes. Markup is shown
// and not obeyed, words without end can be broken, and what is longer than `most` characters ends in dots.
QString plain_text(const QString& text, qsizetype most = 4000);

// "10 %", "12.4 d": a number and its unit stay on one line wherever the text is broken.
QString with_units_kept(QString text);

// "63,200", "1,204", "12.4", "0.031": three significant digits below a thousand, grouped above.
QString grouped(double value);
// "+3.1 %", "-12 %", "unchanged"; empty when there is nothing to compare with.
QString delta_text(double now, double before);

// Shares of one, in percent: 0.0585 is "5.85 %", to three digits, and "+5.9 %" where the sign matters.
// Where a column is compared, core's percent() writes one place throughout.
QString share_text(double share);
QString signed_share(double share);

}  // namespace plimsoll

#pragma once
// Small bridges between core's text and Qt's, and numbers as tiles show them.

#include <QLocale>
#include <QString>

#include <string>

namespace plimsoll {

inline QString to_qt(const std::string& s) { return QString::fromStdString(s); }

// "63,200", "1,204", "12.4", "0.031": three significant digits below a thousand, grouped above.
QString grouped(double value);
// "+3.1 %", "-12 %", "unchanged"; empty when there is nothing to compare with.
QString delta_text(double now, double before);

}  // namespace plimsoll

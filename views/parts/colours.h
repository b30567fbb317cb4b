#pragma once
// Colours that mean something, readable (4.5:1) on either ground. Never the
// only sign: an icon or a word always goes with them.

#include <QPalette>

namespace plimsoll {

inline bool is_dark(const QPalette& p) { return p.color(QPalette::Window).lightness() < 128; }
inline QColor alert_colour(const QPalette& p) { return QColor(is_dark(p) ? "#ff8a80" : "#b3261e"); }
inline QColor good_colour(const QPalette& p) { return QColor(is_dark(p) ? "#4fd1a5" : "#00694d"); }
inline QColor faint_colour(const QPalette& p) { return QColor(is_dark(p) ? "#a9adb3" : "#5c5c5c"); }

}  // namespace plimsoll

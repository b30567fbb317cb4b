#pragma once
// The application's two looks: Fusion with our own palettes, since Qt 6.4 has
// no colour scheme to follow. Charts have theirs in charts/look.h.

#include <QString>

namespace plimsoll {

enum class Theme { light, dark };

void apply_theme(Theme);                               // to the whole application
Theme system_theme();                                  // by the lightness of the palette the desktop gave us
Theme theme_of(const QString& name, Theme otherwise);  // "light", "dark"

}  // namespace plimsoll

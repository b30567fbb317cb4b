#pragma once
// The application's two looks: Fusion with our own palettes. Charts have theirs in charts/look.h. The look follows the
// desktop unless the user has chosen one.

#include <QString>

namespace plimsoll {

enum class Theme { light, dark, system };

void apply_theme(Theme);                               // to the whole application
Theme system_theme();                                  // light or dark, as the desktop is
inline Theme shown_theme(Theme t) { return t == Theme::system ? system_theme() : t; }
Theme theme_of(const QString& name, Theme otherwise);  // "light", "dark", "system"
QString name_of(Theme);

}  // namespace plimsoll

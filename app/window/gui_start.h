#pragma once
// What every graphical entry point does first; private to app/window and app/instruments.

namespace plimsoll {

void use_offscreen();  // draw in memory whatever the display
void name_application();        // settings live under this name
void install_message_filter();  // drops Qt's remarks that no user can act on

}  // namespace plimsoll

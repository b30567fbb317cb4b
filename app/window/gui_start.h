#pragma once
// What every graphical entry point does first; private to app/window and app/instruments.

class QApplication;
class QString;

namespace plimsoll {

class MainWindow;

void use_offscreen();  // draw in memory whatever the display
void name_application();        // settings live under this name
void install_message_filter();  // drops Qt's remarks that no user can act on

// Shows the window with the file, or with the plan of last time, until it is closed or the program is asked to end
// from outside: then unsaved changes are kept and nobody is asked. The program's exit code.
int show_until_closed(QApplication&, MainWindow&, const QString& file);

}  // namespace plimsoll

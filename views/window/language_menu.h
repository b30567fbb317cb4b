#pragma once
// The choice of the window's language, in the menu View. It holds from the next start on, and says so.

#include <functional>

class QMenu;
class QString;

namespace plimsoll {

// `say` shows a sentence to the user.
void add_language_menu(QMenu* view, std::function<void(const QString&)> say);

}  // namespace plimsoll

#pragma once
// What a pointer that rests on a widget is told, for whoever works by keyboard: Shift+F1 shows it.

#include <QString>

class QWidget;

namespace plimsoll {

// The description or the tip of the widget or of what holds it; of a list or table, its current row in full. Plain text
// as plain_text() makes it; empty where nothing is said.
QString what_is(const QWidget&);
bool say_what_it_is(QWidget*);  // beside the widget; false where nothing is said

}  // namespace plimsoll

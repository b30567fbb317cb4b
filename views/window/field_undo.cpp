#include "views/window/field_undo.h"

#include <QAbstractSpinBox>
#include <QKeyEvent>
#include <QLineEdit>

namespace plimsoll {

FieldUndo::FieldUndo(QWidget& window) : QObject(&window) {
    for (QLineEdit* field : window.findChildren<QLineEdit*>()) field->installEventFilter(this);
    // A spin box hands keys to its field without the event loop, so that it has to be watched itself.
    for (QAbstractSpinBox* box : window.findChildren<QAbstractSpinBox*>()) box->installEventFilter(this);
}

bool FieldUndo::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride) return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool undo = key->matches(QKeySequence::Undo), redo = key->matches(QKeySequence::Redo);
    if (!undo && !redo) return false;
    const auto* field = qobject_cast<QLineEdit*>(watched);
    if (!field) field = watched->findChild<QLineEdit*>();
    if (field && (undo ? field->isUndoAvailable() : field->isRedoAvailable())) return false;
    event->ignore();
    return true;
}

}  // namespace plimsoll

#pragma once
// Ctrl+Z in a field undoes what was typed there; where nothing was, it undoes the last edit of the plan, as everywhere
// else in the window. Qt's fields would swallow it.

#include <QObject>
#include <QWidget>

namespace plimsoll {

class FieldUndo : public QObject {
    Q_OBJECT
public:
    explicit FieldUndo(QWidget& window);  // watches the fields that are in it now

    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace plimsoll

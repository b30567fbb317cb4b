#pragma once
// Keeps the wheel from turning an input the pointer merely passes over while
// the panel scrolls: only the focused one listens.

#include <QEvent>
#include <QWidget>

namespace plimsoll {

class WheelGuard : public QObject {
    Q_OBJECT
public:
    static void install(QWidget* input) {
        input->setFocusPolicy(Qt::StrongFocus);
        input->installEventFilter(new WheelGuard(input));
    }
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::Wheel || static_cast<QWidget*>(watched)->hasFocus()) return false;
        event->ignore();  // the scroll area takes it
        return true;
    }

private:
    using QObject::QObject;
};

}  // namespace plimsoll

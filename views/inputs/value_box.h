#pragma once
// A number field for one knob. Arrows step through the values that keep the
// plan computable; with Shift, through all of them. Text like "1.4T" or
// "40 GiB" is taken as written; what cannot be read is reported, not applied.

#include "core/values/knobs/knobs.h"

#include <QAbstractSpinBox>
#include <QTimer>

#include <functional>

namespace plimsoll {

class ValueBox : public QAbstractSpinBox {
    Q_OBJECT
public:
    using Choices = std::function<std::vector<double>()>;
    // `choices` is asked only when an arrow is pressed.
    ValueBox(const Knob& knob, Choices choices, QWidget* parent = nullptr);

    void show_value(double value);  // from the plan; leaves text alone that is being typed
    void stepBy(int steps) override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void entered(double value);
    void rejected(const QString& why);  // empty: the text is fine again

protected:
    StepEnabled stepEnabled() const override { return StepUpEnabled | StepDownEnabled; }
    void keyPressEvent(QKeyEvent*) override;
    void focusOutEvent(QFocusEvent*) override;

private:
    void commit();
    double next(double from, int direction, bool any) const;

    const Knob& knob_;
    Choices choices_;
    double value_ = 0;
    bool typing_ = false;
    QTimer pause_;  // typing counts as finished after a short rest
};

}  // namespace plimsoll

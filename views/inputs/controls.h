#pragma once
// The field that a number is typed into.

#include "core/values/knobs/knobs.h"
#include <QAbstractSpinBox>
#include <QLineEdit>
#include <QTimer>

#include <functional>

namespace plimsoll {

// A number field for one knob. Arrows step through the values that keep the
// plan computable; with Shift, through all of them. Text like "1.4T" or
// "40 GiB" is taken as written; what cannot be read is reported, not applied.
class ValueBox : public QAbstractSpinBox {
    Q_OBJECT
public:
    using Choices = std::function<std::vector<double>()>;
    // What text says, as a number or as a message for people.
    using Read = std::function<Expected<double, std::string>(std::string_view text)>;
    // `choices` is asked only when an arrow is pressed. Without `read` text is read as parse_value does.
    ValueBox(const Knob& knob, Choices choices, Read read = {}, QWidget* parent = nullptr);

    void set_knob(const Knob& knob) { knob_ = &knob; }          // the same quantity in another unit
    void set_word_for_zero(const QString& word) { zero_ = word; }  // shown and taken in its place: "automatic"
    void show_value(double value);  // from the plan; leaves text alone that is being typed
    void commit();                  // what is being typed, now; nothing where nothing is
    void give_up();                 // what is being typed, for the plan's value
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
    double next(double from, int direction, bool any) const;

    const Knob* knob_;
    QString zero_;
    Choices choices_;
    Read read_;
    double value_ = 0;
    bool typing_ = false;
    QTimer pause_;  // typing counts as finished after a short rest
};

// What was typed has become an edit of the plan: Ctrl+Z now undoes that, not the letters.
void forget_typing(QLineEdit&);

}  // namespace plimsoll

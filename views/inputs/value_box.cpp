#include "views/inputs/value_box.h"

#include "views/parts/wheel_guard.h"
#include "views/plan/text.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>

#include <algorithm>
#include <cmath>

namespace plimsoll {

ValueBox::ValueBox(const Knob& knob, Choices choices, QWidget* parent)
    : QAbstractSpinBox(parent), knob_(knob), choices_(std::move(choices)) {
    WheelGuard::install(this);
    setAlignment(Qt::AlignRight);
    setKeyboardTracking(false);
    pause_.setSingleShot(true);
    pause_.setInterval(600);
    connect(&pause_, &QTimer::timeout, this, &ValueBox::commit);
    connect(lineEdit(), &QLineEdit::textEdited, this, [this] {
        typing_ = true;
        pause_.start();
    });
}

QSize ValueBox::sizeHint() const {
    QSize size = QAbstractSpinBox::sizeHint();
    size.setWidth(fontMetrics().horizontalAdvance(QStringLiteral("0000000")) + 34);
    return size;
}

void ValueBox::show_value(double value) {
    value_ = value;
    if (typing_) return;
    const QString text = to_qt(format_value(knob_, value));
    if (lineEdit()->text() != text) lineEdit()->setText(text);
}

void ValueBox::commit() {
    pause_.stop();
    if (!typing_) return;
    const auto parsed = parse_value(knob_, lineEdit()->text().toStdString());
    if (!parsed) {
        emit rejected(to_qt(parsed.error()));
        return;
    }
    typing_ = false;
    emit rejected({});
    emit entered(*parsed);
}

void ValueBox::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && typing_) {  // back to the plan's value
        typing_ = false;
        pause_.stop();
        show_value(value_);
        emit rejected({});
        return;
    }
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        commit();
        selectAll();
        return;
    }
    QAbstractSpinBox::keyPressEvent(event);
}

void ValueBox::focusOutEvent(QFocusEvent* event) {
    commit();
    QAbstractSpinBox::focusOutEvent(event);
}

double ValueBox::next(double from, int direction, bool any) const {
    const std::vector<double> valid = any ? std::vector<double>{} : choices_();
    const double slack = 1e-9 * std::abs(from);
    if (!valid.empty()) {
        if (direction > 0) {
            const auto up = std::find_if(valid.begin(), valid.end(), [&](double v) { return v > from + slack; });
            return up == valid.end() ? from : *up;
        }
        const auto down = std::find_if(valid.rbegin(), valid.rend(), [&](double v) { return v < from - slack; });
        return down == valid.rend() ? from : *down;
    }
    if (knob_.kind == KnobKind::integer) return std::clamp(from + direction, knob_.low, knob_.high);
    // Real numbers move in the second digit.
    const double size = std::abs(from) > 0 ? std::abs(from) : (knob_.high - knob_.low) / 100;
    const double step = std::pow(10.0, std::floor(std::log10(size)) - 1);
    return std::clamp(std::round((from + direction * step) / step) * step, knob_.low, knob_.high);
}

void ValueBox::stepBy(int steps) {
    commit();
    typing_ = false;
    emit rejected({});
    const bool any = QApplication::keyboardModifiers() & Qt::ShiftModifier;
    double value = value_;
    for (int i = 0; i < std::abs(steps); ++i) value = next(value, steps > 0 ? 1 : -1, any);
    if (value != value_) emit entered(value);
    show_value(value_);
    selectAll();
}

}  // namespace plimsoll

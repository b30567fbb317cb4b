#include "views/inputs/controls.h"

#include "views/parts/text.h"
#include "views/parts/widgets.h"

#include <QApplication>
#include <QKeyEvent>

#include <algorithm>
#include <cmath>

namespace plimsoll {

ValueBox::ValueBox(const Knob& knob, Choices choices, Read read, QWidget* parent)
    : QAbstractSpinBox(parent), knob_(&knob), choices_(std::move(choices)), read_(std::move(read)) {
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

void forget_typing(QLineEdit& field) {
    const int cursor = field.cursorPosition();
    field.setText(QString(field.text()));  // which clears the field's history
    field.setCursorPosition(cursor);
}

QSize ValueBox::sizeHint() const {
    QSize size = QAbstractSpinBox::sizeHint();
    size.setWidth(fontMetrics().horizontalAdvance(QStringLiteral("0000000")) + 34);
    return size;
}

void ValueBox::show_value(double value) {
    value_ = value;
    if (typing_) return;
    const QString text = value == 0 && !zero_.isEmpty() ? zero_ : to_qt(format_value(*knob_, value));
    if (lineEdit()->text() != text) lineEdit()->setText(text);
}

void ValueBox::commit() {
    pause_.stop();
    if (!typing_) return;
    const bool zero = !zero_.isEmpty() && lineEdit()->text().trimmed().compare(zero_, Qt::CaseInsensitive) == 0;
    const std::string text = zero ? "0" : lineEdit()->text().toStdString();
    const auto parsed = read_ ? read_(text) : parse_value(*knob_, text);
    if (!parsed) {
        emit rejected(to_qt(parsed.error()));
        return;
    }
    typing_ = false;
    emit rejected({});
    emit entered(*parsed);
    forget_typing(*lineEdit());
}

void ValueBox::give_up() {
    pause_.stop();
    if (!typing_) return;
    typing_ = false;
    show_value(value_);
    emit rejected({});
}

void ValueBox::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && typing_) {  // back to the plan's value
        give_up();
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
    if (knob_->kind == KnobKind::integer) return std::clamp(from + direction, knob_->low, knob_->high);
    // Real numbers move in the second digit.
    const double size = std::abs(from) > 0 ? std::abs(from) : (knob_->high - knob_->low) / 100;
    const double step = std::pow(10.0, std::floor(std::log10(size)) - 1);
    return std::clamp(std::round((from + direction * step) / step) * step, knob_->low, knob_->high);
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

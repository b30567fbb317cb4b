#include "views/inputs/controls.h"

#include "core/answers/curves/sweep.h"
#include "core/values/knobs/in_words.h"
#include "core/values/knobs/wording.h"
#include "core/answers/plan/valid_values.h"
#include "views/inputs/knob_row.h"
#include "views/parts/language.h"
#include "views/parts/text.h"
#include "views/parts/widgets.h"

#include <QApplication>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QResizeEvent>

#include <algorithm>
#include <cmath>

namespace plimsoll {

ValueBox::ValueBox(const Knob& knob, Choices choices, Read read, QWidget* parent)
    : QAbstractSpinBox(parent), knob_(knob), choices_(std::move(choices)), read_(std::move(read)) {
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
    const QString text = to_qt(format_value(knob_, value));
    if (lineEdit()->text() != text) lineEdit()->setText(text);
}

void ValueBox::commit() {
    pause_.stop();
    if (!typing_) return;
    const std::string text = lineEdit()->text().toStdString();
    const auto parsed = read_ ? read_(text) : parse_value(knob_, text);
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

NodeControl::NodeControl(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      knob_(*find_knob("nodes")),
      slider_(new QSlider(Qt::Horizontal)),
      box_(new ValueBox(knob_, [this] { return valid_values(workspace_.scenario(), knob_, 64); })),
      note_(new PlainLabel) {
    auto* label = new QLabel(tr("&Nodes"));
    QFont bold = label->font();
    bold.setBold(true);
    label->setFont(bold);
    label->setBuddy(box_);
    slider_->setObjectName(QStringLiteral("node_slider"));
    slider_->setAccessibleName(tr("Nodes, slider"));
    slider_->setMinimumHeight(26);
    WheelGuard::install(slider_);
    box_->setObjectName(QStringLiteral("nodes.editor"));
    box_->setAccessibleName(tr("Nodes"));
    setToolTip(to_qt(help_in_words(knob_)));
    note_->setForegroundRole(QPalette::PlaceholderText);
    note_->setWordWrap(true);
    quiet_.setSingleShot(true);
    quiet_.setInterval(60);
    connect(&quiet_, &QTimer::timeout, note_, &PlainLabel::release);

    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(6, 4, 6, 4);
    grid->setVerticalSpacing(2);
    grid->addWidget(label, 0, 0);
    grid->addWidget(slider_, 0, 1);
    grid->addWidget(box_, 0, 2);
    grid->addWidget(note_, 1, 0, 1, 3);
    grid->setColumnStretch(1, 1);
    setTabOrder(slider_, box_);

    connect(slider_, &QSlider::valueChanged, this, [this](int i) {
        if (i >= 0 && i < static_cast<int>(stops_.size())) propose(stops_[i]);
    });
    connect(slider_, &QSlider::sliderPressed, this, [this] { held_ = workspace_.scenario().layout; });
    connect(slider_, &QSlider::sliderReleased, this, &NodeControl::refresh_stops);
    connect(box_, &ValueBox::entered, this, &NodeControl::propose);
    connect(box_, &ValueBox::rejected, this, [this](const QString& why) {
        if (!why.isEmpty()) note_->setText(why);
    });
}

void NodeControl::propose(double nodes) {
    Scenario from = workspace_.scenario();
    if (slider_->isSliderDown()) from.layout = held_;  // the stops are those of this layout, whatever was found since
    const auto next = with(from, knob_, nodes);
    if (next) workspace_.propose(*next, edit_name(knob_, nodes), knob_.id);
    else note_->setText(to_qt(say(next.error())));
}

// Fixed while the handle is held: the stops depend on the plan, and a scale
// that shifts under the hand cannot be aimed at.
void NodeControl::refresh_stops() {
    if (slider_->isSliderDown()) return;
    std::vector<double> counts = node_counts(workspace_.scenario(), 40);
    if (counts.size() > 1) stops_ = std::move(counts);
    place_slider(knob_.get(workspace_.scenario()));
}

void NodeControl::place_slider(double nodes) {
    if (slider_->isSliderDown() || stops_.empty()) return;
    const auto nearer = [nodes](double a, double b) { return std::abs(a - nodes) < std::abs(b - nodes); };
    const auto at = std::min_element(stops_.begin(), stops_.end(), nearer);
    const QSignalBlocker quiet(slider_);
    slider_->setRange(0, static_cast<int>(stops_.size()) - 1);
    slider_->setPageStep(std::max(1, static_cast<int>(stops_.size()) / 8));
    slider_->setValue(static_cast<int>(at - stops_.begin()));
}

void NodeControl::present(const Snapshot& s) {
    const double nodes = knob_.get(s.scenario);
    const Machine& m = s.scenario.machine;
    box_->show_value(nodes);
    place_slider(nodes);
    const QString all = m.nodes == 1 ? tr("one node") : tr("%1 nodes").arg(grouped(m.nodes));
    const QString text = tr("%1 x %2; the machine has %3")
                             .arg(grouped(s.scenario.layout.devices), to_qt(m.device.name), all);
    note_->set_text_in_place(text);
    quiet_.start();
}

void NodeControl::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) note_->release();
}

}  // namespace plimsoll

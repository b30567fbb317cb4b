#include "views/inputs/node_control.h"

#include "core/answers/curves/sweep.h"
#include "core/answers/plan/valid_values.h"
#include "core/answers/explain/wording.h"
#include "views/inputs/knob_text.h"
#include "views/parts/wheel_guard.h"
#include "views/plan/text.h"

#include <QGridLayout>

#include <algorithm>
#include <cmath>

namespace plimsoll {

NodeControl::NodeControl(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      knob_(*find_knob("nodes")),
      slider_(new QSlider(Qt::Horizontal)),
      box_(new ValueBox(knob_, [this] { return valid_values(workspace_.scenario(), knob_, 64); })),
      note_(new QLabel) {
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
    setToolTip(to_qt(knob_.help));
    note_->setForegroundRole(QPalette::PlaceholderText);
    note_->setWordWrap(true);

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
    const QString text = tr("%1 x %2; the machine has %3 nodes")
                             .arg(grouped(s.scenario.layout.devices), to_qt(m.device.name), grouped(m.nodes));
    if (note_->text() != text) note_->setText(text);
}

}  // namespace plimsoll

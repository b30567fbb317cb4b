#include "views/calibrate/measure/interrupted_bar.h"

#include "core/files/launch/calibration_plan.h"
#include "views/plan/text.h"

#include <QHBoxLayout>
#include <QPushButton>

#include <algorithm>

namespace plimsoll {

InterruptedBar::InterruptedBar(QWidget* parent) : QWidget(parent), text_(new QLabel) {
    text_->setWordWrap(true);
    text_->setAccessibleName(tr("An interrupted calibration"));
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(8, 6, 8, 6);
    line->addWidget(text_, 1);
    const auto button = [&](const QString& text, const char* name, auto signal) {
        auto* b = new QPushButton(text);
        b->setObjectName(QLatin1String(name));
        connect(b, &QPushButton::clicked, this, signal);
        line->addWidget(b);
    };
    button(tr("Resume"), "interrupted.resume", &InterruptedBar::resume);
    button(tr("Look"), "interrupted.look", &InterruptedBar::look);
    button(tr("Discard"), "interrupted.discard", &InterruptedBar::discard);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::AlternateBase);
    hide();
}

void InterruptedBar::present(const std::optional<LeftCalibration>& left) {
    text_->setText(left ? say_interrupted(left->log) : QString());
    setVisible(left.has_value());
}

QString say_interrupted(const CalibrationLog& log) {
    const auto plan = read_calibration_plan(log.plan);
    const QString of = plan ? to_qt(plan->model.name) : InterruptedBar::tr("this computer");
    const QString date = log.engine.hello ? to_qt(log.engine.hello->started).left(10) : QString();
    const auto complete = std::count_if(log.experiments.begin(), log.experiments.end(), [](const ExperimentState& e) { return e.complete(); });
    const int all = log.experiments.empty() ? 0 : log.experiments.front().said.of;
    const QString what = date.isEmpty() ? InterruptedBar::tr("A calibration of %1").arg(of) : InterruptedBar::tr("A calibration of %1 from %2").arg(of, date);
    return InterruptedBar::tr("%1 was interrupted after %2 of %3 runs.").arg(what).arg(complete).arg(all);
}

}  // namespace plimsoll

#include "views/timeline/gantt.h"

#include "core/answers/explain/wording.h"
#include "views/parts/colours.h"
#include "views/plan/text.h"

#include <QKeyEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace plimsoll {

namespace {
constexpr double narrowest = 1e-5;   // share of the step
}  // namespace

Gantt::Gantt(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("gantt"));
    setAccessibleName(tr("Pipeline timeline"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAttribute(Qt::WA_OpaquePaintEvent);
    QFont text(QStringLiteral("DejaVu Sans"));
    text.setPixelSize(11);
    setFont(text);
}

void Gantt::present(Timeline t, bool stale) {
    timeline_ = std::move(t);
    stale_ = stale;
    setAccessibleDescription(to_qt(note(timeline_)));
    update();
}

GanttView Gantt::view() const { return {QRectF(rect()), from_ * timeline_.span, to_ * timeline_.span, timeline_.stages()}; }

void Gantt::look_at(double from, double to) {
    const double width = std::clamp(to - from, narrowest, 1.0);
    from_ = std::clamp(from, 0.0, 1 - width);
    to_ = from_ + width;
    update();
}

void Gantt::zoom(double factor, double x) {
    const QRectF rows = view().rows();
    const double at = std::clamp((x - rows.left()) / std::max(1.0, rows.width()), 0.0, 1.0);
    const double width = std::clamp((to_ - from_) / factor, narrowest, 1.0);
    const double fixed = from_ + at * (to_ - from_);
    look_at(fixed - at * width, fixed + (1 - at) * width);
}

void Gantt::zoom(double factor) { zoom(factor, view().rows().center().x()); }

void Gantt::pan(double share) {
    const double by = share * (to_ - from_);
    look_at(from_ + by, to_ + by);
}

void Gantt::show_all() { look_at(0, 1); }

QString Gantt::text_at(const QPointF& at) const {
    const GanttView v = view();
    const int stage = v.stage_at(at.y());
    if (stage < 0 || stage >= timeline_.stages() || !v.rows().contains(at)) return {};
    const TimelineTask* t = task_at(timeline_, stage, v.time_at(at.x()));
    if (!t) return tr("Stage %1: idle at %2").arg(stage + 1).arg(to_qt(say(v.time_at(at.x()))));
    const bool chunked = timeline_.schedule == Schedule::interleaved;
    return tr("Stage %1%2: %3 of micro-batch %4\n%5, from %6 to %7")
        .arg(stage + 1)
        .arg(chunked ? tr(", chunk %1").arg(t->chunk + 1) : QString())
        .arg(to_qt(std::string(label_of(t->work))).toLower())
        .arg(t->micro_batch + 1)
        .arg(to_qt(say(t->end - t->start)), to_qt(say(t->start)), to_qt(say(t->end)));
}

void Gantt::paintEvent(QPaintEvent*) {
    QPainter p(this);
    const ChartTheme& theme = is_dark(palette()) ? dark_chart() : light_chart();
    p.setFont(font());
    paint_gantt(p, timeline_, view(), theme);
    p.setPen(stale_ ? theme.limit : theme.faint);
    if (timeline_.tasks.empty()) p.drawText(rect(), Qt::AlignCenter, tr("No timeline yet: the plan cannot be computed as it stands"));
    else if (stale_) p.drawText(rect().adjusted(0, 4, -12, 0), Qt::AlignRight | Qt::AlignTop, tr("Of the last plan that could be computed"));
    if (hasFocus()) {
        p.setPen(QPen(palette().color(QPalette::Highlight), 1));
        p.setBrush(Qt::NoBrush);
        p.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void Gantt::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_W: case Qt::Key_Plus: case Qt::Key_Equal: return zoom(1.5);
    case Qt::Key_S: case Qt::Key_Minus: return zoom(1 / 1.5);
    case Qt::Key_A: case Qt::Key_Left: return pan(-0.2);
    case Qt::Key_D: case Qt::Key_Right: return pan(0.2);
    case Qt::Key_0: return show_all();
    default: QWidget::keyPressEvent(event);
    }
}

void Gantt::wheelEvent(QWheelEvent* event) {
    const QPoint turn = event->angleDelta();
    if (std::abs(turn.x()) > std::abs(turn.y())) pan(-turn.x() / 1200.0);
    else zoom(std::pow(1.2, turn.y() / 120.0), event->position().x());
}

void Gantt::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) dragged_from_ = event->position().x();
}

void Gantt::mouseMoveEvent(QMouseEvent* event) {
    if (dragged_from_ >= 0) {
        pan((dragged_from_ - event->position().x()) / std::max(1.0, view().rows().width()));
        dragged_from_ = event->position().x();
        return;
    }
    const QString text = text_at(event->position());
    if (text.isEmpty()) QToolTip::hideText();
    else QToolTip::showText(event->globalPosition().toPoint(), text, this);
}

void Gantt::mouseReleaseEvent(QMouseEvent*) { dragged_from_ = -1; }

void Gantt::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) update();
}

}  // namespace plimsoll

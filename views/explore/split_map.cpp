#include "views/explore/split_map.h"

#include "core/answers/search/ranking.h"
#include "core/answers/search/wording.h"
#include "views/charts/plot_frame.h"
#include "views/explore/layout_table.h"
#include "views/parts/text.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace plimsoll {

namespace {

int place(const std::vector<int>& degrees, int degree) {
    const auto at = std::lower_bound(degrees.begin(), degrees.end(), degree);
    return at != degrees.end() && *at == degree ? int(at - degrees.begin()) : -1;
}

QColor mix(const QColor& a, const QColor& b, double share) {
    const auto channel = [share](int from, int to) { return int(std::lround(from + (to - from) * share)); };
    return {channel(a.red(), b.red()), channel(a.green(), b.green()), channel(a.blue(), b.blue())};
}

}  // namespace

SplitMap::SplitMap(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setFont(screen_style(*theme_).text);
    setAccessibleName(tr("Best layout of each tensor x pipeline split"));
    setObjectName(QStringLiteral("split_map"));
}

void SplitMap::present(std::shared_ptr<const Study> study) {
    study_ = std::move(study);
    tensor_.clear();
    pipeline_.clear();
    low_ = 1e300;
    high_ = 0;
    for (const SplitCell& c : study_->found.splits) {
        tensor_.push_back(c.tensor_parallel);
        pipeline_.push_back(c.pipeline_parallel);
        if (!c.best) continue;
        low_ = std::min(low_, value_of(*c.best, study_->options.objective));
        high_ = std::max(high_, value_of(*c.best, study_->options.objective));
    }
    for (std::vector<int>* degrees : {&tensor_, &pipeline_}) {
        std::sort(degrees->begin(), degrees->end());
        degrees->erase(std::unique(degrees->begin(), degrees->end()), degrees->end());
    }
    point_at(-1);
    setAccessibleDescription(summary());
    data_changed(*this);
    update();
}

QString SplitMap::summary() const {
    const SplitCell* best = nullptr;
    int fit = 0;
    for (const SplitCell& c : study_->found.splits) {
        if (!c.best) continue;
        ++fit;
        const Objective by = study_->options.objective;
        if (!best || value_of(*c.best, by) < value_of(*best->best, by)) best = &c;
    }
    if (!best) return tr("%1 splits were tried, and none fits.").arg(study_->found.splits.size());
    return tr("%1 splits were tried, %2 fit; the best is tensor %3 x pipeline %4 with %5.")
        .arg(study_->found.splits.size())
        .arg(fit)
        .arg(best->tensor_parallel)
        .arg(best->pipeline_parallel)
        .arg(to_qt(say_value(*best->best, study_->options.objective)));
}

QStringList SplitMap::data_headings() const {
    const QString objective = study_ ? objective_label(study_->options.objective) : QString();
    return {tr("Tensor parallel"), tr("Pipeline stages"), objective, tr("Best layout, or why none fits")};
}

QString SplitMap::data_cell(int row, int column) const {
    const SplitCell& c = study_->found.splits[std::size_t(row)];
    switch (column) {
        case 0: return QString::number(c.tensor_parallel);
        case 1: return QString::number(c.pipeline_parallel);
        case 2: return short_text(std::size_t(row));
        case 3: return to_qt(say_cell(*study_, std::size_t(row)));
        default: return {};
    }
}

void SplitMap::set_theme(const ChartTheme& theme) {
    theme_ = &theme;
    update();
}

void SplitMap::mark(const Layout& current, const Layout* selected) {
    current_ = {current.tensor_parallel, current.pipeline_parallel};
    selected_ = selected ? std::pair(selected->tensor_parallel, selected->pipeline_parallel) : std::pair(0, 0);
    update();
}

QRectF SplitMap::grid() const {
    const QFontMetricsF m(font());
    return QRectF(rect()).adjusted(m.horizontalAdvance(QStringLiteral("0000")) + m.height() + 12, m.height() + 12, -10,
                                   -(4 * m.height() + 18));
}

QRectF SplitMap::cell_box(std::size_t split) const {
    const SplitCell& c = study_->found.splits[split];
    const QRectF all = grid();
    const double w = all.width() / double(tensor_.size()), h = all.height() / double(pipeline_.size());
    return QRectF(all.left() + w * place(tensor_, c.tensor_parallel),
                  all.bottom() - h * (place(pipeline_, c.pipeline_parallel) + 1), w, h)
        .adjusted(1, 1, -1, -1);
}

int SplitMap::split_at(const QPointF& at) const {
    for (std::size_t i = 0; study_ && i < study_->found.splits.size(); ++i)
        if (cell_box(i).contains(at)) return int(i);
    return -1;
}

// From the best, in full colour, to twice as much and beyond, nearly the ground's.
QColor SplitMap::shade(const SplitCell& c) const {
    const double span = std::log(std::max(std::min(high_ / low_, 4.0), 1.05));
    const double share = std::clamp(std::log(value_of(*c.best, study_->options.objective) / low_) / span, 0.0, 1.0);
    return mix(theme_->series[0], theme_->background, 0.88 * share);
}

QString SplitMap::short_text(std::size_t split) const {
    const SplitCell& c = study_->found.splits[split];
    if (c.best) return to_qt(say_value(*c.best, study_->options.objective));
    if (!c.nearest) return tr("ruled out");
    const double percent = 100 * c.nearest->excess();
    if (!std::isfinite(percent)) return tr("no room");
    return percent < 1000 ? tr("+%1 %").arg(std::ceil(percent), 0, 'f', 0)
                          : tr("%1 x").arg(c.nearest->need / c.nearest->limit, 0, 'f', 0);
}

void SplitMap::paint_cell(QPainter& painter, std::size_t split) const {
    const SplitCell& c = study_->found.splits[split];
    const QRectF box = cell_box(split);
    const QColor fill = c.best ? shade(c) : theme_->grid;
    painter.fillRect(box, fill);
    if (!c.best) {
        painter.setPen(QPen(mix(theme_->grid, theme_->axis, 0.35), 1));
        painter.drawLines(hatch_lines(c.nearest ? Hatch::rising : Hatch::falling, box, c.nearest ? 7 : 5));
    }
    const std::pair here(c.tensor_parallel, c.pipeline_parallel);
    painter.setBrush(Qt::NoBrush);
    if (here == current_) {
        painter.setPen(QPen(theme_->here, 1.6, Qt::DotLine));
        painter.drawRect(box.adjusted(3, 3, -3, -3));
    }
    if (here == selected_ || int(split) == pointed_) {
        painter.setPen(QPen(theme_->here, here == selected_ ? 2.4 : 1.2));
        painter.drawRect(box.adjusted(1, 1, -1, -1));
    }
    const QString text = short_text(split);
    const QFontMetricsF m(painter.font());
    QRectF ground(0, 0, m.horizontalAdvance(text) + 6, m.height());
    if (ground.width() > box.width() || ground.height() > box.height()) return;
    ground.moveCenter(box.center());
    if (!c.best) painter.fillRect(ground, fill);   // no hatch through letters
    painter.setPen(ink_on(fill));
    painter.drawText(box, Qt::AlignCenter, text);
}

void SplitMap::paint_axes(QPainter& painter) const {
    const QRectF all = grid();
    const QFontMetricsF m(painter.font());
    const double line = m.height(), w = all.width() / double(tensor_.size()),
                 h = all.height() / double(pipeline_.size());
    painter.setPen(theme_->text);
    const auto every = [](double room, double needed) { return std::max(1, int(std::ceil(needed / room))); };
    const int across = every(w, m.horizontalAdvance(QStringLiteral("0000")) + 4), up = every(h, line);
    for (int i = 0; i < int(tensor_.size()); i += across)
        painter.drawText(QRectF(all.left() + w * (i + 0.5) - 40, all.bottom() + 3, 80, line), Qt::AlignCenter,
                         QString::number(tensor_[i]));
    for (int i = 0; i < int(pipeline_.size()); i += up)
        painter.drawText(QRectF(all.left() - 64, all.bottom() - h * (i + 0.5) - line / 2, 58, line),
                         Qt::AlignRight | Qt::AlignVCenter, QString::number(pipeline_[i]));
    painter.drawText(QRectF(all.left(), all.bottom() + 4 + line, all.width(), line), Qt::AlignCenter,
                     tr("Tensor parallel"));
    painter.save();
    painter.translate(6 + line / 2, all.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-all.height() / 2, -line / 2, all.height(), line), Qt::AlignCenter, tr("Pipeline stages"));
    painter.restore();
    QFont bold = painter.font();
    bold.setBold(true);
    painter.setFont(bold);
    const QString title = tr("%1, best of each split").arg(objective_label(study_->options.objective));
    const QString elided = QFontMetricsF(bold).elidedText(title, Qt::ElideRight, width() - 20);
    painter.drawText(QRectF(10, 6, width() - 20, line), Qt::AlignLeft | Qt::AlignVCenter, elided);
    bold.setBold(false);
    painter.setFont(bold);
    painter.setPen(theme_->faint);
    painter.drawText(QRectF(10, all.bottom() + 10 + 2 * line, width() - 20, 2 * line),
                     Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap,
                     tr("Hatched: none fits, by how much at least. Dotted: this plan"));
}

void SplitMap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme_->background);
    if (!study_ || study_->found.splits.empty()) {
        painter.setPen(theme_->faint);
        painter.drawText(rect().adjusted(20, 20, -20, -20), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("Nothing searched yet."));
    } else {
        for (std::size_t i = 0; i < study_->found.splits.size(); ++i) paint_cell(painter, i);
        paint_axes(painter);
    }
    paint_focus(*this, painter);
}

void SplitMap::point_at(int split) {
    pointed_ = split;
    explanation_.clear();
    if (split >= 0) {
        const SplitCell& c = study_->found.splits[std::size_t(split)];
        explanation_ = tr("Tensor %1 x pipeline %2: %3")
                           .arg(c.tensor_parallel)
                           .arg(c.pipeline_parallel)
                           .arg(to_qt(say_cell(*study_, std::size_t(split))));
    }
    emit explained(explanation_);
    cursor_moved(*this);
    update();
}

void SplitMap::pick(int split) {
    if (split < 0) return;
    const SplitCell& c = study_->found.splits[std::size_t(split)];
    if (c.best) emit picked(to_qt(say_layout(c.best->layout)));
}

void SplitMap::mouseMoveEvent(QMouseEvent* event) {
    const int split = split_at(event->position());
    if (split != pointed_) point_at(split);
}

void SplitMap::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    point_at(split_at(event->position()));
    if (event->button() == Qt::LeftButton) pick(pointed_);
}

void SplitMap::leaveEvent(QEvent*) { point_at(-1); }

void SplitMap::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    const int split = pointed_;
    const bool usable = split >= 0 && study_->found.splits[std::size_t(split)].best;
    menu.addAction(tr("&Select the best layout of this split"), this, [this, split] { pick(split); })
        ->setEnabled(usable);
    add_table_action(menu, *this);
    menu.exec(event->globalPos());
}

void SplitMap::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void SplitMap::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason) point_at(-1);
    update();
}

// To the nearest cell in the direction of the arrow.
void SplitMap::keyPressEvent(QKeyEvent* event) {
    if (copies_picture(*event, *this)) return;
    const int x = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    const int y = event->key() == Qt::Key_Up ? 1 : event->key() == Qt::Key_Down ? -1 : 0;
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return pick(pointed_);
    if ((x == 0 && y == 0) || !study_ || study_->found.splits.empty()) return QWidget::keyPressEvent(event);
    if (pointed_ < 0) return point_at(0);
    const SplitCell& from = study_->found.splits[std::size_t(pointed_)];
    int best = -1, distance = 1 << 20;
    for (std::size_t i = 0; i < study_->found.splits.size(); ++i) {
        const SplitCell& c = study_->found.splits[i];
        const int dx = place(tensor_, c.tensor_parallel) - place(tensor_, from.tensor_parallel);
        const int dy = place(pipeline_, c.pipeline_parallel) - place(pipeline_, from.pipeline_parallel);
        const int ahead = dx * x + dy * y, aside = std::abs(dx * y) + std::abs(dy * x);
        if (ahead <= 0 || ahead + 8 * aside >= distance) continue;
        distance = ahead + 8 * aside;
        best = int(i);
    }
    if (best >= 0) point_at(best);
}

bool SplitMap::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (explanation_.isEmpty()) QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), QStringLiteral("<qt>%1</qt>").arg(explanation_.toHtmlEscaped()),
                               this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace plimsoll

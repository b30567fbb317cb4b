#include "views/inputs/layer_strip.h"

#include "core/values/knobs/wording.h"
#include "core/values/plan/kinds.h"
#include "views/charts/look.h"
#include "views/charts/plot_frame.h"
#include "views/parts/text.h"
#include "views/parts/widgets.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace plimsoll {

namespace {

constexpr double strip_margin = 6;

QString shown_letter(const KindCost& k) { return QString(QLatin1Char(k.letter)); }

}  // namespace

LayerStrip::LayerStrip(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("layer_strip"));
    setAccessibleName(tr("Layers of the model"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void LayerStrip::present(const Snapshot& s) {
    const Model& m = s.scenario.model;
    std::vector<KindCost> kinds = s.stale() ? kinds_in_words(m) : costs_by_kind(s.scenario);
    std::vector<PatternRun> runs = runs_of(letters_of(m));
    const bool moved = runs != runs_ || kinds.size() != kinds_.size();
    kinds_ = std::move(kinds);
    runs_ = std::move(runs);
    layers_ = m.layers;
    step_ = s.stale() ? Seconds{} : s.outcome->step.total();
    if (pointed_ >= int(kinds_.size())) pointed_ = -1;
    QStringList lines;
    for (int k = 0; k < int(kinds_.size()); ++k) lines << line_of(k);
    setAccessibleDescription(lines.join(QStringLiteral("; ")));
    if (moved) updateGeometry();
    data_changed(*this);
    update();
}

int LayerStrip::kind_of(char letter) const {
    const auto at = std::ranges::find(kinds_, letter, &KindCost::letter);
    return at == kinds_.end() ? 0 : int(at - kinds_.begin());
}

QString LayerStrip::share_of(int kind) const {
    return step_ > Seconds{} ? share_text(kinds_[std::size_t(kind)].all / step_) : QString();
}

QString LayerStrip::line_of(int kind) const {
    const KindCost& k = kinds_[std::size_t(kind)];
    const QString name = to_qt(k.name), share = share_of(kind);
    const QString layers = QString::number(k.layers);
    if (alike()) return tr("%1 layers, all alike").arg(layers_);
    return share.isEmpty() ? tr("%1 × %2").arg(layers, name) : tr("%1 × %2, %3 of a step").arg(layers, name, share);
}

QString LayerStrip::said_of(int kind) const {
    const KindCost& k = kinds_[std::size_t(kind)];
    QStringList lines{tr("%1: %2, %3 of %4 layers")
                          .arg(shown_letter(k), to_qt(k.name), QString::number(k.layers), QString::number(layers_))};
    lines << tr("One layer has %1 parameters.").arg(to_qt(say_count(k.parameters)));
    if (step_ <= Seconds{}) return lines.join(u'\n');
    lines << tr("Both passes of a micro-batch take %1 and keep %2.").arg(to_qt(say(k.one)), to_qt(say(k.kept)));
    lines << (k.layers_busiest > 0
                  ? tr("The busiest stage has %1 of them: %2, %3 of a step.")
                        .arg(QString::number(k.layers_busiest), to_qt(say(k.all)), share_of(kind))
                  : tr("The busiest stage has none of them."));
    lines << tr("The fullest stage has %1 of them: %2 of a device's memory.")
                 .arg(QString::number(k.layers_fullest), to_qt(say(k.held())));
    return lines.join(u'\n');
}

QStringList LayerStrip::data_headings() const {
    return {tr("Kind"),       tr("Layers"),     tr("Parameters of one"), tr("Both passes of one"),
            tr("Kept by one"), tr("Of a step"), tr("Memory of a device")};
}

QString LayerStrip::data_cell(int row, int column) const {
    const KindCost& k = kinds_[std::size_t(row)];
    const bool numbers = step_ > Seconds{};
    switch (column) {
        case 0: return QStringLiteral("%1: %2").arg(shown_letter(k), to_qt(k.name));
        case 1: return QString::number(k.layers);
        case 2: return to_qt(say_count(k.parameters));
        case 3: return numbers ? to_qt(say(k.one)) : QString();
        case 4: return numbers ? to_qt(say(k.kept)) : QString();
        case 5: return share_of(row);
        case 6: return numbers ? to_qt(say(k.held())) : QString();
        default: return {};
    }
}

double LayerStrip::side() const { return LayerCells::side(QFontMetricsF(font())); }

LayerStrip::Placed LayerStrip::placed(double width) const {
    const double right = width - strip_margin;
    Placed p{LayerCells(QFontMetricsF(font()), strip_margin, right, strip_margin), {}};
    if (!alike()) {
        p.layers.add(runs_);
        p.layers.next_line();
    }
    double y = p.layers.top();
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
        p.lines.push_back({strip_margin, y, std::max(0.0, right - strip_margin), side()});
        y += side() + LayerCells::between_lines;
    }
    p.height = y - LayerCells::between_lines + 2;
    return p;
}

int LayerStrip::heightForWidth(int width) const { return int(placed(width).height + 1); }

int LayerStrip::kind_at(const QPointF& at) const {
    const Placed p = placed(width());
    for (const LayerCells::Cell& c : p.layers.cells)
        if (c.box.contains(at)) return kind_of(c.letter);
    for (std::size_t k = 0; k < p.lines.size(); ++k)
        if (p.lines[k].contains(at)) return int(k);
    return -1;
}

QRectF LayerStrip::cell_of(int kind) const {
    const Placed p = placed(width());
    for (const LayerCells::Cell& c : p.layers.cells)
        if (kind_of(c.letter) == kind) return c.box;
    return std::size_t(kind) < p.lines.size() ? p.lines[std::size_t(kind)] : QRectF();
}

void LayerStrip::paint_cell(QPainter& painter, const QRectF& box, int kind) const {
    paint_layer_cell(painter, box, colour_of_kind(kind, palette()), shown_letter(kinds_[std::size_t(kind)]));
    if (kind != pointed_) return;
    painter.setPen(QPen(palette().color(QPalette::WindowText), 2));
    painter.drawRect(box.adjusted(1, 1, -1, -1));
}

// Where the sentence has no room, its name ends in dots and its share stands at the end.
void LayerStrip::paint_line(QPainter& painter, QRectF room, int kind) const {
    const QString share = share_of(kind);
    if (!alike() && !share.isEmpty() && fontMetrics().horizontalAdvance(line_of(kind)) > room.width()) {
        painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, share);
        room.setRight(room.right() - fontMetrics().horizontalAdvance(share) - 8);
    }
    const KindCost& k = kinds_[std::size_t(kind)];
    const QString whole = line_of(kind), name = tr("%1 × %2").arg(QString::number(k.layers), to_qt(k.name));
    const bool fits = fontMetrics().horizontalAdvance(whole) <= room.width();
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(fits || alike() ? whole : name, Qt::ElideRight, int(room.width())));
}

void LayerStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Placed p = placed(width());
    const QColor text = palette().color(QPalette::WindowText);
    for (const LayerCells::Cell& c : p.layers.cells) paint_cell(painter, c.box, kind_of(c.letter));
    paint_groups(painter, p.layers.groups, palette());
    const double size = side();
    for (std::size_t k = 0; k < p.lines.size(); ++k) {
        const QRectF line = p.lines[k];
        paint_cell(painter, {line.left(), line.top(), size, size}, int(k));
        painter.setPen(text);
        paint_line(painter, line.adjusted(size + 5, 0, 0, 0), int(k));
    }
    paint_focus(*this, painter);
}

void LayerStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->oldSize().width() != width()) updateGeometry();
}

void LayerStrip::point_at(int kind) {
    if (kind == pointed_) return;
    pointed_ = kind;
    cursor_moved(*this);
    update();
}

void LayerStrip::mouseMoveEvent(QMouseEvent* event) { point_at(kind_at(event->position())); }

void LayerStrip::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    point_at(kind_at(event->position()));
    if (event->button() == Qt::LeftButton) emit asked_to_edit();
}

void LayerStrip::leaveEvent(QEvent*) { point_at(-1); }

// Up and down as left and right: there is one line of kinds.
void LayerStrip::keyPressEvent(QKeyEvent* event) {
    if (copies_picture(*event, *this)) return;
    const int key = event->key(), last = int(kinds_.size()) - 1;
    if (key == Qt::Key_Return || key == Qt::Key_Enter) return emit asked_to_edit();
    const bool on = key == Qt::Key_Right || key == Qt::Key_Down, back = key == Qt::Key_Left || key == Qt::Key_Up;
    if (!on && !back) return QWidget::keyPressEvent(event);
    point_at(on ? std::min(last, pointed_ + 1) : std::max(0, pointed_ - 1));
    QToolTip::showText(mapToGlobal(cell_of(pointed_).bottomLeft().toPoint()), plain_text(said_of(pointed_)), this);
}

void LayerStrip::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.addAction(tr("&Edit the kinds of layers"), this, &LayerStrip::asked_to_edit);
    add_table_action(menu, *this);
    menu.exec(event->globalPos());
}

void LayerStrip::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void LayerStrip::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason) point_at(-1);
    update();
}

bool LayerStrip::event(QEvent* event) {
    if (event->type() == QEvent::FontChange) updateGeometry();
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int kind = kind_at(help->pos());
    if (kind < 0) QToolTip::hideText();
    else QToolTip::showText(help->globalPos(), plain_text(said_of(kind)), this);
    return true;
}

}  // namespace plimsoll

#include "views/charts/chart.h"

#include "views/charts/drawing.h"
#include "views/charts/export.h"
#include "views/charts/part_marks.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace plimsoll {

Chart::Chart(const std::string& figure_id, QWidget* parent) : QCustomPlot(parent), id_(figure_id) {
    setObjectName(to_qt(figure_id));
    setAccessibleName(to_qt(figure_id));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    set_theme(light_chart());
}

void Chart::present(const Snapshot& s) {
    answer_ = s.last_good;
    baseline_ = s.baseline;
    stale_ = s.stale();
    figure_ = find_figure(answer_.get(), id_);
    table_.reset();
    if (!figure_) return;
    setAccessibleName(worded(figure_->title));
    draw_figure();
    const QString old = !stale_                  ? QString()
                      : answer_->repair.empty() ? tr("Of the last valid plan. ")
                                                : tr("Of the nearest plan, %1. ").arg(to_qt(answer_->repair));
    setAccessibleDescription((old + sentence_on(*figure_) + u' ' + say_none(shown_.none)).trimmed());
    setWhatsThis(plain_text(worded(figure_->title) + QStringLiteral(". ") + to_qt(figure_->caption) + u' '
                            + say_none(shown_.none)));
    data_changed(*this);
}

const FigureTable& Chart::table() const {
    if (!table_) table_ = figure_ ? table_of(*figure_) : FigureTable{};
    return *table_;
}

// Parts that stand together in one row: the first of them.
int Chart::data_cursor() const {
    if (!figure_ || cursor_ < 0 || !is_bars(*figure_)) return cursor_;
    const std::vector<std::string>& shown = shown_.figure.categories;
    const std::vector<std::string>& all = figure_->categories;
    const auto named = [&](const auto& name) { return std::find(shown.begin(), shown.end(), name) != shown.end(); };
    const auto at = std::size_t(cursor_) < shown.size()
                      ? std::find(all.begin(), all.end(), shown[std::size_t(cursor_)]) : all.end();
    const auto row = at != all.end() ? at : std::find_if_not(all.begin(), all.end(), named);
    return row == all.end() ? -1 : int(row - all.begin());
}

void Chart::draw_figure() {
    if (!figure_) return;
    shown_ = shown_of(*figure_, frame_.rows_with_room());
    Drawing d;
    d.figure = &shown_.figure;
    d.whole = figure_;
    d.looks = shown_.looks.empty() ? nullptr : &shown_.looks;
    d.baseline = baseline_ == answer_ ? nullptr : find_figure(baseline_.get(), id_);
    d.log_x = figure_->x.logarithmic != flip_x_;
    d.log_y = figure_->y.logarithmic != flip_y_;
    const QSize least = minimumSizeHint();
    frame_.set_figure(d);
    if (minimumSizeHint() != least) updateGeometry();
    replot(rpQueuedReplot);
}

void Chart::set_theme(const ChartTheme& theme) {
    theme_ = &theme;
    frame_.set_style(screen_style(theme));
    draw_figure();
}

void Chart::toggle_logarithmic(Qt::Orientation side) {
    bool& flip = side == Qt::Horizontal ? flip_x_ : flip_y_;
    flip = !flip;
    draw_figure();
}

void Chart::copy() {
    if (!figure_) return;
    copy_figure(*figure_, to_csv(*figure_, answer_->scenario));
}

// The cursor and the stale note are painted over the finished plot: moving the
// mouse costs a blit, not a replot, and exports never contain them.
void Chart::paintEvent(QPaintEvent* event) {
    QCustomPlot::paintEvent(event);
    ++paints_;
    QPainter painter(this);
    if (!figure_) paint_nothing(painter);
    else if (stale_) paint_stale(painter);
    if (figure_ && !part_.empty() && find_part(shown_.figure, part_))
        paint_part(painter, *this, shown_.figure, part_, *theme_);
    else if (figure_ && cursor_ >= 0) paint_cursor(painter);
    paint_focus(*this, painter);
}

void Chart::paint_nothing(QPainter& painter) {
    painter.fillRect(rect(), theme_->background);
    painter.setPen(theme_->faint);
    painter.drawText(
        rect().adjusted(20, 20, -20, -20), Qt::AlignCenter | Qt::TextWordWrap,
        empty_.isEmpty() ? tr("No numbers for this plan yet. What stands in the way is listed above.") : empty_);
}

void Chart::paint_stale(QPainter& painter) {
    QColor veil = theme_->background;
    veil.setAlpha(110);
    painter.fillRect(rect(), veil);
    QFont font = chart_font();
    font.setBold(true);
    painter.setFont(font);
    const QString words =
        answer_->repair.empty() ? tr("Last valid plan") : tr("Nearest plan: %1").arg(to_qt(answer_->repair));
    const QString note = QFontMetrics(font).elidedText(words, Qt::ElideRight, width() - 40);
    QRect chip = QFontMetrics(font).boundingRect(note).adjusted(-7, -3, 7, 3);
    chip.moveTopRight(rect().topRight() + QPoint(-8, 4));  // beside the title, clear of the curves
    painter.setPen(theme_->limit);
    painter.setBrush(theme_->background);
    painter.drawRect(chip);
    painter.drawText(chip, Qt::AlignCenter, note);
}

void Chart::paint_cursor(QPainter& painter) {
    const QStringList lines = reading(shown_.figure, cursor_);
    const std::vector<double> all = stops(shown_.figure);
    if (lines.isEmpty()) return;
    const QRect plot = axisRect()->rect();
    const bool rows = shape_of(shown_.figure) == Shape::rows;
    const double x = rows ? plot.center().x() : xAxis->coordToPixel(all[cursor_]);
    painter.setPen(QPen(theme_->here, 1));
    if (rows) {
        const double y = yAxis->coordToPixel(all[cursor_]);
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    } else {
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    }
    for (const Series& s : shown_.figure.series)
        for (std::size_t i = 0; s.mark == Mark::line && i < s.x.size(); ++i)
            if (s.x[i] == all[cursor_]) {
                const double y = yAxis->coordToPixel(s.y[i]);
                painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
            }
    paint_value_label(painter, *theme_, lines, QPointF(x, plot.top()), size());
}

void Chart::move_cursor(int stop) {
    if (stop == cursor_) return;
    cursor_ = stop;
    cursor_moved(*this);
    update();
}

void Chart::mark_part(const std::string& id) {
    if (id == part_) return;
    part_ = id;
    update();
}

void Chart::choose_part(const std::string& id) {
    if (id == part_) return;
    mark_part(id);
    emit part_marked(to_qt(id));
}

void Chart::mouseMoveEvent(QMouseEvent* event) {
    const bool inside = axisRect()->rect().contains(event->pos());
    if (offers_parts_ && figure_ && is_bars(*figure_))
        choose_part(inside ? part_at(*this, shown_.figure, event->position()) : std::string());
    if (!figure_ || !inside) return move_cursor(-1);
    const bool rows = shape_of(shown_.figure) == Shape::rows;
    const double at = rows ? yAxis->pixelToCoord(event->pos().y()) : xAxis->pixelToCoord(event->pos().x());
    move_cursor(nearest_stop(shown_.figure, at, xAxis->scaleType() == QCPAxis::stLogarithmic));
}

// How many names and how much label fit depends on the size.
void Chart::resizeEvent(QResizeEvent* event) {
    QCustomPlot::resizeEvent(event);
    if (event->size() != event->oldSize()) draw_figure();
}

// Beside the plot: what is not drawn because it is nothing.
bool Chart::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && figure_ && !shown_.none.isEmpty()) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (axisRect()->rect().contains(help->pos())) QToolTip::hideText();
        else QToolTip::showText(help->globalPos(), plain_text(say_none(shown_.none)), this);
        return true;
    }
    return QCustomPlot::event(event);
}

void Chart::enterEvent(QEnterEvent* event) {
    QCustomPlot::enterEvent(event);
    emit touched();
}

void Chart::changeEvent(QEvent* event) {
    QCustomPlot::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::ApplicationFontChange) set_theme(*theme_);
}

void Chart::leaveEvent(QEvent*) {
    if (offers_parts_) choose_part({});
    move_cursor(-1);
}

void Chart::keyPressEvent(QKeyEvent* event) {
    if (copies_picture(*event, *this, [this] { copy(); })) return;
    const int count = figure_ ? static_cast<int>(stops(shown_.figure).size()) : 0;
    const bool rows = figure_ && shape_of(shown_.figure) == Shape::rows;
    const auto either = [&](int across, int down) { return event->key() == across || (rows && event->key() == down); };
    if (count > 0 && either(Qt::Key_Right, Qt::Key_Down)) return move_cursor(std::min(cursor_ + 1, count - 1));
    if (count > 0 && either(Qt::Key_Left, Qt::Key_Up)) return move_cursor(std::max(cursor_ - 1, 0));
    if (count > 0 && event->key() == Qt::Key_Home) return move_cursor(0);
    if (count > 0 && event->key() == Qt::Key_End) return move_cursor(count - 1);
    const bool parts = offers_parts_ && figure_ && shape_of(shown_.figure) == Shape::columns;
    if (parts && event->key() == Qt::Key_Up) return choose_part(next_part(shown_.figure, part_, 1));
    if (parts && event->key() == Qt::Key_Down) return choose_part(next_part(shown_.figure, part_, -1));
    if (parts && event->key() == Qt::Key_Escape && !part_.empty()) return choose_part({});
    if (event->key() == Qt::Key_Escape && cursor_ >= 0) return move_cursor(-1);
    QCustomPlot::keyPressEvent(event);
}

void Chart::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    add_table_action(menu, *this, [this] { copy(); });
    menu.addSeparator();
    QAction* x = menu.addAction(tr("Logarithmic &x axis (X)"), this, [this] { toggle_logarithmic(Qt::Horizontal); });
    QAction* y = menu.addAction(tr("Logarithmic &y axis (Y)"), this, [this] { toggle_logarithmic(Qt::Vertical); });
    const bool lines = figure_ && !is_bars(*figure_);
    for (QAction* action : {x, y}) {
        action->setCheckable(true);
        action->setEnabled(lines);
    }
    x->setChecked(xAxis->scaleType() == QCPAxis::stLogarithmic);
    y->setChecked(yAxis->scaleType() == QCPAxis::stLogarithmic);
    menu.exec(event->globalPos());
}

void Chart::focusInEvent(QFocusEvent* event) {
    QCustomPlot::focusInEvent(event);
    emit touched();
    update();
}

void Chart::focusOutEvent(QFocusEvent* event) {
    QCustomPlot::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason) move_cursor(-1);
    update();
}

std::vector<double> stops(const Figure& f) {
    std::vector<double> all;
    if (is_bars(f)) {
        for (std::size_t i = 0; i < f.categories.size(); ++i) all.push_back(static_cast<double>(i));
        return all;
    }
    int lines = 0;
    for (const Series& s : f.series) {
        if ((s.mark != Mark::line && s.mark != Mark::point) || s.x.empty()) continue;
        ++lines;
        if (lines == 1) all = s.x;
        else if (s.x != all) all.insert(all.end(), s.x.begin(), s.x.end());
    }
    if (lines < 2) return all;
    std::sort(all.begin(), all.end());
    const auto same = [](double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(a); };
    all.erase(std::unique(all.begin(), all.end(), same), all.end());
    return all;
}

int nearest_stop(const Figure& f, double x, bool log) {
    int best = -1;
    double distance = 1e300;
    const std::vector<double> all = stops(f);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double d = log && x > 0 && all[i] > 0 ? std::abs(std::log(all[i] / x)) : std::abs(all[i] - x);
        if (d < distance) {
            distance = d;
            best = static_cast<int>(i);
        }
    }
    return best;
}

QStringList reading(const Figure& f, int stop) {
    const std::vector<double> all = stops(f);
    if (stop < 0 || stop >= static_cast<int>(all.size())) return {};
    const bool bars = is_bars(f);
    QStringList lines{bars ? worded(f.x.label) + QStringLiteral(": ") + worded(f.categories[stop])
                           : worded(f.x.label) + QStringLiteral(": ") + with_unit(all[stop], f.x)};
    double total = 0;
    int parts = 0;
    for (auto s = f.series.rbegin(); s != f.series.rend(); ++s) {
        const int place = s->mark == Mark::limit && !s->y.empty() ? 0 : index_at(*s, all[stop]);
        if (place < 0) continue;
        const auto at = std::size_t(place);
        const double y = s->y[at];
        if (s->mark == Mark::stacked_bar && y == 0) continue;
        if (s->mark == Mark::band) {
            lines.append(QObject::tr("%1: %2 to %3").arg(worded(s->label), grouped(y), with_unit(s->high[at], f.y)));
            continue;
        }
        const QString name = at < s->names.size() && !s->names[at].empty()
                               ? QStringLiteral(" (%1)").arg(to_qt(s->names[at]))
                               : QString();
        lines.append(worded(s->label) + QStringLiteral(": ") + with_unit(y, f.y) + name);
        if (s->mark == Mark::stacked_bar) {
            total += y;
            ++parts;
        }
    }
    if (parts > 1) lines.insert(1, QObject::tr("Total: %1").arg(with_unit(total, f.y)));
    return lines;
}

}  // namespace plimsoll

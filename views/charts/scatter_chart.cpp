#include "views/charts/scatter_chart.h"

#include "views/charts/export.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <QContextMenuEvent>
#include <QMenu>

#include <algorithm>

namespace plimsoll {

namespace {
constexpr double reach = 12;  // pixels
}

ScatterChart::ScatterChart(QWidget* parent) : QCustomPlot(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    set_theme(light_chart());
}

void ScatterChart::present(Figure figure) {
    figure_ = std::move(figure);
    hovered_ = -1;
    setObjectName(to_qt(figure_.id));
    if (!figure_.title.empty()) setAccessibleName(worded(figure_.title));
    setAccessibleDescription(sentence_on(figure_));
    setWhatsThis(plain_text(to_qt(figure_.title + ". " + figure_.caption)));
    table_.reset();
    collect();
    draw_figure();
    data_changed(*this);
}

const FigureTable& ScatterChart::table() const {
    if (!table_) table_ = figure_.series.empty() ? FigureTable{} : table_of(figure_);
    return *table_;
}

void ScatterChart::collect() {
    places_.clear();
    for (const Series& s : figure_.series)
        for (std::size_t i = 0; s.has_named_points() && i < s.names.size(); ++i) places_.push_back({&s, i});
    std::stable_sort(places_.begin(), places_.end(),
                     [](const Place& a, const Place& b) { return a.series->x[a.index] < b.series->x[b.index]; });
}

void ScatterChart::draw_figure() {
    if (figure_.series.empty()) return;
    Drawing d;
    d.figure = &figure_;
    d.log_x = figure_.x.logarithmic;
    d.log_y = figure_.y.logarithmic;
    frame_.set_figure(d);
    replot(rpQueuedReplot);
}

void ScatterChart::set_theme(const ChartTheme& theme) {
    theme_ = &theme;
    frame_.set_style(screen_style(theme));
    draw_figure();
}

void ScatterChart::select(const QString& name) {
    selected_ = name;
    update();
}

void ScatterChart::copy() {
    if (!figure_.series.empty()) copy_figure(figure_, to_csv(figure_, {}));
}

QPointF ScatterChart::pixel(const Place& p) const {
    const double x = p.series->x[p.index], y = p.series->y[p.index];
    if (shape_of(figure_) == Shape::strips) return {xAxis->coordToPixel(y), yAxis->coordToPixel(x)};
    return {xAxis->coordToPixel(x), yAxis->coordToPixel(y)};
}

QPointF ScatterChart::place_of(const QString& name) const {
    for (const Place& p : places_)
        if (to_qt(p.series->names[p.index]) == name) return pixel(p);
    return {};
}

int ScatterChart::nearest(const QPointF& at) const {
    int best = -1;
    double distance = reach * reach;
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const QPointF gap = pixel(places_[i]) - at;
        const double d = QPointF::dotProduct(gap, gap);
        if (d > distance) continue;
        distance = d;
        best = static_cast<int>(i);
    }
    return best;
}

QString ScatterChart::point_at(const QPointF& at) const {
    const int i = nearest(at);
    return i < 0 ? QString() : to_qt(places_[i].series->names[places_[i].index]);
}

void ScatterChart::hover(int place) {
    if (place == hovered_) return;
    hovered_ = place;
    cursor_moved(*this);
    update();
}

void ScatterChart::paintEvent(QPaintEvent* event) {
    if (!figure_.series.empty()) QCustomPlot::paintEvent(event);
    QPainter painter(this);
    if (figure_.series.empty()) painter.fillRect(rect(), theme_->background);   // no axes without anything on them
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme_->here, 2));
    for (const Place& p : places_)
        if (!selected_.isEmpty() && to_qt(p.series->names[p.index]) == selected_) painter.drawEllipse(pixel(p), 8, 8);
    if (hovered_ >= 0) paint_label(painter, places_[hovered_]);
    if (places_.empty()) {
        painter.setPen(theme_->faint);
        painter.drawText(rect().adjusted(20, 20, -20, -20), Qt::AlignCenter | Qt::TextWordWrap,
                         empty_);
    }
    paint_focus(*this, painter);
}

void ScatterChart::paint_label(QPainter& painter, const Place& p) {
    const QPointF at = pixel(p);
    painter.setPen(QPen(theme_->here, 1.4));
    painter.drawEllipse(at, 5.5, 5.5);
    const auto unit = [](const Axis& axis) { return axis.unit.empty() ? QString() : u' ' + worded(axis.unit); };
    QStringList lines{worded_kept(p.series->names[p.index])};
    if (figure_.categories.empty())
        lines << tr("%1: %2%3").arg(worded(figure_.x.label), grouped(p.series->x[p.index]), unit(figure_.x));
    lines << tr("%1: %2%3").arg(worded(figure_.y.label), grouped(p.series->y[p.index]), unit(figure_.y));
    if (p.index < p.series->low.size() && p.index < p.series->high.size())
        lines << (p.series->mark == Mark::change ? tr("From %1 to %2%3") : tr("95 %: %1 to %2%3"))
                     .arg(grouped(p.series->low[p.index]), grouped(p.series->high[p.index]), unit(figure_.y));
    lines << worded(p.series->label);
    paint_value_label(painter, *theme_, lines, at, size());
}

void ScatterChart::mouseMoveEvent(QMouseEvent* event) { hover(nearest(event->position())); }

void ScatterChart::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    const QString name = point_at(event->position());
    if (event->button() == Qt::LeftButton && !name.isEmpty()) emit picked(name);
}

void ScatterChart::leaveEvent(QEvent*) { hover(-1); }

void ScatterChart::focusOutEvent(QFocusEvent* event) {
    QCustomPlot::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason) hover(-1);
}

// How many names fit depends on the size.
void ScatterChart::resizeEvent(QResizeEvent* event) {
    QCustomPlot::resizeEvent(event);
    draw_figure();
}

void ScatterChart::keyPressEvent(QKeyEvent* event) {
    if (copies_picture(*event, *this, [this] { copy(); })) return;
    const int last = static_cast<int>(places_.size()) - 1;
    const int page = std::max(1, last / 10);
    const auto step = [&] {
        switch (event->key()) {
            case Qt::Key_Right: return 1;
            case Qt::Key_Left: return -1;
            case Qt::Key_PageDown: return page;
            case Qt::Key_PageUp: return -page;
            case Qt::Key_Home: return -last - 1;
            case Qt::Key_End: return last + 1;
            default: return 0;
        }
    }();
    if (step != 0 && last >= 0) return hover(std::clamp(hovered_ + step, 0, last));
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && hovered_ >= 0) {
        emit picked(to_qt(places_[hovered_].series->names[places_[hovered_].index]));
        return;
    }
    if (event->key() == Qt::Key_Escape && hovered_ >= 0) return hover(-1);
    QCustomPlot::keyPressEvent(event);
}

void ScatterChart::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    add_table_action(menu, *this, [this] { copy(); });
    menu.exec(event->globalPos());
}

}  // namespace plimsoll

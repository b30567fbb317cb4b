#include "views/explore/gantt.h"

#include "core/values/knobs/wording.h"
#include "core/values/plan/schedules.h"
#include "views/charts/plot_frame.h"
#include "views/parts/language.h"
#include "views/parts/text.h"
#include "views/parts/widgets.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>

namespace plimsoll {

namespace {

constexpr double left = 46, right = 12, bottom = 40;
constexpr double legend_line = 20, above_legend = 2;
constexpr double column = 2;   // pixels, when bars are too many

constexpr int kinds = 3;
int kind_of(Pass w) { return w == Pass::forward ? 0 : w == Pass::weight_gradient ? 2 : 1; }
constexpr Hatch hatches[kinds] = {Hatch::none, Hatch::rising, Hatch::falling};

QColor colour_of(const ChartTheme& theme, int kind, int chunk, int chunks) {
    const QColor base = theme.series[kind];
    if (chunks < 2) return base;
    const double mix = 0.55 * chunk / (chunks - 1);  // away from the ground, which every chunk has to stand out from
    const QColor& far = theme.text;
    const auto between = [mix](int a, int b) { return int(a + mix * (b - a)); };
    return QColor(between(base.red(), far.red()), between(base.green(), far.green()),
                  between(base.blue(), far.blue()));
}

void fill(QPainter& p, const QRectF& box, const QColor& colour, int kind) {
    p.fillRect(box, colour);
    if (box.width() < 4 || box.height() < 4) return;
    QColor line = ink_on(colour);
    line.setAlpha(70);
    p.setPen(QPen(line, 1));
    p.drawLines(hatch_lines(hatches[kind], box, 7));
}

struct LegendKind {
    QString name;
    int kind;   // -1: idle
};

std::vector<LegendKind> legend_of(const Timeline& t) {
    const bool split = schedule_kind(t.schedule).splits_backward;
    std::vector<LegendKind> all;
    for (const Pass work : {Pass::forward, split ? Pass::input_gradient : Pass::backward, Pass::weight_gradient})
        if (work != Pass::weight_gradient || split) all.push_back({worded(label_of(work)), kind_of(work)});
    all.push_back({QObject::tr("Idle"), -1});
    return all;
}

double entry_width(const QString& name, const QFont& font) { return QFontMetricsF(font).horizontalAdvance(name) + 50; }

class Painting {
public:
    Painting(QPainter& p, const Timeline& t, const GanttView& v, const ChartTheme& theme)
        : p_(p), t_(t), v_(v), theme_(theme) {
        for (const TimelineTask& task : t.tasks) chunks_ = std::max(chunks_, task.chunk + 1);
    }
    void paint() {
        p_.fillRect(v_.area, theme_.background);
        const bool aggregated = double(bars_in_view()) * narrowest_bar > busy_width();
        if (v_.head > 0) legend(aggregated);
        if (!v_.bare) axes();
        p_.save();
        p_.setClipRect(v_.rows());
        for (int i = 0; i < t_.stages(); ++i) aggregated ? columns(i) : bars(i);
        p_.restore();
    }

private:
    using Range = std::pair<const TimelineTask*, const TimelineTask*>;
    Range in_view(int stage) const {
        const TimelineTask *first = &t_.tasks[0] + t_.first[stage], *last = &t_.tasks[0] + t_.first[stage + 1];
        first = std::partition_point(first, last, [this](const TimelineTask& t) { return t.end <= v_.from; });
        return {first, std::partition_point(first, last, [this](const TimelineTask& t) { return t.start < v_.to; })};
    }
    long bars_in_view() const {
        long sum = 0;
        for (int i = 0; i < t_.stages(); ++i) sum += in_view(i).second - in_view(i).first;
        return sum;
    }

    // Pixels of all rows in which a task runs.
    double busy_width() const {
        double sum = 0;
        for (int i = 0; i < t_.stages(); ++i)
            for (auto [task, last] = in_view(i); task != last; ++task)
                sum += v_.x_of(std::min(task->end, v_.to)) - v_.x_of(std::max(task->start, v_.from));
        return sum;
    }

    void bars(int stage) {
        const QRectF row = v_.row(stage);
        const auto [first, last] = in_view(stage);
        double before = -1e9;  // where the task before ends; on screen, edges lie on whole pixels
        for (const TimelineTask* t = first; t != last; ++t) {
            double x = v_.x_of(t->start), end = v_.x_of(t->end);
            const double gap = t == first ? 1 : x - v_.x_of(t[-1].end);
            if (v_.on_screen) x = gap < 0.5 ? before : std::round(x);
            if (v_.on_screen) end = std::round(end);
            before = end;
            const double width = std::max(0.5, end - x);
            const QRectF box(x, row.top(), width, row.height());
            const int kind = kind_of(t->work);
            const QColor colour = colour_of(theme_, kind, t->chunk, chunks_);
            fill(p_, box.intersected(v_.rows().adjusted(-2, 0, 2, 0)), colour, kind);
            p_.setPen(QPen(colour.darker(150), 1));
            const bool alike = gap < 0.5 && kind_of(t[-1].work) == kind;
            if (alike && width > 2 * narrowest_bar) p_.drawLine(box.topLeft(), box.bottomLeft());
            const QString number = QString::number(t->micro_batch + 1);
            const QFontMetricsF metrics(p_.font());
            if (box.height() < metrics.height() || box.width() < metrics.horizontalAdvance(number) + 4) continue;
            const QRectF behind(box.center().x() - metrics.horizontalAdvance(number) / 2 - 2,
                                box.center().y() - metrics.height() / 2 + 1, metrics.horizontalAdvance(number) + 4,
                                metrics.height() - 2);
            if (hatches[kind] != Hatch::none) p_.fillRect(behind, colour);  // no hatch through the digits
            p_.setPen(ink_on(colour));
            p_.drawText(box, Qt::AlignCenter, number);
        }
    }

    // Share of every kind per column, stacked from the bottom of the row.
    void columns(int stage) {
        const QRectF row = v_.row(stage);
        const int count = std::max(1, int(row.width() / column));
        std::vector<std::array<float, kinds>> share(count);
        const auto [first, last] = in_view(stage);
        for (const TimelineTask* t = first; t != last; ++t) {
            const double from = std::max(0.0, (v_.x_of(t->start) - row.left()) / column);
            const double to = std::min<double>(count, (v_.x_of(t->end) - row.left()) / column);
            for (int c = int(from); c < to; ++c)
                share[c][kind_of(t->work)] += float(std::min(to, c + 1.0) - std::max<double>(from, c));
        }
        for (int c = 0; c < count; ++c) {
            double y = row.bottom();
            for (int kind = 0; kind < kinds; ++kind) {
                const double height = row.height() * share[c][kind];
                y -= height;
                if (height > 0.2) p_.fillRect(QRectF(row.left() + c * column, y, column, height), theme_.series[kind]);
            }
        }
    }

    void legend(bool aggregated) {
        QPointF at(v_.rows().left(), v_.area.top() + above_legend);
        for (const LegendKind& each : legend_of(t_)) {
            const double width = entry_width(each.name, p_.font());
            if (at.x() > v_.rows().left() && at.x() + width > v_.rows().right())
                at = QPointF(v_.rows().left(), at.y() + legend_line);
            entry(at, each);
            at.rx() += width;
        }
        const QString how = v_.on_screen ? QObject::tr("Height: share of the time. Zoom in for single tasks")
                                         : QObject::tr("Height: share of the time");
        const QRectF room(at.x(), at.y(), v_.rows().right() - at.x(), legend_line);
        if (!aggregated || QFontMetricsF(p_.font()).horizontalAdvance(how) > room.width()) return;
        p_.setPen(theme_.faint);
        p_.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, how);
    }
    void entry(const QPointF& at, const LegendKind& what) {
        const QRectF box(at.x(), at.y() + 4, 20, 12);
        if (what.kind >= 0) fill(p_, box, theme_.series[what.kind], what.kind);
        p_.setPen(theme_.axis);
        p_.setBrush(Qt::NoBrush);
        if (what.kind < 0 || theme_.series[what.kind].lightness() > 200) p_.drawRect(box);
        p_.setPen(theme_.text);
        p_.drawText(QRectF(at.x() + 26, at.y(), QFontMetricsF(p_.font()).horizontalAdvance(what.name) + 4, legend_line),
                    Qt::AlignLeft | Qt::AlignVCenter, what.name);
    }

    void axes() {
        const QRectF rows = v_.rows();
        const QFontMetricsF metrics(p_.font());
        const double range = (v_.to - v_.from) / second;
        const double unit = range < 0.2 ? 1e-3 : 1;
        const double rough = range / unit / std::max(2.0, rows.width() / 110);
        const double power = std::pow(10, std::floor(std::log10(rough)));
        const double step = power * (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1);
        const int digits = std::max(0, int(-std::floor(std::log10(step) + 1e-9)));
        for (double at = std::ceil(v_.from / second / unit / step - 1e-9) * step; at * unit <= v_.to / second + 1e-12;
             at += step) {
            const double x = v_.x_of(at * unit * second);
            p_.setPen(QPen(theme_.grid, 1));
            p_.drawLine(QPointF(x, rows.top()), QPointF(x, rows.bottom()));
            p_.setPen(theme_.text);
            p_.drawText(QRectF(x - 50, rows.bottom() + 3, 100, metrics.height()), Qt::AlignHCenter | Qt::AlignTop,
                        QString::number(at, 'f', digits));
        }
        p_.setPen(QPen(theme_.axis, 1));
        p_.drawLine(rows.bottomLeft(), rows.bottomRight());
        p_.setPen(theme_.text);
        p_.drawText(QRectF(rows.left(), v_.area.bottom() - metrics.height() - 3, rows.width(), metrics.height()),
                    Qt::AlignCenter,
                    unit < 1 ? QObject::tr("Time in the step (ms)") : QObject::tr("Time in the step (s)"));
        const int every = std::max(1, int(std::ceil(metrics.height() * t_.stages() / std::max(1.0, rows.height()))));
        for (int i = 0; i < t_.stages(); i += every)
            p_.drawText(QRectF(v_.area.left(), v_.row(i).center().y() - 10, left - 8, 20),
                        Qt::AlignRight | Qt::AlignVCenter, QString::number(i + 1));
        p_.save();
        p_.translate(v_.area.left() + 10, rows.center().y());
        p_.rotate(-90);
        p_.drawText(QRectF(-100, -8, 200, 16), Qt::AlignCenter, QObject::tr("Pipeline stage"));
        p_.restore();
    }

    QPainter& p_;
    const Timeline& t_;
    const GanttView& v_;
    const ChartTheme& theme_;
    int chunks_ = 1;
};

}  // namespace

QRectF GanttView::rows() const {
    return bare ? area : area.adjusted(left, head > 0 ? head : right, -right, -bottom);
}

double legend_height(const Timeline& t, const QFont& font, double width) {
    const double room = width - left - right;
    double taken = 0;
    int lines = 1;
    for (const LegendKind& each : legend_of(t)) {
        const double entry = entry_width(each.name, font);
        if (taken > 0 && taken + entry > room) {
            ++lines;
            taken = 0;
        }
        taken += entry;
    }
    return 2 * above_legend + 2 + lines * legend_line;
}

QRectF GanttView::row(int stage) const {
    const QRectF all = rows();
    const double height = all.height() / std::max(1, stages), gap = height > 8 ? 2 : height > 4 ? 1 : 0;
    return {all.left(), all.top() + stage * height + gap / 2, all.width(), height - gap};
}

double GanttView::x_of(Seconds t) const { return rows().left() + rows().width() * ((t - from) / (to - from)); }

Seconds GanttView::time_at(double x) const { return from + (x - rows().left()) / rows().width() * (to - from); }

int GanttView::stage_at(double y) const {
    const QRectF all = rows();
    if (y < all.top() || y >= all.bottom()) return -1;
    return std::min(stages - 1, int((y - all.top()) / all.height() * stages));
}

void paint_gantt(QPainter& p, const Timeline& t, const GanttView& v, const ChartTheme& theme) {
    if (!t.tasks.empty() && v.to > v.from) Painting(p, t, v, theme).paint();
    else p.fillRect(v.area, theme.background);
}

std::vector<QPixmap> small_timelines(const std::vector<Scenario>& plans, QSize size, double pixel_ratio,
                                     const ChartTheme& theme) {
    std::vector<Timeline> all;
    Seconds longest;
    for (const Scenario& s : plans) {
        const int p = s.layout.pipeline_parallel, tasks = schedule_kind(s.layout.schedule).splits_backward ? 3 : 2;
        all.push_back(timeline(s, 2 * p * tasks * s.layout.virtual_stages * p));
        longest = max(longest, all.back().span);
    }
    std::vector<QPixmap> pictures;
    for (const Timeline& t : all) {
        QPixmap& picture = pictures.emplace_back(size * pixel_ratio);
        picture.setDevicePixelRatio(pixel_ratio);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        const QRectF area(QPointF(0, 0), QSizeF(size));
        paint_gantt(painter, t, {area, {}, longest, t.stages(), 0, false, true}, theme);
    }
    return pictures;
}

const TimelineTask* task_at(const Timeline& t, int stage, Seconds when) {
    if (stage < 0 || stage >= t.stages()) return nullptr;
    const auto first = t.tasks.begin() + long(t.first[stage]), last = t.tasks.begin() + long(t.first[stage + 1]);
    const auto found = std::partition_point(first, last, [when](const TimelineTask& task) { return task.end <= when; });
    return found != last && found->start <= when ? &*found : nullptr;
}

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
    setFont(chart_font());
}

void Gantt::present(Timeline t, bool stale) {
    timeline_ = std::move(t);
    stale_ = stale;
    cursor_ = -1;
    const QString old = stale_ ? tr("Of the last plan that could be computed. ") : QString();
    setAccessibleDescription(old + to_qt(note(timeline_)));
    data_changed(*this);
    update();
}

GanttView Gantt::view() const {
    return {QRectF(rect()), from_ * timeline_.span, to_ * timeline_.span, timeline_.stages(),
            legend_height(timeline_, font(), width())};
}

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
    return t ? text_of(*t) : tr("Stage %1: idle at %2").arg(stage + 1).arg(to_qt(say(v.time_at(at.x()))));
}

QString Gantt::text_of(const TimelineTask& t) const {
    const bool chunked = schedule_kind(timeline_.schedule).most_chunks > 1;
    return tr("Stage %1%2: %3 of micro-batch %4\n%5, from %6 to %7")
        .arg(t.stage + 1)
        .arg(chunked ? tr(", chunk %1").arg(t.chunk + 1) : QString())
        .arg(worded(label_of(t.work)).toLower())
        .arg(t.micro_batch + 1)
        .arg(to_qt(say(t.end - t.start)), to_qt(say(t.start)), to_qt(say(t.end)));
}

QString Gantt::text_of_cursor() const {
    return cursor_ < 0 ? QString() : text_of(timeline_.tasks[std::size_t(cursor_)]);
}

QStringList Gantt::data_headings() const {
    return {tr("Stage"), tr("Chunk"), tr("Micro-batch"), tr("Work"), tr("Start"), tr("End"), tr("Length")};
}

QString Gantt::data_cell(int row, int column) const {
    const TimelineTask& t = timeline_.tasks[std::size_t(row)];
    switch (column) {
    case 0: return QString::number(t.stage + 1);
    case 1: return QString::number(t.chunk + 1);
    case 2: return QString::number(t.micro_batch + 1);
    case 3: return worded(label_of(t.work));
    case 4: return to_qt(say(t.start));
    case 5: return to_qt(say(t.end));
    case 6: return to_qt(say(t.end - t.start));
    default: return {};
    }
}

// What is in view follows the cursor.
void Gantt::move_cursor(int task) {
    if (task == cursor_) return;
    cursor_ = task;
    if (task >= 0) {
        const TimelineTask& t = timeline_.tasks[std::size_t(task)];
        const double start = t.start / timeline_.span, end = t.end / timeline_.span, width = to_ - from_;
        if (start < from_ || end > to_) look_at((start + end - width) / 2, (start + end + width) / 2);
    }
    cursor_moved(*this);
    update();
}

// From task to task of a stage, or to what another stage does at that time.
bool Gantt::move_by_key(int key) {
    if (timeline_.tasks.empty()) return false;
    const int across = key == Qt::Key_Right ? 1 : key == Qt::Key_Left ? -1 : 0;
    const int down = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
    const bool end = key == Qt::Key_Home || key == Qt::Key_End;
    if (across == 0 && down == 0 && !end) return false;
    if (cursor_ < 0) return move_cursor(0), true;
    const TimelineTask& now = timeline_.tasks[std::size_t(cursor_)];
    const int stage = std::clamp(now.stage + down, 0, timeline_.stages() - 1);
    const int first = int(timeline_.first[std::size_t(stage)]);
    const int last = int(timeline_.first[std::size_t(stage) + 1]) - 1;
    if (end) return move_cursor(key == Qt::Key_Home ? first : last), true;
    if (across != 0) return move_cursor(std::clamp(cursor_ + across, first, last)), true;
    if (stage == now.stage) return true;
    const Seconds middle = 0.5 * (now.start + now.end);
    const auto begin = timeline_.tasks.begin();
    const auto found = std::partition_point(begin + first, begin + last, [&](auto& t) { return t.end <= middle; });
    return move_cursor(int(found - begin)), true;
}

void Gantt::paint_cursor(QPainter& p, const ChartTheme& theme) const {
    const TimelineTask& t = timeline_.tasks[std::size_t(cursor_)];
    const GanttView v = view();
    const QRectF row = v.row(t.stage);
    const double from = std::max(v.x_of(t.start), row.left()), to = std::min(v.x_of(t.end), row.right());
    p.setPen(QPen(theme.here, 2));
    p.setBrush(Qt::NoBrush);
    p.drawRect(QRectF(from - 1, row.top() - 1, std::max(3.0, to - from + 2), row.height() + 2));
    paint_value_label(p, theme, text_of(t).split(u'\n'), QPointF(0.5 * (from + to), row.bottom()), size());
}

void Gantt::paintEvent(QPaintEvent*) {
    QPainter p(this);
    const ChartTheme& theme = is_dark(palette()) ? dark_chart() : light_chart();
    p.setFont(font());
    paint_gantt(p, timeline_, view(), theme);
    p.setPen(stale_ ? theme.limit : theme.faint);
    if (timeline_.tasks.empty())
        p.drawText(rect(), Qt::AlignCenter, tr("No timeline yet: the plan cannot be computed as it stands"));
    else if (stale_)
        p.drawText(rect().adjusted(0, 4, -12, 0), Qt::AlignRight | Qt::AlignTop,
                   tr("Of the last plan that could be computed"));
    if (cursor_ >= 0) paint_cursor(p, theme);
    paint_focus(*this, p);
}

void Gantt::keyPressEvent(QKeyEvent* event) {
    if (copies_picture(*event, *this)) return;
    switch (event->key()) {
    case Qt::Key_W: case Qt::Key_Plus: case Qt::Key_Equal: return zoom(1.5);
    case Qt::Key_S: case Qt::Key_Minus: return zoom(1 / 1.5);
    case Qt::Key_A: return pan(-0.2);
    case Qt::Key_D: return pan(0.2);
    case Qt::Key_0: return show_all();
    default: break;
    }
    if (event->key() == Qt::Key_Escape && cursor_ >= 0) return move_cursor(-1);
    if (!move_by_key(event->key())) QWidget::keyPressEvent(event);
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
    else QToolTip::showText(event->globalPosition().toPoint(), plain_text(text), this);
}

void Gantt::mouseReleaseEvent(QMouseEvent*) { dragged_from_ = -1; }

void Gantt::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.addAction(tr("Zoom &in (W)"), this, [this] { zoom(1.5); });
    menu.addAction(tr("Zoom &out (S)"), this, [this] { zoom(1 / 1.5); });
    menu.addAction(tr("&Whole step (0)"), this, &Gantt::show_all);
    add_table_action(menu, *this);
    menu.exec(event->globalPos());
}

void Gantt::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void Gantt::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason) move_cursor(-1);
    update();
}

void Gantt::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) update();
}

}  // namespace plimsoll

#include "views/charts/plot_frame.h"

#include "views/charts/shown.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace plimsoll {

namespace {

// A name in lines of at most this width, broken between its words; 0: in one line.
QString in_lines(const QString& name, const QFontMetrics& metrics, int width) {
    QString lines;
    for (const QString& word : name.split(u' ')) {
        const QString longer = lines.isEmpty() ? word : lines.section(u'\n', -1) + u' ' + word;
        const bool fits = width <= 0 || metrics.horizontalAdvance(longer) <= width;
        lines += (lines.isEmpty() ? QString() : fits ? QStringLiteral(" ") : QStringLiteral("\n")) + word;
    }
    return lines;
}

}  // namespace

FrameStyle screen_style(const ChartTheme& theme) {
    FrameStyle style;
    style.theme = &theme;
    style.text = chart_font();
    style.steady = true;
    return style;
}

void PlotFrame::set_style(const FrameStyle& style) {
    style_ = style;
    plot_.setPlottingHint(QCP::phFastPolylines);  // antialiased joins of wide lines cost four times as much
    plot_.setPlottingHint(QCP::phImmediateRefresh, false);    // charts of one page reach the screen together
    plot_.setAutoAddPlottableToLegend(false);                 // the legend is ours
    plot_.layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmLogical);  // empty: needs no picture of its own
    plot_.setBackground(QBrush(style.theme->background));
    plot_.axisRect()->setMinimumMargins(QMargins(8, style.title ? 6 : 12, 22, 4));
    if (legend_) legend_->set_style(style_.text, style_.theme->text);
}

void PlotFrame::lay_out(bool beside) {
    if (legend_ && beside == beside_) return;
    QCPLayoutGrid* grid = plot_.plotLayout();
    if (legend_) grid->remove(legend_);
    if (!title_ && style_.title) {
        grid->insertRow(0);
        title_ = new QCPTextElement(&plot_);
        title_->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
        grid->addElement(0, 0, title_);
    }
    beside_ = beside;
    legend_ = new LegendBlock(&plot_, beside ? LegendBlock::Place::beside : LegendBlock::Place::below);
    legend_->setMargins(beside ? QMargins(0, 8, 8, 4) : QMargins(8, 0, 8, 4));
    const int row = title_ ? 1 : 0;
    if (beside) grid->addElement(row, 1, legend_);
    else grid->addElement(row + 1, 0, legend_);
    grid->simplify();
    grid->setRowSpacing(2);
    grid->setColumnSpacing(0);
    for (int r = 0; r < grid->rowCount(); ++r) grid->setRowStretchFactor(r, r == row ? 1 : 0.001);
    for (int c = 0; c < grid->columnCount(); ++c) grid->setColumnStretchFactor(c, c == 0 ? 1 : 0.001);
    legend_->set_style(style_.text, style_.theme->text);
}

void PlotFrame::style_axis(QCPAxis* axis, const Axis& of, bool log) {
    const ChartTheme& t = *style_.theme;
    axis->setLabel(axis_title(of));
    axis->setLabelFont(style_.text);
    axis->setTickLabelFont(style_.text);
    axis->setLabelColor(t.text);
    axis->setTickLabelColor(t.text);
    axis->setBasePen(QPen(t.axis, 1));
    axis->setTickPen(QPen(t.axis, 1));
    axis->setSubTickPen(QPen(t.axis, 0.75));
    axis->grid()->setPen(QPen(t.grid, 1, Qt::SolidLine));
    axis->grid()->setZeroLinePen(QPen(t.grid, 1, Qt::SolidLine));
    axis->setLabelPadding(4);
    axis->setTickLength(0, 4);
    axis->setSubTickLength(0, 2);
    axis->setSubTicks(!log);
    axis->setScaleType(log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
}

void PlotFrame::set_ticks(const Drawing& d) {
    const TickText text = style_.steady ? short_tick_label : tick_label;
    auto ticker = [text](bool log, int most, bool whole = false) -> QSharedPointer<QCPAxisTicker> {
        if (log) return QSharedPointer<LogTicks>::create(most, whole, text);
        return QSharedPointer<LinearTicks>::create(most, text);
    };
    const Shape shape = shape_of(*d.figure);
    const QFontMetrics metrics(style_.text);
    // The widest label is near the end of the range, but round as labels are.
    const double end = plot_.xAxis->range().upper;
    const double widest = d.log_x && end > 0 ? std::pow(10.0, std::floor(std::log10(end))) : std::round(end);
    const int label = 14 + std::max(metrics.horizontalAdvance(tick_label(widest)),
                                    metrics.horizontalAdvance(QStringLiteral("0.0")));
    const bool lying = shape == Shape::rows || shape == Shape::strips;
    const int taken = lying ? longest_name(*d.figure) + 40 : 70;
    const int across = (plot_.viewport().width() - taken) / label;
    const std::string& counted = d.figure->x.label;
    plot_.xAxis->setTicker(ticker(d.log_x, across, counted == "Nodes" || counted == "Devices"));
    plot_.yAxis->setTicker(ticker(d.log_y, room_upright() / (2 * metrics.height())));
    if (shape == Shape::lines) return;
    QCPAxis* named = lying ? plot_.yAxis : plot_.xAxis;
    const bool upright = !lying && names_stand_upright(*d.figure);
    named->setTickLabelRotation(upright ? -90 : 0);
    const int width = lying || upright ? 0 : room_for_name(*d.figure);
    std::vector<std::string> names;
    for (const std::string& name : d.figure->categories)
        names.push_back(in_lines(worded_kept(name), metrics, width).toStdString());
    named->setTicker(QSharedPointer<CategoryTicks>::create(
        names, upright ? room_for_names() / (metrics.height() + 1) : most_names(*d.figure)));
    named->setSubTicks(false);
}

// Below columns: where not all names stand side by side, and upright they leave the columns half of the height.
// On screen numbers never do: some are left out instead.
bool PlotFrame::names_stand_upright(const Figure& f) const {
    const auto is_number = [](const std::string& name) { return name.find_first_not_of("0123456789,.") == name.npos; };
    if (style_.steady && std::ranges::all_of(f.categories, is_number)) return false;
    return int(f.categories.size()) > most_names(f) && 2 * longest_name(f) < plot_.viewport().height();
}

int PlotFrame::room_for_names() const {
    return plot_.viewport().width() - 70 - (beside_ ? legend_->minimumOuterSizeHint().width() : 0);
}

// Below one of the columns, which leave some room at both ends.
int PlotFrame::room_for_name(const Figure& f) const {
    return int(room_for_names() / bar_positions(f.categories.size()).size()) - 10;
}

// How many category names stand beside each other without touching.
int PlotFrame::most_names(const Figure& f) const {
    if (shape_of(f) == Shape::rows || shape_of(f) == Shape::strips) return rows_with_room();
    return std::max(2, room_for_names() / (longest_name(f) + 10));
}

int PlotFrame::rows_with_room() const {
    const QFontMetrics metrics(style_.text);
    const int around = metrics.height() * (style_.title ? 5 : 4) + 12;
    return std::max(2, (plot_.viewport().height() - around) / (QFontInfo(style_.text).pixelSize() + 1));
}

int PlotFrame::least_height() const {
    constexpr int least_plot = 55, gaps = 20;
    const int below = legend_ && !beside_ ? legend_->minimumOuterSizeHint().height() : 0;
    return below > 0 ? below + least_plot + gaps + QFontMetrics(style_.text).height() * (title_ ? 5 : 4) : 0;
}

int PlotFrame::longest_name(const Figure& f) const {
    const QFontMetrics metrics(style_.text);
    const bool columns = shape_of(f) == Shape::columns;
    const int width = columns ? room_for_name(f) : 0;
    int longest = 1;
    for (const std::string& name : f.categories)
        longest = std::max(longest, metrics.size(0, in_lines(worded_kept(name), metrics, width)).width());
    return longest;
}

// Room for every label that an axis of this kind may get, and for every part that the figure may have.
void PlotFrame::keep_place(const Drawing& d) {
    const Figure& all = d.whole ? *d.whole : *d.figure;
    const QFontMetrics metrics(style_.text);
    const Shape shape = shape_of(*d.figure);
    const int line = metrics.height();
    const bool lying = shape == Shape::rows || shape == Shape::strips;
    const bool upright = shape == Shape::columns && names_stand_upright(*d.figure);
    const int names = lying ? std::max(longest_name(all), longest_name(*d.figure))
                            : metrics.horizontalAdvance("00,000");
    int below = upright ? longest_name(*d.figure) : line;
    if (shape == Shape::columns && !upright)
        for (const std::string& name : d.figure->categories)
            below = std::max(below, metrics.size(0, in_lines(worded_kept(name), metrics, room_for_name(*d.figure)))
                                        .height());
    plot_.axisRect()->setAutoMargins(QCP::msNone);
    plot_.axisRect()->setMargins(QMargins(names + line + 20, style_.title ? 6 : 12, 22, below + line + 18));
}

// What the legend may come to need: every part of bars, and of curves the most lines that there were.
void PlotFrame::keep_room_of_legend(const Drawing& d) {
    QStringList parts;
    if (d.whole && shape_of(*d.figure) == Shape::columns)
        for (const Series& s : d.whole->series) parts << worded_name(s.label);
    const int wide = plot_.viewport().width();
    constexpr int narrow = 620;
    if (legend_width_ != wide) legend_lines_ = wide < narrow && parts.isEmpty() ? 2 : 1;
    legend_width_ = wide;
    legend_->keep_room(parts, legend_lines_);
    if (!beside_) legend_lines_ = legend_->lines();
}

// By how much rows stretch their axis so that the longest bar's label has room.
double PlotFrame::label_room(const Figure& f) const {
    const double axis = std::max(120, plot_.viewport().width() - longest_name(f) - 75);
    const QString longest =
        has_room_for_shares(plot_) ? QStringLiteral("0,000 ms (00.0 %)") : QStringLiteral("0,000 ms");
    const double label = QFontMetrics(style_.text).horizontalAdvance(longest) + 8;   // with the gap before it
    return axis / std::max(0.3 * axis, axis - label);
}

// What title, legend and the lower axis leave of the height.
int PlotFrame::room_upright() const {
    const int below = beside_ ? 0 : legend_->minimumOuterSizeHint().height();
    return plot_.viewport().height() - below - QFontMetrics(style_.text).height() * (title_ ? 5 : 4);
}

// A plot too low for the title of its upright axis keeps the unit; the heading says the rest.
void PlotFrame::fit_upright_title() {
    const QString label = plot_.yAxis->label();
    if (QFontMetrics(style_.text).horizontalAdvance(label) <= room_upright()) return;
    const int unit = static_cast<int>(label.lastIndexOf(u'('));
    plot_.yAxis->setLabel(unit < 0 ? QString() : label.mid(unit + 1).chopped(1));
}

namespace {

// Beside a narrow plot a legend takes half of it; below a low one of many parts it takes even more.
bool legend_belongs_beside(const Figure& f, const QSize& plot, const QFont& font, bool all_parts) {
    if (plot.width() >= 380) return true;
    const QFontMetrics metrics(font);
    int widest = 0, lines = 1, taken = 0;
    for (const Series& s : f.series) {
        if (!all_parts && s.mark == Mark::stacked_bar && is_nothing(f, s)) continue;
        const int cell = metrics.horizontalAdvance(worded_name(s.label)) + 44;  // with its icon, as in LegendBlock
        widest = std::max(widest, cell);
        if (taken > 0 && taken + cell > plot.width() - 16) {
            ++lines;
            taken = 0;
        }
        taken += cell;
    }
    const double below = lines * (metrics.height() + 3);
    return below > 0.35 * plot.height() && widest < 0.58 * plot.width();
}

}  // namespace

void PlotFrame::set_figure(Drawing d) {
    d.theme = style_.theme;
    d.stroke = style_.stroke;
    d.font = style_.text;
    const Shape shape = shape_of(*d.figure);
    const bool bars = shape != Shape::lines;
    d.log_x = d.log_x && !bars;
    d.log_y = d.log_y && !bars;                        // a stack has no meaning on a logarithmic axis
    lay_out(style_.legend && bars && shape != Shape::strips
            && legend_belongs_beside(*d.figure, plot_.viewport().size(), style_.text, style_.steady));
    if (title_) {
        QFont bold = style_.text;
        bold.setBold(true);
        title_->setText(worded(d.figure->title));
        title_->setFont(bold);
        title_->setTextColor(d.theme->text);
        title_->setMargins(QMargins(10, 6, 4, 0));
    }
    const bool rows = shape == Shape::rows, lying = rows || shape == Shape::strips;
    style_axis(plot_.xAxis, lying ? d.figure->y : d.figure->x, d.log_x);
    style_axis(plot_.yAxis, lying ? d.figure->x : d.figure->y, d.log_y);
    plot_.yAxis->setLabelPadding(lying ? 9 : 4);
    plot_.xAxis->grid()->setVisible(shape != Shape::columns);
    plot_.yAxis->grid()->setVisible(!rows);
    plot_.yAxis->setRangeReversed(lying);
    QCPRange across = range_of(d, Qt::Horizontal);
    if (rows) across.upper *= label_room(*d.figure);
    plot_.xAxis->setRange(across);
    plot_.yAxis->setRange(range_of(d, Qt::Vertical));
    std::vector<LegendEntry> entries = draw_series(plot_, d);
    if (!style_.legend) entries.clear();
    legend_->set_entries(std::move(entries));
    if (style_.steady) keep_room_of_legend(d);
    set_ticks(d);  // last: names get the room the legend leaves
    fit_upright_title();
    if (style_.steady) keep_place(d);
}

void paint_value_label(QPainter& painter, const ChartTheme& theme, const QStringList& lines, const QPointF& at,
                       const QSize& size) {
    const QFont font = chart_font();
    painter.setFont(font);
    const QString text = lines.join(QLatin1Char('\n'));
    const int x = static_cast<int>(at.x());
    QRect box = QFontMetrics(font).boundingRect(QRect(0, 0, 600, 600), Qt::AlignLeft, text).adjusted(-7, -5, 7, 5);
    box.moveTopLeft(QPoint(x + 10, static_cast<int>(at.y()) + 8));
    if (box.right() > size.width() - 4) box.moveRight(x - 10);
    if (box.left() < 2) box.moveLeft(2);
    if (box.bottom() > size.height() - 4) box.moveBottom(static_cast<int>(at.y()) - 8);
    painter.setPen(theme.axis);
    painter.setBrush(theme.background);
    painter.drawRect(box);
    painter.setPen(theme.text);
    painter.drawText(box.adjusted(7, 5, -7, -5), Qt::AlignLeft, text);
}

void paint_focus(const QWidget& widget, QPainter& painter) {
    if (!widget.hasFocus()) return;
    painter.setPen(QPen(widget.palette().color(QPalette::Highlight), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(widget.rect().adjusted(1, 1, -1, -1));
}

QString tick_label(double value) {
    if (std::abs(value) < 1e-12) return QStringLiteral("0");
    if (std::abs(value) >= 1e9 || std::abs(value) < 1e-3) return QLocale::c().toString(value, 'g', 3);
    if (std::abs(value) >= 1000) return QLocale(QLocale::English).toString(static_cast<qlonglong>(std::llround(value)));
    return QLocale::c().toString(value, 'g', 6);
}

QString short_tick_label(double value) {
    for (const auto& [size, letter] : {std::pair{1e9, u'G'}, {1e6, u'M'}, {1e5, u'k'}})
        if (std::abs(value) >= size && std::abs(value) < 1e12)
            return QLocale::c().toString(value / (letter == u'k' ? 1e3 : size), 'g', 4) + QChar(letter);
    return tick_label(value);
}

namespace {

QVector<double> decade_steps(const QCPRange& range, std::initializer_list<double> steps) {
    QVector<double> ticks;
    const int first = static_cast<int>(std::floor(std::log10(range.lower)));
    const int last = static_cast<int>(std::ceil(std::log10(range.upper)));
    for (int decade = first; decade <= last; ++decade)
        for (const double step : steps) {
            const double tick = step * std::pow(10.0, decade);
            if (range.contains(tick)) ticks.append(tick);
        }
    return ticks;
}

// Every one of them, or every second, third ..., so that at most so many are in the range.
QVector<double> powers_of_two(const QCPRange& range, int most) {
    const int first = std::max(0, static_cast<int>(std::ceil(std::log2(range.lower) - 1e-9)));
    const int last = static_cast<int>(std::floor(std::log2(range.upper) + 1e-9));
    const int stride = std::max(1, (last - first + most) / most);
    QVector<double> ticks;
    for (int power = first; power <= last; ++power)
        if (power % stride == 0) ticks.append(std::ldexp(1.0, power));
    return ticks;
}

}  // namespace

// The finest of these grids that has room; where even the coarsest is too fine, every other of its lines, and where it
// has fewer than two lines in the range, some of a finer one.
QVector<double> LogTicks::createTickVector(double, const QCPRange& range) {
    if (!(range.lower > 0)) return {};
    if (whole_)
        if (const QVector<double> ticks = powers_of_two(range, most_); ticks.size() >= 2) return ticks;
    const auto grid = [&](std::initializer_list<double> steps) {
        QVector<double> ticks = decade_steps(range, steps);
        if (whole_) ticks.removeIf([](double tick) { return tick < 1 || tick != std::round(tick); });
        return ticks;
    };
    for (const QVector<double>& ticks : {grid({1, 2, 5}), grid({1, 3}), grid({1})})
        if (ticks.size() >= 2 && ticks.size() <= most_) return ticks;
    QVector<double> ticks = grid({1});
    if (ticks.size() < 2) ticks = grid({1, 2, 5});
    if (ticks.size() < 2) ticks = grid({1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9});
    if (ticks.size() < 2 && !(whole_ && !ticks.isEmpty())) {  // a sliver of a decade
        QCPAxisTicker even;
        even.setTickCount(std::min(5, most_));
        ticks.clear();
        even.generate(range, QLocale::c(), u'g', 6, ticks, nullptr, nullptr);
        ticks.removeIf([&](double tick) { return !range.contains(tick) || (whole_ && tick != std::round(tick)); });
    }
    while (ticks.size() > most_) {
        QVector<double> fewer;
        for (int i = 0; i < ticks.size(); i += 2) fewer.append(ticks[i]);
        if (fewer.size() < 2) fewer.append(ticks.back());
        ticks = fewer;
    }
    return ticks;
}

CategoryTicks::CategoryTicks(const std::vector<std::string>& names, int most)
    : stride_(std::max(1, (static_cast<int>(names.size()) + most - 1) / std::max(1, most))) {
    for (const std::string& name : names) names_.push_back(QString::fromStdString(name));
}

QVector<double> CategoryTicks::createTickVector(double, const QCPRange& range) {
    QVector<double> ticks;
    for (int i = 0; i < static_cast<int>(names_.size()); i += stride_)
        if (range.contains(i)) ticks.append(i);
    return ticks;
}

QString CategoryTicks::getTickLabel(double tick, const QLocale&, QChar, int) {
    const auto i = static_cast<std::size_t>(std::lround(tick));
    return i < names_.size() ? names_[i] : QString();
}

}  // namespace plimsoll

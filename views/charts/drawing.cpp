#include "views/charts/drawing.h"

#include "views/charts/shown.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace plimsoll {

Shape shape_of(const Figure& f) {
    const auto stacked = [](const Series& s) { return s.mark == Mark::stacked_bar; };
    const auto bars = std::count_if(f.series.begin(), f.series.end(), stacked);
    if (bars == 0) return f.categories.empty() ? Shape::lines : Shape::strips;
    const bool long_names =
        std::any_of(f.categories.begin(), f.categories.end(), [](auto& name) { return name.size() > 8; });
    return bars == 1 && long_names ? Shape::rows : Shape::columns;
}

namespace {

bool has(const Figure& f, Mark mark) {
    return std::any_of(f.series.begin(), f.series.end(), [&](const Series& s) { return s.mark == mark; });
}

bool has_lines(const Figure& f) { return has(f, Mark::line); }

}  // namespace

bool has_points(const Figure& f) { return has(f, Mark::point); }

double height_of_bar(const Figure& f, std::size_t category) {
    double total = 0;
    for (const Series& s : f.series)
        if (s.mark == Mark::stacked_bar && category < s.y.size()) total += s.y[category];
    return total;
}

QString with_unit(double value, const Axis& axis) {
    return axis.unit.empty() ? grouped(value) : grouped(value) + u' ' + worded(axis.unit);
}

QString axis_title(const Axis& axis) {
    return axis.unit.empty() ? worded(axis.label) : worded(axis.label) + " (" + worded(axis.unit) + ")";
}

namespace {

QColor faded(QColor colour) {
    colour.setAlpha(56);
    return colour;
}

LegendEntry add_bars(QCustomPlot& plot, const Series& s, const SeriesLook& look, const Drawing& d, QCPBars*& below) {
    auto* bars = new HatchedBars(plot.xAxis, plot.yAxis);
    bars->setData(vector(s.x), vector(s.y), true);
    bars->setWidth(bar_width);
    bars->setStackingGap(0);
    const bool thin = s.y.size() > 24;  // a separating line would be wider than the bars
    bars->setPen(thin ? QPen(look.colour, 0) : QPen(d.theme->background, 0.75));
    bars->setBrush(look.colour);
    bars->set_hatch(look.hatch);
    if (below) bars->moveAbove(below);
    below = bars;
    return {LegendEntry::Kind::swatch, worded_name(s.label), QPen(d.theme->axis, 0.75), look.colour,
            QCPScatterStyle::ssNone,   look.hatch};
}

// "3.95 s (10.5 %)".
QString row_label(double value, double total, const std::string& unit, bool share) {
    const double percent = 100 * value / total;
    const QString text = grouped(value) + u' ' + to_qt(unit);
    if (!share || unit == "%") return text;
    return percent < 0.05 ? text + QStringLiteral(" (<0.1 %)")
                          : text + QStringLiteral(" (%1 %)").arg(percent, 0, 'f', 1);
}

// Every row in the colour its part has where parts are stacked.
void add_rows(QCustomPlot& plot, const Series& s, const Drawing& d) {
    double total = 0;
    for (const double y : s.y) total += y;
    for (std::size_t i = 0; i < s.y.size(); ++i) {
        const int place = d.looks ? (*d.looks)[i] : static_cast<int>(i);
        SeriesLook look = look_of(*d.theme, std::max(place, 0));
        if (place < 0) look.colour = d.theme->ideal;  // several parts together
        auto* bar = new HatchedBars(plot.yAxis, plot.xAxis);
        bar->addData(static_cast<double>(i), s.y[i]);
        bar->setWidth(0.72);
        bar->setPen(QPen(d.theme->background, 0.75));
        bar->setBrush(look.colour);
        bar->set_hatch(look.hatch);
        bar->set_label(row_label(s.y[i], total, d.figure->y.unit, has_room_for_shares(plot)), d.font, d.theme->text);
    }
}

}  // namespace

std::vector<LegendEntry> draw_series(QCustomPlot& plot, const Drawing& d) {
    plot.clearPlottables();
    std::vector<LegendEntry> bars, lines, shades;
    QCPBars* below = nullptr;
    bool hollow = false;
    // Behind everything, in the colour of the curve it belongs to; among points it belongs to none.
    const bool of_curve = !d.figure->series.empty() && d.figure->series.front().mark == Mark::line;
    int curve = 0;
    for (const Series& s : d.figure->series)
        if (s.mark == Mark::band)
            shades.push_back(add_band(plot, s, of_curve ? look_of(*d.theme, curve++).ink : d.theme->ideal, d));
    if (shades.size() > 1) {  // one entry for all, which the colours of the curves tell apart
        shades.resize(1);
        shades.front().label = QObject::tr("Likely ranges");
        shades.front().fill.setColor(faded(d.theme->ideal));
    }
    const bool curves = !is_bars(*d.figure);
    if (d.baseline && curves) lines.push_back(add_baseline(plot, d));
    for (std::size_t i = 0; i < d.figure->series.size(); ++i) {
        const Series& s = d.figure->series[i];
        if (s.y.empty()) continue;
        const SeriesLook look = look_of(*d.theme, static_cast<int>(i));
        switch (s.mark) {
            case Mark::stacked_bar:
                if (shape_of(*d.figure) == Shape::rows) add_rows(plot, s, d);
                else if (!is_nothing(*d.figure, s)) bars.push_back(add_bars(plot, s, look, d, below));
                break;
            case Mark::line:
                lines.insert(lines.begin() + std::min(i, lines.size()), add_line(plot, s, look, d));
                hollow = hollow || !all_fit(s);
                break;
            case Mark::point:
                lines.push_back(add_points(plot, s, look, d));
                break;
            case Mark::change:
                lines.push_back(add_change(plot, s, look, d));
                break;
            case Mark::ideal:
                lines.push_back(add_ideal(plot, s, d));
                break;
            case Mark::limit:
                lines.push_back(add_limit(plot, s, d));
                break;
            case Mark::band:
                break;
        }
    }
    if (d.figure->here_x > 0 && curves) lines.push_back(add_here(plot, d));
    lines.insert(lines.end(), shades.begin(), shades.end());
    if (hollow) {
        const QCPScatterStyle ring(QCPScatterStyle::ssCircle, QPen(d.theme->text, 1.4), d.theme->background, 6.5);
        lines.push_back({LegendEntry::Kind::line, QObject::tr("Hollow: exceeds memory"), Qt::NoPen, Qt::NoBrush, ring});
    }
    // Read from the top like the stack itself.
    std::reverse(bars.begin(), bars.end());
    lines.insert(lines.end(), bars.begin(), bars.end());
    return lines;
}

namespace {

struct Extent {
    double low = 1e300, high = -1e300;
    bool positive_only = false;
    void add(double v) {
        if (!std::isfinite(v) || (positive_only && v <= 0)) return;
        low = std::min(low, v);
        high = std::max(high, v);
    }
};

void extend(Extent& e, const Figure& f, Qt::Orientation side) {
    std::vector<double> heights(f.categories.size() + 1, 0.0);
    for (const Series& s : f.series) {
        if (s.mark == Mark::stacked_bar && side == Qt::Vertical) {
            for (std::size_t i = 0; i < s.y.size() && i < heights.size(); ++i) heights[i] += s.y[i];
            continue;
        }
        for (const double v : side == Qt::Horizontal ? s.x : s.y) e.add(v);
        if (side == Qt::Vertical)
            for (const auto* ends : {&s.low, &s.high})
                for (const double v : *ends) e.add(v);
    }
    if (side == Qt::Vertical && (shape_of(f) == Shape::columns || shape_of(f) == Shape::rows))
        for (const double h : heights) e.add(h);
}

}  // namespace

QCPRange bar_positions(std::size_t count) {
    // A lone bar would fill the chart; give it the room of two.
    const double margin = count <= 1 ? 1.0 : count <= 3 ? 0.8 : 0.6;
    return {-margin, static_cast<double>(count) - 1 + margin};
}

QCPRange range_of(const Drawing& d, Qt::Orientation side) {
    const Shape shape = shape_of(*d.figure);
    if (shape == Shape::strips) {
        if (side == Qt::Vertical) return bar_positions(d.figure->categories.size());
        Extent e;
        extend(e, *d.figure, Qt::Vertical);
        const double margin = 0.04 * std::max(1.0, e.high - e.low);
        return e.high < e.low ? QCPRange{-1, 1} : QCPRange{e.low - margin, e.high + margin};
    }
    if (shape == Shape::rows) {
        if (side == Qt::Vertical) return bar_positions(d.figure->categories.size());
        Extent e;
        for (const Series& s : d.figure->series)
            for (const double v : s.y) e.add(v);
        return {0, e.high > 0 ? e.high : 1};
    }
    if (side == Qt::Horizontal && shape == Shape::columns) return bar_positions(d.figure->categories.size());
    const bool log = side == Qt::Horizontal ? d.log_x : d.log_y;
    Extent e;
    e.positive_only = log;
    extend(e, *d.figure, side);
    if (d.baseline && !is_bars(*d.figure)) extend(e, *d.baseline, side);
    if (e.high < e.low) return {0.1, 1};
    if (log) {
        const bool one_point = e.high <= e.low * 1.0001;
        const double factor = one_point ? 2.5 : std::max(1.08, std::pow(e.high / e.low, 0.06));
        return {e.low / factor, e.high * factor};
    }
    const bool whole = shape == Shape::columns && d.figure->y.unit == "%" && std::abs(e.high - 100) < 0.01;
    if (side == Qt::Vertical && whole) return {0, 100};  // shares fill the chart
    const double bottom = side == Qt::Vertical || e.low == e.high ? std::min(0.0, e.low) : e.low;
    const double margin = std::max(1e-12, (e.high - bottom) * (side == Qt::Vertical ? 0.07 : 0.04));
    return {side == Qt::Vertical && bottom == 0 ? 0 : bottom - margin, e.high + margin};
}

QCPGraph* add_graph(QCustomPlot& plot, const Drawing& d, const QPen& pen) {
    const bool lying = shape_of(*d.figure) == Shape::strips;
    QCPGraph* graph = lying ? plot.addGraph(plot.yAxis, plot.xAxis) : plot.addGraph();
    graph->setPen(pen);
    return graph;
}

bool all_fit(const Series& s) { return std::find(s.fits.begin(), s.fits.end(), false) == s.fits.end(); }

namespace {

LegendEntry entry(const Series& s, const QPen& pen, const QCPScatterStyle& marker = QCPScatterStyle::ssNone) {
    return {LegendEntry::Kind::line, worded_name(s.label), pen, Qt::NoBrush, marker, Hatch::none};
}

void add_hollow(QCustomPlot& plot, const Series& s, const SeriesLook& look, const Drawing& d) {
    QCPGraph* over = add_graph(plot, d, Qt::NoPen);
    for (std::size_t i = 0; i < s.fits.size() && i < s.x.size(); ++i)
        if (!s.fits[i]) over->addData(s.x[i], s.y[i]);
    over->setLineStyle(QCPGraph::lsNone);
    QCPScatterStyle::ScatterShape shape =
        look.marker == QCPScatterStyle::ssDisc ? QCPScatterStyle::ssCircle : look.marker;
    over->setScatterStyle(QCPScatterStyle(shape, QPen(look.ink, 1.4), d.theme->background, 6.5));
}

// Data of a graph and, where they are known, the intervals of its points. Both in one order: an interval belongs to the
// point of its number, and a graph that sorted by itself might take points of the same x apart otherwise.
void add_intervals(QCPGraph& graph, const Series& s, const QPen& pen) {
    std::vector<std::size_t> order(s.x.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return s.x[a] < s.x[b]; });
    QVector<double> x, y, below, above;
    const bool known = s.low.size() == s.x.size() && s.high.size() == s.x.size();
    for (const std::size_t i : order) {
        x << s.x[i];
        y << s.y[i];
        if (known) below << s.y[i] - s.low[i];
        if (known) above << s.high[i] - s.y[i];
    }
    graph.setData(x, y, true);
    if (!known || order.empty()) return;
    auto* bars = new QCPErrorBars(graph.keyAxis(), graph.valueAxis());
    bars->setDataPlottable(&graph);
    bars->setErrorType(QCPErrorBars::etValueError);
    bars->setData(below, above);
    bars->setWhiskerWidth(9);
    bars->setSymbolGap(0);   // most intervals are smaller than the marks, and show by their whiskers
    bars->setPen(pen);
}

}  // namespace

LegendEntry add_line(QCustomPlot& plot, const Series& s, const SeriesLook& look, const Drawing& d) {
    const QPen pen(look.ink, d.stroke, look.dash);
    QCPGraph* graph = s.labels.empty() ? add_graph(plot, d, pen) : new LabelledLine(plot, s.labels, d.font, *d.theme);
    graph->setPen(pen);
    graph->setData(vector(s.x), vector(s.y), true);
    // Filled marks beside filled points would look as if they were points of the same kind.
    const bool plain = has_points(*d.figure);
    const QCPScatterStyle marker = plain ? QCPScatterStyle(QCPScatterStyle::ssNone)
                                         : QCPScatterStyle(look.marker, QPen(look.ink, 1), look.ink, 5.5);
    graph->setScatterStyle(marker);
    if (!all_fit(s)) add_hollow(plot, s, look, d);
    LegendEntry line = entry(s, pen, marker);
    line.fill = look.ink;
    return line;
}

// Where hundreds of points lie on each other, paler ones show how many. Few points beside curves are what was measured:
// the most visible marks of the figure.
LegendEntry add_points(QCustomPlot& plot, const Series& s, const SeriesLook& look, const Drawing& d) {
    const bool crowded = s.x.size() > 60, evidence = !crowded && has_lines(*d.figure);
    const QColor ink = evidence ? d.theme->text : look.ink;
    const auto marker = evidence ? QCPScatterStyle::ssDisc : look.marker;
    QColor fill = ink, edge = ink;
    fill.setAlpha(crowded ? 90 : evidence ? 255 : 200);
    edge.setAlpha(crowded ? 150 : 255);
    QCPGraph* graph = s.labels.empty() ? add_graph(plot, d, Qt::NoPen)
                                       : new LabelledLine(plot, s.labels, d.font, *d.theme);
    graph->setPen(Qt::NoPen);
    add_intervals(*graph, s, QPen(edge, evidence ? 1.6 : 1.1));
    graph->setAdaptiveSampling(false);  // it drops points that share a category
    graph->setLineStyle(QCPGraph::lsNone);
    const double size = crowded ? 5 : evidence ? 9 : 6.5;
    graph->setScatterStyle(QCPScatterStyle(marker, QPen(edge, 0.8), fill, size));
    return entry(s, Qt::NoPen, QCPScatterStyle(marker, QPen(ink, 1), ink, evidence ? 9 : 6.5));
}

LegendEntry add_change(QCustomPlot& plot, const Series& s, const SeriesLook& look, const Drawing&) {
    for (std::size_t i = 0; i < s.x.size() && i < s.low.size() && i < s.high.size(); ++i) {
        auto* bar = new HatchedBars(plot.yAxis, plot.xAxis);
        bar->setBaseValue(s.low[i]);
        bar->addData(s.x[i], s.high[i] - s.low[i]);
        bar->setWidth(0.72);
        bar->setPen(QPen(look.colour, 1));  // what is next to nothing stays a line
        bar->setBrush(look.colour);
        bar->set_hatch(look.hatch);
    }
    return {LegendEntry::Kind::swatch, worded_name(s.label), Qt::NoPen, look.colour, QCPScatterStyle::ssNone,
            look.hatch};
}

LegendEntry add_band(QCustomPlot& plot, const Series& s, const QColor& colour, const Drawing& d) {
    const QColor fill = faded(colour);
    QCPGraph* low = add_graph(plot, d, Qt::NoPen);
    QCPGraph* high = add_graph(plot, d, Qt::NoPen);
    low->setData(vector(s.x), vector(s.y), true);
    high->setData(vector(s.x), vector(s.high), true);
    high->setBrush(fill);
    high->setChannelFillGraph(low);
    return {LegendEntry::Kind::swatch, worded_name(s.label), Qt::NoPen, fill, QCPScatterStyle::ssNone, Hatch::none};
}

LegendEntry add_ideal(QCustomPlot& plot, const Series& s, const Drawing& d) {
    const QPen pen(d.theme->ideal, 1.3, Qt::DashLine);
    add_graph(plot, d, pen)->setData(vector(s.x), vector(s.y), true);
    return entry(s, pen);
}

LegendEntry add_limit(QCustomPlot& plot, const Series& s, const Drawing& d) {
    // Of several the last is what there is at all; those before it are dotted.
    const auto last = std::find_if(d.figure->series.rbegin(), d.figure->series.rend(),
                                   [](const Series& other) { return other.mark == Mark::limit; });
    const QPen pen(d.theme->limit, 1.8, &*last == &s ? Qt::DashLine : Qt::DotLine);
    const bool lying = shape_of(*d.figure) == Shape::strips;  // categories stand below each other then
    const QCPRange x = range_of(d, lying ? Qt::Vertical : Qt::Horizontal);
    add_graph(plot, d, pen)->setData({x.lower, x.upper}, {s.y.front(), s.y.front()}, true);
    return entry(s, pen);
}

LegendEntry add_baseline(QCustomPlot& plot, const Drawing& d) {
    const QPen pen(d.theme->ideal, 1.1, Qt::DotLine);
    for (const Series& s : d.baseline->series)
        if (s.mark == Mark::line) add_graph(plot, d, pen)->setData(vector(s.x), vector(s.y), true);
    return {LegendEntry::Kind::line, QObject::tr("Baseline"), pen};
}

LegendEntry add_here(QCustomPlot& plot, const Drawing& d) {
    const Figure& f = *d.figure;
    const QPen pen(d.theme->here, 1, Qt::DotLine);
    const QCPRange y = range_of(d, Qt::Vertical);
    add_graph(plot, d, pen)->setData({f.here_x, f.here_x}, {y.lower, y.upper}, true);
    QCPGraph* ring = add_graph(plot, d, Qt::NoPen);
    ring->setLineStyle(QCPGraph::lsNone);
    ring->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(d.theme->here, 1.4), Qt::NoBrush, 11));
    for (const Series& s : f.series)
        for (std::size_t i = 0; s.mark == Mark::line && i < s.x.size(); ++i)
            if (s.x[i] == f.here_x) ring->addData(s.x[i], s.y[i]);
    return {LegendEntry::Kind::upright, QObject::tr("This plan"), pen};
}

}  // namespace plimsoll

#include "views/charts/marks.h"

#include "views/charts/labelled_line.h"
#include "views/plan/text.h"

#include <algorithm>
#include <numeric>

namespace plimsoll {

QCPGraph* add_graph(QCustomPlot& plot, const Drawing& d, const QPen& pen) {
    const bool lying = shape_of(*d.figure) == Shape::strips;
    QCPGraph* graph = lying ? plot.addGraph(plot.yAxis, plot.xAxis) : plot.addGraph();
    graph->setPen(pen);
    return graph;
}

bool all_fit(const Series& s) { return std::find(s.fits.begin(), s.fits.end(), false) == s.fits.end(); }

namespace {

LegendEntry entry(const Series& s, const QPen& pen, const QCPScatterStyle& marker = QCPScatterStyle::ssNone) {
    return {LegendEntry::Kind::line, to_qt(s.label), pen, Qt::NoBrush, marker, Hatch::none};
}

void add_hollow(QCustomPlot& plot, const Series& s, const SeriesLook& look, const Drawing& d) {
    QCPGraph* over = add_graph(plot, d, Qt::NoPen);
    for (std::size_t i = 0; i < s.fits.size() && i < s.x.size(); ++i)
        if (!s.fits[i]) over->addData(s.x[i], s.y[i]);
    over->setLineStyle(QCPGraph::lsNone);
    QCPScatterStyle::ScatterShape shape =
        look.marker == QCPScatterStyle::ssDisc ? QCPScatterStyle::ssCircle : look.marker;
    over->setScatterStyle(QCPScatterStyle(shape, QPen(look.colour, 1.4), d.theme->background, 6.5));
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
    const QPen pen(look.colour, d.stroke, look.dash);
    QCPGraph* graph = s.labels.empty() ? add_graph(plot, d, pen) : new LabelledLine(plot, s.labels, d.font, *d.theme);
    graph->setPen(pen);
    graph->setData(vector(s.x), vector(s.y), true);
    const QCPScatterStyle marker(look.marker, QPen(look.colour, 1), look.colour, 5.5);
    graph->setScatterStyle(marker);
    if (!all_fit(s)) add_hollow(plot, s, look, d);
    LegendEntry line = entry(s, pen, marker);
    line.fill = look.colour;
    return line;
}

// Where hundreds of points lie on each other, paler ones show how many.
LegendEntry add_points(QCustomPlot& plot, const Series& s, const SeriesLook& look, const Drawing& d) {
    QColor fill = look.colour, edge = look.colour;
    const bool crowded = s.x.size() > 60;
    fill.setAlpha(crowded ? 90 : 200);
    edge.setAlpha(crowded ? 150 : 255);
    QCPGraph* graph = add_graph(plot, d, Qt::NoPen);
    add_intervals(*graph, s, QPen(edge, 1.1));
    graph->setAdaptiveSampling(false);  // it drops points that share a category
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setScatterStyle(QCPScatterStyle(look.marker, QPen(edge, 0.8), fill, crowded ? 5 : 6.5));
    return entry(s, Qt::NoPen, QCPScatterStyle(look.marker, QPen(look.colour, 1), look.colour, 6.5));
}

LegendEntry add_band(QCustomPlot& plot, const Series& s, const QColor& colour, const Drawing& d) {
    QColor fill = colour;
    fill.setAlpha(56);
    QCPGraph* low = add_graph(plot, d, Qt::NoPen);
    QCPGraph* high = add_graph(plot, d, Qt::NoPen);
    low->setData(vector(s.x), vector(s.y), true);
    high->setData(vector(s.x), vector(s.high), true);
    high->setBrush(fill);
    high->setChannelFillGraph(low);
    return {LegendEntry::Kind::swatch, to_qt(s.label), Qt::NoPen, fill, QCPScatterStyle::ssNone, Hatch::none};
}

LegendEntry add_ideal(QCustomPlot& plot, const Series& s, const Drawing& d) {
    const QPen pen(d.theme->ideal, 1.3, Qt::DashLine);
    add_graph(plot, d, pen)->setData(vector(s.x), vector(s.y), true);
    return entry(s, pen);
}

LegendEntry add_limit(QCustomPlot& plot, const Series& s, const Drawing& d) {
    const QPen pen(d.theme->limit, 1.8, Qt::DashLine);
    const QCPRange x = range_of(d, Qt::Horizontal);
    add_graph(plot, d, pen)->setData({x.lower, x.upper}, {s.y.front(), s.y.front()}, true);
    return entry(s, pen);
}

LegendEntry add_baseline(QCustomPlot& plot, const Drawing& d) {
    const QPen pen(d.theme->ideal, 1.1, Qt::DotLine);
    for (const Series& s : d.baseline->series)
        if (s.mark == Mark::line) add_graph(plot, d, pen)->setData(vector(s.x), vector(s.y), true);
    return {LegendEntry::Kind::line, QObject::tr("Baseline"), pen, Qt::NoBrush, QCPScatterStyle::ssNone, Hatch::none};
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
    return {LegendEntry::Kind::upright, QObject::tr("This plan"), pen, Qt::NoBrush, QCPScatterStyle::ssNone, Hatch::none};
}

}  // namespace plimsoll

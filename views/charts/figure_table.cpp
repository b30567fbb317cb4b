#include "views/charts/figure_table.h"

#include "views/charts/chart.h"
#include "views/charts/drawing.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace plimsoll {

namespace {

QString heading_of(const std::string& label, const Axis& axis) {
    return axis.unit.empty() ? worded_name(label) : worded_name(label) + QStringLiteral(" (%1)").arg(worded(axis.unit));
}

QString value_of_series(const Series& s, double x) {
    if (s.mark == Mark::limit) return s.y.empty() ? QString() : grouped(s.y.front());
    const int at = index_at(s, x);
    if (at < 0) return {};
    const auto i = std::size_t(at);
    if (s.mark == Mark::band)
        return i < s.high.size() ? QObject::tr("%1 to %2").arg(grouped(s.y[i]), grouped(s.high[i])) : QString();
    QString text = grouped(s.y[i]);
    if (i < s.names.size() && !s.names[i].empty()) text += QStringLiteral(" (%1)").arg(worded_kept(s.names[i]));
    if (i < s.fits.size() && !s.fits[i]) text += QObject::tr(", exceeds memory");
    return text;
}

FigureTable table_of_points(const Figure& f) {
    const bool measured = std::any_of(f.series.begin(), f.series.end(), [](const Series& s) { return !s.low.empty(); });
    FigureTable table;
    table.headings << QObject::tr("Point");
    if (f.categories.empty()) table.headings << heading_of(f.x.label, f.x);
    else table.headings << worded(f.x.label);
    table.headings << heading_of(f.y.label, f.y);
    const bool changes =
        std::any_of(f.series.begin(), f.series.end(), [](const Series& s) { return s.mark == Mark::change; });
    if (measured) table.headings << (changes ? QObject::tr("From and to") : QObject::tr("95 % interval"));
    table.headings << QObject::tr("Kind");
    struct Named {
        double x;
        QStringList cells;
    };
    std::vector<Named> all;
    for (const Series& s : f.series)
        for (std::size_t i = 0; s.has_named_points() && i < s.names.size(); ++i) {
            const auto category = std::size_t(std::max(0L, std::lround(s.x[i])));
            QStringList cells{worded_kept(s.names[i]),
                              category < f.categories.size() ? worded_kept(f.categories[category]) : grouped(s.x[i]),
                              grouped(s.y[i])};
            const bool interval = i < s.low.size() && i < s.high.size();
            if (measured)
                cells << (interval ? QObject::tr("%1 to %2").arg(grouped(s.low[i]), grouped(s.high[i])) : QString());
            cells << worded_name(s.label);
            all.push_back({s.x[i], std::move(cells)});
        }
    std::stable_sort(all.begin(), all.end(), [](const Named& a, const Named& b) { return a.x < b.x; });
    for (Named& each : all) table.rows.push_back(std::move(each.cells));
    return table;
}

int stacked(const Figure& f) {
    return int(std::count_if(f.series.begin(), f.series.end(),
                             [](const Series& s) { return s.mark == Mark::stacked_bar; }));
}

// "largest are Matrix products with 6.2 s (54 %), Attention with 2 s (17 %) and ..."
QString sentence_on_rows(const Figure& f) {
    const auto bars = std::find_if(f.series.begin(), f.series.end(),
                                   [](const Series& s) { return s.mark == Mark::stacked_bar; });
    const double total = std::accumulate(bars->y.begin(), bars->y.end(), 0.0);
    std::vector<std::size_t> order(std::min(bars->y.size(), f.categories.size()));
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return bars->y[a] > bars->y[b]; });
    QStringList largest;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, order.size()) && bars->y[order[i]] > 0; ++i)
        largest << QObject::tr("%1 with %2 (%3)")
                       .arg(worded_kept(f.categories[order[i]]), with_unit(bars->y[order[i]], f.y),
                            share_text(bars->y[order[i]] / total));
    return QObject::tr("%1: %2 parts, together %3; the largest are %4.")
        .arg(worded(f.y.label))
        .arg(f.categories.size())
        .arg(with_unit(total, f.y), largest.join(QStringLiteral(", ")));
}

QString sentence_on_columns(const Figure& f) {
    std::size_t high = 0, low = 0;
    for (std::size_t i = 1; i < f.categories.size(); ++i) {
        if (height_of_bar(f, i) > height_of_bar(f, high)) high = i;
        if (height_of_bar(f, i) < height_of_bar(f, low)) low = i;
    }
    QString text = QObject::tr("%1 for each %2, %3 of them: at most %4 (%5), at least %6 (%7)")
                       .arg(worded(f.y.label), worded(f.x.label))
                       .arg(f.categories.size())
                       .arg(with_unit(height_of_bar(f, high), f.y), worded_kept(f.categories[high]),
                            with_unit(height_of_bar(f, low), f.y), worded_kept(f.categories[low]));
    for (const Series& s : f.series)
        if (s.mark == Mark::limit && !s.y.empty())
            text += QStringLiteral("; %1 %2").arg(worded_name(s.label), with_unit(s.y.front(), f.y));
    return text + u'.';
}

QString sentence_on_points(const Figure& f) {
    std::size_t count = 0;
    double low = 1e300, high = -1e300;
    for (const Series& s : f.series)
        for (std::size_t i = 0; s.has_named_points() && i < s.names.size() && i < s.y.size(); ++i) {
            ++count;
            low = std::min(low, s.y[i]);
            high = std::max(high, s.y[i]);
        }
    return count == 0 ? QObject::tr("%1 over %2: no points.").arg(worded(f.y.label), worded(f.x.label))
                      : QObject::tr("%1 over %2, %3 points: %1 from %4 to %5.")
                            .arg(worded(f.y.label), worded(f.x.label))
                            .arg(count)
                            .arg(grouped(low), with_unit(high, f.y));
}

QString sentence_on_lines(const Figure& f) {
    const std::vector<double> all = stops(f);
    if (all.empty()) return QObject::tr("%1 over %2: no points.").arg(worded(f.y.label), worded(f.x.label));
    QStringList lines;
    for (const Series& s : f.series)
        if (s.mark == Mark::line && !s.y.empty())
            lines << QObject::tr("%1 from %2 to %3")
                         .arg(worded_name(s.label), grouped(s.y.front()), with_unit(s.y.back(), f.y));
    QString text = QObject::tr("%1 over %2, %3 points from %4 to %5: %6")
                       .arg(worded(f.y.label), worded(f.x.label))
                       .arg(all.size())
                       .arg(grouped(all.front()), with_unit(all.back(), f.x),
                            lines.join(QStringLiteral("; ")));
    if (f.here_x > 0) text += QObject::tr("; the plan is at %1").arg(with_unit(f.here_x, f.x));
    return text + u'.';
}

}  // namespace

int index_at(const Series& s, double x) {
    for (std::size_t i = 0; i < s.x.size() && i < s.y.size(); ++i)
        if (std::abs(s.x[i] - x) <= 1e-9 * std::abs(x)) return int(i);
    return -1;
}

FigureTable table_of(const Figure& f) {
    if (is_of_points(f)) return table_of_points(f);
    const bool bars = is_bars(f);
    const int parts = stacked(f);
    FigureTable table;
    table.headings << (bars ? worded(f.x.label) : heading_of(f.x.label, f.x));
    if (parts > 1) table.headings << QObject::tr("Total") + heading_of({}, f.y);
    for (const Series& s : f.series) table.headings << heading_of(s.label, f.y);
    const std::vector<double> all = stops(f);
    for (std::size_t i = 0; i < all.size(); ++i) {
        QStringList cells{bars ? worded_kept(f.categories[i]) : grouped(all[i])};
        if (parts > 1) cells << grouped(height_of_bar(f, i));
        for (const Series& s : f.series) cells << value_of_series(s, all[i]);
        table.rows.push_back(std::move(cells));
    }
    return table;
}

QString sentence_on(const Figure& f) {
    if (f.series.empty()) return {};
    if (is_of_points(f)) return sentence_on_points(f);
    if (!is_bars(f)) return sentence_on_lines(f);
    if (f.categories.empty()) return QObject::tr("%1: no parts.").arg(worded(f.y.label));
    return shape_of(f) == Shape::rows ? sentence_on_rows(f) : sentence_on_columns(f);
}

}  // namespace plimsoll

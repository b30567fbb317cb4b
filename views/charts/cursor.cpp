#include "views/charts/cursor.h"

#include "views/charts/drawing.h"
#include "views/charts/ticks.h"
#include "views/plan/text.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

std::vector<double> stops(const Figure& f) {
    std::vector<double> all;
    if (is_bars(f)) {
        for (std::size_t i = 0; i < f.categories.size(); ++i) all.push_back(static_cast<double>(i));
        return all;
    }
    for (const Series& s : f.series)
        if (s.mark == Mark::line && s.x.size() > all.size()) all = s.x;
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

namespace {

QString with_unit(double value, const Axis& axis) {
    const QString number = grouped(value);
    return axis.unit.empty() ? number : number + QStringLiteral(" ") + to_qt(axis.unit);
}

const double* value_at(const Series& s, double x) {
    for (std::size_t i = 0; i < s.x.size() && i < s.y.size(); ++i)
        if (std::abs(s.x[i] - x) <= 1e-9 * std::abs(x)) return &s.y[i];
    return nullptr;
}

}  // namespace

QStringList reading(const Figure& f, int stop) {
    const std::vector<double> all = stops(f);
    if (stop < 0 || stop >= static_cast<int>(all.size())) return {};
    const bool bars = is_bars(f);
    QStringList lines{bars ? to_qt(f.x.label + ": " + f.categories[stop])
                           : to_qt(f.x.label) + QStringLiteral(": ") + with_unit(all[stop], f.x)};
    double total = 0;
    int parts = 0;
    for (auto s = f.series.rbegin(); s != f.series.rend(); ++s) {
        const double* y = s->mark == Mark::limit && !s->y.empty() ? &s->y.front() : value_at(*s, all[stop]);
        if (!y || (s->mark == Mark::stacked_bar && *y == 0)) continue;
        if (s->mark == Mark::band) {
            const double high = s->high[static_cast<std::size_t>(y - s->y.data())];
            lines.append(QObject::tr("%1: %2 to %3").arg(to_qt(s->label), grouped(*y), with_unit(high, f.y)));
            continue;
        }
        const auto at = static_cast<std::size_t>(y - s->y.data());
        const QString name = s->mark == Mark::line && at < s->names.size() ? QStringLiteral(" (%1)").arg(to_qt(s->names[at])) : QString();
        lines.append(to_qt(s->label) + QStringLiteral(": ") + with_unit(*y, f.y) + name);
        if (s->mark == Mark::stacked_bar) {
            total += *y;
            ++parts;
        }
    }
    if (parts > 1) lines.insert(1, QObject::tr("Total: %1").arg(with_unit(total, f.y)));
    return lines;
}

}  // namespace plimsoll

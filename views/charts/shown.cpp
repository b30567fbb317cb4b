#include "views/charts/shown.h"

#include "views/charts/drawing.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <algorithm>
#include <numeric>

namespace plimsoll {

namespace {

constexpr double least_share = 1e-5;

// Of a figure of rows: the places of the parts that are something, in order.
std::vector<std::size_t> parts_of(const Series& s, double total) {
    std::vector<std::size_t> parts;
    for (std::size_t i = 0; i < s.y.size(); ++i)
        if (s.y[i] > least_share * total) parts.push_back(i);
    return parts;
}

// The smallest of them, so many that the rest and one row for these have room.
std::vector<std::size_t> take_smallest(std::vector<std::size_t>& parts, const Series& s, std::size_t room) {
    std::vector<std::size_t> small;
    if (parts.size() <= room) return small;
    std::vector<std::size_t> by_size = parts;
    std::stable_sort(by_size.begin(), by_size.end(), [&](std::size_t a, std::size_t b) { return s.y[a] < s.y[b]; });
    by_size.resize(parts.size() - room + 1);
    std::erase_if(parts, [&](std::size_t i) {
        const bool is_small = std::find(by_size.begin(), by_size.end(), i) != by_size.end();
        if (is_small) small.push_back(i);
        return is_small;
    });
    return small;
}

Shown rows_of(const Figure& f, int most_rows) {
    Shown shown{f, {}, {}};
    const auto bars = std::find_if(shown.figure.series.begin(), shown.figure.series.end(),
                                   [](const Series& s) { return s.mark == Mark::stacked_bar; });
    const Series whole = *bars;
    const double total = std::accumulate(whole.y.begin(), whole.y.end(), 0.0);
    std::vector<std::size_t> parts = parts_of(whole, total);
    for (std::size_t i = 0; i < whole.y.size(); ++i)
        if (std::find(parts.begin(), parts.end(), i) == parts.end()) shown.none << worded_kept(f.categories[i]);
    const std::vector<std::size_t> small = take_smallest(parts, whole, std::size_t(std::max(2, most_rows)));
    shown.figure.categories.clear();
    bars->x.clear();
    bars->y.clear();
    bars->fits.clear();
    const auto add = [&](const std::string& name, double value, int look) {
        bars->x.push_back(double(bars->x.size()));
        bars->y.push_back(value);
        shown.figure.categories.push_back(name);
        shown.looks.push_back(look);
    };
    for (const std::size_t i : parts) add(f.categories[i], whole.y[i], int(i));
    double rest = 0;
    for (const std::size_t i : small) rest += whole.y[i];
    if (!small.empty()) add(QObject::tr("%1 smaller parts").arg(small.size()).toStdString(), rest, -1);
    if (shape_of(shown.figure) != Shape::rows) return {f, {}, {}};  // short names alone are left, which stand upright
    return shown;
}

bool is_zero_line(const Series& s) {
    return s.mark == Mark::line && !s.y.empty() && std::all_of(s.y.begin(), s.y.end(), [](double y) { return y == 0; });
}

// Lines on the axis say nothing that their names do not. They keep their places, which give the others their look. Of a
// figure that is zero all over nothing leaves.
void leave_zero_lines(Shown& shown) {
    std::vector<Series>& all = shown.figure.series;
    const bool others = std::any_of(all.begin(), all.end(), [](const Series& s) {
        return s.mark == Mark::line && !s.y.empty() && !is_zero_line(s);
    });
    for (Series& s : all) {
        if (!others || !is_zero_line(s)) continue;
        shown.none << worded_name(s.label);
        s.x.clear();
        s.y.clear();
        s.fits.clear();
    }
}

}  // namespace

bool is_nothing(const Figure& f, const Series& s) {
    for (std::size_t i = 0; i < s.y.size(); ++i)
        if (s.y[i] > least_share * height_of_bar(f, i)) return false;
    return true;
}

Shown shown_of(const Figure& f, int most_rows) {
    if (shape_of(f) == Shape::rows) return rows_of(f, most_rows);
    Shown shown{f, {}, {}};
    if (shape_of(f) == Shape::lines) leave_zero_lines(shown);
    if (shape_of(f) == Shape::columns)
        for (const Series& s : f.series)
            if (s.mark == Mark::stacked_bar && is_nothing(f, s)) shown.none << worded_name(s.label);
    return shown;
}

QString say_none(const QStringList& none) {
    return none.isEmpty() ? QString() : QObject::tr("None: %1.").arg(none.join(QStringLiteral(", ")));
}

}  // namespace plimsoll

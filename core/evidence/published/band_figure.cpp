#include "core/evidence/published/band_figure.h"

#include "core/evidence/published/band_text.h"

#include <algorithm>

namespace plimsoll {

namespace {

void shade(Figure& f, const Band& b) {
    const auto curve = std::find_if(f.series.begin(), f.series.end(), [](const Series& s) { return s.id == "modelled"; });
    if (curve == f.series.end() || !(b.time > 0)) return;
    Series band{"band", "Likely range", Mark::band, curve->x, {}, {}};
    for (const double y : curve->y) {
        const Range<double> range = range_around(y, b.time);
        band.y.push_back(range.low);
        band.high.push_back(range.high);
    }
    f.series.push_back(std::move(band));
    f.caption += " Shaded: " + say_spread(b.time_spread);
    if (!b.beyond.empty()) f.caption += " Outside what was checked: " + say_beyond(b) + '.';
}

}  // namespace

void shade(std::vector<Figure>& figures, const Band& b) {
    for (Figure& f : figures)
        if (f.id == "time-vs-nodes") shade(f, b);
}

}  // namespace plimsoll

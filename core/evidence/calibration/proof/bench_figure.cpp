#include "core/evidence/calibration/proof/bench_figure.h"

#include "core/evidence/calibration/fit/measurements.h"

#include <algorithm>

namespace plimsoll {

namespace {

// Times need no place on the axis where there is no size: such a bench is drawn over the order of its points.
enum class Over { flop, bytes, order };
Over axis_of(std::span<const BenchPoint> points) {
    const auto all = [&](auto&& has) { return std::all_of(points.begin(), points.end(), has); };
    if (all([](const BenchPoint& p) { return p.flop > 0; })) return Over::flop;
    return all([](const BenchPoint& p) { return p.bytes > Bytes{}; }) ? Over::bytes : Over::order;
}

Axis axis(Over over) {
    if (over == Over::order) return {"Point", "", false};
    return over == Over::flop ? Axis{"Work", "FLOP", true} : Axis{"Size", "bytes", true};
}

}  // namespace

Figure bench_figure(const std::string& title, std::span<const BenchPoint> points) {
    const Over over = axis_of(points);
    Figure f{"bench-points", title, axis(over), {"Time", "ms", true}, {}, {}, 0, "Median time of one call, as measured; nothing is fitted yet."};
    Series calm{"measured", "Measured", Mark::point, {}, {}, {}}, disturbed{"contended", "Disturbed", Mark::point, {}, {}, {}};
    int number = 0;
    for (const BenchPoint& p : points) {
        ++number;
        Series& s = p.contended() ? disturbed : calm;
        s.x.push_back(over == Over::order ? number : over == Over::flop ? p.flop : p.bytes / byte);
        s.y.push_back(p.median / millisecond);
        s.names.push_back(label_of(p));
    }
    for (Series* s : {&calm, &disturbed})
        if (!s->x.empty()) f.series.push_back(std::move(*s));
    return f;
}

}  // namespace plimsoll

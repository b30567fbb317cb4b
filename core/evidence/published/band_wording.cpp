// A band in words, around a number and on figures.
#include "core/evidence/published/band.h"

#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

std::string likeness(Circle c) {
    switch (c) {
        case Circle::same_reach: return phrase("with this stack, device, number format and reach");
        case Circle::same_stack_and_device: return phrase("with this stack on this device");
        case Circle::same_stack_or_device: return phrase("with this stack or this device");
        case Circle::all: break;
    }
    return phrase("of any kind, none with this stack or device");
}

namespace {

// "Narrowed from 8 % by 6 runs held back on this machine, mean error 4.1 %."
std::string say_held_back(const Spread& s) {
    if (!s.held_back) return {};
    const long now = std::lround(100 * s.band), before = std::lround(100 * s.without);
    const std::string verb = s.without == 0 ? phrase("Judged")
                           : now < before   ? phrase("Narrowed from {1} %", before)
                           : now > before   ? phrase("Widened from {1} %", before)
                                            : phrase("Neither narrowed nor widened");
    return ' '
         + phrase("{1} by {2} held back on this machine, mean error {3}.", verb, numbered(s.held_back, "run", "runs"),
                  percent(s.held_back_error));
}

}  // namespace

std::string say_part_rule() {
    return phrase("The causes are independent: the squares of their logarithms add up to that of the range. Prices, "
                  "failure rates and power are no part of it; the bars show them.");
}

std::string say_spread(const Spread& s) {
    if (s.runs == 0) return phrase("No published run to judge by.");
    const long share = std::lround(100 * s.band);
    const std::string within =
        s.held_back ? phrase("Two thirds of comparable runs lie within {1} % of the prediction.", share)
                    : phrase("Two thirds of comparable published runs lie within {1} % of the prediction.", share);
    return within + ' '
         + phrase("Nearest: {1} of {2} {3}; runs less alike count less.", numbered(s.runs, "run", "runs"),
                  numbered(s.sources, "source", "sources"), likeness(s.circle))
         + say_held_back(s);
}

std::string say_untuned(const RunKind& kind) {
    return kind.trained == Trained::adapters
             ? phrase("no run that trains adapters was ever compared with this stack or on this device")
             : phrase("no fine-tuning run was ever compared with this stack or on this device");
}

std::string say_beyond(const Band& b) {
    std::string all;
    for (const std::string& sentence : b.beyond) all += (all.empty() ? "" : "; ") + sentence;
    const long before = std::lround(100 * b.time_spread.band), now = std::lround(100 * b.time);
    if (all.empty() || now <= before) return all;
    return phrase("{1}; the range is widened for it, from {2} % to {3} %", all, before, now);
}

Headroom judged(double share, const Band& b) {
    return {share, b.memory_spread.runs > 0 ? 1 + b.memory : 1};
}

bool shade_line(Figure& f, std::string_view line, const Band& b, Series band) {
    const auto curve = std::find_if(f.series.begin(), f.series.end(), [&](const Series& s) { return s.id == line; });
    if (curve == f.series.end() || !(b.time > 0)) return false;
    band.x = curve->x;
    for (const double y : curve->y) {
        const LikelyRange<double> range = range_around(y, b.time);
        band.y.push_back(range.low);
        band.high.push_back(range.high);
    }
    f.series.push_back(std::move(band));
    return true;
}

namespace {

void shade(Figure& f, const Band& b) {
    if (!shade_line(f, "modelled", b, {"band", "Likely range", Mark::band, {}, {}, {}})) return;
    f.caption += " Shaded: " + say_spread(b.time_spread);
    if (!b.beyond.empty()) f.caption += " Extrapolated: " + say_beyond(b) + '.';
}

}  // namespace

void shade(std::vector<Figure>& figures, const Band& b) {
    for (Figure& f : figures)
        if (f.id == "time-vs-nodes") shade(f, b);
}

}  // namespace plimsoll

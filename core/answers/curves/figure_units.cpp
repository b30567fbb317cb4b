#include "core/answers/curves/figure_units.h"

#include "core/values/basics/phrase.h"
#include "core/values/basics/shown_units.h"
#include "core/values/basics/text.h"

#include <algorithm>

namespace plimsoll {

namespace {

void scale_values(std::vector<double>& values, double by) {
    for (double& v : values) v *= by;
}

void scale_y(Figure& f, double by, const std::string& unit) {
    f.y.unit = unit;
    for (Series& s : f.series) {
        scale_values(s.y, by);
        scale_values(s.high, by);
        scale_values(s.low, by);
    }
}

void scale_x(Figure& f, double by, const std::string& unit) {
    f.x.unit = unit;
    f.here_x *= by;
    for (Series& s : f.series) scale_values(s.x, by);
}

// How many of the wished unit are one of the axis's; 0: it stays.
double other_unit(const std::string& unit, std::string& wished) {
    const ShownUnits units = shown_units();
    if (unit == "GiB" && units.memory == ByteUnit::decimal) {
        wished = "GB";
        return gibibyte / gigabyte;
    }
    if (unit == "days" && units.durations == DurationUnit::hours) {
        wished = "hours";
        return day / hour;
    }
    if (unit == "hours" && units.durations == DurationUnit::days) {
        wished = "days";
        return hour / day;
    }
    return 0;
}

}  // namespace

Figure in_shown_units(Figure f) {
    std::string wished;
    if (const double by = other_unit(f.y.unit, wished); by > 0) scale_y(f, by, wished);
    const bool numbers = f.categories.empty();   // else x counts categories
    if (const double by = other_unit(f.x.unit, wished); numbers && by > 0) scale_x(f, by, wished);
    return f;
}

Figure in_shown_units(Figure f, const Machine& m, HourOf of) {
    f = in_shown_units(std::move(f));
    const auto rate = hours_per_node_hour(m, of);
    if (of == HourOf::node || !rate || f.y.label != "Node-hours") return f;
    f.y.label = hours_label(of, m);
    f.title = phrase("{1} of the run", f.y.label);
    f.caption += ' ' + phrase("A node-hour is {1} of them.", significant(*rate, 4));
    scale_y(f, *rate, f.y.unit);
    return f;
}

std::string hours_label(HourOf of, const Machine& m) {
    switch (of) {
        case HourOf::node: break;
        case HourOf::package: return phrase("{1}-hours", package_name(m));
        case HourOf::device: return phrase("Device-hours");
        case HourOf::core: return phrase("Core-hours");
        case HourOf::site: return phrase("Charged in units of {1}", m.accounting.unit);
    }
    return phrase("Node-hours");
}

}  // namespace plimsoll

#include "core/answers/compare/compare_figures.h"

#include "core/answers/campaign/headline.h"
#include "core/answers/plan/headroom.h"

#include <algorithm>
#include <iterator>

namespace plimsoll {

namespace {

struct Beside {
    Estimate estimate;
    double steps = 0;
    Totals totals;
    Bytes surely;   // a prediction up to this surely fits
};

std::vector<double> places(std::size_t count) {
    std::vector<double> x;
    for (std::size_t i = 0; i < count; ++i) x.push_back(double(i));
    return x;
}

std::string of_plan(std::span<const std::string> names) {
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : "; ") + name;
    return all;
}

Unit<Seconds> unit_of(const std::vector<Beside>& plans) {
    Seconds longest;
    for (const Beside& p : plans) longest = std::max(longest, p.totals.time);
    return readable(longest, run_units);
}

// Beside a run of so many times their length, bars of the others would be lines.
constexpr double flattened_by = 8;

bool differ_much(const std::vector<Beside>& plans) {
    const auto [least, most] = std::ranges::minmax(plans, {}, [](const Beside& p) { return p.totals.time / second; });
    return most.totals.time > flattened_by * least.totals.time;
}

Figure times(const std::vector<Beside>& plans, std::span<const std::string> names) {
    const bool shares = differ_much(plans);
    const Unit<Seconds> unit = unit_of(plans);
    Figure f;
    f.id = "compare-time";
    f.title = "Time to train by part";
    f.x = {"Plan", ""};
    f.y = shares ? Axis{"Share of the time to train", "%"} : Axis{"Time", unit.name};
    f.categories.assign(names.begin(), names.end());
    const auto add = [&](std::string_view id, std::string_view label, auto time) {
        Series bars{std::string(id), std::string(label), Mark::stacked_bar, places(plans.size()), {}, {}};
        for (const Beside& p : plans) bars.y.push_back(time(p) / (shares ? p.totals.time / 100 : unit.size));
        f.series.push_back(std::move(bars));
    };
    for (const auto& part : step_parts)
        add(part.id, part.label, [&](const Beside& p) { return p.steps * (p.estimate.step.*part.value); });
    add("beside", "Failures, checkpoints, ends of jobs", [](const Beside& p) { return p.totals.beside; });
    f.caption = (shares ? "Shares of each run's own time, because the runs differ too much in length for one scale: "
                          "parts of its steps, and what comes beside training: "
                        : "What each run takes, part by part of its steps, and what comes beside training: ")
              + of_plan(names) + ".";
    return f;
}

Figure memories(const std::vector<Beside>& plans, std::span<const std::string> names) {
    Figure f;
    f.id = "compare-memory";
    f.title = "Memory of the fullest device";
    f.x = {"Plan", ""};
    f.y = {"Memory of a device", "GiB"};
    f.categories.assign(names.begin(), names.end());
    for (const auto& part : memory_parts) {
        Series bars{std::string(part.id), std::string(part.label), Mark::stacked_bar, places(plans.size()), {}, {}};
        for (const Beside& p : plans) {
            bars.y.push_back(p.estimate.worst().*part.value / gibibyte);
            bars.fits.push_back(p.estimate.fits());
        }
        f.series.push_back(std::move(bars));
    }
    const Bytes limit = plans.front().estimate.memory_limit;
    const bool alike = std::all_of(plans.begin(), plans.end(),
                                   [&](const Beside& p) { return p.estimate.memory_limit == limit; });
    const Bytes sure = plans.front().surely;
    const bool one_line = alike && std::ranges::all_of(plans, [&](const Beside& p) { return p.surely == sure; });
    if (one_line && sure > Bytes{})
        f.series.push_back({"surely_fits", "Surely fits below", Mark::limit, {}, {sure / gibibyte}, {}});
    if (alike) f.series.push_back({"limit", "Device memory", Mark::limit, {}, {limit / gibibyte}, {}});
    f.caption = "Memory of the device that holds most, by what lies in it: " + of_plan(names) + ".";
    return f;
}

// The curve that every plan has, in one unit for all.
Figure over_nodes(std::span<const Scenario> plans, const Unit<Seconds>& unit, std::span<const std::string> names) {
    Figure f;
    f.id = "compare-nodes";
    f.title = "Time to train over the nodes";
    f.x = {"Nodes", "", true};
    f.y = {"Time to train", unit.name, true};
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const std::vector<Figure> all = figures(plans[i], {}, Counting::all);
        const auto found =
            std::find_if(all.begin(), all.end(), [](const Figure& g) { return g.id == "time-vs-nodes"; });
        if (found == all.end() || found->series.empty()) continue;
        const auto own = std::find_if(std::begin(run_units), std::end(run_units),
                                      [&](const Unit<Seconds>& u) { return u.name == found->y.unit; });
        if (own == std::end(run_units)) continue;
        const Series& curve = found->series.front();
        Series line{"plan-" + std::to_string(i + 1), names[i], Mark::line, curve.x, {}, curve.fits};
        for (const double y : curve.y) line.y.push_back(y * (own->size / unit.size));
        f.series.push_back(std::move(line));
    }
    f.caption = "Time to train with failures, checkpoints and ends of jobs, layouts kept but for the data-parallel "
                "degree: " + of_plan(names) + ".";
    return f;
}

}  // namespace

std::vector<Figure> compare_figures(std::span<const Scenario> plans, std::span<const std::string> names,
                                    bool with_nodes) {
    std::vector<Beside> priced;
    for (const Scenario& s : plans) {
        Outcome o = estimate(s);
        if (!o) return {};
        const Headline h = headline(s, *o);
        const Totals t = totals(s, h, Counting::all);
        if (!t.ends()) return {};
        const Bytes sure = surely(s, {}).limit(o->memory_limit);
        priced.push_back({*std::move(o), h.steps, t, sure});
    }
    if (priced.empty()) return {};
    std::vector<Figure> all{times(priced, names), memories(priced, names)};
    if (with_nodes) all.push_back(over_nodes(plans, unit_of(priced), names));
    return all;
}

Figure waterfall_figure(const Waterfall& w, const std::string& from, const std::string& to) {
    const Unit<Seconds> unit = readable(std::max(w.from, w.to), run_units);
    Figure f;
    f.id = "compare-why";
    f.title = "Where the difference comes from";
    f.x = {"Part", ""};
    f.y = {"Time to train", unit.name};
    Series plans{"plans", "The plans", Mark::point, {}, {}, {}};
    Series longer{"longer", "Takes longer", Mark::change, {}, {}, {}};
    Series shorter{"shorter", "Takes less", Mark::change, {}, {}, {}};
    const auto add = [&](Series& s, const std::string& name, Seconds at) {
        s.x.push_back(double(f.categories.size()));
        s.y.push_back(at / unit.size);
        s.names.push_back(name);
        f.categories.push_back(name);
    };
    add(plans, from, w.from);
    Seconds sum = w.from;
    for (const WaterfallPart& p : w.parts) {
        if (p.change == Seconds{}) continue;
        const Seconds before = sum;
        sum += p.change;
        Series& s = p.change > Seconds{} ? longer : shorter;
        add(s, p.label, sum);
        s.low.push_back(std::min(before, sum) / unit.size);
        s.high.push_back(std::max(before, sum) / unit.size);
    }
    add(plans, to, w.to);
    for (Series* s : {&plans, &longer, &shorter})
        if (!s->x.empty()) f.series.push_back(std::move(*s));
    f.caption = "From the time of " + from + " to that of " + to
              + ", part by part: each bar begins where the one above it ends.";
    return f;
}

}  // namespace plimsoll

#include "core/answers/curves/figures.h"

#include "core/answers/curves/sweep.h"
#include "core/answers/plan/by_kind.h"
#include "core/values/knobs/wording.h"
#include "core/answers/campaign/headline.h"
#include "core/answers/plan/headroom.h"
#include "core/answers/search/envelope.h"
#include "core/answers/search/wording.h"
#include "core/costs/campaign/resilience.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

namespace plimsoll {

namespace {

constexpr int most_bars = 12;     // node counts side by side that stay readable
constexpr int most_stages = 64;

// The plan at one node count.
struct Point {
    double nodes;
    Estimate estimate;
    Headline headline;
    Totals totals;
};
using Points = std::vector<Point>;

// What curves run over: nodes, or the devices of a machine that is a single node.
bool counts_devices(const Scenario& s) { return s.machine.nodes == 1; }

std::vector<double> counts_of(const Scenario& s, int most) {
    return counts_devices(s) ? valid_values(s, *find_knob("layout.devices"), most) : node_counts(s, most);
}

// The present count is the plan itself: turning "nodes" would fill up a part-used node.
Points points_of(const Scenario& s, int most, Counting counting) {
    const Knob& nodes = *find_knob(counts_devices(s) ? "layout.devices" : "nodes");
    Points points;
    for (double count : counts_of(s, most)) {
        const auto here = count == nodes.get(s) ? s : with(s, nodes, count);
        if (!here) continue;
        const Outcome o = estimate(*here);
        if (!o) continue;
        const Headline h = headline(*here, *o);
        points.push_back({count, *o, h, totals(*here, h, counting)});
    }
    return points;
}

// The best layouts of the node counts, as curves need them.
struct Best {
    Points points;
    std::vector<Layout> layouts;
};

Best best_of(const Scenario& s, std::span<const EnvelopePoint> found, Counting counting) {
    Best best;
    for (const EnvelopePoint& point : found) {
        if (!point.best) continue;
        const Scenario there = with_layout(s, point.best->layout);
        const Outcome e = estimate(there);
        if (!e) continue;
        const int count = counts_devices(s) ? there.layout.devices : point.nodes;
        const Headline h = headline(there, *e);
        best.points.push_back({double(count), *e, h, totals(there, h, counting)});
        best.layouts.push_back(there.layout);
    }
    return best;
}

const Point& first_fitting(const Points& points) {
    const auto fits = [](const Point& p) { return p.estimate.fits(); };
    const auto found = std::find_if(points.begin(), points.end(), fits);
    return found == points.end() ? points.front() : *found;
}

std::vector<bool> fits_of(const Points& points) {
    std::vector<bool> fits;
    for (const Point& p : points) fits.push_back(p.estimate.fits());
    return fits;
}

template <class Value>
Series line(const char* id, const char* label, const Points& points, Value value) {
    Series s{id, label, Mark::line, {}, {}, fits_of(points)};
    for (const Point& p : points) {
        // What has no end, where failures take all of the time, is a gap.
        const double y = value(p);
        s.x.push_back(p.nodes);
        s.y.push_back(std::isinf(y) ? std::nan("") : y);
    }
    return s;
}

std::vector<double> indices(std::size_t count) {
    std::vector<double> x(count);
    std::iota(x.begin(), x.end(), 0.0);
    return x;
}

const Axis nodes_axis{"Nodes", "", true};

Figure empty(const char* id, const char* title, Axis x, Axis y) {
    Figure f;
    f.id = id;
    f.title = title;
    f.x = std::move(x);
    f.y = std::move(y);
    return f;
}

// ---- The figures

Series ideal_time(const Points& points, Unit<Seconds> unit) {
    const Point& from = first_fitting(points);
    Series s{"ideal", "Ideal", Mark::ideal, {}, {}, {}};
    for (const Point& p : points) {
        s.x.push_back(p.nodes);
        s.y.push_back(from.totals.time / unit.size * from.nodes / p.nodes);
    }
    return s;
}

// What a search found at each node count, with the winner's name; nothing without a search.
template <class Value>
void add_best(Figure& f, const Best& best, Value value) {
    if (best.points.empty()) return;
    Series s = line("best", "Best layout", best.points, value);
    for (const Layout& l : best.layouts) {
        s.names.push_back(say_layout(l));
        s.labels.push_back(say_model_parallel(l));
    }
    f.series.push_back(std::move(s));
}

Figure time_vs_nodes(const Points& points, const Best& best, const Totals& here) {
    const auto unit = readable(here.time, run_units);
    const auto value = [unit](const Point& p) { return p.totals.time / unit.size; };
    Figure f = empty("time-vs-nodes", "Time to train", nodes_axis, {"Time to train", unit.name, true});
    f.series.push_back(line("modelled", "Modelled", points, value));
    f.series.push_back(ideal_time(points, unit));
    add_best(f, best, value);
    return f;
}

Figure node_hours_vs_nodes(const Points& points, const Best& best) {
    const auto value = [](const Point& p) { return p.totals.node_hours; };
    Figure f = empty("node-hours-vs-nodes", "Node-hours of the run", nodes_axis, {"Node-hours", "", true});
    f.series.push_back(line("modelled", "Modelled", points, value));
    add_best(f, best, value);
    return f;
}

Figure step_breakdown(const Estimate& e) {
    const auto unit = readable(e.step.total(), step_units);
    Figure f = empty("step-breakdown", "Time of one step", {"Part of the step", ""}, {"Time", unit.name});
    Series bars{"step", "One step", Mark::stacked_bar, indices(std::size(step_parts)), {}, {}};
    for (const auto& part : step_parts) {
        f.categories.emplace_back(part.label);
        bars.y.push_back(e.step.*part.value / unit.size);
    }
    f.series.push_back(std::move(bars));
    return f;
}

Figure step_vs_nodes(const Points& points) {
    Figure f = empty("step-vs-nodes", "Shares of a step", {"Nodes", ""}, {"Share of a step", "%"});
    for (const Point& p : points) f.categories.push_back(std::to_string(std::llround(p.nodes)));
    for (const auto& part : step_parts) {
        Series bars{std::string(part.id), std::string(part.label), Mark::stacked_bar, indices(points.size()), {},
                    fits_of(points)};
        for (const Point& p : points) bars.y.push_back(100 * (p.estimate.step.*part.value / p.estimate.step.total()));
        f.series.push_back(std::move(bars));
    }
    return f;
}

// All stages, or of very long pipelines the ends, the worst and an even choice between.
std::set<int> shown_stages(const Estimate& e) {
    const int stages = static_cast<int>(e.stages.size());
    std::set<int> shown{e.worst_stage};
    const int bars = std::min(stages, most_stages);
    for (int i = 0; i < bars; ++i)
        shown.insert(bars == 1 ? 0 : static_cast<int>(static_cast<long long>(i) * (stages - 1) / (bars - 1)));
    return shown;
}

Figure memory_per_stage(const Scenario& s, const Estimate& e) {
    Figure f = empty("memory-per-stage", "Device memory", {"Pipeline stage", ""}, {"Memory of a device", "GiB"});
    const std::set<int> stages = shown_stages(e);
    for (int stage : stages) f.categories.push_back(std::to_string(stage + 1));
    for (const auto& part : memory_parts) {
        Series bars{std::string(part.id), std::string(part.label), Mark::stacked_bar, indices(stages.size()), {}, {}};
        for (int stage : stages) {
            bars.y.push_back(e.stages[stage].*part.value / gibibyte);
            bars.fits.push_back(e.stages[stage].total() <= e.memory_limit);
        }
        f.series.push_back(std::move(bars));
    }
    if (const Bytes sure = surely(s, {}).limit(e.memory_limit); sure > Bytes{})
        f.series.push_back({"surely_fits", "Surely fits below", Mark::limit, {}, {sure / gibibyte}, {}});
    f.series.push_back({"limit", "Device memory", Mark::limit, {}, {e.memory_limit / gibibyte}, {}});
    return f;
}

// Of models whose layers are of several kinds: what those of each take, and what belongs to none.

std::vector<std::string> letters_of_costs(const std::vector<KindCost>& kinds) {
    std::vector<std::string> names;
    for (const KindCost& k : kinds) names.emplace_back(1, k.letter);
    names.push_back("Everything else");
    return names;
}

Figure step_by_kind(const std::vector<KindCost>& kinds, const Estimate& e) {
    const auto unit = readable(e.step.total(), step_units);
    Figure f = empty("step-by-kind", "Time of one step by kind of layer", {"Kind of layer", ""}, {"Time", unit.name});
    f.categories = letters_of_costs(kinds);
    Series bars{"step", "One step", Mark::stacked_bar, indices(f.categories.size()), {}, {}};
    Seconds rest = e.step.total();
    for (const KindCost& k : kinds) {
        bars.y.push_back(k.all / unit.size);
        rest -= k.all;
    }
    bars.y.push_back(max(Seconds{}, rest) / unit.size);
    f.series.push_back(std::move(bars));
    return f;
}

Figure memory_by_kind(const std::vector<KindCost>& kinds, const Estimate& e) {
    Figure f = empty("memory-by-kind", "Device memory by kind of layer", {"Kind of layer", ""},
                     {"Memory of a device", "GiB"});
    f.categories = letters_of_costs(kinds);
    const auto add = [&](const auto& part, Bytes KindCost::*of_kind) {
        Series bars{std::string(part.id), std::string(part.label), Mark::stacked_bar, indices(f.categories.size()),
                    {},                   {}};
        Bytes rest = e.worst().*part.value;
        for (const KindCost& k : kinds) {
            const Bytes held = of_kind ? k.*of_kind : Bytes{};
            bars.y.push_back(held / gibibyte);
            rest -= held;
        }
        bars.y.push_back(max(Bytes{}, rest) / gibibyte);
        f.series.push_back(std::move(bars));
    };
    for (const auto& part : memory_parts)
        add(part, part.value == &MemoryUse::weights     ? &KindCost::weights
                : part.value == &MemoryUse::gradients   ? &KindCost::gradients
                : part.value == &MemoryUse::optimizer   ? &KindCost::optimizer
                : part.value == &MemoryUse::activations ? &KindCost::activations
                                                        : nullptr);
    return f;
}

void add_by_kind(std::vector<Figure>& all, const Scenario& s, const Estimate& e) {
    const std::vector<KindCost> kinds = costs_by_kind(s);
    if (kinds.size() < 2) return;
    all.push_back(step_by_kind(kinds, e));
    all.push_back(memory_by_kind(kinds, e));
}

Figure energy_vs_nodes(const Points& points, const Best& best, const Totals& here) {
    const auto unit = readable(here.facility_energy, energy_units);
    const auto facility = [unit](const Point& p) { return p.totals.facility_energy / unit.size; };
    Figure f = empty("energy-vs-nodes", "Energy of the run", nodes_axis, {"Energy", unit.name});
    f.series.push_back(line("facility", "Facility", points, facility));
    f.series.push_back(
        line("devices", "Devices only", points, [&](const Point& p) { return p.totals.device_energy / unit.size; }));
    add_best(f, best, facility);
    return f;
}

Figure power_vs_nodes(const Points& points, const Headline& here) {
    const auto unit = readable(here.facility_power, power_units);
    Figure f = empty("power-vs-nodes", "Average power", nodes_axis, {"Power", unit.name, true});
    f.series.push_back(
        line("facility", "Facility", points, [&](const Point& p) { return p.headline.facility_power / unit.size; }));
    f.series.push_back(line("devices", "Devices only", points, [&](const Point& p) {
        return p.headline.device_power * p.estimate.devices / unit.size;
    }));
    return f;
}

Figure efficiency_vs_nodes(const Points& points) {
    const Point& from = first_fitting(points);
    Figure f = empty("efficiency-vs-nodes", "Efficiency", nodes_axis, {"Efficiency", "%"});
    f.series.push_back(line("parallel_efficiency", "Parallel efficiency", points, [&](const Point& p) {
        return 100 * (from.headline.run * from.nodes) / (p.headline.run * p.nodes);
    }));
    f.series.push_back(
        line("mfu", "Model FLOP utilisation", points, [](const Point& p) { return 100 * p.headline.mfu; }));
    return f;
}

}  // namespace

std::vector<Figure> figures(const Scenario& scenario, std::span<const EnvelopePoint> searched, Counting asked) {
    const Scenario s = without_sources(scenario);
    const Outcome present = estimate(s);
    if (!present) return {};
    const Headline here = headline(s, *present);
    const Totals total = totals(s, here, asked);
    const Counting counting = total.all ? Counting::all : Counting::training;   // of every point alike
    const Points points = points_of(s, 40, counting);
    const Best best = best_of(s, searched, counting);
    std::vector<Figure> all{time_vs_nodes(points, best, total), step_breakdown(*present),
                            step_vs_nodes(points_of(s, most_bars, counting)), memory_per_stage(s, *present),
                            energy_vs_nodes(points, best, total), power_vs_nodes(points, here),
                            efficiency_vs_nodes(points),    node_hours_vs_nodes(points, best), checkpoint_tradeoff(s)};
    add_by_kind(all, s, *present);
    for (Figure& f : all) {
        if (f.categories.empty() && f.here_x == 0) f.here_x = counts_devices(s) ? s.layout.devices : present->nodes;
        if (counts_devices(s) && f.x.label == nodes_axis.label) f.x.label = "Devices";
        f.caption = caption_of(f, scenario, *present, total.all);
    }
    return all;
}

namespace {

constexpr int points_each_side = 12;
constexpr double widest = 6;  // times the optimum, either way

struct TimeUnit {
    const char* name;
    Seconds size;
};

// That of say(), which writes the optimum beside the axis.
TimeUnit unit_for(Seconds t) {
    return t >= 2 * day ? TimeUnit{"days", day}
         : t >= hour    ? TimeUnit{"hours", hour}
         : t >= minute  ? TimeUnit{"minutes", minute}
                        : TimeUnit{"s", second};
}

// Even in the logarithm, wide enough for the plan's own interval.
std::vector<Seconds> intervals(const Resilience& r) {
    const double here = r.interval / r.young;
    const double span = std::max({widest, 1.2 * here, 1.2 / here});
    std::vector<Seconds> all{r.interval};
    for (int i = -points_each_side; i <= points_each_side; ++i) {
        const Seconds t = i == 0 ? r.young : r.young * std::pow(span, double(i) / points_each_side);
        if (t != r.interval) all.push_back(t);
    }
    std::sort(all.begin(), all.end());
    return all;
}

// An upright line from the minimum to what no interval avoids.
Series optimum(const Resilience& r, const TimeUnit& unit) {
    const double x = r.young / unit.size;
    const Overhead best = overhead_at(r.young, r);
    return {"optimum", std::string("Optimum (Young)") + ": " + say(r.young), Mark::ideal,
            {x, x},    {100 * best.total(), 100 * best.restarting},          {}};
}

}  // namespace

Figure checkpoint_tradeoff(const Scenario& s) {
    const Resilience r = resilience(s);
    const TimeUnit unit = unit_for(r.young);
    Figure f;
    f.id = "checkpoint-tradeoff";
    f.title = "Time lost against the checkpoint interval";
    f.x = {"Checkpoint interval", unit.name, true};
    f.y = {"Time lost", "%"};
    f.here_x = r.interval / unit.size;
    Series total{"total", "Time lost in all", Mark::line, {}, {}, {}};
    std::vector<Series> parts;
    for (const auto& part : overhead_parts)
        parts.push_back({std::string(part.id), std::string(part.label), Mark::line, {}, {}, {}});
    for (const Seconds t : intervals(r)) {
        const Overhead o = overhead_at(t, r);
        total.x.push_back(t / unit.size);
        total.y.push_back(100 * o.total());
        for (std::size_t i = 0; i < parts.size(); ++i) {
            parts[i].x.push_back(t / unit.size);
            parts[i].y.push_back(100 * (o.*overhead_parts[i].value));
        }
    }
    f.series.push_back(std::move(total));
    for (Series& part : parts) f.series.push_back(std::move(part));
    f.series.push_back(optimum(r, unit));
    return f;
}

std::string checkpoint_caption(const Scenario& s) {
    const Resilience r = resilience(s);
    return "Share of the time lost to checkpoints of " + say(r.checkpoint_size) + " (" + say(r.checkpoint)
         + " each), failures every " + say(r.mtbf) + " and restarts of " + say(r.restart)
         + ", to first order. Young's optimum is " + say(r.young) + ", Daly's " + say(r.daly)
         + (r.optimal && !r.lengthened() ? "; the plan uses Young's. " : "; the plan uses " + say(r.interval) + ". ");
}

}  // namespace plimsoll

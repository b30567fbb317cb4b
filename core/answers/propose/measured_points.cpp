#include "core/answers/propose/measured_points.h"

#include "core/answers/plan/estimate.h"
#include "core/answers/campaign/headline.h"
#include "core/values/basics/text.h"

#include <algorithm>

namespace plimsoll {

namespace {

std::string name_of_point(const MeasuredScalingPoint& p) {
    return counted(p.repeats, "run", "runs") + (p.dates.empty() ? "" : ", " + p.dates);
}

template <class Value>
Series points(const char* id, const char* label, const Scaling& scaling, Value value) {
    Series s{id, label, Mark::point, {}, {}, {}};
    for (const MeasuredScalingPoint& p : scaling.points) {
        s.x.push_back(p.nodes);
        s.y.push_back(value(p));
        s.names.push_back(name_of_point(p));
    }
    return s;
}

Figure* figure_of(std::vector<Figure>& all, std::string_view id) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Figure& f) { return f.id == id; });
    return found == all.end() ? nullptr : &*found;
}

// The unit of an axis of time that figures() chose.
Seconds unit_of(const Figure& f) {
    for (const auto& unit : run_units)
        if (f.y.unit == unit.name) return unit.size;
    return second;
}

std::string machine_of(const Scaling& s) { return s.machine.empty() ? "" : " on " + s.machine; }

void add_efficiency(Figure& f, const Scaling& strong, const Scaling& weak, const MeasuredScaling& measured) {
    const auto share = [](const MeasuredScalingPoint& p) { return 100 * p.efficiency; };
    if (!strong.points.empty())
        f.series.push_back(points("measured", "Measured parallel efficiency", strong, share));
    if (!weak.points.empty())
        f.series.push_back(points("measured_weak", "Measured efficiency of weak scaling", weak, share));
    if (measured.floor > 0)
        f.series.push_back({"floor", "Floor of the programme: " + percent(measured.floor, 0), Mark::limit, {},
                            {100 * measured.floor}, {}});
    f.caption += " Filled points are measured: efficiency against the smallest size that was measured";
    if (!strong.points.empty()) f.caption += ", " + counted(strong.points.front().nodes, "node", "nodes");
    f.caption += '.';
    if (measured.floor > 0)
        f.caption += " The dashed line is the floor of " + measured.floor_of + ", held by the measured runs up to "
                   + counted((strong.points.empty() ? weak : strong).efficient_to(measured.floor), "node", "nodes")
                   + '.';
}

}  // namespace

void add_measured(std::vector<Figure>& all, const Scenario& s, const MeasuredScaling& measured) {
    if (measured.runs.empty() || s.machine.nodes == 1) return;
    const Scaling strong = scaling_of(measured.runs, ScalingKind::strong);
    const Scaling weak = scaling_of(measured.runs, ScalingKind::weak);
    const Outcome plan = estimate(s);
    if (!plan) return;
    const double steps = headline(s, *plan).steps;
    const std::string said = " Filled points are measured" + machine_of(strong)
                           + ": the mean step of the runs times the steps of the plan, without failures, checkpoints "
                             "and the ends of jobs.";
    if (Figure* f = figure_of(all, "time-vs-nodes"); f && !strong.points.empty()) {
        const Seconds unit = unit_of(*f);
        f->series.push_back(points("measured", "Measured", strong,
                                   [&](const MeasuredScalingPoint& p) { return steps * p.mean / unit; }));
        f->caption += said;
    }
    if (Figure* f = figure_of(all, "node-hours-vs-nodes"); f && !strong.points.empty()) {
        f->series.push_back(points("measured", "Measured", strong, [&](const MeasuredScalingPoint& p) {
            return steps * p.mean / hour * p.nodes;
        }));
        f->caption += said;
    }
    if (Figure* f = figure_of(all, "efficiency-vs-nodes")) add_efficiency(*f, strong, weak, measured);
}

}  // namespace plimsoll

#include "core/answers/propose/measured_scaling.h"

#include "core/values/basics/text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace plimsoll {

namespace {

MeasuredScalingPoint point_of(int nodes, const std::vector<const ScalingRun*>& runs) {
    MeasuredScalingPoint p;
    p.nodes = nodes;
    p.repeats = int(runs.size());
    std::set<std::string> dates;
    std::vector<std::string> jobs;
    double used = 0;
    int with_use = 0;
    for (const ScalingRun* r : runs) {
        p.mean += r->step / double(runs.size());
        if (!r->date.empty()) dates.insert(r->date);
        if (!r->job.empty()) jobs.push_back(r->job);
        if (r->gpu_utilisation) {
            used += *r->gpu_utilisation;
            ++with_use;
        }
    }
    double squares = 0;
    for (const ScalingRun* r : runs) squares += std::pow((r->step - p.mean) / second, 2);
    if (runs.size() > 1) p.deviation = std::sqrt(squares / double(runs.size() - 1)) * second;
    if (with_use > 0) p.gpu_utilisation = used / with_use;
    p.days = int(dates.size());
    p.dates = joined({dates.begin(), dates.end()}, " ");
    p.jobs = joined(jobs, " ");
    return p;
}

}  // namespace

Scaling scaling_of(const std::vector<ScalingRun>& runs, ScalingKind kind) {
    Scaling s;
    s.kind = kind;
    std::map<int, std::vector<const ScalingRun*>> by_nodes;
    std::set<std::string> machines;
    for (const ScalingRun& r : runs)
        if (r.kind == kind) {
            by_nodes[r.nodes].push_back(&r);
            machines.insert(r.machine);
        }
    for (const auto& [nodes, of] : by_nodes) s.points.push_back(point_of(nodes, of));
    s.machine = machines.size() > 1 ? "several" : machines.empty() ? "" : *machines.begin();
    for (MeasuredScalingPoint& p : s.points) {
        const MeasuredScalingPoint& base = s.points.front();
        const double faster = base.mean / p.mean, more = 1.0 * p.nodes / base.nodes;
        p.speedup = kind == ScalingKind::strong ? faster : more * faster;
        p.efficiency = kind == ScalingKind::strong ? faster / more : faster;
    }
    return s;
}

bool Scaling::measured_on(const Machine& m) const {
    const std::string said = lower_case(machine);
    return said.empty() || said == lower_case(m.id) || said == lower_case(m.name)
        || std::any_of(m.former_ids.begin(), m.former_ids.end(), [&](const std::string& id) { return said == id; });
}

int Scaling::efficient_to(double floor) const {
    int nodes = 0;
    for (const MeasuredScalingPoint& p : points) {
        if (p.efficiency < floor) break;
        nodes = p.nodes;
    }
    return nodes;
}

}  // namespace plimsoll

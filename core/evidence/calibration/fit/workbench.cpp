#include "core/evidence/calibration/fit/workbench.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::fitting {

Scenario Workbench::scenario() const {
    Scenario s;
    s.model = plan.model;
    s.machine = so_far.machine;
    s.stack = so_far.stack;
    for (const PlannedRun& run : plan.runs)
        if (run.role == Role::fit) {
            s.recipe = run.plan.recipe;
            s.layout.micro_batch = run.plan.layout.micro_batch;
            break;
        }
    s.layout.devices = 1;
    s.recipe.global_batch_sequences = s.layout.micro_batch;
    return s;
}

std::vector<const BenchPoint*> Workbench::usable(const Measurements& m, std::string_view kind) {
    std::vector<const BenchPoint*> all, quiet;
    for (const BenchPoint& p : m.points) {
        if (p.kind != kind || p.has("wrong") || p.best() <= Seconds{}) continue;
        all.push_back(&p);
        if (!p.contended()) quiet.push_back(&p);
    }
    if (2 * quiet.size() >= all.size()) return quiet;
    so_far.cautions.push_back("Other programs took processor time during " + std::to_string(all.size() - quiet.size()) + " of "
                              + std::to_string(all.size()) + " points of \"" + std::string(kind)
                              + "\": their fastest tenth was taken, and the machine may be faster. Measure again when it is quiet.");
    return all;
}

void Workbench::note(std::string pointer, std::string experiment, double before, double value, double low, double high) {
    so_far.constants.push_back({std::move(pointer), std::move(experiment), before, value, low, high});
}

void Workbench::note(Experiment e) {
    std::stable_sort(e.points.begin(), e.points.end(), [](const MeasuredPoint& a, const MeasuredPoint& b) { return a.size < b.size; });
    double sum = 0;
    int count = 0;
    for (const MeasuredPoint& p : e.points)
        if (!p.contended) sum += std::abs(p.fitted / p.measured - 1), ++count;
    e.mean_error = count ? sum / count : 0;
    so_far.experiments.push_back(std::move(e));
}

double rounded(double v) {
    if (v == 0 || !std::isfinite(v)) return v;
    const double scale = std::pow(10, 3 - std::floor(std::log10(std::abs(v))));
    return std::round(v * scale) / scale;
}

MeasuredPoint point_of(const BenchPoint& p, std::string label, double size, double fitted_s) {
    return {std::move(label), size, p.best(), min(p.low, p.best()), max(p.high, p.best()), fitted_s * second, p.contended()};
}

std::vector<const BenchPoint*> largest(std::vector<const BenchPoint*> points, double (*size)(const BenchPoint&), double share) {
    double most = 0;
    for (const BenchPoint* p : points) most = std::max(most, size(*p));
    std::erase_if(points, [&](const BenchPoint* p) { return size(*p) < share * most; });
    return points;
}

Rate rate_of(const std::vector<const BenchPoint*>& points, double (*work)(const BenchPoint&)) {
    Rate r;
    for (const BenchPoint* p : points) {
        r.value += work(*p) / (p->best() / second) / double(points.size());
        r.low += work(*p) / (max(p->high, p->best()) / second) / double(points.size());
        r.high += work(*p) / (min(p->low, p->best()) / second) / double(points.size());
    }
    return r;
}

}  // namespace plimsoll::fitting

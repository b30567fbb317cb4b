#include "core/evidence/calibration/fit/calibrate.h"

#include "core/answers/plan/estimate.h"
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
    so_far.cautions.push_back(
        "Other programs took processor time during " + std::to_string(all.size() - quiet.size()) + " of "
        + std::to_string(all.size()) + " points of \"" + std::string(kind)
        + "\": their fastest tenth was taken, and the machine may be faster. Measure again when it is quiet.");
    return all;
}

void Workbench::note(std::string pointer, std::string experiment, double before, double value, double low,
                     double high) {
    so_far.constants.push_back({std::move(pointer), std::move(experiment), before, value, low, high});
}

void Workbench::note(Experiment e) {
    std::stable_sort(e.points.begin(), e.points.end(),
                     [](const MeasuredPoint& a, const MeasuredPoint& b) { return a.size < b.size; });
    double sum = 0;
    int count = 0;
    for (const MeasuredPoint& p : e.points) {
        if (p.contended) continue;
        sum += std::abs(p.fitted / p.measured - 1);
        ++count;
    }
    e.mean_error = count ? sum / count : 0;
    so_far.experiments.push_back(std::move(e));
}

double rounded(double v) {
    if (v == 0 || !std::isfinite(v)) return v;
    const double scale = std::pow(10, 3 - std::floor(std::log10(std::abs(v))));
    return std::round(v * scale) / scale;
}

MeasuredPoint point_of(const BenchPoint& p, std::string label, double size, double fitted_s) {
    return {std::move(label),  size,         p.best(), min(p.low, p.best()), max(p.high, p.best()),
            fitted_s * second, p.contended()};
}

std::vector<const BenchPoint*> largest(std::vector<const BenchPoint*> points, double (*size)(const BenchPoint&),
                                       double share) {
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

namespace plimsoll {

Calibrated calibrate(const ExperimentPlan& plan, const Measurements& m) {
    fitting::Workbench w{plan, {}};
    w.so_far.machine = w.so_far.base = plan.machine;
    w.so_far.stack = plan.engine;
    fitting::fit_products(w, m);
    fitting::fit_attention(w, m);
    fitting::fit_memory(w, m);
    fitting::fit_network(w, m);
    fitting::fit_surroundings(w, m);
    fitting::fit_power(w, m);
    fitting::fit_steps(w, m);
    fitting::fit_codecs(w, m);
    return std::move(w.so_far);
}

namespace {

// The run's machine has the base's shape, or that of fewer cores a rank: rates move by the ratio that was measured.
Machine measured_machine(const Calibrated& c, Machine m) {
    m.device.efficiency = c.machine.device.efficiency;
    m.device.codecs = c.machine.device.codecs;
    m.device.bandwidth *= c.machine.device.bandwidth / c.base.device.bandwidth;
    for (std::size_t i = 0; i < std::min(m.levels.size(), c.machine.levels.size()); ++i) {
        const int devices = m.levels[i].devices;
        m.levels[i] = c.machine.levels[i];
        m.levels[i].devices = devices;
    }
    return m;
}

}  // namespace

Scenario plan_with(const Calibrated& c, const PlannedRun& run) {
    Scenario s = run.plan;
    s.machine = measured_machine(c, std::move(s.machine));
    s.stack = c.stack;
    return s;
}

namespace {

// Of log(step): every group of parts moves it by its share of the step.
double deviation(const Calibrated& c, const StepTime& t) {
    const StepGroups g = groups_of(t);
    const double all = t.total() / second;
    const double parts[] = {c.spread, g.compute / all * c.factors.compute_sd, g.network / all * c.factors.network_sd,
                            g.rest / all * c.factors.rest_sd};
    double sum = 0;
    for (const double p : parts) sum += p * p;
    return std::sqrt(sum);
}

}  // namespace

ProofRow predict(const Calibrated& c, const PlannedRun& run) {
    ProofRow row;
    row.id = run.id;
    row.label = run.label;
    row.held_out = run.role == Role::held_out;
    row.fair = run.fair;
    row.caution = run.caution;
    const Scenario s = plan_with(c, run);
    row.devices = s.layout.devices;
    row.sequence_length = s.recipe.sequence_length;
    const Outcome e = estimate(s);
    if (!e) return row;
    row.parameters = e->parameters;
    row.predicted = e->step.total();
    row.predicted_parts = e->step;
    constexpr double ninety = 1.645;
    const double reach = std::exp(ninety * deviation(c, e->step));
    row.predicted_low = row.predicted / reach;
    row.predicted_high = row.predicted * reach;
    // What the engine allocates: libraries and the program itself are not in its count.
    for (const MemoryUse& stage : e->stages)
        row.memory_predicted = max(row.memory_predicted, stage.total() - stage.context);
    return row;
}

ProofRow proven(ProofRow row, const TrainingRun& run) {
    const StepSummary s = summary_of(run);
    row.measured = s.median;
    row.measured_low = s.low;
    row.measured_high = s.high;
    row.measured_parts = s.parts;
    row.memory_measured = s.memory;
    row.contended = s.disturbed() && row.fair;   // ranks that share a core always are
    if (row.contended)
        row.caution += std::string(row.caution.empty() ? "" : "; ")
                     + (s.contended ? "other programs took processor time while it ran"
                                    : "its steps differ too much from each other: something disturbed it");
    return row;
}

}  // namespace plimsoll

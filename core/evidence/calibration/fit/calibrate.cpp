#include "core/evidence/calibration/fit/calibrate.h"

#include "core/answers/plan/estimate.h"
#include "core/evidence/calibration/fit/workbench.h"
#include "core/values/basics/rounded.h"

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

void Workbench::leave_open(const std::vector<std::string>& pointers, const CurveFit& fit) {
    for (const std::vector<double>& changes : fit.directions) {
        Direction& d = so_far.open.emplace_back();
        for (std::size_t p = 0; p < changes.size(); ++p) d.moves.emplace_back(pointers[p], changes[p]);
    }
}

void Workbench::leave_open(std::string pointer, double low, double high) {
    constexpr double least = 0.01, both_ways = 2 * 1.96;
    const double deviation = low > 0 && high > low ? std::log(high / low) / both_ways : least;
    so_far.open.push_back({{{std::move(pointer), std::max(least, deviation)}}});
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

double rounded(double v) { return plimsoll::rounded(v, 4); }

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
    fitting::fit_library_attention(w, m);
    fitting::fit_attention(w, m);
    fitting::fit_memory(w, m);
    fitting::fit_network(w, m);
    fitting::fit_surroundings(w, m);
    fitting::fit_power(w, m);
    fitting::fit_steps(w, m);
    fitting::fit_codecs(w, m);
    return std::move(w.so_far);
}

namespace fitting {

// The run's machine has the base's shape, or that of fewer cores a rank: rates move by the ratio that was measured.
Scenario plan_on(const Machine& machine, const Stack& stack, const Calibrated& c, const PlannedRun& run) {
    Scenario s = run.plan;
    Machine& m = s.machine;
    m.device.efficiency = machine.device.efficiency;
    if (c.own_half_sequence > 0) m.device.efficiency.flash_half_sequence = c.own_half_sequence;
    if (c.own_half_head > 0) m.device.efficiency.flash_half_head = c.own_half_head;
    m.device.codecs = machine.device.codecs;
    m.device.bandwidth *= machine.device.bandwidth / c.base.device.bandwidth;
    for (std::size_t i = 0; i < std::min(m.levels.size(), machine.levels.size()); ++i) {
        const int devices = m.levels[i].devices;
        m.levels[i] = machine.levels[i];
        m.levels[i].devices = devices;
    }
    s.stack = stack;
    return in_bursts(std::move(s));
}

std::vector<double> slopes_of(const Calibrated& c, const PlannedRun& run) {
    std::vector<double> slopes;
    const Outcome at = estimate(plan_on(c.machine, c.stack, c, run));
    for (const Direction& d : c.open) {
        Machine machine = c.machine;
        Stack stack = c.stack;
        turn(machine, stack, d);
        const Outcome moved = estimate(plan_on(machine, stack, c, run));
        slopes.push_back(at && moved ? std::log(moved->step.total() / at->step.total()) : 0);
    }
    return slopes;
}

}  // namespace fitting

Scenario plan_with(const Calibrated& c, const PlannedRun& run) {
    return fitting::plan_on(c.machine, c.stack, c, run);
}

namespace {

// Of log(step): what the constants leave open, and what the model and a repeated run are off by.
double deviation(const Calibrated& c, const PlannedRun& run) {
    double sum = c.spread * c.spread;
    for (const double slope : fitting::slopes_of(c, run)) sum += slope * slope;
    return std::sqrt(sum);
}

}  // namespace

Visits complete_visits(const ExperimentPlan& plan, const PlannedRun& run, const Measurements& m) {
    Visits visits;
    for (const PlannedRun* visit : plan.visits_of(run))
        for (const TrainingRun& ran : m.runs)
            if (ran.id == visit->id && ran.complete) visits.push_back(&ran);
    return visits;
}

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
    const double reach = std::exp(student(0.9, c.degrees) * deviation(c, run));
    row.predicted_low = row.predicted / reach;
    row.predicted_high = row.predicted * reach;
    // The engine counts what it allocates; a device also holds libraries and the program itself.
    for (const MemoryUse& stage : e->stages)
        row.memory_predicted =
            max(row.memory_predicted, c.device_memory ? stage.total() : stage.total() - stage.context);
    return row;
}

ProofRow proven(ProofRow row, const TrainingRun& run) { return proven(std::move(row), Visits{&run}); }

ProofRow proven(ProofRow row, const Visits& visits) {
    const StepSummary s = summary_of(visits);
    row.measured = s.median;
    row.measured_low = s.low;
    row.measured_high = s.high;
    row.measured_parts = s.parts;
    row.memory_measured = s.memory_device > Bytes{} ? s.memory_device : s.memory;
    row.contended = s.disturbed() && row.fair;   // ranks that share a core always are
    if (row.contended)
        row.caution += std::string(row.caution.empty() ? "" : "; ")
                     + (s.contended ? "other programs took processor time while it ran"
                                    : "its steps differ too much from each other: something disturbed it");
    return row;
}

}  // namespace plimsoll

#include "core/evidence/calibration/fit/calibrate.h"

#include "core/evidence/calibration/fit/workbench.h"
#include "core/answers/plan/estimate.h"

#include <algorithm>
#include <cmath>

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
    const double parts[] = {c.spread, g.compute / all * c.factors.compute_sd, g.network / all * c.factors.network_sd, g.rest / all * c.factors.rest_sd};
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
    for (const MemoryUse& stage : e->stages) row.memory_predicted = max(row.memory_predicted, stage.total() - stage.context);
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
        row.caution += std::string(row.caution.empty() ? "" : "; ") +
                       (s.contended ? "other programs took processor time while it ran" : "its steps differ too much from each other: something disturbed it");
    return row;
}

}  // namespace plimsoll

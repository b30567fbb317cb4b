#include "core/answers/published/validate.h"

#include "core/answers/explain/wording.h"
#include "core/answers/plan/headline.h"

#include <cmath>

namespace plimsoll {

std::string unit_of(Published q) { return q == Published::step_seconds ? "s" : "TFLOP/s"; }

Residual residual_of(const PublishedRun& run) {
    const Outcome outcome = estimate(run.scenario);
    Residual r;
    r.published = run.value;
    if (!outcome) {
        r.obstacles = outcome.error();
        return r;
    }
    const Headline h = headline(run.scenario, *outcome);
    r.fits = outcome->fits();
    const FlopRate unit = teraflop / second;
    switch (run.quantity) {
        case Published::step_seconds: r.predicted = h.step / second; break;
        case Published::hardware_rate: r.predicted = h.hardware_per_device / unit; break;
        case Published::model_rate: r.predicted = h.per_device / unit; break;
    }
    r.error = run.quantity == Published::step_seconds ? r.predicted / r.published - 1 : r.published / r.predicted - 1;
    return r;
}

std::vector<ScoredRow> scored_rows(const RunSet& set) {
    std::vector<ScoredRow> rows;
    for (const PublishedRun& run : set.runs) {
        const Residual residual = residual_of(run);
        ScoredRow r;
        r.id = run.id;
        r.source = set.id;
        r.family = device_family(run.scenario.machine.device.name);
        r.plan = run.scenario;
        if (residual.obstacles.empty()) {
            const Outcome outcome = estimate(run.scenario);
            r.quantity = run.quantity == Published::step_seconds ? "iteration_s" : "tflops_per_device";
            r.published = residual.published;
            r.predicted = residual.predicted;
            r.error = residual.error;
            r.measured = outcome->step.total() / second / (1 + r.error);
            r.memory_share = outcome->worst().total() / outcome->memory_limit;
        } else {
            r.excluded = say(residual.obstacles.front());
        }
        rows.push_back(std::move(r));
    }
    return rows;
}

double mean_absolute_error(const std::vector<Residual>& residuals) {
    double sum = 0;
    int count = 0;
    for (const Residual& r : residuals)
        if (r.obstacles.empty()) {
            sum += std::abs(r.error);
            ++count;
        }
    return count ? sum / count : 0;
}

}  // namespace plimsoll

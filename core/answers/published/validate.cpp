#include "core/answers/published/validate.h"

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

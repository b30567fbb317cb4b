#include "core/answers/replan/drift_figures.h"

#include "core/answers/curves/figure_units.h"
#include "core/answers/replan/replan_wording.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

namespace {

std::string around(double share) { return "Within " + significant(100 * share, 3) + " % of it"; }

}  // namespace

Figure drift_steps(const MeasuredSteps& m, const Drift& d, double share) {
    Figure f{"drift-steps", "Measured steps", {"Step of the file", ""}, {"Time of a step", ""}, {}, {}, 0, {}};
    if (d.steps == 0 || m.steps.empty()) return f;
    const auto unit = readable(max(d.predicted, *std::max_element(m.steps.begin(), m.steps.end())), step_units);
    f.y.unit = unit.name;
    Series points{"measured", "Measured", Mark::point, {}, {}, {}};
    for (const Seconds& step : m.steps) {
        points.x.push_back(double(points.x.size() + 1));
        points.y.push_back(step / unit.size);
        points.names.push_back(std::string("Step ").append(std::to_string(points.x.size())));
    }
    const double first = 1, last = double(m.steps.size()), predicted = d.predicted / unit.size, median = d.measured / unit.size;
    f.series.push_back(std::move(points));
    f.series.push_back({"median", "Their median", Mark::ideal, {first, last}, {median, median}, {}});
    f.series.push_back({"predicted", "Predicted", Mark::limit, {}, {predicted}, {}});
    if (share > 0) {
        const double low = std::max(0.0, 1 - share) * predicted, high = (1 + share) * predicted;
        f.series.push_back({"near", around(share), Mark::band, {first, last}, {low, low}, {}, {high, high}});
    }
    f.caption = "Steps of a running job, " + say_drift(d) + ".";
    return f;
}

Figure drift_parts(const StepTime& measured, const StepTime& predicted) {
    const auto unit = readable(max(measured.total(), predicted.total()), step_units);
    Figure f{"drift-parts", "Parts of a step", {"Step", ""}, {"Time of a step", unit.name}, {"predicted", "measured"}, {}, 0, {}};
    for (const auto& part : step_parts) {
        const Seconds p = predicted.*part.value, m = measured.*part.value;
        if (!(max(p, m) > Seconds{})) continue;
        f.series.push_back({std::string(part.id), std::string(part.label), Mark::stacked_bar, {0, 1}, {p / unit.size, m / unit.size}, {}});
    }
    f.caption = "Parts of the prediction's step beside those of the median step measured.";
    return f;
}

}  // namespace plimsoll

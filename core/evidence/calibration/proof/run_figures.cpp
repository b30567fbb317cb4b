#include "core/evidence/calibration/proof/run_figures.h"

#include "core/evidence/calibration/proof/evidence.h"
#include "core/answers/curves/figure_units.h"

#include <algorithm>

namespace plimsoll {

Figure run_loss(std::span<const EngineStep> steps, std::optional<double> floor) {
    Figure f{"run-loss", "Loss", {"Step", ""}, {"Loss", "nats per token"}, {}, {}, 0, "Mean cross-entropy of a token, as the run goes on."};
    Series loss{"loss", "Loss", Mark::line, {}, {}, {}};
    for (const EngineStep& step : steps) {
        if (!step.loss) continue;
        loss.x.push_back(step.step);
        loss.y.push_back(*step.loss);
    }
    if (loss.x.empty()) return f;
    f.series.push_back(std::move(loss));
    if (floor) f.series.push_back({"floor", "Entropy of the data", Mark::limit, {}, {*floor}, {}});
    return f;
}

Figure run_steps(std::span<const EngineStep> steps, const Estimate& predicted) {
    const auto shown = steps.last(std::min<std::size_t>(steps.size(), most_step_bars));
    Seconds longest = predicted.step.total();
    for (const EngineStep& step : shown) longest = max(longest, step.wall);
    const auto unit = readable(longest, step_units);
    Figure f{"run-steps", "Time of a step", {"Step", ""}, {"Time", unit.name}, {"predicted"}, {}, 0, {}};
    for (const EngineStep& step : shown) f.categories.push_back(std::to_string(step.step));
    for (const auto& part : step_parts) {
        Series bars{std::string(part.id), std::string(part.label), Mark::stacked_bar, {0}, {predicted.step.*part.value / unit.size}, {}};
        for (const EngineStep& step : shown) {
            bars.x.push_back(double(bars.x.size()));
            bars.y.push_back(step.parts.mean.*part.value / unit.size);
        }
        f.series.push_back(std::move(bars));
    }
    f.caption = "Measured steps, mean over the ranks, beside the estimate made before the run.";
    return f;
}

std::vector<PartRow> compare_parts(const StepTime& measured, const StepTime& predicted) {
    std::vector<PartRow> rows;
    for (const auto& part : step_parts)
        if (const Seconds m = measured.*part.value, p = predicted.*part.value; max(m, p) > Seconds{})
            rows.push_back({std::string(part.label), m, p});
    return rows;
}

std::string calibration_note(const Machine& machine) {
    if (const Calibration* c = machine.calibration.get()) return std::string("Calibrated on ").append(c->date).append(". ").append(proof_sentence(*c));
    return "Uncalibrated: the prediction takes rates from \"" + machine.name + "\", not from measurements of this computer.";
}

}  // namespace plimsoll

#include "engine/calibrate/predictions.h"

#include "core/evidence/calibration/fit/calibrate.h"
#include "core/files/launch/calibration_plan.h"
#include "core/files/measured/calibration_log.h"

namespace plimsoll::engine {

namespace {

nlohmann::ordered_json line_of(const ProofRow& row, const PlannedRun& run) {
    nlohmann::ordered_json line{{"id", run.id}, {"label", run.label}, {"role", name_of(run.role)}, {"step_s", row.predicted / second},
                                {"lo90_s", row.predicted_low / second}, {"hi90_s", row.predicted_high / second}};
    auto& parts = line["parts"] = nlohmann::ordered_json::object();
    for (const auto& part : step_parts) parts[std::string(part.id)] = (row.predicted_parts.*part.value) / second;
    line["memory_B"] = row.memory_predicted / byte;
    return line;
}

}  // namespace

std::vector<nlohmann::ordered_json> predictions(const ExperimentPlan& plan, std::string_view lines) {
    CalibrationLog log;
    take_all_lines(lines, log, log.engine);
    const Calibrated calibrated = calibrate(plan, log.measurements);
    std::vector<nlohmann::ordered_json> all;
    for (const PlannedRun& run : plan.runs)
        if (run.role == Role::fit || run.role == Role::held_out) all.push_back(line_of(predict(calibrated, run), run));
    return all;
}

}  // namespace plimsoll::engine

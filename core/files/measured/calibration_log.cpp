#include "core/files/measured/calibration_log.h"

#include "core/files/text/disk.h"

#include <algorithm>

namespace plimsoll {
namespace {

bool trains(const EngineExperiment& e) { return e.role == "fit" || e.role == "held_out" || e.role == "extra"; }

template <class List>
auto* found(List& list, std::string_view id) {
    const auto at = std::find_if(list.begin(), list.end(), [&](const auto& each) { return each.id == id; });
    return at == list.end() ? nullptr : &*at;
}

}  // namespace

std::optional<EngineEvent> CalibrationLog::take(std::string_view text) {
    while (!text.empty() && (text.back() == '\r' || text.back() == '\n')) text.remove_suffix(1);
    const auto event = engine.take(text);
    if (event && sealed_.empty() && std::holds_alternative<EnginePrediction>(*event)) sealed_ = hex16(hash_);
    if (text.starts_with('{')) hash_ = fnv1a("\n", fnv1a(text, hash_));
    now_ = engine.at;
    if (event) keep(*event);
    return event;
}

void CalibrationLog::keep(const EngineEvent& event) {
    if (const auto* experiment = std::get_if<EngineExperiment>(&event)) return keep(*experiment);
    if (const auto* prediction = std::get_if<EnginePrediction>(&event)) return predictions.push_back(*prediction);
    if (const auto* node = std::get_if<EngineHardware>(&event)) return measurements.nodes.push_back(*node);
    if (const auto* part = std::get_if<EnginePlanPart>(&event)) plan += part->text;
    if (!in_run_) return;
    ExperimentState& run = experiments.back();
    run.last = now_;
    TrainingRun* training = trains(run.said) && !measurements.runs.empty() ? &measurements.runs.back() : nullptr;
    if (const auto* point = std::get_if<BenchPoint>(&event)) {
        measurements.points.push_back(*point);
        measurements.points.back().words["experiment"] = run.said.id;
        ++run.points;
    } else if (const auto* layout = std::get_if<EngineLayout>(&event); layout && training) {
        training->layout = *layout;
    } else if (const auto* step = std::get_if<EngineStep>(&event); step && training) {
        training->steps.push_back(*step);
        ++run.steps;
    } else if (const auto* last = std::get_if<EngineRunEnd>(&event)) {
        end(*last);
    }
}

void CalibrationLog::keep(const EngineExperiment& experiment) {
    experiments.push_back({experiment, false, {}, 0, 0, now_, now_});
    in_run_ = true;
    if (trains(experiment)) measurements.runs.push_back({experiment.id, {}, {}, false});
}

void CalibrationLog::end(const EngineRunEnd& last) {
    ExperimentState& run = experiments.back();
    run.ended = true, run.status = last.status;
    if (trains(run.said)) run.energy = last.energy;
    in_run_ = false;
    if (trains(run.said) && !measurements.runs.empty()) measurements.runs.back().complete = run.complete();
}

const ExperimentState* CalibrationLog::current() const { return in_run_ ? &experiments.back() : nullptr; }
const EnginePrediction* CalibrationLog::prediction_of(std::string_view id) const { return found(predictions, id); }
const TrainingRun* CalibrationLog::run_of(std::string_view id) const { return found(measurements.runs, id); }
std::string CalibrationLog::plan_hash() const { return experiments.empty() ? "" : experiments.front().said.plan; }
bool CalibrationLog::hash_holds() const { return !predictions.empty() && predictions.front().hash == sealed_; }

std::string CalibrationLog::state() const {
    const auto complete_runs = std::count_if(experiments.begin(), experiments.end(), [](const ExperimentState& e) { return e.complete(); });
    const int all = experiments.empty() ? 0 : experiments.front().said.of;
    std::string text = std::to_string(complete_runs).append(" of ").append(std::to_string(all)).append(" runs complete");
    if (engine.summary && engine.summary->status != "ok") text.append(", ").append(engine.summary->status);
    else if (!engine.summary) text.append(", cut off");
    const bool open = !experiments.empty() && !experiments.back().complete();
    return open ? text.append(" in \"").append(experiments.back().said.label).append("\"") : text;
}

Expected<CalibrationLog, Problems> read_calibration_log(const std::filesystem::path& path) {
    const auto text = read_text(path);
    if (!text) return Unexpected{text.error()};
    CalibrationLog log;
    take_all_lines(*text, log, log.engine);
    for (Problem& p : log.engine.problems) p.file = path.string();
    if (log.engine.refused()) return Unexpected{log.engine.problems};
    if (log.experiments.empty())
        return Unexpected{Problems{{Severity::error, path.string(), "", "no log of a calibration: no experiment is announced in it"}}};
    return log;
}

bool looks_like_calibration_log(std::string_view text) {
    const auto first = text.substr(0, text.find('\n'));
    return first.starts_with("{") && first.find("\"type\":\"hello\"") != first.npos && text.find("\"type\":\"experiment\"") != text.npos;
}

}  // namespace plimsoll

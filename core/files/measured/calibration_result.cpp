#include "core/files/measured/calibration_result.h"

#include "core/files/launch/calibration_plan.h"
#include "core/files/text/part.h"

#include <nlohmann/json.hpp>

namespace plimsoll {
namespace {

using namespace files;

OrderedJson seconds(Seconds middle, Seconds low, Seconds high) {
    return {{"s", middle / second}, {"low_s", low / second}, {"high_s", high / second}};
}

OrderedJson row_json(const ProofRow& r) {
    OrderedJson json{{"id", r.id}, {"label", r.label}, {"held_out", r.held_out}, {"fair", r.fair}, {"counts", r.counts()}, {"devices", r.devices},
                     {"predicted", seconds(r.predicted, r.predicted_low, r.predicted_high)}, {"memory_predicted_B", r.memory_predicted / byte}};
    if (!r.caution.empty()) json["caution"] = r.caution;
    if (!r.has_run()) return json;
    json["measured"] = seconds(r.measured, r.measured_low, r.measured_high);
    json["error"] = r.error();
    json["inside"] = r.measured >= r.predicted_low && r.measured <= r.predicted_high;
    json["contended"] = r.contended;
    json["memory_measured_B"] = r.memory_measured / byte;
    for (const auto& part : step_parts)
        if (const Seconds m = r.measured_parts.*part.value, p = r.predicted_parts.*part.value; max(m, p) > Seconds{})
            json["parts"][std::string(part.id)] = {{"predicted_s", p / second}, {"measured_s", m / second}};
    return json;
}

}  // namespace

std::vector<ProofRow> proof_rows(const ExperimentPlan& plan, const Calibrated& c, const CalibrationLog& log) {
    std::vector<ProofRow> rows;
    for (const PlannedRun& run : plan.runs) {
        if (run.role != Role::fit && run.role != Role::held_out) continue;
        ProofRow row = predict(c, run);
        if (const EnginePrediction* said = log.prediction_of(run.id)) {
            row.predicted = said->step, row.predicted_low = said->low, row.predicted_high = said->high;
            row.predicted_parts = said->parts, row.memory_predicted = said->memory;
        }
        const TrainingRun* ran = log.run_of(run.id);
        rows.push_back(ran && ran->complete ? proven(std::move(row), *ran) : std::move(row));
    }
    return rows;
}

EnergyEvidence energy_of(const ExperimentPlan& plan, const Calibrated& c, const CalibrationLog& log) {
    std::map<std::string, EngineEnergyUse> uses;
    for (const ExperimentState& run : log.experiments)
        if (run.complete() && run.energy) uses[run.said.id] = *run.energy;
    return energy_evidence(plan, c, log.engine.energy, uses);
}

Calibration record_from(const ExperimentPlan& plan, const Calibrated& c, const CalibrationLog& log) {
    RecordContext context;
    if (const auto& hello = log.engine.hello) {
        context.date = hello->started.substr(0, 10);
        context.software = std::string("plimsoll-engine ").append(hello->version);
        // An MPI library's text goes on with who built it where.
        for (const std::string& library : {hello->blas, hello->mpi.substr(0, hello->mpi.find_first_of(",\n"))})
            if (!library.empty()) context.software.append(", ").append(library);
    }
    if (!log.predictions.empty()) context.prediction_hash = log.predictions.front().hash;
    context.energy = say(energy_of(plan, c, log));
    Calibration record = record_of(plan, c, proof_rows(plan, c, log), log.measurements, context);
    if (!log.complete()) record.cautions.push_back(std::string("the log is not complete: ").append(log.state()));
    return record;
}

namespace {

constexpr const char* changed = "The predictions in this log were not made from the lines before them: it was changed after it was written.";

std::optional<std::string> doubt(const CalibrationLog& log, const Calibration& record) {
    if (!log.predictions.empty() && !log.hash_holds()) return std::string(changed);
    if (record.constants.empty()) return std::string("Nothing was measured that a constant could be fitted to.");
    if (!log.complete()) return std::string("Not complete: ").append(log.state()).append(". A preset is made of a calibration that went to its end.");
    return refusal(record);
}

}  // namespace

Expected<CalibrationResult, Problems> result_of(const CalibrationLog& log) {
    auto plan = read_calibration_plan(log.plan, "the plan inside the log");
    if (!plan) return Unexpected{plan.error()};
    CalibrationResult r{std::move(*plan), {}, {}, {}};
    r.calibrated = calibrate(r.plan, log.measurements);
    r.record = record_from(r.plan, r.calibrated, log);
    r.refused = doubt(log, r.record);
    r.energy = energy_of(r.plan, r.calibrated, log);
    return r;
}

void add_job_energy(CalibrationResult& r, const JobEnergy& job) {
    r.energy.job = say(job);
    r.record.energy.append(r.record.energy.empty() ? "" : " ").append(r.energy.job);
}

namespace {

void add_energy(OrderedJson& root, const EnergyEvidence& e) {
    for (const EnergySource& s : e.sources) {
        OrderedJson json{{"source", s.source}, {"available", s.available}, {"nodes", s.nodes}};
        if (!s.scope.empty()) json["scope"] = s.scope;
        if (!s.reason.empty()) json["reason"] = s.reason;
        root["energy_sources"].push_back(std::move(json));
    }
    for (const LayoutEnergy& l : e.layouts) {
        OrderedJson json{{"id", l.id}, {"label", l.label}, {"modelled_devices_J", l.devices / joule}, {"modelled_hosts_J", l.hosts / joule}};
        json["measured_J"] = l.measured ? OrderedJson(*l.measured / joule) : OrderedJson();
        if (l.measured) json["scope"] = l.scope, json["source"] = l.source, json["steps"] = l.steps;
        else if (!l.reason.empty()) json["reason"] = l.reason;
        root["energy_per_step"].push_back(std::move(json));
    }
    if (!e.job.empty()) root["energy_of_job"] = e.job;
}

}  // namespace

std::string write_calibration_result(const Calibration& c, const EnergyEvidence& energy) {
    OrderedJson root{{"schema", "plimsoll/calibration-result"}, {"version", 1}, {"based_on", c.based_on}, {"stack", c.stack}, {"host", c.host},
                     {"software", c.software}, {"prediction_hash", c.prediction_hash}};
    const ProofScore score = score_of(c);
    root["layouts_that_count"] = score.rows;
    root["mean_absolute_error"] = score.rows ? OrderedJson(score.time) : OrderedJson();
    root["mean_absolute_memory_error"] = score.rows ? OrderedJson(score.memory) : OrderedJson();
    root["constants"] = OrderedJson::array();
    for (const MeasuredConstant& m : c.constants)
        root["constants"].push_back({{"pointer", m.pointer}, {"experiment", m.experiment}, {"before", m.before}, {"value", m.value}, {"low", m.low}, {"high", m.high}});
    root["proof"] = OrderedJson::array();
    for (const ProofRow& r : c.proof) root["proof"].push_back(row_json(r));
    root["assumed"] = c.assumed;
    root["cautions"] = c.cautions;
    root["energy"] = c.energy;
    add_energy(root, energy);
    return text_of(root);
}

}  // namespace plimsoll

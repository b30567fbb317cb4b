#include "core/files/measured/calibration_log.h"

#include "core/files/measured/calibration_plan.h"
#include "core/evidence/calibration/proof/evidence.h"
#include "core/files/text/disk.h"
#include "core/files/presets/parts.h"
#include "core/values/basics/foreign_text.h"
#include "core/values/basics/phrase.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <nlohmann/json.hpp>

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
    if (event && !sealed_ && std::holds_alternative<EnginePrediction>(*event)) sealed_ = lines_;
    if (text.starts_with('{')) lines_.add(text).add("\n");
    now_ = engine.at;
    if (event) keep(*event);
    return event;
}

void CalibrationLog::keep(const EngineEvent& event) {
    if (const auto* experiment = std::get_if<EngineExperiment>(&event)) return keep(*experiment);
    if (const auto* prediction = std::get_if<EnginePrediction>(&event)) return predictions.push_back(*prediction);
    if (const auto* sealed = std::get_if<EngineSeal>(&event)) {
        seal = *sealed;
        return;
    }
    if (const auto* node = std::get_if<EngineHardware>(&event)) return measurements.nodes.push_back(*node);
    if (const auto* devices = std::get_if<EngineDevices>(&event)) return measurements.add(*devices);
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
    run.ended = true;
    run.status = last.status;
    if (trains(run.said)) run.energy = last.energy;
    in_run_ = false;
    if (trains(run.said) && !measurements.runs.empty()) measurements.runs.back().complete = run.complete();
}

const ExperimentState* CalibrationLog::current() const { return in_run_ ? &experiments.back() : nullptr; }
const EnginePrediction* CalibrationLog::prediction_of(std::string_view id) const { return found(predictions, id); }
const TrainingRun* CalibrationLog::run_of(std::string_view id) const { return found(measurements.runs, id); }
std::string CalibrationLog::plan_hash() const { return experiments.empty() ? "" : experiments.front().said.plan; }
bool CalibrationLog::hash_holds() const {
    return sealed_ && !predictions.empty() && sealed_->matches(predictions.front().hash);
}

bool CalibrationLog::seal_holds() const { return seal && seal->hash == seal_of(plan, seal->constants, predictions); }

// Numbers as their shortest text that reads back the same, which does not depend on who wrote the log.
std::string seal_of(std::string_view plan, const std::vector<MeasuredConstant>& constants,
                    const std::vector<EnginePrediction>& predictions) {
    Fingerprint all;
    all.add(plan);
    const auto line = [&](const std::string& name, std::initializer_list<double> numbers) {
        all.add("\n").add(name);
        for (const double number : numbers) {
            char text[32];
            const auto end = std::to_chars(std::begin(text), std::end(text), number).ptr;
            all.add(" ").add(std::string_view(text, std::size_t(end - text)));
        }
    };
    for (const MeasuredConstant& c : constants) line(c.pointer, {c.value, c.low, c.high});
    for (const EnginePrediction& p : predictions) line(p.id, {p.step / second, p.low / second, p.high / second});
    return all.text();
}

std::string CalibrationLog::state() const {
    const auto complete_runs =
        std::count_if(experiments.begin(), experiments.end(), [](const ExperimentState& e) { return e.complete(); });
    const int all = experiments.empty() ? 0 : experiments.front().said.of;
    std::string text = phrase("{1} of {2} runs complete", complete_runs, all);
    if (engine.summary && engine.summary->status != "ok") text = phrase("{1}, {2}", text, engine.summary->status);
    else if (!engine.summary) text = phrase("{1}, cut off", text);
    const bool open = !experiments.empty() && !experiments.back().complete();
    return open ? phrase("{1} in \"{2}\"", text, experiments.back().said.label) : text;
}

Expected<CalibrationLog, Problems> read_calibration_log(const std::filesystem::path& path) {
    const auto text = read_text(path);
    if (!text) return Unexpected{text.error()};
    CalibrationLog log;
    take_all_lines(*text, log, log.engine);
    for (Problem& p : log.engine.problems) p.file = path.string();
    if (log.engine.refused()) return Unexpected{log.engine.problems};
    if (log.experiments.empty())
        return Unexpected{Problems{
            {Severity::error, path.string(), "",
             phrase("no log of a calibration: no experiment is announced in it")}}};
    return log;
}

bool looks_like_calibration_log(std::string_view text) {
    const auto first = text.substr(0, text.find('\n'));
    return first.starts_with("{") && first.find("\"type\":\"hello\"") != first.npos
        && text.find("\"type\":\"experiment\"") != text.npos;
}

namespace {

using namespace files;

OrderedJson seconds(Seconds middle, Seconds low, Seconds high) {
    return {{"s", middle / second}, {"low_s", low / second}, {"high_s", high / second}};
}

OrderedJson row_json(const ProofRow& r) {
    OrderedJson json{{"id", r.id},
                     {"label", r.label},
                     {"held_out", r.held_out},
                     {"fair", r.fair},
                     {"counts", r.counts()},
                     {"devices", r.devices},
                     {"predicted", seconds(r.predicted, r.predicted_low, r.predicted_high)},
                     {"memory_predicted_B", r.memory_predicted / byte}};
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
        if ((run.role != Role::fit && run.role != Role::held_out) || !run.repeats.empty()) continue;
        ProofRow row = predict(c, run);
        if (const EnginePrediction* said = log.prediction_of(run.id)) {
            row.predicted = said->step;
            row.predicted_low = said->low;
            row.predicted_high = said->high;
            row.predicted_parts = said->parts;
            row.memory_predicted = said->memory;
        }
        const Visits ran = complete_visits(plan, run, log.measurements);
        rows.push_back(ran.empty() ? std::move(row) : proven(std::move(row), ran));
    }
    return rows;
}

EnergyEvidence energy_of(const ExperimentPlan& plan, const Calibrated& c, const CalibrationLog& log) {
    std::map<std::string, EngineEnergyUse> uses;
    for (const ExperimentState& run : log.experiments)
        if (run.complete() && run.energy) uses[run.said.id] = *run.energy;
    return energy_evidence(plan, c, log.engine.energy, uses);
}

namespace {

constexpr const char* older_seal =
    "The predictions are sealed by a checksum of 64 bits (FNV-1a), as engines wrote before SHA-256: it shows that the "
    "log was damaged, not that somebody changed it on purpose.";

}  // namespace

namespace {

// What the engine says where it did not measure all of a library's attention: once, and as one short line.
std::string said_of_library(const CalibrationLog& log) {
    constexpr std::size_t longest_sentence = 300;
    for (const EngineNote& note : log.engine.notes)
        if (note.code == "library_attention" && note.text.size() <= longest_sentence && is_line(note.text))
            return scrubbed(note.text);
    return {};
}

}  // namespace

Calibration record_from(const ExperimentPlan& plan, const Calibrated& c, const CalibrationLog& log) {
    const Speaking english(nullptr);   // it becomes a file
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
    if (const std::string why = said_of_library(log); !why.empty()) record.cautions.push_back(why);
    if (log.hash_holds() && is_checksum(context.prediction_hash)) record.cautions.push_back(older_seal);
    if (!log.complete()) record.cautions.push_back(std::string("the log is not complete: ").append(log.state()));
    return record;
}

namespace {

std::optional<std::string> doubt(const CalibrationLog& log, const Calibration& record) {
    if (!log.predictions.empty() && (!log.hash_holds() || (log.seal && !log.seal_holds())))
        return phrase("The predictions in this log were not made from the lines before them: it was changed after it "
                      "was written.");
    if (record.constants.empty()) return phrase("Nothing was measured that a constant could be fitted to.");
    if (!log.complete())
        return phrase("Not complete: {1}. A preset is made of a calibration that went to its end.", log.state());
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
    const std::string before = std::exchange(r.energy.job, say(job));
    // Another file of the same job takes the place of the first.
    if (const auto at = before.empty() ? std::string::npos : r.record.energy.find(before); at != std::string::npos)
        r.record.energy.erase(at == 0 ? 0 : at - 1, before.size() + (at == 0 ? 0 : 1));
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
        OrderedJson json{{"id", l.id},
                         {"label", l.label},
                         {"modelled_devices_J", l.devices / joule},
                         {"modelled_hosts_J", l.hosts / joule}};
        json["measured_J"] = l.measured ? OrderedJson(*l.measured / joule) : OrderedJson();
        if (l.measured) {
            json["scope"] = l.scope;
            json["source"] = l.source;
            json["steps"] = l.steps;
        } else if (!l.reason.empty()) {
            json["reason"] = l.reason;
        }
        root["energy_per_step"].push_back(std::move(json));
    }
    if (!e.job.empty()) root["energy_of_job"] = e.job;
}

}  // namespace

std::string write_calibration_result(const Calibration& c, const EnergyEvidence& energy) {
    OrderedJson root{{"schema", "plimsoll/calibration-result"},
                     {"version", 1},
                     {"based_on", c.based_on},
                     {"stack", c.stack},
                     {"host", c.host},
                     {"software", c.software},
                     {"prediction_hash", c.prediction_hash}};
    const ProofScore score = score_of(c);
    const ProofScores scores = scores_of(c);
    root["layouts_held_back"] = scores.all.rows;
    root["mean_absolute_error_of_all"] = scores.all.rows ? OrderedJson(scores.all.time) : OrderedJson();
    root["inside_their_intervals"] = scores.inside;
    root["layouts_that_count"] = score.rows;
    root["mean_absolute_error"] = score.rows ? OrderedJson(score.time) : OrderedJson();
    root["mean_absolute_memory_error"] = score.rows ? OrderedJson(score.memory) : OrderedJson();
    root["constants"] = json_list(c.constants, [](const MeasuredConstant& m) -> OrderedJson {
        return {{"pointer", m.pointer}, {"experiment", m.experiment}, {"before", m.before},
                {"value", m.value},     {"low", m.low},               {"high", m.high}};
    });
    root["proof"] = json_list(c.proof, row_json);
    root["assumed"] = c.assumed;
    root["cautions"] = c.cautions;
    root["energy"] = c.energy;
    add_energy(root, energy);
    return text_of(root);
}

}  // namespace plimsoll

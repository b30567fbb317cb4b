#pragma once
// A calibration as it goes on, line by line, and what its measurements are.
//
//   CalibrationLog log;
//   for (const std::string& line : lines) log.take(line);    // as they arrive
//   log.current();              // the run that goes on: number 7 of 20
//   calibrate(plan, log.measurements);
//   log.predictions; log.hash_holds();                       // what was said before the held-out layouts ran
//
// A log that was cut off keeps every complete line. A run counts as complete with its `run` line alone.

#include "core/evidence/calibration/fit/measurements.h"
#include "core/evidence/calibration/proof/energy_evidence.h"
#include "core/evidence/calibration/proof/record.h"
#include "core/files/measured/engine_log.h"
#include "core/files/measured/job_energy.h"
#include "core/values/basics/fingerprint.h"

#include <optional>
#include <string>

namespace plimsoll {

// A run of the plan, as far as it got.
struct ExperimentState {
    EngineExperiment said;
    bool ended = false;
    std::string status;              // of its end: "ok", "cancelled", "failed"; empty while it goes on
    int points = 0, steps = 0;
    Seconds began, last;             // since the start of the log: its announcement and its latest line
    std::optional<EngineEnergyUse> energy{};  // of a training run that ended
    bool complete() const { return ended && status == "ok"; }
};

struct CalibrationLog {
    EngineLog engine;                // hello, nodes, notes, summary, problems
    Measurements measurements;
    std::vector<ExperimentState> experiments;
    std::vector<EnginePrediction> predictions;
    std::optional<EngineSeal> seal;  // none in logs of earlier engines
    std::string plan;                // the text of the plan it follows: core/files/measured/calibration_plan.h reads it

    std::optional<EngineEvent> take(std::string_view line);
    bool take_stderr(std::string_view line) { return engine.take_stderr(line); }

    const ExperimentState* current() const;                  // null before the first and between runs
    const EnginePrediction* prediction_of(std::string_view id) const;
    const TrainingRun* run_of(std::string_view id) const;    // null where it never began
    std::string plan_hash() const;  // the fingerprint of the plan it followed; empty before the first run
    // The predictions were made from exactly the lines before them: their hash is that of those lines. False without
    // any.
    bool hash_holds() const;
    // The seal is that of the plan, the constants and the predictions in this log. False without one.
    bool seal_holds() const;
    bool complete() const { return engine.summary && engine.summary->status == "ok"; }
    // How far it got: "12 of 20 runs complete, cancelled in \"Two data ranks\"".
    std::string state() const;

private:
    void keep(const EngineEvent&);
    void keep(const EngineExperiment&);
    void end(const EngineRunEnd&);

    Fingerprint lines_;              // of all lines so far
    std::optional<Fingerprint> sealed_;  // of those before the first prediction
    bool in_run_ = false;
    Seconds now_;
};

// The fingerprint of plan, constants and predictions: whoever writes it down when the predictions are made can show
// later that none of the three was changed.
std::string seal_of(std::string_view plan, const std::vector<MeasuredConstant>&, const std::vector<EnginePrediction>&);

// A file of --out, or its .part; problems carry its name. Not an error: a log that was cut off.
Expected<CalibrationLog, Problems> read_calibration_log(const std::filesystem::path&);
// Whether the text begins as a log of the engine's does and announces experiments: for files that are dropped.
bool looks_like_calibration_log(std::string_view text);

// What a calibration's log amounts to, wherever it was measured: the plan it
// carries, the constants fitted to its lines, and the record with the proof.
//
//   const auto log = read_calibration_log("here.jsonl");
//   const auto result = result_of(*log);
//   if (result && !result->refused)
//       save_calibrated(result->plan.machine, result->calibrated, result->record, users_presets());
//   std::cout << write_calibration_result(result->record);
//
// Neither the engine nor the base preset need be on this computer: the log holds
// both as they were. An incomplete log gives what its complete lines tell, with a caution.

struct CalibrationResult {
    ExperimentPlan plan;
    Calibrated calibrated;
    Calibration record;
    std::optional<std::string> refused;   // why it may be looked at and not saved: disturbed, incomplete, changed
    EnergyEvidence energy{};              // joules measured and modelled; its sentences are the record's
};
// Problems: the log carries no plan that can be read.
Expected<CalibrationResult, Problems> result_of(const CalibrationLog&);
// What a batch system counted of the job that measured it, in result and record.
void add_job_energy(CalibrationResult&, const JobEnergy&);

// Every layout as it was predicted in the log, else as it is predicted now, beside what was measured.
std::vector<ProofRow> proof_rows(const ExperimentPlan&, const Calibrated&, const CalibrationLog&);
// Of the log's sources and training runs.
EnergyEvidence energy_of(const ExperimentPlan&, const Calibrated&, const CalibrationLog&);
// The log's calibration, with its date and software.
Calibration record_from(const ExperimentPlan&, const Calibrated&, const CalibrationLog&);
// {"schema": "plimsoll/calibration-result", "version": 1, "constants": [...], "proof": [...],
//  "mean_absolute_error": ..., "energy": "...",
//  "energy_sources": [{"source": "rapl", "available": false, "reason": "..."}],
//  "energy_per_step": [{"id": "dp2", "modelled_devices_J": 3.1, ...}]}
std::string write_calibration_result(const Calibration&, const EnergyEvidence& = {});

}  // namespace plimsoll

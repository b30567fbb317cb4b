#pragma once
// What a calibration's log amounts to, wherever it was measured: the plan it
// carries, the constants fitted to its lines, and the record with the proof.
//
//   const auto log = read_calibration_log("here.jsonl");
//   const auto result = result_of(*log);
//   if (result && !result->refused) save_calibrated(result->plan.machine, result->calibrated, result->record, users_presets());
//   std::cout << write_calibration_result(result->record);
//
// Neither the engine nor the base preset need be on this computer: the log holds
// both as they were. An incomplete log gives what its complete lines tell, with a caution.

#include "core/evidence/calibration/proof/energy_evidence.h"
#include "core/evidence/calibration/proof/record.h"
#include "core/files/measured/calibration_log.h"
#include "core/files/measured/job_energy.h"

#include <optional>
#include <string>

namespace plimsoll {

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
// {"schema": "plimsoll/calibration-result", "version": 1, "constants": [...], "proof": [...], "mean_absolute_error": ..., "energy": "...",
//  "energy_sources": [{"source": "rapl", "available": false, "reason": "..."}], "energy_per_step": [{"id": "dp2", "modelled_devices_J": 3.1, ...}]}
std::string write_calibration_result(const Calibration&, const EnergyEvidence& = {});

}  // namespace plimsoll

#pragma once
// What a log of a calibration proves, and the same for programs.
//
//   std::cout << write_calibration_result(record_from(plan, calibrate(plan, log.measurements), log));

#include "core/answers/calibrate/record.h"
#include "core/files/results/calibration_log.h"

namespace plimsoll {

// Every layout as it was predicted in the log, else as it is predicted now, beside what was measured.
std::vector<ProofRow> proof_rows(const ExperimentPlan&, const Calibrated&, const CalibrationLog&);
// The log's calibration, with its date and software.
Calibration record_from(const ExperimentPlan&, const Calibrated&, const CalibrationLog&);
// {"schema": "plimsoll/calibration-result", "version": 1, "constants": [...], "proof": [...], "mean_absolute_error": ...}
std::string write_calibration_result(const Calibration&);

}  // namespace plimsoll

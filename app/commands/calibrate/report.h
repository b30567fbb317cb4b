#pragma once
// A calibration on the terminal: what will run and why, and what came of it.
//
//   std::cout << say_plan(*plan);
//   std::cout << say_result(result.record, result.energy);

#include "core/evidence/calibration/proof/energy_evidence.h"
#include "core/evidence/calibration/fit/calibrate.h"
#include "core/files/measured/calibration_log.h"

#include <string>

namespace plimsoll {

// Runs with their time and role, constants with what tells them.
std::string say_plan(const ExperimentPlan&);
// One line when a run begins or ends, a prediction is made or something is said; empty else.
std::string progress_of(const CalibrationLog&, const EngineEvent&);
// Constants before and after with their interval, the proof, its mean error, cautions, energy: a source a line, and joules of a step.
std::string say_result(const Calibration&, const EnergyEvidence&);

}  // namespace plimsoll

#pragma once
// A training log as a measured run of a plan: its own plan where it prints its settings, else a plan that is given.
//
//   const auto log = load_training_log("run.log");
//   const MeasuredRun mine = measured_run(*log, plan);      // step, and what was reserved or allocated
//   for (const auto& row : rows_beside(*log, plan)) ...     // measured, predicted, difference

#include "core/files/measured/training_log.h"
#include "core/files/results/anchor_json.h"

namespace plimsoll {

// Named by what ran, not by the log's file.
MeasuredRun measured_run(const TrainingLog&, const Scenario& plan);

// "step time", "12.4 s", "12.1 s", "-2.4 %": the step, its middle half, and memory by kind.
std::vector<std::vector<std::string>> rows_beside(const TrainingLog&, const Scenario& plan);

// Whether the log says which model ran.
bool states_model(const TrainingLog&);
// The run of a log: of the plan that its settings make on the machine of `plan`, or of `plan` where it prints none.
// Errors: no plan of either kind, no step that counts.
Expected<MeasuredRun, Problems> load_logged_run(const std::filesystem::path&, const Library&, const Scenario* plan);

// For replan(): a log of a framework, an engine's log or a table.
Expected<MeasuredSteps, Problems> load_measured_steps(const std::filesystem::path&, const Scenario& plan);

}  // namespace plimsoll

#pragma once
// A training log as a measured run of a plan: its own plan where it prints its settings, else a plan that is given.
//
//   const auto log = load_training_log("run.log");
//   const MeasuredRun mine = measured_run(*log, plan);      // step, and what was reserved or allocated
//   for (const auto& row : rows_beside(*log, plan)) ...     // measured, predicted, difference

#include "core/files/measured/training_log.h"
#include "core/files/results/anchor_json.h"

#include <vector>

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

// Logs of one run in several files: of restarts one after the other, or of ranks beside each other, of which the
// slowest counts for every step. The first says which run it is.
struct LogsOfRun {
    TrainingLog log;
    std::vector<std::size_t> others;   // places of those that are left out: another software, model or layout
    bool ranks = false;
};
LogsOfRun logs_of_run(std::vector<TrainingLog>);   // one at least

// For replan(): a log of a framework, an engine's log or a table.
Expected<MeasuredSteps, Problems> load_measured_steps(const std::filesystem::path&, const Scenario& plan);

}  // namespace plimsoll

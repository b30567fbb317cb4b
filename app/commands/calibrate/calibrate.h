#pragma once
// The two halves of `plimsoll calibrate`: measurements on this computer, and a job of a batch system.
//
//   run_calibrate_local({.plan = {"gpt3-175b-1024-a100", {}}, .action = CalibrateAction::run, .out = "here.jsonl"});
//   run_calibrate_job({.plan = {"175b-frontier", {}}, .script = "slurm", .account = "PROJ"});

#include "app/commands/plan.h"

#include <string>

namespace plimsoll {

enum class CalibrateAction { plan, run, import };

struct CalibrateLocalArguments {
    PlanArguments plan;              // what shall be predicted better
    CalibrateAction action = CalibrateAction::plan;
    std::string out = "calibration.jsonl";   // of a run; of an import: what to read
    std::string sacct;               // of an import: what Slurm printed of its job's energy
    double budget = 0;               // seconds; 0: as many repetitions as usual
    bool resume = false, json = false, codecs = false;
    bool save = false;               // of an import: as a preset, without a question
};

// Exit code of the command; 75 for a run that was cancelled, whose lines stay in OUT.part.
int run_calibrate_local(const CalibrateLocalArguments&);

struct CalibrateJobArguments {
    PlanArguments plan;
    std::string script, account, queue, out = "plimsoll-calibrate", engine, folder, plan_file, job;
    int nodes = 0, ranks_per_node = 0, trial_steps = 0;
    double budget = 0;               // seconds; 0: what the plan is expected to take
    bool submit = false, accept_lines = false, replace = false, poll = false, cancel = false, codecs = false;
};

// Writes the job, submits it, asks after it or cancels it. Exit code of the command.
int run_calibrate_job(const CalibrateJobArguments&);

// The table of all machines: what happens there at --run local and --script.
enum class MachinesFormat { text, json, markdown };
int run_calibrate_machines(const PlanArguments& subject, MachinesFormat);

// There is no plan for a calibration, and these are the reasons.
Refusal no_experiments(const std::vector<std::string>& reasons);

}  // namespace plimsoll

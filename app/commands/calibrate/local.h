#pragma once
// `plimsoll calibrate` on this computer: the plan of a calibration, its run, and
// what a result says, here or brought from another machine.
//
//   run_calibrate_local({.plan = {"gpt3-175b-1024-a100", {}}, .action = CalibrateAction::run, .out = "here.jsonl"});

#include "app/commands/commands.h"

namespace plimsoll {

enum class CalibrateAction { plan, run, import };

struct CalibrateLocalArguments {
    PlanArguments plan;              // what shall be predicted better
    CalibrateAction action = CalibrateAction::plan;
    std::string out = "calibration.jsonl";   // of a run; of an import: what to read
    std::string sacct;               // of an import: what Slurm printed of its job's energy
    double budget = 0;               // seconds; 0: as many repetitions as usual
    bool resume = false, json = false, codecs = false;
};

// Exit code of the command; 75 for a run that was cancelled, whose lines stay in OUT.part.
int run_calibrate_local(const CalibrateLocalArguments&);

}  // namespace plimsoll

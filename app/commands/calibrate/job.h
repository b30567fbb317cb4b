#pragma once
// `plimsoll calibrate` where a batch system runs it: writes the job, submits it,
// asks after it and cancels it.
//
//   return write_job(machine, "slurm", {.nodes = 2, .plan = plan_text}, {.out = "calibration", .submit = true});

#include "core/files/launch/batch.h"
#include "core/files/launch/calibration_job.h"

#include <string>

namespace plimsoll {

struct JobOutput {
    std::string out = "plimsoll-calibrate";   // folder to write, made if need be
    bool submit = false;
};
// Both return an ExitCode; what there is to know goes to stdout.
int write_job(const Machine&, BatchKind, JobRequest, const JobOutput&);

enum class JobQuestion { poll, cancel };
int ask_job(BatchKind, const std::string& id, JobQuestion);

}  // namespace plimsoll

#pragma once
// Probes of a plan as one batch job, and what came of them.
//
//   const auto job = probe_job(plan, *plan_probes(plan), Framework::megatron, limits, library);
//   for (const JobFile& f : job->files) write(folder / f.name, f.text);   // sbatch job.sh
//   const auto read = read_probe_record(text, library);   // probes.json: what was planned and predicted
//
// The folder holds job.sh, a script for each probe, which is the framework's own with the flags of the real run, and
// probes.json: the plan, the probes, and what was predicted before anything ran, with a fingerprint of all that. Every
// visit of a probe writes a log beside them, "probe-1.visit-2.log".

#include "core/evidence/probe/probe.h"
#include "core/files/launch/calibration_job.h"
#include "core/files/launch/launch.h"
#include "core/files/presets/library.h"
#include "core/files/text/problem.h"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

Expected<std::vector<JobFile>, std::vector<std::string>> probe_job(const Scenario&, const ProbePlan&, Framework,
                                                                   const ProbeLimits&, const Library&);

struct ProbeRecord {
    Scenario plan;
    std::vector<ProbeRun> runs;          // name, plan, predicted step
    ProbeLimits limits;
    Seconds predicted;                   // step of the plan
    bool sealed = false;                 // the predictions are those that were written before the runs
};
Expected<ProbeRecord, Problems> read_probe_record(std::string_view json, const Library&, const std::string& file = {});

std::string probe_log(const std::string& run, int visit);   // "probe-1.visit-2.log"; visits count from 1

}  // namespace plimsoll

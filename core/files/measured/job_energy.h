#pragma once
// What a batch system counted for a whole job: the joules that Slurm's sacct or
// sstat prints, with what they cover.
//
//   sacct -j ID --format=JobID,Elapsed,NNodes,ConsumedEnergyRaw -P
//   sstat -j ID --format=JobID,ConsumedEnergyRaw -P            # while it runs: steps only
//
//   const auto job = read_job_energy(text);
//   if (job && job->energy) say(*job->energy, job->scope);    // all nodes of the job, from outside the machines
//   else if (job) say(job->reason);                           // "0 joules: ... without a plug-in"
//
// Slurm counts whole nodes: a job that shared them carries its neighbours' energy
// too. Where AcctGatherEnergyType is none it says 0, which is therefore no number.

#include "core/files/text/problem.h"
#include "core/values/basics/units.h"

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll {

struct JobEnergy {
    std::string job;                     // its id, without array or step
    std::optional<Joules> energy;        // of the job; nothing with a reason
    std::string reason;
    std::string scope;                   // what the joules cover, in words for people
    std::optional<Seconds> elapsed;      // sacct alone tells it
    int nodes = 0;                       // 0: not told
    std::string doubt;                   // why nobody can believe the joules; empty: they are plausible
    bool of_steps = false;               // summed over steps, since the job itself had no number
};

// Errors name the line: not what these commands print, several jobs, numbers that are none.
Expected<JobEnergy, Problems> read_job_energy(std::string_view text);

// "The batch system counted 123 MJ for the whole job (26.1 h on 16 nodes): all nodes of the job, ..."; without a number
// the reason. No id.
std::string say(const JobEnergy&);

}  // namespace plimsoll

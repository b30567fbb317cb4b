#pragma once
// Which short runs of one's own software tell most about a plan, what they cost, and how far off it may be afterwards.
//
//   const auto probes = plan_probes(plan, {.nodes = 2});
//   if (!probes) show(probes.error());        // every reason, in sentences
//   probes->runs.front().plan;                // the plan, cut in layers and replicas
//   probes->band;                             // 0.03: two plans in three lie so near to what the runs will say
//
// A probe is a copy of the plan (published/copies.h): replicas go first, then layers, and stages only where the nodes
// at hand do not hold them, with the layers of a stage kept. Two depths tell what a layer takes from what ends,
// optimizer and start take. Depths are as small as the scatter of the steps allows: their line has to reach the plan's
// depth.

#include "core/evidence/published/copies.h"
#include "core/values/basics/expected.h"

#include <string>
#include <vector>

namespace plimsoll {

struct ProbeLimits {
    int nodes = 0;                        // at hand; 0: as few as hold one copy
    Seconds longest = 1800 * second;      // of the whole job
    double scatter = 0.02;                // of the middle step between visits, as a share
    int steps = 50, warm_up = 20;         // of a visit
    int visits = 2;                       // of every run, in turn
    Seconds start = 60 * second;          // of the software, before the first step
};

struct ProbeRun {
    std::string name;                     // "probe-1"
    Scenario plan;
    std::string why;                      // what it tells, in a sentence
    Seconds step, time;                   // predicted: one step, all visits with their starts
    double node_hours = 0;
};

struct ProbePlan {
    std::vector<ProbeRun> runs;           // two or three
    Kin kin = Kin::copy;                  // of the plan to its probes
    double band = 0, wide = 0;            // around what they will say of the plan
    Seconds time;
    int nodes = 1;                        // of the job
    double node_hours = 0;
    std::vector<std::string> unseen;      // what they do not show, in sentences
};
Expected<ProbePlan, std::vector<std::string>> plan_probes(const Scenario&, const ProbeLimits& = {});

// The plan cut to so many layers and replicas, as a probe runs it; micro-batches of a replica stay.
Scenario cut(const Scenario&, int layers, int replicas);

}  // namespace plimsoll

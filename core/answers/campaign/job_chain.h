#pragma once
// A run longer than the queue allows: how many jobs have to follow each other.
//
//   JobChain c = job_chain(scenario, headline(scenario, estimate));
//   c.kind == ChainKind::jobs ? say(c) : "no bin admits this many nodes"
//
// Each job loses its start (restart and loading) and its last checkpoint.
// Waiting in the queue between the jobs is not counted: nobody publishes it.

#include "core/answers/campaign/headline.h"
#include "core/values/basics/source.h"

#include <string>

namespace plimsoll {

enum class ChainKind {
    jobs,          // there is a chain
    no_policy,     // the site publishes no bins
    no_bin,        // none admits this many nodes
    too_short,     // a job ends before it has started and saved
    no_progress,   // failures take all of the time
};

struct JobChain {
    ChainKind kind = ChainKind::no_policy;
    QueueBin bin;            // of those that admit the nodes, the one with most time
    double jobs = 0;
    Seconds walltime;        // to ask for, of each job
    Seconds lost_per_job;    // start and last checkpoint
    Seconds total;           // of all jobs together
    std::string as_of;       // date of the policy
    Source source;
};

JobChain job_chain(const Machine&, int nodes, Seconds wall, Seconds lost_per_job);
JobChain job_chain(const Scenario&, const Headline&);

// "62 jobs of 12 h (batch: 184 to 1,881 nodes, policy of 2026-11)", or why there is no chain.
std::string say(const JobChain&);

}  // namespace plimsoll

#include "core/answers/campaign/job_chain.h"

#include "core/values/knobs/wording.h"

#include <cmath>

namespace plimsoll {

namespace {

const QueueBin* longest_bin(const Scheduler& scheduler, int nodes) {
    const QueueBin* best = nullptr;
    for (const QueueBin& bin : scheduler.bins)
        if (bin.min_nodes <= nodes && nodes <= bin.max_nodes && (!best || bin.walltime > best->walltime)) best = &bin;
    return best;
}

void add_jobs(JobChain& c, Seconds wall) {
    const Seconds useful = c.bin.walltime - c.lost_per_job;
    c.kind = std::isinf(wall / second) ? ChainKind::no_progress
           : useful <= Seconds{}       ? ChainKind::too_short
                                       : ChainKind::jobs;
    if (c.kind != ChainKind::jobs) return;
    c.jobs = std::ceil(wall / useful);
    c.total = wall + c.jobs * c.lost_per_job;
    c.walltime = c.jobs > 1 ? c.bin.walltime : c.total;
}

}  // namespace

JobChain job_chain(const Machine& m, int nodes, Seconds wall, Seconds lost_per_job) {
    JobChain c;
    c.lost_per_job = lost_per_job;
    c.as_of = m.as_of;
    c.source = source_of(m.sources, "/scheduler");
    if (m.scheduler.bins.empty()) return c;
    const QueueBin* bin = longest_bin(m.scheduler, nodes);
    c.kind = ChainKind::no_bin;
    if (!bin) return c;
    c.bin = *bin;
    add_jobs(c, wall);
    return c;
}

JobChain job_chain(const Scenario& s, const Headline& h) {
    return job_chain(s.machine, nodes_used(s), h.wall, h.resilience.restart + h.resilience.checkpoint);
}

std::string say(const JobChain& c) {
    const std::string policy = c.as_of.empty() ? "" : ", policy of " + c.as_of;
    const std::string queue = c.bin.queue.empty() ? "" : c.bin.queue + ": ";
    const std::string nodes = queue + say_count(c.bin.min_nodes) + " to " + say_count(c.bin.max_nodes) + " nodes";
    switch (c.kind) {
    case ChainKind::jobs:
        return say_count(c.jobs) + (c.jobs == 1 ? " job of " : " jobs of ") + say(c.walltime) + " (" + nodes + policy
             + ')';
    case ChainKind::no_policy: return "no limits published for this machine";
    case ChainKind::no_bin:
        return "no queue bin admits this many nodes" + (policy.empty() ? "" : " (" + policy.substr(2) + ')');
    case ChainKind::too_short:
        return "a job of " + say(c.bin.walltime) + " ends before it has started and saved (" + nodes + policy + ')';
    case ChainKind::no_progress: return "no chain is long enough: failures take all of the time";
    }
    return {};
}

}  // namespace plimsoll

#include "core/answers/campaign/job_chain.h"

#include "core/values/basics/phrase.h"
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
    const std::string queue = c.bin.queue.empty() ? "" : c.bin.queue + ": ";
    std::string nodes = queue + phrase("{1} to {2} nodes", say_count(c.bin.min_nodes), say_count(c.bin.max_nodes));
    if (!c.as_of.empty()) nodes = phrase("{1}, policy of {2}", nodes, c.as_of);
    switch (c.kind) {
    case ChainKind::jobs:
        return c.jobs == 1 ? phrase("{1} job of {2} ({3})", say_count(c.jobs), say(c.walltime), nodes)
                           : phrase("{1} jobs of {2} ({3})", say_count(c.jobs), say(c.walltime), nodes);
    case ChainKind::no_policy: return phrase("no limits published for this machine");
    case ChainKind::no_bin:
        return c.as_of.empty() ? phrase("no queue bin admits this many nodes")
                               : phrase("no queue bin admits this many nodes (policy of {1})", c.as_of);
    case ChainKind::too_short:
        return phrase("a job of {1} ends before it has started and saved ({2})", say(c.bin.walltime), nodes);
    case ChainKind::no_progress: return phrase("no chain is long enough: failures take all of the time");
    }
    return {};
}

}  // namespace plimsoll

#include "core/answers/campaign/totals.h"

#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

#include <cmath>

namespace plimsoll {

bool Totals::ends() const { return std::isfinite(time / second); }

namespace {

constexpr Seconds long_run = 1 * day;   // from which failures and ends of jobs are counted unasked

bool counts_all(const Headline& h, Counting counting) {
    return counting == Counting::automatic ? h.run > long_run : counting == Counting::all;
}

}  // namespace

Totals totals(const Scenario& s, const Headline& h, Counting counting) {
    Totals t;
    t.all = counts_all(h, counting);
    t.time = h.run;
    if (t.all) {
        const JobChain chain = job_chain(s, h);
        const bool jobs = chain.kind == ChainKind::jobs;
        t.time = jobs ? chain.total : h.wall;
        t.jobs = jobs ? chain.jobs : 0;
        t.beside = t.time - h.run;
    }
    // What is not training draws as much power as training.
    t.node_hours = nodes_held(s) * (t.time / hour);
    t.device_hours = s.layout.devices * (t.time / hour);
    t.accounting_units = t.node_hours * s.machine.accounting.units_per_node_hour;
    t.device_energy = s.layout.devices * (h.device_power * t.time);
    t.facility_energy = h.facility_power * t.time;
    return t;
}

std::string say_counted(const Totals& t) {
    if (!t.all) return phrase("without failures and checkpoints");
    if (!t.ends()) return phrase("failures take all of the time");
    if (t.jobs > 0)
        return phrase("including {1} for failures, checkpoints and {2}", say(t.beside),
                      numbered(std::llround(t.jobs), "job end", "job ends"));
    return phrase("including {1} for failures and checkpoints", say(t.beside));
}

}  // namespace plimsoll

#include "core/answers/plan/resilience_card.h"

#include "core/answers/campaign/job_chain.h"
#include "core/values/knobs/wording.h"
#include "core/values/basics/text.h"

#include <cmath>

namespace plimsoll {

namespace {

std::string rate(ByteRate r) { return say_count(r / (gigabyte / second)) + " GB/s"; }
std::string about(double count) { return say_count(count < 10 ? std::round(10 * count) / 10 : std::round(count)); }

std::string interval(const Resilience& r) {
    return say(r.interval) + (r.optimal ? " (optimum by Young; Daly " + say(r.daly) + ')'
                                        : " (set; optimum by Young " + say(r.young) + ", Daly " + say(r.daly) + ')');
}

}  // namespace

std::vector<CardRow> resilience_card(const Scenario& s, const Headline& h) {
    const Resilience& r = h.resilience;
    const bool endless = !r.makes_progress();
    std::vector<CardRow> rows{
        {"resilience.goodput", "Goodput", endless ? "0 %: no progress" : percent(r.goodput())},
        {"run.wall_seconds", "Time to train with failures", endless ? "never" : say(h.wall)},
        {"resilience.mtbf_seconds", "Time between failures", say(r.mtbf)},
        {"resilience.failures", "Expected failures", endless ? "without end" : about(h.failures)},
        {"resilience.checkpoint_bytes", "Checkpoint size", say(r.checkpoint_size)},
        {"resilience.checkpoint_seconds", "Time of one checkpoint",
         say(r.checkpoint) + (s.recipe.checkpoint_time > Seconds{} ? " (set)" : " at " + rate(r.write))},
        {"resilience.interval_seconds", "Checkpoint interval", interval(r)},
        {"", "Checkpoints", about(h.checkpoints)},
    };
    for (const auto& part : overhead_parts) rows.push_back({"", std::string(part.label), percent(r.overhead.*part.value)});
    rows.push_back({"resilience.overhead", "Time lost in all", percent(r.overhead.total())});
    const JobChain chain = job_chain(s, h);
    rows.push_back({"", "Job chain", say(chain)});
    if (chain.kind == ChainKind::jobs)
        rows.push_back({"", "Lost at each job's ends", say(chain.lost_per_job) + " (" + percent(chain.jobs * chain.lost_per_job / chain.total) + " of the chain)"});
    return rows;
}

std::string resilience_verdict(const Resilience& r) {
    if (r.mtbf < r.checkpoint + r.restart)
        return "No progress: a failure comes every " + say(r.mtbf) + ", before a checkpoint (" + say(r.checkpoint) + ") and a restart ("
             + say(r.restart) + ") are done.";
    if (!r.makes_progress())
        return "No progress: with a checkpoint every " + say(r.interval) + ", checkpoints, repeated work and restarts take all of the time.";
    return "Checkpoints and failures take " + percent(r.overhead.total()) + " of the time.";
}

}  // namespace plimsoll

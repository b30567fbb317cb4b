#include "core/answers/plan/cards.h"

#include "core/answers/campaign/job_chain.h"
#include "core/answers/plan/valid_values.h"
#include "core/costs/offload/ledger.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

#include <cmath>

namespace plimsoll {

// ---- Tiers below device memory

namespace {

std::string bandwidth_text(ByteRate r) { return significant(r / (gigabyte / second), 3) + " GB/s"; }

std::string against(const TierLedger& t) {
    return say(t.use.total()) + " of " + say(t.limit) + (t.fits() ? "" : ": short by " + say(t.use.total() - t.limit));
}

std::string both(ByteRate read, ByteRate write) {
    return bandwidth_text(read) + " read, " + bandwidth_text(write) + " written";
}

void add_tier(std::vector<CardRow>& rows, const TierLedger& t, const char* name, const char* id) {
    if (t.use.total() <= Bytes{} && t.written <= Bytes{}) return;
    rows.push_back({id, name, against(t)});
    for (const auto& part : tier_parts)
        if (t.use.*part.value > Bytes{})
            rows.push_back({"", std::string("  ") + std::string(part.label), say(t.use.*part.value)});
    rows.push_back({"", "  Needed by each device during passes", both(t.need.read, t.need.write)});
    rows.push_back({"", "  There for each device",
                    both(t.need.read_available, t.need.write_available) + (t.need.covered() ? "" : ": passes wait")});
}

void add_drives(std::vector<CardRow>& rows, const Scenario& s, const Estimate& e) {
    if (e.nvme.written <= Bytes{}) return;
    rows.push_back({"", "  Written per step", say(e.nvme.written)});
    const auto life = drive_life(s.machine.host.nvme, e.nvme.written, e.step.total());
    rows.push_back({"tiers.drive_life_seconds", "  Drives last",
                    life ? say(*life) + " at this rate" : "not known: no endurance stated"});
}

void add_shortage(std::string& text, const TierLedger& t, const char* name) {
    if (t.fits()) return;
    text += (text.empty() ? "" : "; ") + std::string(name) + " short by " + say(t.use.total() - t.limit) + " per node";
}

}  // namespace

std::vector<CardRow> tier_card(const Scenario& s, const Estimate& e) {
    std::vector<CardRow> rows;
    add_tier(rows, e.host, "Host memory", "tiers.host_bytes");
    add_tier(rows, e.nvme, "NVMe drives", "tiers.nvme_bytes");
    add_drives(rows, s, e);
    if (s.layout.offload.swaps()) {
        const Swap w = swap_of(s);
        rows.push_back({"tiers.activation_share", "Share of activations sent",
                        fixed(w.share, 4) + " (nobody waits up to " + fixed(w.in_time, 4) + ", the tier holds "
                            + fixed(w.in_capacity, 4) + ")"});
    }
    rows.push_back({"step.offload", "Waited for in a step", say(e.step.offload)});
    return rows;
}

std::string say_tier_shortage(const Estimate& e) {
    std::string text;
    add_shortage(text, e.host, "Host memory is");
    add_shortage(text, e.nvme, "The drives are");
    return text;
}

// ---- What sending activations away buys

namespace {

Scenario without_swapping(Scenario s) {
    s.layout.offload.activations = Tier::device;
    return s;
}

// Of the knob's valid values, the largest or the smallest that fits.
int extreme_that_fits(const Scenario& s, const char* id, bool largest) {
    const Knob& knob = *find_knob(id);
    const std::vector<double> values = valid_values(s, knob);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double v = values[largest ? values.size() - 1 - i : i];
        const auto turned = with(s, knob, v);
        if (turned && runs(estimate(*turned))) return int(v);
    }
    return 0;
}

}  // namespace

FreedMemory freed_memory(const Scenario& plan) {
    const Scenario sent = without_sources(plan), kept = without_swapping(sent);
    return {extreme_that_fits(kept, "layout.micro_batch", true), extreme_that_fits(sent, "layout.micro_batch", true),
            extreme_that_fits(kept, "layout.pipeline_parallel", false),
            extreme_that_fits(sent, "layout.pipeline_parallel", false)};
}

// ---- Failures

namespace {

std::string whole_rate(ByteRate r) { return say_count(r / (gigabyte / second)) + " GB/s"; }
std::string about(double count) { return say_count(count < 10 ? std::round(10 * count) / 10 : std::round(count)); }

std::string interval(const Resilience& r) {
    if (r.lengthened())
        return say(r.interval) + " (optimum by Young " + say(r.young) + "; longer costs at most "
             + percent(hardly_lost, 2) + " of the time)";
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
         say(r.checkpoint) + (s.recipe.checkpoint_time > Seconds{} ? " (set)" : " at " + whole_rate(r.write))},
        {"resilience.interval_seconds", "Checkpoint interval", interval(r)},
        {"", "Checkpoints", about(h.checkpoints)},
    };
    for (const auto& part : overhead_parts)
        rows.push_back({"", std::string(part.label), percent(r.overhead.*part.value)});
    rows.push_back({"resilience.overhead", "Time lost in all", percent(r.overhead.total())});
    const JobChain chain = job_chain(s, h);
    rows.push_back({"", "Job chain", say(chain)});
    if (chain.kind == ChainKind::jobs)
        rows.push_back({"", "Lost at each job's ends",
                        say(chain.lost_per_job) + " (" + percent(chain.jobs * chain.lost_per_job / chain.total)
                            + " of the chain)"});
    if (chain.kind == ChainKind::jobs)
        rows.push_back({"total.seconds", "Time to train with failures and job ends", say(chain.total)});
    return rows;
}

std::string resilience_verdict(const Resilience& r) {
    if (r.mtbf < r.checkpoint + r.restart)
        return "No progress: a failure comes every " + say(r.mtbf) + ", before a checkpoint (" + say(r.checkpoint)
             + ") and a restart (" + say(r.restart) + ") are done.";
    if (!r.makes_progress())
        return "No progress: with a checkpoint every " + say(r.interval)
             + ", checkpoints, repeated work and restarts take all of the time.";
    return "Checkpoints and failures take " + percent(r.overhead.total()) + " of the time.";
}

}  // namespace plimsoll

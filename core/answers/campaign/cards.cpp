#include "core/answers/campaign/cards.h"

#include "core/answers/campaign/hours.h"
#include "core/answers/campaign/job_chain.h"
#include "core/answers/campaign/money.h"
#include "core/answers/plan/valid_values.h"
#include "core/costs/campaign/energy.h"
#include "core/costs/step/ledger.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

#include <cmath>

namespace plimsoll {

// ---- Tiers below device memory

namespace {

std::string bandwidth_text(ByteRate r) { return significant(r / (gigabyte / second), 3) + " GB/s"; }

std::string against(const TierLedger& t) {
    if (t.fits()) return phrase("{1} of {2}", say(t.use.total()), say(t.limit));
    return phrase("{1} of {2}: short by {3}", say(t.use.total()), say(t.limit), say(t.use.total() - t.limit));
}

std::string both(ByteRate read, ByteRate write) {
    return phrase("{1} read, {2} written", bandwidth_text(read), bandwidth_text(write));
}

void add_tier(std::vector<CardRow>& rows, const TierLedger& t, const char* name, const char* id) {
    if (t.use.total() <= Bytes{} && t.written <= Bytes{}) return;
    rows.push_back({id, phrase(name), against(t)});
    for (const auto& part : tier_parts)
        if (t.use.*part.value > Bytes{})
            rows.push_back({"", "  " + phrase(part.label), say(t.use.*part.value)});
    rows.push_back({"", "  " + phrase("Needed by each device during passes"), both(t.need.read, t.need.write)});
    const std::string there = both(t.need.read_available, t.need.write_available);
    rows.push_back({"", "  " + phrase("There for each device"),
                    t.need.covered() ? there : phrase("{1}: passes wait", there)});
}

void add_drives(std::vector<CardRow>& rows, const Scenario& s, const Estimate& e) {
    if (e.nvme.written <= Bytes{}) return;
    rows.push_back({"", "  " + phrase("Written per step"), say(e.nvme.written)});
    const auto life = drive_life(s.machine.host.nvme, e.nvme.written, e.step.total());
    rows.push_back({"tiers.drive_life_seconds", "  " + phrase("Drives last"),
                    life ? phrase("{1} at this rate", say(*life)) : phrase("not known: no endurance stated")});
}

void add_shortage(std::string& text, const TierLedger& t, const char* pattern) {
    if (t.fits()) return;
    text += (text.empty() ? "" : "; ") + phrase(pattern, say(t.use.total() - t.limit));
}

}  // namespace

std::vector<CardRow> tier_card(const Scenario& s, const Estimate& e) {
    std::vector<CardRow> rows;
    add_tier(rows, e.host, "Host memory", "tiers.host_bytes");
    add_tier(rows, e.nvme, "NVMe drives", "tiers.nvme_bytes");
    add_drives(rows, s, e);
    if (s.layout.offload.swaps()) {
        const Swap w = swap_of(s);
        rows.push_back({"tiers.activation_share", phrase("Share of activations sent"),
                        phrase("{1} (nobody waits up to {2}, the tier holds {3})", fixed(w.share, 4),
                               fixed(w.in_time, 4), fixed(w.in_capacity, 4))});
    }
    rows.push_back({"step.offload", phrase("Waited for in a step"), say(e.step.offload)});
    return rows;
}

std::string say_tier_shortage(const Estimate& e) {
    std::string text;
    add_shortage(text, e.host, "Host memory is short by {1} per node");
    add_shortage(text, e.nvme, "The drives are short by {1} per node");
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
        return phrase("{1} (optimum by Young {2}; longer costs at most {3} of the time)", say(r.interval), say(r.young),
                      percent(hardly_lost, 2));
    if (r.optimal) return phrase("{1} (optimum by Young; Daly {2})", say(r.interval), say(r.daly));
    return phrase("{1} (set; optimum by Young {2}, Daly {3})", say(r.interval), say(r.young), say(r.daly));
}

}  // namespace

std::vector<CardRow> resilience_card(const Scenario& s, const Headline& h) {
    const Resilience& r = h.resilience;
    const bool endless = !r.makes_progress();
    std::vector<CardRow> rows{
        {"resilience.goodput", phrase("Goodput"), endless ? phrase("0 %: no progress") : percent(r.goodput())},
        {"run.wall_seconds", phrase("Time to train with failures"), endless ? phrase("never") : say(h.wall)},
        {"resilience.mtbf_seconds", phrase("Time between failures"), say(r.mtbf)},
        {"resilience.failures", phrase("Expected failures"), endless ? phrase("without end") : about(h.failures)},
        {"resilience.checkpoint_bytes", phrase("Checkpoint size"), say(r.checkpoint_size)},
        {"resilience.checkpoint_seconds", phrase("Time of one checkpoint"),
         s.recipe.checkpoint_time > Seconds{} ? phrase("{1} (set)", say(r.checkpoint))
                                              : phrase("{1} at {2}", say(r.checkpoint), whole_rate(r.write))},
        {"resilience.interval_seconds", phrase("Checkpoint interval"), interval(r)},
        {"", phrase("Checkpoints"), about(h.checkpoints)},
    };
    for (const auto& part : overhead_parts)
        rows.push_back({"", phrase(part.label), percent(r.overhead.*part.value)});
    rows.push_back({"resilience.overhead", phrase("Time lost in all"), percent(r.overhead.total())});
    const JobChain chain = job_chain(s, h);
    rows.push_back({"", phrase("Job chain"), say(chain)});
    if (chain.kind == ChainKind::jobs)
        rows.push_back({"", phrase("Lost at each job's ends"),
                        phrase("{1} ({2} of the chain)", say(chain.lost_per_job),
                               percent(chain.jobs * chain.lost_per_job / chain.total))});
    if (chain.kind == ChainKind::jobs)
        rows.push_back({"total.seconds", phrase("Time to train with failures and job ends"), say(chain.total)});
    return rows;
}

std::vector<CardRow> cost_card(const Scenario& s, const StepTime& step, const Totals& t) {
    const auto cost = cost_of(s, t);
    const Carbon carbon = carbon_of(s, t);
    const Seconds optimizer = step.optimizer + step.preconditioner;
    std::vector<CardRow> rows{
        {"", "What is counted", say_counted(t)},
        {"", "Energy, facility", t.ends() ? say(t.facility_energy) : phrase("without end")},
        {"", "Energy, devices only", t.ends() ? say(t.device_energy) : phrase("without end")},
        {"", "Optimizer",
         phrase("{1}, {2} of a step and {3} of the devices' energy", say(optimizer),
                percent(optimizer / step.total(), 2), percent(optimizer_share_of_energy(s, step), 2))},
        {"", "Cost",
         cost ? say(*cost) : t.ends() ? phrase("unknown: no price of an hour is stated") : phrase("without end")},
    };
    if (cost) rows.push_back({"", "Price", say_price(*cost)});
    rows.push_back({"", "Carbon, operational", say_operational(carbon)});
    if (carbon.grid_g_per_kWh)
        rows.push_back({"", "Grid factor", phrase("{1} g CO2e/kWh: {2}", significant(*carbon.grid_g_per_kWh, 3),
                                               carbon.grid_source.text)});
    rows.push_back({"", "Carbon, embodied", say_embodied(carbon)});
    if (carbon.embodied_g_per_node_hour)
        rows.push_back({"", "Embodied factor", phrase("{1} g CO2e per node-hour: {2}",
                                                   significant(*carbon.embodied_g_per_node_hour, 3),
                                                   carbon.embodied_source.text)});
    rows.push_back({"", "What a GPU-hour is here", say_gpu_hour(s.machine)});
    return rows;
}

std::string resilience_verdict(const Resilience& r) {
    if (r.mtbf < r.checkpoint + r.restart)
        return phrase("No progress: a failure comes every {1}, before a checkpoint ({2}) and a restart ({3}) are done.",
                      say(r.mtbf), say(r.checkpoint), say(r.restart));
    if (!r.makes_progress())
        return phrase("No progress: with a checkpoint every {1}, checkpoints, repeated work and restarts take all of "
                      "the time.",
                      say(r.interval));
    return phrase("Checkpoints and failures take {1} of the time.", percent(r.overhead.total()));
}

}  // namespace plimsoll

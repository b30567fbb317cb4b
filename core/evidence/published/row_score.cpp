#include "core/evidence/published/row_score.h"

#include "core/answers/explain/wording.h"
#include "core/answers/plan/headline.h"
#include "core/evidence/published/framework_rules.h"
#include "core/evidence/published/published_flop.h"

namespace plimsoll {

namespace {

const std::string reference_row = "a reference row, not for scoring";

ScoredRow bare(const PublishedRow& row) {
    ScoredRow r;
    r.id = row.id;
    r.source = row.source;
    r.family = device_family(row.machine.device);
    return r;
}

void compare(ScoredRow& r, const PublishedTime& published, const Estimate& e) {
    const double predicted = e.step.total() / second;
    r.quantity = published.quantity;
    r.published = published.value;
    r.measured = published.seconds;
    r.error = predicted / published.seconds - 1;
    r.predicted = published.rate ? published.value / (1 + r.error) : published.value * (1 + r.error);
}

void compare(ScoredRow& r, const char* quantity, double published, double predicted) {
    r.quantity = quantity;
    r.published = published;
    r.predicted = predicted;
    r.error = predicted / published - 1;
}

// What is shown beside the quantity that counts. Of a scored row only figures of
// the whole run: its other rates repeat the one that counts.
void add_others(const PublishedRow& row, const std::vector<PublishedTime>& times, const FilledRun& run, const Estimate& e,
                const ScoredRow& counted, std::vector<ScoredRow>& others) {
    ScoredRow other = counted;
    other.excluded = row.reference ? reference_row : "of the whole run, not scored";
    for (std::size_t i = 1; i < times.size(); ++i)
        if (row.reference || !times[i].rate) {
            compare(other, times[i], e);
            others.push_back(other);
        }
    const RowMeasured& m = row.measured;
    if (!m.energy_mwh && !m.power_watts) return;
    const Headline h = headline(run.scenario, e);
    const auto add = [&](const char* quantity, double published, double predicted) {
        compare(other, quantity, published, predicted);
        others.push_back(other);
    };
    // Sources meter or assume the power of the devices and multiply by the PUE.
    if (m.energy_mwh && row.layout.train_tokens)
        add("energy_mwh", *m.energy_mwh, h.device_energy * run.scenario.machine.power.pue / megawatt_hour);
    if (m.power_watts) add("power_w_per_device", *m.power_watts, h.device_power / watt);
}

// Frameworks that read the allocator print GiB, job monitors GB.
void add_memory(const PublishedRow& row, const Estimate& e, ScoredRow& r) {
    const bool binary = contains(lower_case(row.layout.framework), "torchtitan");
    r.quantity = "memory_gb_per_device";
    const Bytes unit = binary ? gibibyte : gigabyte;
    r.published = *row.measured.memory_gb;
    r.measured = r.published * unit / byte;
    r.of_first_stage = reports_first_stage(row.layout.framework);
    r.predicted = (r.of_first_stage ? e.stages.front() : e.worst()).total() / unit;
    r.error = r.predicted / r.published - 1;
}

std::string why_no_time(const PublishedRow& row) {
    const RowMeasured& m = row.measured;
    if (m.teraflops) return "how the source counts FLOP is not known";
    if (m.device_hours || m.train_days) return "hours or days without the tokens of the run";
    return "no step time, rate or hours: power, energy and memory are sanity checks";
}

}  // namespace

std::string device_family(const std::string& device) {
    for (const char* name : {"GB300", "GB200", "B300", "B200", "GH200", "H200", "H100", "A100", "A800", "V100", "MI300", "MI250X",
                             "A64FX", "TPU v3", "TPU v4", "TPU v5e", "TPU", "Trainium", "Gaudi", "Ascend"})
        if (lower_case(device).find(lower_case(name)) != std::string::npos) return name;
    return device.empty() ? "not stated" : device;
}

RowScore score_row(const PublishedRow& row, const FilledRun& run) {
    RowScore result{bare(row), {}, {}};
    ScoredRow& r = result.time;
    r.filled = run.filled;
    r.excluded = run.excluded;
    r.plan = without_sources(run.scenario);
    std::optional<Estimate> e;
    if (r.excluded.empty()) {
        Outcome outcome = estimate(run.scenario);
        if (outcome) e = std::move(*outcome);
        else r.excluded = say(outcome.error().front());
    }
    if (e) r.memory_share = e->worst().total() / e->memory_limit;
    if (row.measured.memory_gb) {
        result.memory = r;
        if (e) add_memory(row, *e, *result.memory);
    }
    if (e) {
        const auto times = published_times(row, run.scenario, run.flop_rule);
        add_others(row, times, run, *e, r, result.others);
        if (times.empty()) r.excluded = why_no_time(row);
        else compare(r, times.front(), *e);
    }
    if (!row.reference) return result;
    for (ScoredRow* of : {&r, result.memory ? &*result.memory : nullptr})
        if (of) of->excluded = reference_row + (of->excluded.empty() ? "" : ": " + of->excluded);
    return result;
}

}  // namespace plimsoll

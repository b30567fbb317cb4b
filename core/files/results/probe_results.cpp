#include "core/files/results/probe_results.h"

#include "core/answers/plan/estimate.h"
#include "core/files/results/log_run.h"
#include "core/files/text/disk.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/in_words.h"
#include "core/values/knobs/knobs.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace plimsoll {

namespace {

constexpr double disturbed = 1.10;       // times the fastest visit
constexpr double restless = 0.10;        // half the middle half of the steps, as a share
constexpr double median_scatter = 0.93;  // of a median of n steps: 1.25 sigma / sqrt(n), sigma 0.74 of the middle half
constexpr double together = 8;           // steps that what disturbs them holds up together
constexpr double as_planned = 1.25;      // times the scatter that was planned for: more is said

// What logs state of what ran, and a probe must not differ in.
constexpr const char* stated_knobs[] = {"model.layers",           "model.hidden",
                                        "model.heads",            "layout.tensor_parallel",
                                        "layout.pipeline_parallel", "layout.micro_batch",
                                        "recipe.sequence_length", "recipe.global_batch_sequences"};

// "Layers: 8 in the log, 4 in the probe."
std::vector<std::string> what_differs(const Scenario& probe, const Scenario& ran) {
    std::vector<std::string> all;
    for (const char* id : stated_knobs)
        if (const Knob* k = find_knob(id); k && k->get(probe) != k->get(ran))
            all.push_back(phrase("{1}: {2} in the log, {3} in the probe", label_in_words(*k),
                                 format_value(*k, k->get(ran)), format_value(*k, k->get(probe))));
    return all;
}

void read_visit(ProbeResult& r, const std::filesystem::path& folder, int visit, const Library& library) {
    const std::string name = probe_log(r.run.name, visit);
    std::error_code none;
    if (!std::filesystem::exists(folder / name, none)) return r.remarks.push_back(phrase("{1} is missing.", name));
    const auto log = load_training_log(folder / name);
    if (!log) return r.remarks.push_back(log.error().front().message);
    if (states_model(*log))
        if (const auto ran = load_logged_run(folder / name, library, &r.run.plan)) {
            const auto differs = what_differs(r.run.plan, ran->plan);
            if (!differs.empty())
                return r.remarks.push_back(
                    phrase("{1} is of another run and does not count. {2}.", name, joined(differs, "; ")));
        }
    const auto step = step_of(*log, r.run.plan);
    const auto middle = log->middle();
    if (!step || !middle) return r.remarks.push_back(phrase("{1} has no step that counts.", name));
    ProbeVisit v{name, *step, std::abs(middle->high - middle->low) / 2 / middle->value, log->counted()};
    if (v.half > restless)
        r.remarks.push_back(phrase("Half of the steps of {1} lie {2} or more from the middle one: something disturbed "
                                   "it.",
                                   name, percent(v.half)));
    if (const LogMemory* memory = log->fullest(); memory && (!r.memory || memory->most > r.memory->most))
        r.memory = *memory;
    r.visits.push_back(std::move(v));
}

void leave_out_disturbed(ProbeResult& r) {
    if (r.visits.empty()) return;
    const ProbeVisit fastest = *std::ranges::min_element(r.visits, {}, &ProbeVisit::step);
    for (ProbeVisit& v : r.visits) {
        v.disturbed = v.step > disturbed * fastest.step;
        if (v.disturbed)
            r.remarks.push_back(phrase("{1} was {2} slower than {3}: it was disturbed and does not count.", v.log,
                                       percent(v.step / fastest.step - 1), fastest.log));
    }
}

// Of the logarithms of visits around the mean of their probe, disturbed ones among them.
double between_visits(const std::vector<ProbeResult>& all) {
    double squares = 0;
    int freedom = 0;
    for (const ProbeResult& r : all) {
        double mean = 0;
        for (const ProbeVisit& v : r.visits) mean += std::log(v.step / second) / double(r.visits.size());
        for (const ProbeVisit& v : r.visits) squares += std::pow(std::log(v.step / second) - mean, 2);
        freedom += std::max(0, int(r.visits.size()) - 1);
    }
    return freedom > 0 ? std::sqrt(squares / freedom) : 0;
}

void settle(ProbeResult& r, double between) {
    std::vector<double> steps;
    double within = 0;
    for (const ProbeVisit& v : r.visits) {
        if (v.disturbed) continue;
        steps.push_back(v.step / second);
        within = std::max(within, median_scatter * v.half / std::sqrt(std::max(1.0, v.counted / together)));
    }
    if (steps.empty()) return;
    r.measured = median(steps) * second;
    r.scatter = std::hypot(within, between) / std::sqrt(double(steps.size()));
}

constexpr double grows = 1.1, has_not_grown = 1.02;

// Memory that is printed before the first step's peak is the same at every depth, and would be handed on as a saving.
void leave_out_memory_that_does_not_grow(std::vector<ProbeResult>& all) {
    const auto predicted = [](const ProbeResult& r) {
        const Outcome o = estimate(r.run.plan);
        return o ? figure_of(*o, {r.memory->kind}) : Bytes{};
    };
    const auto layers = [](const ProbeResult& r) { return r.run.plan.model.layers; };
    const auto shallow_one = std::ranges::min_element(all, {}, layers);
    for (ProbeResult& deep : all) {
        if (!deep.memory || !shallow_one->memory || deep.memory->kind != shallow_one->memory->kind) continue;
        if (!(predicted(deep) > grows * predicted(*shallow_one))) continue;
        if (deep.memory->most > has_not_grown * shallow_one->memory->most) continue;
        for (ProbeResult& r : all) {
            if (!r.memory) continue;
            r.remarks.push_back(phrase("{1} of memory do not grow with the layers: they were printed before the peak "
                                       "of a step, and do not count.",
                                       say(r.memory->most)));
            r.memory.reset();
        }
        return;
    }
}

// What would tell more than these visits do.
std::vector<std::string> what_narrows(const ProbeReading& reading) {
    const ProbeLimits& planned = reading.record.limits;
    if (!(reading.between > as_planned * planned.scatter)) return {};
    const double times = std::pow(reading.between / planned.scatter, 2);
    std::vector<std::string> all{phrase("Visits of one probe lie {1} apart where {2} was planned for, so the range is "
                                        "wider. As narrow as planned: {3} visits, or a machine without other load.",
                                        percent(reading.between), percent(planned.scatter),
                                        int(std::ceil(times * planned.visits)))};
    ProbeLimits seen = planned;
    seen.scatter = reading.between;
    seen.longest = std::numeric_limits<double>::max() * second;
    const auto better = plan_probes(reading.record.plan, seen);
    if (!better || better->runs.size() < 2 || reading.record.runs.size() < 2) return all;
    const auto layers = [](const std::vector<ProbeRun>& runs, std::size_t i) { return runs[i].plan.model.layers; };
    if (layers(better->runs, 1) > layers(reading.record.runs, 1))
        all.push_back(phrase("Deeper probes suffer less from it: those of {1} and {2} layers leave {3}.",
                             layers(better->runs, 0), layers(better->runs, 1), percent(better->band)));
    return all;
}

}  // namespace

Expected<ProbeReading, Problems> read_probes(const std::filesystem::path& folder, const Library& library) {
    const auto file = folder / "probes.json";
    const auto text = read_text(file);
    if (!text) return Unexpected{text.error()};
    auto record = read_probe_record(*text, library, file.string());
    if (!record) return Unexpected{std::move(record.error())};
    ProbeReading reading;
    reading.record = *std::move(record);
    for (const ProbeRun& run : reading.record.runs) {
        ProbeResult r;
        r.run = run;
        for (int visit = 1; visit <= reading.record.limits.visits; ++visit) read_visit(r, folder, visit, library);
        leave_out_disturbed(r);
        reading.results.push_back(std::move(r));
    }
    leave_out_memory_that_does_not_grow(reading.results);
    reading.between = between_visits(reading.results);
    for (ProbeResult& r : reading.results) {
        settle(r, reading.between);
        if (!r.measured) continue;
        MeasuredRun mine{r.run.name, r.run.plan, r.measured, {}};
        mine.scatter = r.scatter;
        if (r.memory) {
            mine.memory = r.memory->most;
            mine.memory_kind = r.memory->kind;
        }
        if (auto anchor = anchor_of(mine)) reading.anchors.push_back(*std::move(anchor));
        reading.measured.push_back(std::move(mine));
    }
    reading.remarks = what_narrows(reading);
    return reading;
}

std::optional<AfterProbes> after_probes(const Scenario& plan, const std::vector<Anchor>& anchors,
                                        const Evidence& evidence) {
    const Scenario alone = model_alone(plan);
    Scenario told = alone;
    told.measured = measured_by(anchors);
    const Outcome before = estimate(alone), after = estimate(told);
    if (!before || !after) return std::nullopt;
    return AfterProbes{before->step.total(), after->step.total(), anchored(told, evidence)};
}

Sentences say(const AfterProbes& a) {
    const auto around = [](Seconds step, double share) {
        const auto range = range_around(step, share);
        return phrase("{1}, {2} to {3} in two of three cases ({4})", say(step), say(range.low), say(range.high),
                      percent(share));
    };
    Sentences all{phrase("The plan's step before: {1}.", around(a.before, a.anchoring.before.time)),
                  phrase("The plan's step after: {1}.", around(a.after, a.anchoring.band.time))};
    if (std::string why = say_anchoring(a.anchoring); !why.empty()) all.push_back(std::move(why));
    return all;
}

}  // namespace plimsoll

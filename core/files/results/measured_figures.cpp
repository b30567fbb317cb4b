#include "core/files/results/measured_figures.h"

#include "core/answers/plan/estimate.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

namespace {

constexpr std::size_t most_step_points = 2000;   // more than a screen has pixels say no more
constexpr double spread_out = 4;            // times the middle: steps so far off are seen on a logarithmic axis alone
constexpr int most_depths = 24;             // at which the line is computed

struct NamedFate {
    StepFate fate;
    const char* id;
    std::string label;
};

std::vector<NamedFate> step_fates() {
    return {{StepFate::counted, "counted", phrase("Counted")},
            {StepFate::first, "first", phrase("First interval of a start")},
            {StepFate::warm_up, "warm-up", phrase("Warm-up")},
            {StepFate::evaluated, "evaluated", phrase("With an evaluation")},
            {StepFate::saved, "saved", phrase("With a checkpoint")},
            {StepFate::repeated, "repeated", phrase("Ran again after a restart")},
            {StepFate::other_batch, "other-batch", phrase("Of another batch")}};
}

Axis axis_of(StepMeasure measure, double middle, double& unit) {
    unit = 1;
    switch (measure) {
        case StepMeasure::tokens_of_device: return {phrase("Tokens of a device in a second"), ""};
        case StepMeasure::tokens_of_all: return {phrase("Tokens in a second"), ""};
        case StepMeasure::samples_of_all: return {phrase("Sequences in a second"), ""};
        case StepMeasure::seconds:
        case StepMeasure::bar:
        case StepMeasure::total: break;
    }
    const auto readable_unit = readable(middle * second, step_units);
    unit = readable_unit.size / second;
    return {phrase("Time of a step"), readable_unit.name};
}

std::string name_of_step(const LogStep& s, bool restarts) {
    return restarts ? phrase("Step {1} of start {2}", s.number, s.start + 1) : phrase("Step {1}", s.number);
}

Series points_of(const std::vector<LogStep>& all, const NamedFate& fate, double unit, bool restarts) {
    Series s{fate.id, fate.label, Mark::point, {}, {}, {}};
    std::vector<const LogStep*> mine;
    for (const LogStep& each : all)
        if (each.fate == fate.fate) mine.push_back(&each);
    const std::size_t together = (mine.size() + most_step_points - 1) / most_step_points;
    for (std::size_t from = 0; from < mine.size(); from += together) {
        const std::size_t to = std::min(from + together, mine.size());
        double sum = 0;
        for (std::size_t i = from; i < to; ++i) sum += mine[i]->value;
        s.x.push_back(0.5 * double(mine[from]->number + mine[to - 1]->number));
        s.y.push_back(sum / double(to - from) / unit);
        s.names.push_back(to - from > 1 ? phrase("Steps {1} to {2}", mine[from]->number, mine[to - 1]->number)
                                        : name_of_step(*mine[from], restarts));
    }
    return s;
}

// ---- Probes

std::string name_of_probe(const Scenario& s) {
    return phrase("{1} on {2}", numbered(s.model.layers, "layer", "layers"),
                  numbered(s.layout.devices, "device", "devices"));
}

// The deepest, of those that were measured where there are some: the line goes on from it.
const ProbeResult& deepest_measured(const ProbeReading& reading) {
    const auto rank = [](const ProbeResult& r) { return std::pair(r.measured.has_value(), r.run.plan.model.layers); };
    return *std::ranges::max_element(reading.results, {}, rank);
}

std::vector<int> depths_between(int from, int to) {
    std::vector<int> all;
    const int by = std::max(1, (to - from) / most_depths);
    for (int layers = from; layers < to; layers += by) all.push_back(layers);
    all.push_back(to);
    return all;
}

}  // namespace

Figure log_figure(const TrainingLog& log) {
    Figure f{"log-steps", phrase("Steps of the log"), {phrase("Step"), ""}, {}, {}, {}, 0, {}};
    const auto middle = log.middle();
    if (log.steps.empty()) return f;
    double unit = 1, most = 0;
    f.y = axis_of(log.measure, middle ? middle->value : log.steps.front().value, unit);
    for (const NamedFate& fate : step_fates())
        if (Series s = points_of(log.steps, fate, unit, log.restarts > 0); !s.x.empty()) {
            most = std::max(most, *std::ranges::max_element(s.y));
            f.series.push_back(std::move(s));
        }
    f.caption = joined(say_counting(log), " ");
    if (!middle) return f;
    const auto [first, last] =
        std::ranges::minmax(log.steps, {}, [](const LogStep& s) { return s.number; });
    const double begin = double(first.number), end = double(last.number), value = middle->value / unit;
    const double low = std::min(middle->low, middle->high) / unit, high = std::max(middle->low, middle->high) / unit;
    f.y.logarithmic = most > spread_out * value;
    f.series.push_back({"middle", phrase("Their middle"), Mark::ideal, {begin, end}, {value, value}, {}});
    f.series.push_back({"half", phrase("Middle half"), Mark::band, {begin, end}, {low, low}, {}, {high, high}});
    return f;
}

Figure probe_figure(const ProbeReading& reading, const Evidence* evidence) {
    Figure f{"probes", phrase("Short runs and the plan's depth"), {phrase("Layers"), ""}, {}, {}, {}, 0, {}};
    if (reading.results.empty()) return f;
    Scenario at = deepest_measured(reading).run.plan;
    const int replicas = at.layout.data_parallel, depth = reading.record.plan.model.layers;
    at.measured = measured_by(reading.anchors);
    const Outcome whole = estimate(cut(at, depth, replicas));
    const auto unit = readable(whole ? whole->step.total() : reading.results.front().run.step, step_units);
    f.y = {phrase("Time of a step"), unit.name};
    Series predicted{"predicted", phrase("Predicted before"), Mark::point, {}, {}, {}};
    Series measured{"measured", phrase("Measured"), Mark::point, {}, {}, {}};
    for (const ProbeResult& r : reading.results) {
        const double layers = r.run.plan.model.layers;
        predicted.x.push_back(layers);
        predicted.y.push_back(r.run.step / unit.size);
        predicted.names.push_back(name_of_probe(r.run.plan));
        if (!r.measured) continue;
        const double value = *r.measured / unit.size;
        measured.x.push_back(layers);
        measured.y.push_back(value);
        measured.low.push_back(value * (1 - 2 * r.scatter));
        measured.high.push_back(value * (1 + 2 * r.scatter));
        measured.names.push_back(name_of_probe(r.run.plan));
    }
    Series line{"continued",
                reading.anchors.empty() ? phrase("Predicted to the plan's depth")
                                        : phrase("Continued to the plan's depth"),
                Mark::ideal, {}, {}, {}};
    Series band{"range", phrase("Two plans in three"), Mark::band, {}, {}, {}};
    int least = depth;
    for (const ProbeResult& r : reading.results) least = std::min(least, r.run.plan.model.layers);
    for (const int layers : depths_between(least, depth)) {
        const Scenario deep = cut(at, layers, replicas);
        const Outcome o = estimate(deep);
        if (!o) continue;
        const double value = o->step.total() / unit.size;
        line.x.push_back(layers);
        line.y.push_back(value);
        if (!evidence) continue;
        const double share = anchored(deep, *evidence).band.time;
        band.x.push_back(layers);
        band.y.push_back(value / (1 + share));
        band.high.push_back(value * (1 + share));
    }
    f.series = {std::move(predicted)};
    if (!measured.x.empty()) f.series.push_back(std::move(measured));
    if (!line.x.empty()) f.series.push_back(std::move(line));
    if (!band.x.empty()) f.series.push_back(std::move(band));
    f.caption = phrase("Steps of the short runs, and what they make of the same layers down to the {1} of the plan, on "
                       "{2}.",
                       depth, numbered(at.layout.devices, "device", "devices"));
    return f;
}

}  // namespace plimsoll

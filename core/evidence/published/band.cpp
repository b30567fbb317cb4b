#include "core/evidence/published/band.h"

#include "core/values/knobs/wording.h"
#include "core/values/basics/names.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

namespace plimsoll {

namespace {

constexpr double one_sigma = 0.6827;    // share of a normal distribution within one standard deviation
constexpr double outer_weight = 4;      // runs that each wider circle counts as

// Features that change which formulas price a plan.
struct Trait {
    const char* words;
    bool (*has)(const Scenario&);
};
constexpr Trait traits[] = {
    {"a mixture of experts", [](const Scenario& s) { return has_experts(s.model); }},
    {"latent attention", [](const Scenario& s) { return has_latent_attention(s.model); }},
    {"context parallelism", [](const Scenario& s) { return s.layout.context_parallel > 1; }},
    {"context parallelism by Ulysses",
     [](const Scenario& s) { return s.layout.context_parallel > 1 && s.layout.context_mode == ContextMode::ulysses; }},
    {"tensor parallelism on a grid", [](const Scenario& s) { return s.layout.on_grid(); }},
    {"sparse attention", [](const Scenario& s) { return score_density(s.model) < 1; }},
    {"a zero-bubble schedule", [](const Scenario& s) { return splits_backward(s.layout.schedule); }},
    {"the GPipe schedule",
     [](const Scenario& s) { return s.layout.schedule == Schedule::gpipe && s.layout.pipeline_parallel > 1; }},
    {"an interleaved schedule", [](const Scenario& s) { return s.layout.virtual_stages > 1; }},
    {"sequence parallelism", [](const Scenario& s) { return s.layout.sequence_parallel; }},
    {"selective recomputation", [](const Scenario& s) { return s.layout.recompute == Recompute::selective; }},
    {"full recomputation", [](const Scenario& s) { return s.layout.recompute == Recompute::full; }},
    {"recomputation of some layers alone", [](const Scenario& s) { return s.layout.recomputes_some(); }},
    {"ZeRO stage 1", [](const Scenario& s) { return s.layout.zero_stage == 1; }},
    {"ZeRO stage 2", [](const Scenario& s) { return s.layout.zero_stage == 2; }},
    {"ZeRO stage 3", [](const Scenario& s) { return s.layout.zero_stage == 3; }},
    {"sharding within groups",
     [](const Scenario& s) { return s.layout.shards() > 1 && s.layout.shards() < s.layout.weight_replicas(); }},
    {"fp32 products", [](const Scenario& s) { return s.recipe.precision == Precision::fp32; }},
    {"fp8 products", [](const Scenario& s) { return s.recipe.precision == Precision::fp8; }},
    {"an optimizer other than Adam", [](const Scenario& s) { return s.recipe.optimizer != Optimizer::adam; }},
};

Circle circle_of(const RunKind& a, const RunKind& b) {
    if (a.experts != b.experts) return Circle::all;
    const bool stack = a.stack == b.stack, device = a.device == b.device;
    if (stack && device)
        return a.precision == b.precision && a.crosses_nodes == b.crosses_nodes ? Circle::same_reach
                                                                                : Circle::same_stack_and_device;
    return stack || device ? Circle::same_stack_or_device : Circle::all;
}

struct Weighed {
    double size;     // |log error|
    double weight;
};

double quantile(std::vector<Weighed> all, double share) {
    std::sort(all.begin(), all.end(), [](const Weighed& a, const Weighed& b) { return a.size < b.size; });
    double total = 0, sum = 0;
    for (const Weighed& w : all) total += w.weight;
    for (const Weighed& w : all)
        if ((sum += w.weight) >= share * total) return w.size;
    return 0;
}

// Runs of one circle, by source.
struct Ring {
    std::map<std::string_view, int> runs_of;
    int runs = 0;
};

std::vector<Trial> trials(const std::vector<ScoredRow>& rows) {
    std::vector<Trial> all;
    for (const ScoredRow& r : rows)
        if (r.excluded.empty()) all.push_back({kind_of(r.plan), r.source, r.error});
    return all;
}

// ---- what the evidence does not reach ---------------------------------------

struct Reach {
    int devices = 0, sequence_length = 0;
    double parameters = 0;
    void include(const RunKind& k) {
        devices = std::max(devices, k.devices);
        sequence_length = std::max(sequence_length, k.sequence_length);
        parameters = std::max(parameters, k.parameters);
    }
};

// `whose`: "published run on this device or stack"
void note_excess(std::vector<std::string>& all, const RunKind& plan, const Reach& seen, const std::string& whose) {
    const auto note = [&](const char* what, double ours, double theirs) {
        if (ours > theirs)
            all.push_back(std::string(what) + " " + say_count(ours) + ": the largest " + whose + " has "
                          + say_count(theirs));
    };
    note("devices", plan.devices, seen.devices);
    note("tokens in a sequence", plan.sequence_length, seen.sequence_length);
    note("parameters", plan.parameters, seen.parameters);
}

// `own`: runs held back on this machine; where there are any, they alone say how far it was tested.
std::vector<std::string> beyond(const Scenario& s, const RunKind& kind, const std::vector<Trial>& seen,
                                const std::vector<Trial>& own) {
    Reach near, far, here;
    bool device = !own.empty(), stack = false;
    unsigned used = 0;
    for (const Trial& t : seen) {
        used |= t.kind.traits;
        device |= t.kind.device == kind.device;
        stack |= t.kind.stack == kind.stack;
        for (Reach* reach : {&far, circle_of(kind, t.kind) == Circle::all ? &far : &near}) reach->include(t.kind);
    }
    for (const Trial& t : own) {
        stack |= t.kind.stack == kind.stack;
        here.include(t.kind);
    }
    std::vector<std::string> all;
    if (!device) all.push_back("no published run on " + kind.device + " was checked");
    if (!stack) all.push_back("no published run with the stack '" + s.stack.name + "' was checked");
    if (!own.empty()) note_excess(all, kind, here, "run held back on this machine");
    else if (device || stack) note_excess(all, kind, near, "published run on this device or stack");
    else note_excess(all, kind, far, "published run of all");
    for (std::size_t i = 0; i < std::size(traits); ++i)
        if ((kind.traits & ~used) >> i & 1u)
            all.push_back(std::string("no published run with ") + traits[i].words + " was checked");
    return all;
}

// ---- runs held back on the plan's own machine ---------------------------------

int most_devices(const std::vector<Trial>& own) {
    int most = 0;
    for (const Trial& t : own) most = std::max(most, t.kind.devices);
    return most;
}

// Without any of its own: what is published of the device as the preset started from has it.
RunKind uncalibrated(const Scenario& s, RunKind kind) {
    kind.device = device_family(s.machine.device.name);
    return kind;
}

Spread with_held_back(const Scenario& s, const RunKind& kind, const std::vector<Trial>& published,
                      const std::vector<Trial>& own) {
    const Spread without = spread_of(uncalibrated(s, kind), published);
    if (own.empty()) return without;
    std::vector<Trial> all = published;
    all.insert(all.end(), own.begin(), own.end());
    Spread with = spread_of(kind, all);
    with.held_back = int(own.size());
    with.without = without.band;
    for (const Trial& t : own) with.held_back_error += std::abs(t.error) / double(own.size());
    if (kind.devices > most_devices(own)) with.band = std::max(with.band, without.band);
    return with;
}

}  // namespace

Evidence held_back(const Scenario& s) {
    Evidence own;
    const Calibration* c = s.machine.calibration.get();
    if (!c) return own;
    RunKind kind = kind_of(s);
    kind.stack = c->stack;
    kind.precision = from_name<Precision>(c->precision).value_or(kind.precision);
    kind.experts = false;
    kind.traits = 0;
    for (const ProofRow& row : c->proof) {
        if (!row.counts()) continue;
        kind.devices = row.devices;
        kind.crosses_nodes = row.devices > s.machine.devices_per_node;
        kind.sequence_length = row.sequence_length;
        kind.parameters = row.parameters;
        own.time.push_back({kind, c->based_on, row.error()});
        if (row.memory_measured > Bytes{} && row.memory_predicted > Bytes{})
            own.memory.push_back({kind, c->based_on, row.memory_error()});
    }
    return own;
}

RunKind kind_of(const Scenario& s) {
    // What was measured makes a device of its own: published runs of its family tell of other constants.
    const bool own = s.machine.calibration && score_of(*s.machine.calibration.get()).rows > 0;
    RunKind k{s.stack.id,
              own ? s.machine.id : device_family(s.machine.device.name),
              s.recipe.precision,
              nodes_used(s) > 1,
              s.layout.devices,
              s.recipe.sequence_length,
              has_experts(s.model),
              parameters(s.model),
              0};
    for (std::size_t i = 0; i < std::size(traits); ++i)
        if (traits[i].has(s)) k.traits |= 1u << i;
    return k;
}

Evidence evidence_of(const Score& score) { return {trials(score.rows), trials(score.memory_rows)}; }

Spread spread_of(const RunKind& kind, const std::vector<Trial>& seen, const Trial* without) {
    std::array<Ring, circles> ring;
    for (const Trial& t : seen)
        if (&t != without) {
            Ring& r = ring[int(circle_of(kind, t.kind))];
            ++r.runs_of[t.source];
            ++r.runs;
        }
    int inner = 0;
    while (inner + 1 < circles && ring[inner].runs == 0) ++inner;
    std::vector<Weighed> weighed;
    for (const Trial& t : seen) {
        const int at = int(circle_of(kind, t.kind));
        if (&t == without) continue;
        const double share = outer_weight / double(ring[at].runs_of.size()) / ring[at].runs_of[t.source];
        weighed.push_back({std::abs(std::log1p(t.error)), at == inner ? 1 : share});
    }
    return {std::expm1(quantile(std::move(weighed), one_sigma)), Circle(inner), ring[inner].runs,
            int(ring[inner].runs_of.size())};
}

Band band_of(const Scenario& s, const Evidence& seen) {
    const RunKind kind = kind_of(s);
    Band b;
    const Evidence own = held_back(s);
    b.time_spread = with_held_back(s, kind, seen.time, own.time);
    b.memory_spread = with_held_back(s, kind, seen.memory, own.memory);
    b.time = b.time_spread.band;
    b.memory = b.memory_spread.band;
    b.beyond = beyond(s, kind, seen.time, own.time);
    return b;
}

namespace {

const char* likeness(Circle c) {
    switch (c) {
        case Circle::same_reach: return "with this stack, device, number format and reach";
        case Circle::same_stack_and_device: return "with this stack on this device";
        case Circle::same_stack_or_device: return "with this stack or this device";
        case Circle::all: break;
    }
    return "of any kind, none with this stack or device";
}

// "Narrowed from 8 % by 6 runs held back on this machine, mean error 4.1 %."
std::string say_held_back(const Spread& s) {
    if (!s.held_back) return {};
    const long now = std::lround(100 * s.band), before = std::lround(100 * s.without);
    const std::string verb = s.without == 0 ? "Judged"
                           : now < before   ? "Narrowed from " + std::to_string(before) + " %"
                           : now > before   ? "Widened from " + std::to_string(before) + " %"
                                            : "Neither narrowed nor widened";
    return " " + verb + " by " + counted(s.held_back, "run", "runs") + " held back on this machine, mean error "
         + percent(s.held_back_error) + '.';
}

}  // namespace

std::string say_spread(const Spread& s) {
    if (s.runs == 0) return "No published run to judge by.";
    return std::string(s.held_back ? "Two thirds of comparable runs lie within "
                                   : "Two thirds of comparable published runs lie within ")
         + std::to_string(std::lround(100 * s.band)) + " % of the prediction. Nearest: "
         + counted(s.runs, "run", "runs") + " of " + counted(s.sources, "source", "sources") + ' ' + likeness(s.circle)
         + "; runs less alike count less." + say_held_back(s);
}

std::string say_beyond(const Band& b) {
    std::string all;
    for (const std::string& sentence : b.beyond) all += (all.empty() ? "" : "; ") + sentence;
    return all;
}

namespace {

void shade(Figure& f, const Band& b) {
    const auto curve =
        std::find_if(f.series.begin(), f.series.end(), [](const Series& s) { return s.id == "modelled"; });
    if (curve == f.series.end() || !(b.time > 0)) return;
    Series band{"band", "Likely range", Mark::band, curve->x, {}, {}};
    for (const double y : curve->y) {
        const LikelyRange<double> range = range_around(y, b.time);
        band.y.push_back(range.low);
        band.high.push_back(range.high);
    }
    f.series.push_back(std::move(band));
    f.caption += " Shaded: " + say_spread(b.time_spread);
    if (!b.beyond.empty()) f.caption += " Outside what was checked: " + say_beyond(b) + '.';
}

}  // namespace

void shade(std::vector<Figure>& figures, const Band& b) {
    for (Figure& f : figures)
        if (f.id == "time-vs-nodes") shade(f, b);
}

}  // namespace plimsoll

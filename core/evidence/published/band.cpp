#include "core/evidence/published/band.h"

#include "core/values/knobs/wording.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/names.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

namespace plimsoll {

namespace {

constexpr double one_sigma = 0.6827;    // share of a normal distribution within one standard deviation
constexpr double nine_tenths = 0.9;
constexpr double circle_weight[circles] = {1, 0.6, 0.25, 0.06};
constexpr double most_runs = 100;       // of a source: further ones tell nothing new
constexpr double unseen_weight = 0.5;   // of the run to come, its error unknown; a run of the innermost circle has 1

// What no run of the evidence has widens the range by so much: the device, the stack, both together, the number format
// on the device and every other trait below, and each doubling of devices, tokens or parameters beyond the largest run.
// These are standard deviations of the logarithm, of the time and of the memory, which add up as squares. They are
// chosen, not measured.
struct Ignorance {
    double time, memory;
};
constexpr Ignorance unknown_device{0.05, 0.03}, unknown_stack{0.05, 0.05}, unknown_pair{0.05, 0.05},
    unknown_trait{0.04, 0.05}, each_doubling{0.02, 0.02};

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
    {"sparse attention", [](const Scenario& s) { return score_density(s.model, s.recipe.sequence_length) < 1; }},
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

// Of errors sorted by size. The run to come is one of them: its error, not known yet, is taken for the largest.
double quantile(const std::vector<Weighed>& sorted, double share) {
    double total = unseen_weight, sum = 0;
    for (const Weighed& w : sorted) total += w.weight;
    for (const Weighed& w : sorted)
        if ((sum += w.weight) >= share * total) return w.size;
    return sorted.empty() ? 0 : sorted.back().size;
}

// Runs of one circle, by source.
struct Ring {
    std::map<std::string_view, int> runs_of;
    int runs = 0;
};

std::vector<Trial> trials(const std::vector<ScoredRow>& rows, const std::vector<double>& errors) {
    std::vector<Trial> all;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].excluded.empty()) all.push_back({kind_of(rows[i].plan), rows[i].source, errors[i]});
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

// What is beyond the evidence: sentences, and the squared widths they add.
struct Beyond {
    std::vector<std::string> sentences;
    std::vector<Ignorance> variances = {};   // of each sentence
    double time = 0, memory = 0;
    void add(std::string sentence, const Ignorance& by, double times = 1) {
        sentences.push_back(std::move(sentence));
        variances.push_back({times * by.time * by.time, times * by.memory * by.memory});
        time += variances.back().time;
        memory += variances.back().memory;
    }
};

// `whose`: "published run on this device or stack"
void note_excess(Beyond& all, const RunKind& plan, const Reach& seen, const std::string& whose) {
    const auto note = [&](const std::string& what, double ours, double theirs) {
        if (ours > theirs)
            all.add(phrase("{1} {2}: the largest {3} has {4}", what, say_count(ours), whose, say_count(theirs)),
                    each_doubling, std::log2(ours / std::max(theirs, 1.0)));
    };
    note(phrase("devices"), plan.devices, seen.devices);
    note(phrase("tokens in a sequence"), plan.sequence_length, seen.sequence_length);
    note(phrase("parameters"), plan.parameters, seen.parameters);
}

// `own`: runs held back on this machine; where there are any, they alone say how far it was tested.
Beyond beyond(const Scenario& s, const RunKind& kind, const std::vector<Trial>& seen, const std::vector<Trial>& own) {
    Reach near, far, here;
    bool device = !own.empty(), stack = false, format = false, pair = !own.empty();
    unsigned used = 0;
    for (const Trial& t : seen) {
        used |= t.kind.traits;
        device |= t.kind.device == kind.device;
        stack |= t.kind.stack == kind.stack;
        pair |= t.kind.device == kind.device && t.kind.stack == kind.stack;
        format |= t.kind.device == kind.device && t.kind.precision == kind.precision;
        for (Reach* reach : {&far, circle_of(kind, t.kind) == Circle::all ? &far : &near}) reach->include(t.kind);
    }
    for (const Trial& t : own) {
        stack |= t.kind.stack == kind.stack;
        format |= t.kind.precision == kind.precision;
        here.include(t.kind);
    }
    Beyond all;
    if (!device) all.add(phrase("no published run on {1} was checked", kind.device), unknown_device);
    else if (!format)
        all.add(phrase("no published run in {1} on {2} was checked", name_of(kind.precision), kind.device),
                unknown_trait);
    if (!stack) all.add(phrase("no published run with the stack '{1}' was checked", s.stack.name), unknown_stack);
    if (device && stack && !pair)
        all.add(phrase("no published run with the stack '{1}' on {2} was checked", s.stack.name, kind.device),
                unknown_pair);
    if (!own.empty()) note_excess(all, kind, here, phrase("run held back on this machine"));
    else if (device || stack) note_excess(all, kind, near, phrase("published run on this device or stack"));
    else note_excess(all, kind, far, phrase("published run of all"));
    for (std::size_t i = 0; i < std::size(traits); ++i)
        if ((kind.traits & ~used) >> i & 1u)
            all.add(phrase("no published run with {1} was checked", phrase(traits[i].words)), unknown_trait);
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
    if (kind.devices > most_devices(own)) {
        with.band = std::max(with.band, without.band);
        with.wide = std::max(with.wide, without.wide);
    }
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

Evidence evidence_of(const Score& score, const LeftOut& left_out) {
    const JudgedErrors errors = judged_errors(score, left_out);
    return {trials(score.rows, errors.time), trials(score.memory_rows, errors.memory)};
}

Spread spread_of(const RunKind& kind, const std::vector<Trial>& seen, const Trial* without) {
    struct Placed {
        const Trial* trial;
        std::size_t circle;
        const int* runs;   // of its source in this circle
    };
    std::array<Ring, circles> ring;
    std::array<std::pair<const std::string*, int*>, circles> last{};   // rows of a source follow each other
    std::vector<Placed> placed;
    placed.reserve(seen.size());
    for (const Trial& t : seen)
        if (&t != without) {
            const auto at = std::size_t(circle_of(kind, t.kind));
            auto& [source, runs] = last[at];
            if (!source || *source != t.source) runs = &ring[at].runs_of[*(source = &t.source)];
            ++*runs;
            ++ring[at].runs;
            placed.push_back({&t, at, runs});
        }
    std::size_t inner = 0;
    while (inner + 1 < circles && ring[inner].runs == 0) ++inner;
    std::vector<Weighed> weighed;
    weighed.reserve(placed.size());
    for (const Placed& p : placed) {
        // All runs of a source together count as the square root of their number, of at most `most_runs`.
        const double runs = *p.runs;
        const double each = circle_weight[p.circle] * std::sqrt(std::min(runs, most_runs)) / runs;
        weighed.push_back({std::abs(std::log1p(p.trial->error)), each});
    }
    std::sort(weighed.begin(), weighed.end(), [](const Weighed& a, const Weighed& b) { return a.size < b.size; });
    Spread s;
    s.band = std::expm1(quantile(weighed, one_sigma));
    s.wide = std::expm1(quantile(weighed, nine_tenths));
    s.circle = Circle(inner);
    s.runs = ring[inner].runs;
    s.sources = int(ring[inner].runs_of.size());
    return s;
}

namespace {

constexpr double wide_deviations = 1.645;   // of a normal distribution, that nine in ten lie within

// The band with further, independent ignorance of the given variance.
double widened(double band, double variance, double deviations = 1) {
    return band > 0 ? std::expm1(std::hypot(std::log1p(band), deviations * std::sqrt(variance))) : 0;
}

double squared_log(double band) { return std::log1p(band) * std::log1p(band); }

std::string likeness(Circle);

std::vector<BandPart> parts_of(const Spread& spread, const Beyond& beyond, double Ignorance::*of) {
    if (!(spread.band > 0)) return {};
    std::vector<BandPart> parts{
        {BandPart::Kind::runs,
         phrase("Errors of comparable runs, in constants and mechanisms together; nearest: {1} {2}",
                numbered(spread.runs, "run", "runs"), likeness(spread.circle)),
         squared_log(spread.band)}};
    for (std::size_t i = 0; i < beyond.sentences.size(); ++i)
        parts.push_back({BandPart::Kind::beyond, beyond.sentences[i], beyond.variances[i].*of});
    return parts;
}

Band band_from(const Spread& time, const Spread& memory, Beyond&& beyond) {
    Band b;
    b.time_spread = time;
    b.memory_spread = memory;
    b.time = widened(time.band, beyond.time);
    b.memory = widened(memory.band, beyond.memory);
    b.time_wide = std::max(b.time, widened(time.wide, beyond.time, wide_deviations));
    b.memory_wide = std::max(b.memory, widened(memory.wide, beyond.memory, wide_deviations));
    b.time_parts = parts_of(time, beyond, &Ignorance::time);
    b.memory_parts = parts_of(memory, beyond, &Ignorance::memory);
    b.beyond = std::move(beyond.sentences);
    return b;
}

std::vector<Trial> trials_without(const std::vector<Trial>& all, const std::string& source) {
    std::vector<Trial> rest;
    for (const Trial& t : all)
        if (t.source != source) rest.push_back(t);
    return rest;
}

void take_by_anchors(double band, std::vector<BandPart>& parts) {
    double sum = 0;
    for (const BandPart& p : parts) sum += p.variance;
    if (const double taken = squared_log(band) - sum; !parts.empty() && std::abs(taken) > 1e-12)
        parts.push_back(
            {BandPart::Kind::anchors, phrase("What measured runs of your own say of plans like them"), taken});
}

}  // namespace

double BandPart::alone() const {
    const double size = std::expm1(std::sqrt(std::abs(variance)));
    return variance < 0 ? -size : size;
}

std::string_view id_of(BandPart::Kind k) {
    constexpr std::string_view ids[] = {"runs", "beyond", "anchors"};
    return ids[static_cast<std::size_t>(k)];
}

void add_anchored_parts(Band& b) {
    take_by_anchors(b.time, b.time_parts);
    take_by_anchors(b.memory, b.memory_parts);
}

Band band_of(const Scenario& s, const Evidence& seen) {
    const RunKind kind = kind_of(s);
    const Evidence own = held_back(s);
    return band_from(with_held_back(s, kind, seen.time, own.time), with_held_back(s, kind, seen.memory, own.memory),
                     beyond(s, kind, seen.time, own.time));
}

const Evidence& UnseenBands::without(const std::string& source) {
    if (source_ == source && !spreads_.empty()) return rest_;
    source_ = source;
    rest_ = {trials_without(all_.time, source), trials_without(all_.memory, source)};
    spreads_.clear();
    return rest_;
}

Band UnseenBands::of(const Scenario& s, const std::string& source) {
    const RunKind kind = kind_of(s);
    const Evidence& rest = without(source);
    // All that circles look at.
    const std::string key = kind.stack + '/' + kind.device + '/' + std::to_string(int(kind.precision))
                          + (kind.crosses_nodes ? "/nodes" : "") + (kind.experts ? "/experts" : "");
    auto found = spreads_.find(key);
    if (found == spreads_.end())
        found = spreads_.emplace(key, std::pair{spread_of(kind, rest.time), spread_of(kind, rest.memory)}).first;
    return band_from(found->second.first, found->second.second, beyond(s, kind, rest.time, {}));
}

namespace {

std::string likeness(Circle c) {
    switch (c) {
        case Circle::same_reach: return phrase("with this stack, device, number format and reach");
        case Circle::same_stack_and_device: return phrase("with this stack on this device");
        case Circle::same_stack_or_device: return phrase("with this stack or this device");
        case Circle::all: break;
    }
    return phrase("of any kind, none with this stack or device");
}

// "Narrowed from 8 % by 6 runs held back on this machine, mean error 4.1 %."
std::string say_held_back(const Spread& s) {
    if (!s.held_back) return {};
    const long now = std::lround(100 * s.band), before = std::lround(100 * s.without);
    const std::string verb = s.without == 0 ? phrase("Judged")
                           : now < before   ? phrase("Narrowed from {1} %", before)
                           : now > before   ? phrase("Widened from {1} %", before)
                                            : phrase("Neither narrowed nor widened");
    return ' '
         + phrase("{1} by {2} held back on this machine, mean error {3}.", verb, numbered(s.held_back, "run", "runs"),
                  percent(s.held_back_error));
}

}  // namespace

std::string say_part_rule() {
    return phrase("The causes are independent: the squares of their logarithms add up to that of the range. Prices, "
                  "failure rates and power are no part of it; the bars show them.");
}

std::string say_spread(const Spread& s) {
    if (s.runs == 0) return phrase("No published run to judge by.");
    const long share = std::lround(100 * s.band);
    const std::string within =
        s.held_back ? phrase("Two thirds of comparable runs lie within {1} % of the prediction.", share)
                    : phrase("Two thirds of comparable published runs lie within {1} % of the prediction.", share);
    return within + ' '
         + phrase("Nearest: {1} of {2} {3}; runs less alike count less.", numbered(s.runs, "run", "runs"),
                  numbered(s.sources, "source", "sources"), likeness(s.circle))
         + say_held_back(s);
}

std::string say_beyond(const Band& b) {
    std::string all;
    for (const std::string& sentence : b.beyond) all += (all.empty() ? "" : "; ") + sentence;
    const long before = std::lround(100 * b.time_spread.band), now = std::lround(100 * b.time);
    if (all.empty() || now <= before) return all;
    return phrase("{1}; the range is widened for it, from {2} % to {3} %", all, before, now);
}

Headroom judged(double share, const Band& b, double factor) {
    return {share, b.memory_spread.runs > 0 ? factor * (1 + b.memory) : 1};
}

bool shade_line(Figure& f, std::string_view line, const Band& b, Series band) {
    const auto curve = std::find_if(f.series.begin(), f.series.end(), [&](const Series& s) { return s.id == line; });
    if (curve == f.series.end() || !(b.time > 0)) return false;
    band.x = curve->x;
    for (const double y : curve->y) {
        const LikelyRange<double> range = range_around(y, b.time);
        band.y.push_back(range.low);
        band.high.push_back(range.high);
    }
    f.series.push_back(std::move(band));
    return true;
}

namespace {

void shade(Figure& f, const Band& b) {
    if (!shade_line(f, "modelled", b, {"band", "Likely range", Mark::band, {}, {}, {}})) return;
    f.caption += " Shaded: " + say_spread(b.time_spread);
    if (!b.beyond.empty()) f.caption += " Extrapolated: " + say_beyond(b) + '.';
}

}  // namespace

void shade(std::vector<Figure>& figures, const Band& b) {
    for (Figure& f : figures)
        if (f.id == "time-vs-nodes") shade(f, b);
}

}  // namespace plimsoll

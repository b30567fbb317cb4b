#include "core/evidence/published/band.h"

#include "core/answers/campaign/headline.h"
#include "core/values/knobs/wording.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/names.h"
#include "core/values/basics/text.h"
#include "core/values/plan/schedules.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
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
// These are standard deviations of the logarithm, of the time and of the memory, which add up as squares. Those of
// device, stack and pair are what 14 sources of 2024 to 2026 ask for that had no part in any constant: their rows err
// together, so that two thirds of such sources lie within 5 % where the pair was measured, 31 % where both were but
// never together, 14 % where the device alone was, 44 % where neither was. The others are chosen.
struct Ignorance {
    double time, memory;
};
constexpr Ignorance unknown_device{0.19, 0.03}, unknown_stack{0.16, 0.05}, unknown_pair{0.16, 0.05},
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
    {"sparse attention", [](const Scenario& s) { return leaves_out_scores(s.model, sequence_of(s)); }},
    {"a zero-bubble schedule", [](const Scenario& s) { return schedule_kind(s.layout.schedule).splits_backward; }},
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
    {"an optimizer other than Adam",
     [](const Scenario& s) {
         return s.recipe.optimizer != Optimizer::adam && s.recipe.optimizer != Optimizer::adam_8bit;
     }},
    {"frozen weights in few bits", [](const Scenario& s) { return quantises_frozen(s.method); }},
};

bool of_like_method(const RunKind& a, const RunKind& b) { return a.purpose == b.purpose && a.trained == b.trained; }

Circle circle_of(const RunKind& a, const RunKind& b) {
    if (a.experts != b.experts || !of_like_method(a, b)) return Circle::all;
    const bool stack = a.stack == b.stack, device = a.device == b.device;
    if (stack && device)
        return a.precision == b.precision && a.crosses_nodes == b.crosses_nodes ? Circle::same_reach
                                                                                : Circle::same_stack_and_device;
    return stack || device ? Circle::same_stack_or_device : Circle::all;
}

// Trials of the same purpose as runs of one kind weigh them, sorted by the size of their errors: the spread of all, or
// of all but those of a source. All runs of a source in a circle together count as the square root of their number, of
// at most `most_runs`.
class Weighing {
public:
    Weighing(const RunKind& kind, const std::vector<Trial>& seen, const Trial* without = nullptr) {
        sorted_.reserve(seen.size());
        std::pair<const std::string*, Source*> last{};       // rows of a source follow each other
        const auto of_purpose = [&](const Trial& t) { return t.kind.purpose == kind.purpose; };
        const bool any = std::ranges::any_of(seen, of_purpose);
        for (const Trial& t : seen) {
            if (&t == without || (any && !of_purpose(t))) continue;
            if (!last.first || *last.first != t.source) last = {&t.source, &sources_[t.source]};
            const auto circle = std::size_t(circle_of(kind, t.kind));
            ++last.second->runs[circle];
            sorted_.push_back({std::abs(std::log1p(t.error)), circle_weight[circle], last.second, circle});
        }
        for (const auto& [name, source] : sources_)
            for (std::size_t i = 0; i < circles; ++i) {
                runs_[i] += source.runs[i];
                of_sources_[i] += source.runs[i] > 0;
            }
        for (Weighed& w : sorted_) {
            const double runs = w.source->runs[w.circle];
            w.weight = w.weight * std::sqrt(std::min(runs, most_runs)) / runs;
        }
        std::sort(sorted_.begin(), sorted_.end(), [](const Weighed& x, const Weighed& y) { return x.size < y.size; });
        for (std::size_t i = 0; i < sorted_.size(); ++i) {
            total_ += sorted_[i].weight;
            sum_ += sorted_[i].weight;
            sorted_[i].up_to = sum_;
            Source& source = *sorted_[i].source;
            source.weight += sorted_[i].weight;
            source.places.emplace_back(i, source.weight);
        }
    }

    Spread all() const { return spread(nullptr); }
    Spread without(const std::string& source) const {
        const auto found = sources_.find(source);
        return spread(found == sources_.end() ? nullptr : &found->second);
    }

private:
    struct Source {
        std::array<int, circles> runs{};
        std::vector<std::pair<std::size_t, double>> places = {};   // in the order of sizes, with the weight up to there
        double weight = 0;
    };
    struct Weighed {
        double size;     // |log error|
        double weight;
        Source* source;
        std::size_t circle;
        double up_to = 0;
    };

    Spread spread(const Source* without) const {
        const auto runs_in = [&](std::size_t i) { return runs_[i] - (without ? without->runs[i] : 0); };
        std::size_t inner = 0;
        while (inner + 1 < circles && runs_in(inner) == 0) ++inner;
        Spread s;
        s.band = std::expm1(quantile(one_sigma, without));
        s.wide = std::expm1(quantile(nine_tenths, without));
        s.circle = Circle(inner);
        s.runs = runs_in(inner);
        s.sources = of_sources_[inner] - (without && without->runs[inner] > 0);
        return s;
    }
    // The run to come is one of them: its error, not known yet, is taken for the largest.
    double quantile(double share, const Source* without) const {
        const double wanted = share * (total_ - (without ? without->weight : 0));
        std::size_t low = 0, high = sorted_.size();
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            if (sorted_[middle].up_to - weight_up_to(middle, without) >= wanted) high = middle;
            else low = middle + 1;
        }
        for (std::size_t i = std::min(low + 1, sorted_.size()); i > 0; --i)
            if (sorted_[i - 1].source != without) return sorted_[i - 1].size;
        return 0;
    }
    static double weight_up_to(std::size_t place, const Source* of) {
        if (!of) return 0;
        const auto next = std::upper_bound(of->places.begin(), of->places.end(), place,
                                           [](std::size_t at, const auto& each) { return at < each.first; });
        return next == of->places.begin() ? 0 : std::prev(next)->second;
    }

    std::map<std::string_view, Source> sources_;
    std::array<int, circles> runs_{}, of_sources_{};
    std::vector<Weighed> sorted_;
    double total_ = unseen_weight, sum_ = 0;
};

double predicted_mfu(const Scenario& s) {
    const Outcome o = estimate(s);
    return o ? headline(s, *o).mfu : 0;
}

std::vector<Trial> trials(const std::vector<ScoredRow>& rows, const std::vector<double>& errors) {
    std::vector<Trial> all;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].excluded.empty()) all.push_back({kind_of(rows[i].plan), erring_with(rows[i]), errors[i]});
    return all;
}

// Of times, with what the runs reached by the count of FLOP that predictions have.
std::vector<Trial> timed_trials(const std::vector<ScoredRow>& rows, const std::vector<double>& errors) {
    std::vector<Trial> all = trials(rows, errors);
    std::size_t at = 0;
    for (const ScoredRow& r : rows)
        if (r.excluded.empty()) all[at++].mfu = predicted_mfu(r.plan) * (1 + r.error);
    return all;
}

// ---- what the evidence does not reach ---------------------------------------

struct Reach {
    int devices = 0, sequence_length = 0;
    double parameters = 0;
    void include(const auto& other) {   // a kind of run, or the reach of others
        devices = std::max(devices, other.devices);
        sequence_length = std::max(sequence_length, other.sequence_length);
        parameters = std::max(parameters, other.parameters);
    }
};

// What is beyond the evidence: sentences, and the squared widths they add.
struct Beyond {
    std::vector<std::string> sentences;
    std::vector<Ignorance> variances = {};   // of each sentence
    double time = 0, memory = 0;
    Knowledge knowledge = Knowledge::nothing;
    bool strange_mixture = false;            // none of its kind was measured
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

// What runs of one kind see of the evidence.
struct Covered {
    Reach near, far;
    bool device = false, stack = false, pair = false, format = false;
    bool mixture = false;   // of the same stack, device, format and recipe
    bool method = false;    // of the same purpose, with this stack or on this device
    unsigned used = 0;   // traits
    double mfu = 0;      // the most that was reached
    double mfu_here = 0; // by runs on this device in this format

    void include(const RunKind& kind, const Trial& trial) {
        const RunKind& of = trial.kind;
        if (of.trained == Trained::adapters && kind.trained != Trained::adapters) return;
        method |= of_like_method(of, kind) && (of.device == kind.device || of.stack == kind.stack);
        mfu = std::max(mfu, trial.mfu);
        if (of.device == kind.device && of.precision == kind.precision) mfu_here = std::max(mfu_here, trial.mfu);
        used |= of.traits;
        device |= of.device == kind.device;
        stack |= of.stack == kind.stack;
        pair |= of.device == kind.device && of.stack == kind.stack;
        format |= of.device == kind.device && of.precision == kind.precision;
        mixture |= of.experts && of.device == kind.device && of.stack == kind.stack && of.precision == kind.precision
                && of.recipe == kind.recipe;
        far.include(of);
        if (circle_of(kind, of) != Circle::all) near.include(of);
    }
    void include(const Covered& other) {
        used |= other.used;
        mfu = std::max(mfu, other.mfu);
        mfu_here = std::max(mfu_here, other.mfu_here);
        device |= other.device;
        stack |= other.stack;
        pair |= other.pair;
        format |= other.format;
        mixture |= other.mixture;
        method |= other.method;
        far.include(other.far);
        near.include(other.near);
    }
};

Covered covered_by(const RunKind& kind, const std::vector<Trial>& trials) {
    Covered all;
    for (const Trial& t : trials) all.include(kind, t);
    return all;
}

// The same of all sources but one.
class CoveredBySource {
public:
    CoveredBySource(const RunKind& kind, const std::vector<Trial>& trials) {
        for (const Trial& t : trials) {
            const auto [at, fresh] = places_.try_emplace(t.source, before_.size());
            if (fresh) before_.emplace_back();
            before_[at->second].include(kind, t);
        }
        after_.resize(before_.size());
        for (std::size_t i = before_.size(); i-- > 1;) {
            after_[i - 1] = after_[i];
            after_[i - 1].include(before_[i]);
        }
        for (Covered& each : before_) {
            const Covered own = each;
            each = all_;
            all_.include(own);
        }
    }
    Covered without(const std::string& source) const {
        const auto found = places_.find(source);
        if (found == places_.end()) return all_;
        Covered rest = before_[found->second];
        rest.include(after_[found->second]);
        return rest;
    }

private:
    std::map<std::string_view, std::size_t> places_;
    std::vector<Covered> before_, after_;   // of each source: all sources before it and after it
    Covered all_;
};

constexpr double best_passed = 1.05;   // times the best run of a device and format: more is said

// `own`: runs held back on this machine; where there are any, they alone say how far it was tested.
Beyond beyond(const Scenario& s, const RunKind& kind, const Covered& seen, const std::vector<Trial>& own) {
    const auto& [near, far, any_device, any_stack, any_pair, any_format, any_mixture, any_method, used, reached,
                 reached_here] = seen;
    Reach here;
    const bool device = any_device || !own.empty(), pair = any_pair || !own.empty();
    bool stack = any_stack, format = any_format;
    for (const Trial& t : own) {
        stack |= t.kind.stack == kind.stack;
        format |= t.kind.precision == kind.precision;
        here.include(t.kind);
    }
    Beyond all;
    const bool untuned = kind.purpose == Purpose::finetune && !any_method;
    all.knowledge = pair && !untuned ? Knowledge::pair : device && stack ? Knowledge::parts : Knowledge::nothing;
    all.strange_mixture = kind.experts && !any_mixture;
    if (!device) all.add(phrase("no published run on {1} was checked", kind.device), unknown_device);
    else if (!format)
        all.add(phrase("no published run in {1} on {2} was checked", name_of(kind.precision), kind.device),
                unknown_trait);
    if (!stack) all.add(phrase("no published run with the stack '{1}' was checked", s.stack.name), unknown_stack);
    if (device && stack && !pair)
        all.add(phrase("no published run with the stack '{1}' on {2} was checked", s.stack.name, kind.device),
                unknown_pair);
    if (untuned) all.add(say_untuned(kind), unknown_pair);
    if (!own.empty()) note_excess(all, kind, here, phrase("run held back on this machine"));
    else if (device || stack) note_excess(all, kind, near, phrase("published run on this device or stack"));
    else note_excess(all, kind, far, phrase("published run of all"));
    if (const double mfu = own.empty() && reached > 0 ? predicted_mfu(s) : 0; mfu > reached)
        all.add(phrase("{1} of the peak: no run that was checked reached more than {2}", percent(mfu, 0),
                       percent(reached, 0)),
                {std::log(mfu / reached), 0});
    else if (reached_here > 0 && mfu > best_passed * reached_here)
        // A caution alone: such predictions err no more than others.
        all.add(phrase("{1} of the peak: no run on {2} in {3} reached more than {4}", percent(mfu, 0), kind.device,
                       name_of(kind.precision), percent(reached_here, 0)),
                {0, 0});
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
    if (!c || tunes(s.method)) return own;   // calibrations pre-train
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
    const bool own = s.machine.calibration && !tunes(s.method) && score_of(*s.machine.calibration.get()).rows > 0;
    RunKind k{s.stack.id,
              own ? s.machine.id : device_family(s.machine.device.name),
              s.recipe.precision,
              nodes_used(s) > 1,
              s.layout.devices,
              s.recipe.sequence_length,
              has_experts(s.model),
              parameters(s.model),
              0};
    k.purpose = tunes(s.method) ? Purpose::finetune : Purpose::pretrain;   // no run of preferences is published
    if (trains_adapters(s.method)) k.trained = Trained::adapters;
    for (std::size_t i = 0; i < std::size(traits); ++i)
        if (traits[i].has(s)) k.traits |= 1u << i;
    const bool overlaps = s.stack.experts.exchange_exposed < 1 || schedule_kind(s.layout.schedule).pairs;
    if (const ExpertStack& e = s.stack.experts; k.experts)
        k.recipe = unsigned(e.graph) << 2 | unsigned(e.dispatch) << 1 | (overlaps ? 1u : 0u);
    return k;
}

const std::string& erring_with(const ScoredRow& row) {
    return has_experts(row.plan.model) && !row.vendor.empty() ? row.vendor : row.source;
}

Evidence evidence_of(const Score& score, const LeftOut& left_out) {
    const JudgedErrors errors = judged_errors(score, left_out);
    return {timed_trials(score.rows, errors.time), trials(score.memory_rows, errors.memory)};
}

Spread spread_of(const RunKind& kind, const std::vector<Trial>& seen, const Trial* without) {
    return Weighing(kind, seen, without).all();
}

namespace {

constexpr double wide_deviations = 1.645;   // of a normal distribution, that nine in ten lie within

// The band widened by a further, independent uncertainty, whose variance is of the logarithm of the time.
double widened(double band, double variance, double deviations = 1) {
    return band > 0 ? std::expm1(std::hypot(std::log1p(band), deviations * std::sqrt(variance))) : 0;
}

double squared_log(double band) { return std::log1p(band) * std::log1p(band); }

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

// Errors of mixtures of other recipes and makers are half as large again as those of the mixtures that were measured.
constexpr double strange_mixture = 1.5;

Band band_from(const Spread& time, const Spread& memory, Beyond&& beyond) {
    Band b;
    b.knowledge = beyond.knowledge;
    if (beyond.strange_mixture)
        beyond.add(phrase("no published mixture of experts with this stack, device, number format and recipe was "
                          "checked"),
                   {std::sqrt(strange_mixture * strange_mixture - 1) * std::log1p(time.band), 0});
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

template <>
std::span<const std::string_view> names_of<Knowledge>() {
    static constexpr std::string_view names[] = {"pair", "parts", "nothing"};
    return names;
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
                     beyond(s, kind, covered_by(kind, seen.time), own.time));
}

Band UnseenBands::of(const Scenario& s, const std::string& source) {
    const RunKind kind = kind_of(s);
    // All that circles and what is said of mixtures look at.
    const std::string key = kind.stack + '/' + kind.device + '/' + std::to_string(int(kind.precision))
                          + (kind.crosses_nodes ? "/nodes" : "")
                          + (kind.experts ? "/experts" + std::to_string(kind.recipe) : "") + '/'
                          + std::string(name_of(kind.purpose)) + '/' + std::string(name_of(kind.trained));
    Judge& judge = of_kind_[key];
    if (!judge)
        judge = [time = std::make_shared<const Weighing>(kind, all_.time),
                 memory = std::make_shared<const Weighing>(kind, all_.memory),
                 covered = CoveredBySource(kind, all_.time)](const Scenario& plan, const std::string& without) {
            return band_from(time->without(without), memory->without(without),
                             beyond(plan, kind_of(plan), covered.without(without), {}));
        };
    return judge(s, source);
}

}  // namespace plimsoll

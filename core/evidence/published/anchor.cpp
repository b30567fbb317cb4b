#include "core/evidence/published/anchor.h"

#include "core/answers/plan/headline.h"
#include "core/evidence/published/likeness.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <utility>

namespace plimsoll {

namespace {

// What anchors tell of one plan.
struct Told : ToldError {
    std::vector<std::size_t> by;            // anchors, the likest first
};

// Those whose time, or memory, was measured.
class Anchors {
public:
    Anchors(const std::vector<Anchor>& all, bool memory) : teller_({}, memory) {
        for (std::size_t i = 0; i < all.size(); ++i)
            if (memory ? all[i].memory_error : all[i].time_error) used_.push_back(i);
        for (const std::size_t i : used_) peers_.push_back(peer_of(all[i].plan));
        std::vector<KnownError> known;
        for (std::size_t k = 0; k < used_.size(); ++k) {
            const Anchor& a = all[used_[k]];
            known.push_back({&peers_[k], std::log1p(memory ? *a.memory_error : *a.time_error)});
        }
        teller_ = ErrorTeller(std::move(known), memory);
    }
    Anchors(const Anchors&) = delete;
    Anchors& operator=(const Anchors&) = delete;

    ToldError error_of(const Peer& plan) const { return teller_.of(plan); }
    Told of(const Scenario& s) const {
        const Peer plan = peer_of(s);
        Told told{teller_.of(plan), {}};
        for (const std::size_t k : teller_.likest(plan)) told.by.push_back(used_[k]);
        return told;
    }

private:
    std::vector<std::size_t> used_;
    std::vector<Peer> peers_;
    ErrorTeller teller_;
};

double factor_of(const ToldError& told) { return told.share > 0 ? std::exp(-told.log_error) : 1; }

class TellingRuns final : public MeasuredRuns {
public:
    explicit TellingRuns(const std::vector<Anchor>& all) : all_(all), time_(all, false), memory_(all, true) {}
    const std::vector<Anchor>& all() const { return all_; }
    Correction of(const Scenario& s, const StepTime& step, const MemoryUse& fullest) const override {
        const Peer plan = peer_of(s, step, fullest);
        return {factor_of(time_.error_of(plan)), factor_of(memory_.error_of(plan))};
    }

private:
    std::vector<Anchor> all_;
    Anchors time_, memory_;
};

constexpr double share_alike = 0.15;         // trials whose anchors told so much more or less judge the range
constexpr std::size_t enough_anchored = 20;  // trials

// Trials that their anchors told about as much of.
std::vector<Trial> told_alike(const std::vector<AnchoredTrial>& all, double share) {
    for (double reach = share_alike;; reach *= 2) {
        std::vector<Trial> near;
        for (const AnchoredTrial& t : all)
            if (std::abs(t.share - share) <= reach) near.push_back(t.trial);
        if (near.size() >= enough_anchored || reach > 1) return near;
    }
}

// The anchor's own kind of run is no longer beyond what was checked.
Evidence with_anchors(const Evidence& seen, const std::vector<Anchor>& anchors) {
    Evidence all{seen.time, seen.memory};
    for (const Anchor& a : anchors) {
        if (a.time_error) all.time.push_back({kind_of(a.plan), a.name, *a.time_error});
        if (a.memory_error) all.memory.push_back({kind_of(a.plan), a.name, *a.memory_error});
    }
    return all;
}

// A range of what anchors tell is never wider than the one without them.
void narrow(double& band, double& wide, Spread& spread, const ToldError& told, const RunKind& kind,
            const std::vector<AnchoredTrial>& trials) {
    if (!(told.share > 0)) return;
    const Spread s = spread_of(kind, told_alike(trials, told.share));
    if (s.runs == 0 || s.band > band) return;
    spread = s;
    band = s.band;
    wide = std::min(wide, std::max(s.band, s.wide));
}

}  // namespace

Expected<Anchor, std::string> anchor_of(const std::string& name, const Scenario& plan,
                                        const std::optional<Seconds>& step, const std::optional<Bytes>& memory) {
    if (!step && !memory) return Unexpected{std::string("neither a step time nor memory was measured")};
    if ((step && !(*step > Seconds{})) || (memory && !(*memory > Bytes{})))
        return Unexpected{std::string("a measured value has to be above 0")};
    const Outcome e = estimate(model_alone(plan));
    if (!e) return Unexpected{"the plan that was measured cannot be computed: " + say(e.error().front())};
    Anchor a{name, model_alone(plan), {}, {}};
    if (step) a.time_error = e->step.total() / *step - 1;
    if (memory) a.memory_error = e->worst().total() / *memory - 1;
    return a;
}

std::shared_ptr<const MeasuredRuns> measured_by(const std::vector<Anchor>& anchors) {
    if (anchors.empty()) return nullptr;
    return std::make_shared<const TellingRuns>(anchors);
}

Anchoring anchored(const Scenario& s, const std::vector<Anchor>& anchors, const Evidence& seen) {
    Anchoring result;
    result.before = result.band = band_of(s, seen);
    const Told time = Anchors(anchors, false).of(s), memory = Anchors(anchors, true).of(s);
    const bool times = time.share > 0, memories = memory.share > 0;
    if (!times && !memories) return result;
    result.time_share = times ? time.share : 0;
    result.memory_share = memories ? memory.share : 0;
    result.time_factor = factor_of(time);
    result.memory_factor = factor_of(memory);
    for (const std::size_t i : times ? time.by : memory.by) result.names.push_back(anchors[i].name);
    const RunKind kind = kind_of(s);
    const Band covered = band_of(s, with_anchors(seen, anchors));
    result.band.beyond = covered.beyond;
    result.band.time = std::min(result.before.time, covered.time);
    result.band.memory = std::min(result.before.memory, covered.memory);
    result.band.time_wide = std::min(result.before.time_wide, covered.time_wide);
    result.band.memory_wide = std::min(result.before.memory_wide, covered.memory_wide);
    narrow(result.band.time, result.band.time_wide, result.band.time_spread, time, kind, seen.anchored.time);
    narrow(result.band.memory, result.band.memory_wide, result.band.memory_spread, memory, kind, seen.anchored.memory);
    add_anchored_parts(result.band);
    return result;
}

Anchoring anchored(const Scenario& s, const Evidence& seen) {
    const auto* runs = dynamic_cast<const TellingRuns*>(s.measured.get());
    return anchored(s, runs ? runs->all() : std::vector<Anchor>{}, seen);
}

namespace {

constexpr double far_off = 10;   // times the prediction, or a tenth of it

bool far_apart(double times) { return times > far_off || times < 1 / far_off; }

void doubt_step(const Anchor& a, const Estimate& e, std::vector<std::string>& doubts) {
    const double times = 1 + *a.time_error;   // predicted over measured
    const Seconds predicted = e.step.total(), step = predicted / times;
    if (const double mfu = times * headline(a.plan, e).mfu; mfu > 1)
        doubts.push_back(phrase("A step of {1} would mean {2} times the devices' peak rate.", say(step),
                                say_count(mfu < 10 ? std::round(100 * mfu) / 100 : std::round(mfu))));
    if (!far_apart(times)) return;
    doubts.push_back(times > 1 ? phrase("A step of {1} is {2} times shorter than the {3} that the model predicts.",
                                        say(step), say_count(std::round(times)), say(predicted))
                               : phrase("A step of {1} is {2} times longer than the {3} that the model predicts.",
                                        say(step), say_count(std::round(1 / times)), say(predicted)));
}

void doubt_memory(const Anchor& a, const Estimate& e, std::vector<std::string>& doubts) {
    const double times = 1 + *a.memory_error;
    const Bytes predicted = e.worst().total(), used = predicted / times;
    if (used > e.memory_limit)
        doubts.push_back(phrase("{1} is more memory than the {2} of a device.", say(used), say(e.memory_limit)));
    if (!far_apart(times)) return;
    doubts.push_back(times > 1 ? phrase("{1} of memory is {2} times less than the {3} that the model predicts.",
                                        say(used), say_count(std::round(times)), say(predicted))
                               : phrase("{1} of memory is {2} times more than the {3} that the model predicts.",
                                        say(used), say_count(std::round(1 / times)), say(predicted)));
}

}  // namespace

std::vector<std::string> doubts_of(const Anchor& a) {
    std::vector<std::string> doubts;
    const Outcome o = estimate(a.plan);
    if (o && a.time_error) doubt_step(a, *o, doubts);
    if (o && a.memory_error) doubt_memory(a, *o, doubts);
    return doubts;
}

std::string say_anchoring(const Anchoring& a) {
    if (!a.any()) return {};
    constexpr std::size_t most_named = 3;
    std::vector<std::string> named(a.names.begin(), a.names.begin() + long(std::min(a.names.size(), most_named)));
    for (std::string& name : named) name = "'" + name + "'";
    if (a.names.size() > most_named) named.push_back(phrase("{1} more", a.names.size() - most_named));
    const auto part = [](const std::string& what, double factor, double now, double before) {
        const std::string text = what + " x " + fixed(factor, 3);
        const long share = std::lround(100 * now), without = std::lround(100 * before);
        return now > 0 && share < without
                 ? phrase("{1}, two thirds within {2} % instead of {3} %", text, share, without)
                 : text;
    };
    std::vector<std::string> parts;
    if (a.time_share > 0) parts.push_back(part(phrase("times"), a.time_factor, a.band.time, a.before.time));
    if (a.memory_share > 0) parts.push_back(part(phrase("memory"), a.memory_factor, a.band.memory, a.before.memory));
    return phrase("Anchored by {1}: {2}.", joined(named), joined(parts, "; "));
}

// ---- What an anchor is worth

namespace {

using Places = std::vector<std::size_t>;

// The rows of one source, as likeness sees them.
struct SourceRows {
    const std::vector<ScoredRow>& rows;
    const std::vector<double>& errors;
    bool memory;
    Places of;                              // in `rows`
    std::vector<Peer> peers;                // of each of them
};

// Times, then memory; of sources with enough rows.
template <class Do>
void for_each_source(const Score& score, const LeftOut& left_out, int least, Do&& with) {
    const JudgedErrors errors = judged_errors(score, left_out);
    for (const bool memory : {false, true}) {
        const std::vector<ScoredRow>& rows = memory ? score.memory_rows : score.rows;
        std::map<std::string, Places> sources;
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows[i].excluded.empty()) sources[rows[i].source].push_back(i);
        for (auto& [source, of] : sources) {
            if (int(of.size()) < least) continue;
            SourceRows s{rows, memory ? errors.memory : errors.time, memory, std::move(of), {}};
            for (const std::size_t i : s.of) s.peers.push_back(peer_of(rows[i].plan));
            with(std::as_const(s));
        }
    }
}

// Places in `of`: all of a small source.
constexpr std::size_t most_choices = 40;
Places evenly_spread(std::size_t rows) {
    const std::size_t n = std::min(rows, most_choices);
    Places places;
    for (std::size_t k = 0; k < n; ++k) places.push_back(k * rows / n);
    return places;
}

ErrorTeller teller_of(const SourceRows& s, const Places& given, bool blindly = false) {
    std::vector<KnownError> known;
    for (const std::size_t k : given)
        known.push_back({&s.peers[k], blindly ? 0 : std::log1p(s.errors[s.of[k]])});
    return {std::move(known), s.memory};
}

// The next row to give: with it most is told of the others. No measured value has a part in it.
std::size_t most_telling(const SourceRows& s, const Places& given) {
    const Places choices = evenly_spread(s.of.size());
    std::size_t best = 0;
    double most = -1;
    for (const std::size_t c : choices) {
        if (std::find(given.begin(), given.end(), c) != given.end()) continue;
        Places with = given;
        with.push_back(c);
        const ErrorTeller teller = teller_of(s, with, true);
        double told = 0;
        for (const std::size_t k : choices) told += teller.of(s.peers[k]).share;
        if (told <= most) continue;
        most = told;
        best = c;
    }
    return best;
}

void add_means(AnchoredSource& s) {
    for (const AnchoredRow& r : s.rows) {
        s.before += std::abs(r.before) / double(s.rows.size());
        s.after += std::abs(r.after) / double(s.rows.size());
    }
}

AnchoredSource anchored_rows(const SourceRows& s, const Places& given) {
    const ErrorTeller teller = teller_of(s, given);
    AnchoredSource result;
    result.source = s.rows[s.of.front()].source;
    result.memory = s.memory;
    for (const std::size_t k : given) result.given.push_back(s.rows[s.of[k]].id);
    for (std::size_t k = 0; k < s.of.size(); ++k) {
        if (std::find(given.begin(), given.end(), k) != given.end()) continue;
        const ToldError told = teller.of(s.peers[k]);
        const double before = s.errors[s.of[k]], after = std::expm1(std::log1p(before) - told.log_error);
        result.rows.push_back({s.of[k], before, after, told.share});
    }
    add_means(result);
    return result;
}

// Sets of so many rows, the same in every run of the program.
std::vector<Places> choices_of(std::size_t rows, int given) {
    std::vector<Places> all;
    if (given == 1) {
        for (const std::size_t k : evenly_spread(rows)) all.push_back({k});
        return all;
    }
    std::mt19937 draw(1);
    while (all.size() < most_choices) {
        Places set;
        while (int(set.size()) < given)
            if (const std::size_t k = draw() % rows; std::find(set.begin(), set.end(), k) == set.end())
                set.push_back(k);
        all.push_back(std::move(set));
    }
    return all;
}

void average_over_choices(const SourceRows& s, int given, AnchoredSource& result) {
    const std::vector<Places> choices = choices_of(s.of.size(), given);
    for (const Places& choice : choices) {
        const AnchoredSource one = anchored_rows(s, choice);
        result.any_before += one.before / double(choices.size());
        result.any_after += one.after / double(choices.size());
    }
}

}  // namespace

std::vector<AnchoredSource> anchor_one(const Score& score, const LeftOut& left_out, int most, int least) {
    std::vector<AnchoredSource> all;
    for_each_source(score, left_out, least, [&](const SourceRows& s) {
        Places given;
        while (int(given.size()) < most && given.size() + 1 < s.of.size()) {
            given.push_back(most_telling(s, given));
            all.push_back(anchored_rows(s, given));
            average_over_choices(s, int(given.size()), all.back());
        }
    });
    return all;
}

std::vector<AnchoredSource> anchor_with(const Score& score, const LeftOut& left_out,
                                        const std::vector<Anchor>& anchors) {
    const JudgedErrors errors = judged_errors(score, left_out);
    std::vector<AnchoredSource> all;
    for (const bool memory : {false, true}) {
        const Anchors given(anchors, memory);
        const auto& rows = memory ? score.memory_rows : score.rows;
        const auto& judged = memory ? errors.memory : errors.time;
        std::map<std::string, AnchoredSource> sources;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (!rows[i].excluded.empty()) continue;
            const Told told = given.of(rows[i].plan);
            if (!(told.share > 0)) continue;
            AnchoredSource& s = sources[rows[i].source];
            s.rows.push_back({i, judged[i], std::expm1(std::log1p(judged[i]) - told.log_error), told.share});
        }
        for (auto& [source, s] : sources) {
            s.source = source;
            s.memory = memory;
            for (const Anchor& a : anchors) s.given.push_back(a.name);
            add_means(s);
            all.push_back(std::move(s));
        }
    }
    return all;
}

AnchoredTrials anchored_trials(const Score& score, const LeftOut& left_out) {
    AnchoredTrials trials;
    for_each_source(score, left_out, least_anchored, [&](const SourceRows& s) {
        for (const AnchoredRow& r : anchored_rows(s, {most_telling(s, {})}).rows) {
            const ScoredRow& row = s.rows[r.row];
            (s.memory ? trials.memory : trials.time).push_back({{kind_of(row.plan), row.source, r.after}, r.share});
        }
    });
    return trials;
}

}  // namespace plimsoll

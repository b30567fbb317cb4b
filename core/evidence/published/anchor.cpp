#include "core/evidence/published/anchor.h"

#include "core/answers/campaign/headline.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace plimsoll {

namespace {

double factor_of(const ToldError& told) { return told.share > 0 ? std::exp(-told.log_error) : 1; }

}  // namespace

AnchorTeller::AnchorTeller(const std::vector<Anchor>& all, bool memory) : teller_({}, memory) {
    for (std::size_t i = 0; i < all.size(); ++i)
        if (memory ? all[i].memory_error : all[i].time_error) used_.push_back(i);
    for (const std::size_t i : used_) peers_.push_back(peer_of(all[i].plan));
    std::vector<KnownError> known;
    for (std::size_t k = 0; k < used_.size(); ++k) {
        const Anchor& a = all[used_[k]];
        known.push_back({&peers_[k], std::log1p(memory ? *a.memory_error : *a.time_error), a.scatter, a.memory_kind});
    }
    teller_ = ErrorTeller(std::move(known), memory);
}

ToldError AnchorTeller::of(const Peer& plan) const {
    ToldError told = teller_.of(plan);
    for (std::size_t& k : told.by) k = used_[k];
    return told;
}

namespace {

class TellingRuns final : public MeasuredRuns {
public:
    explicit TellingRuns(const std::vector<Anchor>& all) : all_(all), time_(all, false), memory_(all, true) {}
    const std::vector<Anchor>& all() const { return all_; }
    Correction of(const Scenario& s, const StepTime& step, const MemoryUse& fullest) const override {
        const Peer plan = peer_of(s, step, fullest);
        return {factor_of(time_.of(plan)), factor_of(memory_.of(plan))};
    }

private:
    std::vector<Anchor> all_;
    AnchorTeller time_, memory_;
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
    if (told.kin != Kin::other) {
        band = std::min(band, told.band);
        wide = std::max(band, std::min(wide, told.wide));
        return;
    }
    const Spread s = spread_of(kind, told_alike(trials, told.share));
    if (s.runs == 0 || s.band > band) return;
    spread = s;
    band = s.band;
    wide = std::min(wide, std::max(s.band, s.wide));
}

}  // namespace

Expected<Anchor, std::string> anchor_of(const std::string& name, const Scenario& plan,
                                        const std::optional<Seconds>& step, const std::optional<Bytes>& memory,
                                        MemoryKind kind) {
    if (!step && !memory) return Unexpected{std::string("neither a step time nor memory was measured")};
    if ((step && !(*step > Seconds{})) || (memory && !(*memory > Bytes{})))
        return Unexpected{std::string("a measured value has to be above 0")};
    const Outcome e = estimate(model_alone(plan));
    if (!e) return Unexpected{"the plan that was measured cannot be computed: " + say(e.error().front())};
    Anchor a{name, model_alone(plan), {}, {}, kind};
    if (step) a.time_error = e->step.total() / *step - 1;
    if (memory) a.memory_error = figure_of(*e, {kind}) / *memory - 1;
    return a;
}

std::shared_ptr<const MeasuredRuns> measured_by(const std::vector<Anchor>& anchors) {
    if (anchors.empty()) return nullptr;
    return std::make_shared<const TellingRuns>(anchors);
}

Anchoring anchored(const Scenario& s, const std::vector<Anchor>& anchors, const Evidence& seen) {
    Anchoring result;
    result.before = result.band = band_of(s, seen);
    if (anchors.empty()) return result;
    const Peer plan = peer_of(s);
    const ToldError time = AnchorTeller(anchors, false).of(plan), memory = AnchorTeller(anchors, true).of(plan);
    const bool times = time.share > 0, memories = memory.share > 0;
    if (!times && !memories) return result;
    result.time_share = times ? time.share : 0;
    result.memory_share = memories ? memory.share : 0;
    result.time_kin = time.kin;
    result.memory_kin = memory.kin;
    result.two_depths = time.two_depths;
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
    const Bytes predicted = figure_of(e, {a.memory_kind}), used = predicted / times;
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

namespace {

// Why so much of an error is handed on.
std::string say_kin(const Anchoring& a) {
    switch (a.time_share > 0 ? a.time_kin : Kin::other) {
        case Kin::copy:
            return a.two_depths ? phrase("Copies of this plan with other numbers of layers: their errors are continued "
                                         "along the layers.")
                                : phrase("A copy of this plan, but for layers and replicas: its error is handed on.");
        case Kin::stages_kept:
            return phrase("A copy of this plan with fewer or more pipeline stages of as many layers: most of its error "
                          "is handed on.");
        case Kin::other_stages:
            return phrase("A copy of this plan with other pipeline stages: a third of its error is handed on.");
        case Kin::other: break;
    }
    return {};
}

}  // namespace

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
    const std::string text = phrase("Anchored by {1}: {2}.", joined(named), joined(parts, "; "));
    const std::string why = say_kin(a);
    return why.empty() ? text : text + " " + why;
}

}  // namespace plimsoll

#include "core/evidence/published/anchor.h"

#include "core/answers/plan/estimate.h"
#include "core/values/basics/names.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

#include <Eigen/Dense>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

namespace plimsoll {

namespace {

// Correlations of the errors of published rows of one source, as `validate --anchor-one` shows them: what differs
// multiplies, what is larger or smaller decays with the logarithm of the ratio.
constexpr double alike = 0.9;               // the same plan, measured again
constexpr double other_machine = 0.85;      // of the same device
constexpr double other_device = 0.3, other_stack = 0.5;
constexpr double other_format = 0.6, other_reach = 0.85, experts_or_not = 0.3, other_trait = 0.93;
constexpr double parameters_reach = 12, devices_reach = 12, sequence_reach = 6, micro_batch_reach = 12;

double decay(double a, double b, double reach) { return std::exp(-std::abs(std::log(a / b)) / reach); }

using AnchorMatrix = Eigen::MatrixXd;
using AnchorVector = Eigen::VectorXd;

// The best linear prediction of a log error from those of the anchors, and the share of its variance they tell.
struct Told {
    double log_error = 0, share = 0;
    std::vector<std::size_t> by;            // anchors, the likest first
};

Told told_of(const Scenario& s, const std::vector<const Anchor*>& anchors,
             std::optional<double> Anchor::*error) {
    Told told;
    std::vector<std::size_t> used;
    for (std::size_t i = 0; i < anchors.size(); ++i)
        if (anchors[i]->*error && likeness(s, anchors[i]->plan) > 0) used.push_back(i);
    if (used.empty()) return told;
    const auto n = Eigen::Index(used.size());
    AnchorMatrix between(n, n);
    AnchorVector near(n), errors(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        const Anchor& a = *anchors[used[std::size_t(i)]];
        near[i] = likeness(s, a.plan);
        errors[i] = std::log1p(*(a.*error));
        for (Eigen::Index j = 0; j < n; ++j)
            between(i, j) = i == j ? 1 : likeness(a.plan, anchors[used[std::size_t(j)]]->plan);
    }
    const AnchorVector weights = between.ldlt().solve(near);
    told.log_error = weights.dot(errors);
    told.share = std::clamp(weights.dot(near), 0.0, 1.0);
    told.by = used;
    std::stable_sort(told.by.begin(), told.by.end(), [&](std::size_t a, std::size_t b) {
        return likeness(s, anchors[a]->plan) > likeness(s, anchors[b]->plan);
    });
    return told;
}

constexpr double hardly_told = 0.05;         // of the variance: below, an anchor says nothing
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
Evidence with_anchors(const Evidence& seen, const std::vector<const Anchor*>& anchors) {
    Evidence all{seen.time, seen.memory};
    for (const Anchor* a : anchors) {
        if (a->time_error) all.time.push_back({kind_of(a->plan), a->name, *a->time_error});
        if (a->memory_error) all.memory.push_back({kind_of(a->plan), a->name, *a->memory_error});
    }
    return all;
}

// A range of what anchors tell is never wider than the one without them.
void narrow(double& band, double& wide, Spread& spread, const Told& told, const RunKind& kind,
            const std::vector<AnchoredTrial>& trials) {
    if (told.share < hardly_told) return;
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
    const Outcome e = estimate(plan);
    if (!e) return Unexpected{"the plan that was measured cannot be computed: " + say(e.error().front())};
    Anchor a{name, plan, {}, {}};
    if (step) a.time_error = e->step.total() / *step - 1;
    if (memory) a.memory_error = e->worst().total() / *memory - 1;
    return a;
}

double likeness(const Scenario& a, const Scenario& b) {
    const RunKind x = kind_of(a), y = kind_of(b);
    if (x.device != y.device && x.stack != y.stack) return 0;
    double l = alike;
    if (x.device != y.device) l *= other_device;
    else if (a.machine.id != b.machine.id) l *= other_machine;
    if (x.stack != y.stack) l *= other_stack;
    if (x.precision != y.precision) l *= other_format;
    if (x.crosses_nodes != y.crosses_nodes) l *= other_reach;
    if (x.experts != y.experts) l *= experts_or_not;
    l *= std::pow(other_trait, std::popcount(x.traits ^ y.traits));
    l *= decay(x.parameters, y.parameters, parameters_reach) * decay(x.devices, y.devices, devices_reach);
    l *= decay(x.sequence_length, y.sequence_length, sequence_reach);
    return l * decay(a.layout.micro_batch, b.layout.micro_batch, micro_batch_reach);
}

Anchoring anchored(const Scenario& s, const std::vector<Anchor>& anchors, const Evidence& seen) {
    std::vector<const Anchor*> all;
    for (const Anchor& a : anchors) all.push_back(&a);
    Anchoring result;
    result.before = result.band = band_of(s, seen);
    const Told time = told_of(s, all, &Anchor::time_error), memory = told_of(s, all, &Anchor::memory_error);
    const bool times = time.share >= hardly_told, memories = memory.share >= hardly_told;
    if (!times && !memories) return result;
    result.time_share = times ? time.share : 0;
    result.memory_share = memories ? memory.share : 0;
    if (times) result.time_factor = std::exp(-time.log_error);
    if (memories) result.memory_factor = std::exp(-memory.log_error);
    for (const std::size_t i : times ? time.by : memory.by) result.names.push_back(anchors[i].name);
    const RunKind kind = kind_of(s);
    const Band covered = band_of(s, with_anchors(seen, all));
    result.band.beyond = covered.beyond;
    result.band.time = std::min(result.before.time, covered.time);
    result.band.memory = std::min(result.before.memory, covered.memory);
    result.band.time_wide = std::min(result.before.time_wide, covered.time_wide);
    result.band.memory_wide = std::min(result.before.memory_wide, covered.memory_wide);
    narrow(result.band.time, result.band.time_wide, result.band.time_spread, time, kind, seen.anchored.time);
    narrow(result.band.memory, result.band.memory_wide, result.band.memory_spread, memory, kind, seen.anchored.memory);
    return result;
}

std::string say_anchoring(const Anchoring& a) {
    if (!a.any()) return {};
    constexpr std::size_t most_named = 3;
    std::vector<std::string> named(a.names.begin(), a.names.begin() + long(std::min(a.names.size(), most_named)));
    for (std::string& name : named) name = "'" + name + "'";
    if (a.names.size() > most_named) named.push_back(std::to_string(a.names.size() - most_named) + " more");
    const auto part = [](const char* what, double factor, double now, double before) {
        std::string text = std::string(what) + " x " + fixed(factor, 3);
        if (now > 0)
            text += ", two thirds within " + std::to_string(std::lround(100 * now)) + " % instead of "
                  + std::to_string(std::lround(100 * before)) + " %";
        return text;
    };
    std::vector<std::string> parts;
    if (a.time_share > 0) parts.push_back(part("times", a.time_factor, a.band.time, a.before.time));
    if (a.memory_share > 0) parts.push_back(part("memory", a.memory_factor, a.band.memory, a.before.memory));
    return "Anchored by " + joined(named) + ": " + joined(parts, "; ") + ".";
}

// ---- What an anchor is worth

namespace {

using AnchorRows = std::vector<std::size_t>;

double middle_of(std::vector<double> values) { return median(std::move(values)); }

// Distances of sizes count by their logarithms; the first of equal ones is given.
std::size_t nearest_the_middle(const std::vector<ScoredRow>& rows, const AnchorRows& of) {
    const auto logs = [&](auto size) {
        std::vector<double> all;
        for (const std::size_t i : of) all.push_back(std::log(double(size(rows[i].plan))));
        return all;
    };
    const std::vector<std::vector<double>> sizes{
        logs([](const Scenario& s) { return parameters(s.model); }),
        logs([](const Scenario& s) { return s.layout.devices; }),
        logs([](const Scenario& s) { return s.recipe.sequence_length; })};
    std::vector<double> distance(of.size());
    for (const std::vector<double>& size : sizes) {
        const double middle = middle_of(size);
        for (std::size_t k = 0; k < of.size(); ++k) distance[k] += std::abs(size[k] - middle);
    }
    return of[std::size_t(std::min_element(distance.begin(), distance.end()) - distance.begin())];
}

// Rows as the anchors predict them; those that no anchor is like are left out.
AnchoredSource anchored_rows(const std::vector<ScoredRow>& rows, const std::vector<double>& errors, bool memory,
                             const AnchorRows& of, const std::vector<const Anchor*>& anchors) {
    AnchoredSource result{rows[of.front()].source, anchors.front()->name, memory, {}};
    for (const std::size_t i : of) {
        const Told told = told_of(rows[i].plan, anchors, memory ? &Anchor::memory_error : &Anchor::time_error);
        const double after = std::expm1(std::log1p(errors[i]) - told.log_error);
        result.rows.push_back({i, errors[i], after, told.share});
        result.before += std::abs(errors[i]);
        result.after += std::abs(after);
    }
    if (!result.rows.empty()) {
        result.before /= double(result.rows.size());
        result.after /= double(result.rows.size());
    }
    return result;
}

// The others of its source as one row predicts them.
AnchoredSource anchored_source(const std::vector<ScoredRow>& rows, const std::vector<double>& errors, bool memory,
                               AnchorRows of) {
    const std::size_t given = nearest_the_middle(rows, of);
    const Anchor anchor{rows[given].id, rows[given].plan, errors[given], errors[given]};
    std::erase(of, given);
    return anchored_rows(rows, errors, memory, of, {&anchor});
}

void anchor_sources(const std::vector<ScoredRow>& rows, const std::vector<double>& errors, bool memory, int least,
                    std::vector<AnchoredSource>& all) {
    std::map<std::string, AnchorRows> sources;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].excluded.empty()) sources[rows[i].source].push_back(i);
    for (const auto& [source, of] : sources)
        if (int(of.size()) >= least) all.push_back(anchored_source(rows, errors, memory, of));
}

}  // namespace

std::vector<AnchoredSource> anchor_one(const Score& score, const LeftOut& left_out, int least) {
    const JudgedErrors errors = judged_errors(score, left_out);
    std::vector<AnchoredSource> all;
    anchor_sources(score.rows, errors.time, false, least, all);
    anchor_sources(score.memory_rows, errors.memory, true, least, all);
    return all;
}

std::vector<AnchoredSource> anchor_with(const Score& score, const LeftOut& left_out,
                                        const std::vector<Anchor>& anchors) {
    const JudgedErrors errors = judged_errors(score, left_out);
    std::vector<const Anchor*> given;
    for (const Anchor& a : anchors) given.push_back(&a);
    std::vector<AnchoredSource> all;
    for (const bool memory : {false, true}) {
        const auto error = memory ? &Anchor::memory_error : &Anchor::time_error;
        const auto& rows = memory ? score.memory_rows : score.rows;
        std::map<std::string, AnchorRows> sources;
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows[i].excluded.empty() && told_of(rows[i].plan, given, error).share >= hardly_told)
                sources[rows[i].source].push_back(i);
        for (const auto& [source, of] : sources)
            all.push_back(anchored_rows(rows, memory ? errors.memory : errors.time, memory, of, given));
    }
    return all;
}

AnchoredTrials anchored_trials(const Score& score, const LeftOut& left_out) {
    AnchoredTrials trials;
    for (const AnchoredSource& s : anchor_one(score, left_out))
        for (const AnchoredRow& r : s.rows) {
            const ScoredRow& row = (s.memory ? score.memory_rows : score.rows)[r.row];
            (s.memory ? trials.memory : trials.time).push_back({{kind_of(row.plan), s.source, r.after}, r.share});
        }
    return trials;
}

}  // namespace plimsoll

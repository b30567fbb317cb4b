#include "core/answers/search/ranking.h"

#include "core/answers/campaign/cautions.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace plimsoll {

bool same_rule(const Obstacle& a, const Obstacle& b) {
    return a.reason == b.reason && a.knob == b.knob && a.of == b.of;
}

Candidate candidate_of(const Scenario& s, const Estimate& e, const Headroom& asked) {
    const Bytes memory = e.worst().total();
    const double share = share_of_device(e);
    return {s.layout, e.step.total(), e.energy.total(), memory, may_stall(s, memory / e.memory_limit),
            is_tight(memory, e.memory_limit, share, asked), share};
}

double value_of(const Candidate& c, Objective o) {
    const double behind = (c.stalls ? 1e6 : 1) * (c.tight ? 1e3 : 1);   // all that are neither
    switch (o) {
        case Objective::time:
        case Objective::cost:
        case Objective::node_hours: return behind * (c.step / second);
        case Objective::energy: return behind * (c.energy / joule);
        case Objective::memory: return behind * (c.memory / byte);
    }
    return 0;
}

bool better(const Ranked& a, const Ranked& b, Objective o) {
    return std::tuple(value_of(a.candidate, o), a.candidate.step, a.place)
         < std::tuple(value_of(b.candidate, o), b.candidate.step, b.place);
}

namespace {

bool no_worse(const Candidate& a, const Candidate& b) {
    if (a.stalls && !b.stalls) return false;
    return a.step <= b.step && a.energy <= b.energy && a.memory <= b.memory;
}

using Miss = std::pair<NearMiss, long long>;
bool nearer(const Miss& a, const Miss& b) {
    return std::pair(a.first.excess(), a.second) < std::pair(b.first.excess(), b.second);
}

// Inserts into a sorted list of at most `limit`.
template <class T, class Less>
void insert(std::vector<T>& list, const T& value, int limit, Less less) {
    if (int(list.size()) >= limit && (limit == 0 || !less(value, list.back()))) return;
    list.insert(std::upper_bound(list.begin(), list.end(), value, less), value);
    if (int(list.size()) > limit) list.pop_back();
}

}  // namespace

bool dominates(const Candidate& a, const Candidate& b) { return no_worse(a, b) && !no_worse(b, a); }

Ranking::Cell& Ranking::cell(const Layout& l) {
    const std::pair key(l.tensor_parallel, l.pipeline_parallel);
    if (last_ && last_key_ == key) return *last_;
    Cell& c = cells_[key];
    c.sums.tensor_parallel = key.first;
    c.sums.pipeline_parallel = key.second;
    last_key_ = key;
    last_ = &c;
    return c;
}

void Ranking::count(const Layout& l, long long tried, long long feasible, long long fits, long long tight) {
    SplitCell& sums = cell(l).sums;
    sums.tried += tried;
    sums.feasible += feasible;
    sums.fits += fits;
    sums.tight += tight;
}

void Ranking::add_to_front(const Ranked& r) {
    for (const Ranked& f : front_)
        if (no_worse(f.candidate, r.candidate) && (dominates(f.candidate, r.candidate) || f.place <= r.place)) return;
    std::erase_if(front_, [&](const Ranked& f) { return no_worse(r.candidate, f.candidate); });
    front_.push_back(r);
}

void Ranking::add(const Ranked& r) {
    if (options_.most_power > Watts{} && r.candidate.energy / r.candidate.step > options_.most_power) return;
    const auto less = [this](const Ranked& a, const Ranked& b) { return better(a, b, options_.objective); };
    insert(top_, r, options_.limit, less);
    if (options_.ranking_only) return;
    std::optional<Ranked>& best = cell(r.candidate.layout).best;
    if (!best || less(r, *best)) best = r;
    add_to_front(r);
}

void Ranking::miss(const NearMiss& m, long long place) {
    const Miss here(m, place);
    insert(misses_, here, options_.limit, nearer);
    std::optional<Miss>& nearest = cell(m.layout).nearest;
    if (!nearest || nearer(here, *nearest)) nearest = here;
}

void Ranking::exclude(const Obstacle& o, const Layout& first, long long place, long long count) {
    for (Rule& r : rules_) {
        if (!same_rule(r.exclusion.obstacle, o)) continue;
        r.exclusion.count += count;
        if (place < r.place) r = {{o, first, r.exclusion.count}, place};
        return;
    }
    rules_.push_back({{o, first, count}, place});
}

void Ranking::merge(const Ranking& other) {
    for (const auto& [key, theirs] : other.cells_) {
        Layout at;
        at.tensor_parallel = key.first;
        at.pipeline_parallel = key.second;
        count(at, theirs.sums.tried, theirs.sums.feasible, theirs.sums.fits, theirs.sums.tight);
        if (theirs.best) {
            std::optional<Ranked>& best = cell(at).best;
            if (!best || better(*theirs.best, *best, options_.objective)) best = theirs.best;
        }
        if (theirs.nearest) {
            std::optional<Miss>& nearest = cell(at).nearest;
            if (!nearest || nearer(*theirs.nearest, *nearest)) nearest = theirs.nearest;
        }
    }
    for (const Ranked& r : other.top_)
        insert(top_, r, options_.limit,
               [this](const Ranked& a, const Ranked& b) { return better(a, b, options_.objective); });
    for (const Ranked& r : other.front_) add_to_front(r);
    for (const Miss& m : other.misses_) insert(misses_, m, options_.limit, nearer);
    for (const Rule& r : other.rules_) exclude(r.exclusion.obstacle, r.exclusion.example, r.place, r.exclusion.count);
}

bool Ranking::could_matter(const Candidate& bound) {
    const double value = value_of(bound, options_.objective);
    if (int(top_.size()) < options_.limit) return true;
    if (!top_.empty() && value <= value_of(top_.back().candidate, options_.objective)) return true;
    if (options_.ranking_only) return false;
    const std::optional<Ranked>& best = cell(bound.layout).best;
    if (!best || value <= value_of(best->candidate, options_.objective)) return true;
    return std::none_of(front_.begin(), front_.end(), [&](const Ranked& f) { return dominates(f.candidate, bound); });
}

bool Ranking::could_nearly_fit(double excess, const Layout& l) {
    if (int(misses_.size()) < options_.limit || (!misses_.empty() && excess <= misses_.back().first.excess()))
        return true;
    const std::optional<Miss>& nearest = cell(l).nearest;
    return !nearest || excess <= nearest->first.excess();
}

std::optional<Candidate> Ranking::best() const {
    return top_.empty() ? std::nullopt : std::optional(top_.front().candidate);
}

SearchResult Ranking::result(std::string space) const {
    SearchResult r;
    r.space = std::move(space);
    r.objective = options_.objective;
    for (const auto& [key, c] : cells_) {
        SplitCell split = c.sums;
        if (c.best) split.best = c.best->candidate;
        else if (c.nearest) split.nearest = c.nearest->first;
        r.feasible += split.feasible;
        r.fits += split.fits;
        r.tight += split.tight;
        r.count += split.tried;
        r.splits.push_back(std::move(split));
    }
    for (const Ranked& t : top_) r.top.push_back(t.candidate);
    std::vector<Ranked> front = front_;
    std::sort(front.begin(), front.end(),
              [](const Ranked& a, const Ranked& b) { return better(a, b, Objective::time); });
    for (const Ranked& f : front) r.front.push_back(f.candidate);
    for (const Miss& m : misses_) r.near_misses.push_back(m.first);
    std::vector<Rule> rules = rules_;
    std::sort(rules.begin(), rules.end(), [](const Rule& a, const Rule& b) {
        return std::pair(-a.exclusion.count, a.place) < std::pair(-b.exclusion.count, b.place);
    });
    for (const Rule& rule : rules) r.exclusions.push_back(rule.exclusion);
    return r;
}

std::optional<Candidate> best_that_surely_fits(const SearchResult& r) {
    const auto sure = [](const Candidate& c) { return c.verdict() == FitVerdict::fits; };
    if (const auto first = std::ranges::find_if(r.top, sure); first != r.top.end()) return *first;
    std::optional<Candidate> best;
    for (const Candidate& c : r.front)
        if (sure(c) && (!best || value_of(c, r.objective) < value_of(*best, r.objective))) best = c;
    return best;
}

// ---- The plan among the candidates

NearMiss miss_of(const Layout& l, const Estimate& e) {
    NearMiss worst{l, Tier::device, e.worst().total(), e.memory_limit};
    for (const auto& [tier, ledger] : {std::pair{Tier::host, &e.host}, std::pair{Tier::nvme, &e.nvme}})
        if (NearMiss m{l, tier, ledger->use.total(), ledger->limit}; !ledger->fits() && m.excess() > worst.excess())
            worst = m;
    return worst;
}

bool add_plan(const Scenario& plan, const Layouts& layouts, Ranking& ranking) {
    const Outcome o = estimate(plan);
    if (!o || layouts.contains(plan.layout)) return false;
    const long long last = std::numeric_limits<long long>::max();   // of equals the space's own come first
    const Candidate c = candidate_of(plan, *o, ranking.options().headroom);
    if (!ranking.options().ranking_only) ranking.count(plan.layout, 1, 1, o->fits(), o->fits() && c.tight);
    if (o->fits()) ranking.add({c, last});
    else if (!ranking.options().ranking_only) ranking.miss(miss_of(plan.layout, *o), last);
    return true;
}

}  // namespace plimsoll

#include "core/answers/search/remedies.h"

#include "core/answers/campaign/headline.h"
#include "core/answers/campaign/totals.h"
#include "core/answers/search/edits.h"
#include "core/answers/search/search.h"
#include "core/answers/search/wording.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace plimsoll {
namespace {

struct PricedAttempt {
    Attempt attempt;
    Estimate estimate;
    Seconds run;
    FitVerdict verdict;
    bool tight;
    double size_change, recipe_change;  // from the plan asked about, in logarithms
};

constexpr int most_estimates = 400;
constexpr int most_device_counts = 12;   // that are searched for the fewest that fit
constexpr int small_machine = 16;        // nodes, of a machine that may be thought larger
constexpr long long most_added_nodes = 1024;

// ---- Pricing

double size_change(const Scenario& from, const Estimate& to) {
    return std::abs(std::log(1.0 * to.nodes / std::max(1, nodes_used(from))));
}

double recipe_change(const Scenario& from, const Attempt& to) {
    double change = 0;
    for (const Edit& e : to.edits)
        if (e.knob->group == KnobGroup::recipe && e.knob->kind == KnobKind::integer)
            change += std::abs(std::log(e.value / e.knob->get(from)));
    return change;
}

std::vector<const Knob*> knobs_of(const Attempt& a) {
    std::vector<const Knob*> turned;
    for (const Edit& e : a.edits) turned.push_back(e.knob);
    std::sort(turned.begin(), turned.end());
    return turned;
}

class Attempts {
public:
    Attempts(const Scenario& from, const Headroom& asked) : from_(from), asked_(asked) {}

    // Estimates it while the budget lasts; true if it surely fits with room, and can be run to its end.
    bool price(const Attempt& a) {
        if (++tried_ > most_estimates) return false;
        const Outcome o = estimate(a.scenario);
        if (!may_run(o)) return false;
        const Headline h = headline(a.scenario, *o);
        if (!totals(a.scenario, h).ends()) return false;
        const bool tight = room_of(*o, asked_) == Room::tight;
        const FitVerdict verdict = fit_verdict(*o);
        found_.push_back({a, *o, h.run, verdict, tight, size_change(from_, *o), recipe_change(from_, a)});
        const bool helps = verdict == FitVerdict::fits && !tight;
        if (helps) ideas_.insert(knobs_of(a));
        return helps;
    }
    std::vector<PricedAttempt> found() && { return std::move(found_); }
    std::size_t ideas() const { return ideas_.size(); }  // different sets of knobs among the found

private:
    const Scenario& from_;
    Headroom asked_;
    int tried_ = 0;
    std::vector<PricedAttempt> found_;
    std::set<std::vector<const Knob*>> ideas_;
};

// Single edits; pairs of those that do not help alone where singles are too few.
void search_memory(Attempts& attempts, const Attempt& from, std::size_t most) {
    std::vector<Attempt> insufficient;
    std::vector<Edit> edits = memory_edits(from.scenario);
    if (tunes(from.scenario.method)) std::ranges::move(edits_of_the_run(from.scenario), std::back_inserter(edits));
    for (Attempt& a : applied(from, edits))
        if (!attempts.price(a)) insufficient.push_back(std::move(a));
    if (attempts.ideas() >= most) return;
    for (const Attempt& a : with_fewer_adapted(from)) attempts.price(a);
    for (const Attempt& a : with_modules(from)) attempts.price(a);
    for (const Attempt& a : with_sent_modules(from)) attempts.price(a);
    for (const Attempt& a : with_more_of_the_optimizer(from))
        if (attempts.price(a)) break;
    if (attempts.ideas() >= most) return;
    for (std::size_t i = 0; i < insufficient.size(); ++i) {
        const Edit first = insufficient[i].edits.back();
        std::vector<Edit> second;
        for (std::size_t j = i + 1; j < insufficient.size(); ++j)
            if (const Edit& e = insufficient[j].edits.back(); e.knob != first.knob) second.push_back(e);
        for (const Attempt& a : applied(insufficient[i], second)) attempts.price(a);
    }
}

// ---- Choosing

// One remedy per set of knobs turned, so that three remedies are three ideas:
// the one nearest to the plan in nodes and recipe, of these the fastest.
std::vector<PricedAttempt> distinct(std::vector<PricedAttempt> all) {
    std::map<std::vector<const Knob*>, PricedAttempt> best;
    const auto order = [](const PricedAttempt& p) {
        return std::tuple(p.verdict, p.tight, p.size_change, p.recipe_change, p.run);
    };
    for (PricedAttempt& p : all) {
        const auto [at, fresh] = best.try_emplace(knobs_of(p.attempt), p);
        if (!fresh && order(p) < order(at->second)) at->second = std::move(p);
    }
    std::vector<PricedAttempt> chosen;
    for (auto& [turned, p] : best) chosen.push_back(std::move(p));
    return chosen;
}

// The edits again, on the plan with its sources.
Remedy remedy(const Scenario& s, const PricedAttempt& p) {
    Remedy r{name_of(p.attempt.edits), s, p.estimate, p.tight};
    for (const Edit& e : p.attempt.edits) e.knob->set(r.scenario, e.value);
    return r;
}

// ---- What a search of all layouts finds

constexpr std::size_t most_words = 3;   // edits that a name lists; a layout is named whole beyond

// What differs, as the edits that lead there; the degrees named whole where that is shorter.
std::string layout_name(const Scenario& from, const Layout& to) {
    const Scenario there = with_layout(from, to);
    std::vector<Edit> edits;
    for (const Knob& k : knobs()) {
        const bool derived = k.id == "nodes" || k.id == "layout.devices" || k.id == "layout.data_parallel";
        const double before = k.get(from), after = k.get(there);
        if (k.group == KnobGroup::layout && !derived && before != after) edits.push_back({&k, after});
    }
    if (edits.empty()) return {};
    return edits.size() <= most_words ? name_of(edits) : phrase("Layout {1}", say_layout(to));
}

// The fastest layout of the plan's devices.
std::optional<Remedy> fastest_layout(const Scenario& s, const Space& space, const Headroom& asked,
                                     const std::string& before, std::stop_token stop) {
    const SearchOptions options{.limit = 1, .headroom = asked, .ranking_only = true};
    const SearchResult found = search(s, space, options, stop);
    if (found.top.empty()) return std::nullopt;
    const Candidate& best = found.top.front();
    Remedy r{before, with_layout(s, best.layout), {}, best.tight};
    const Outcome o = estimate(r.scenario);
    if (!may_run(o)) return std::nullopt;
    if (!totals(r.scenario, headline(r.scenario, *o)).ends()) return std::nullopt;
    r.estimate = *o;
    const std::string how = layout_name(s, best.layout);
    if (!how.empty()) r.name += (before.empty() ? "" : ": ") + how;
    return r;
}

Scenario on_devices(Scenario s, int devices) {
    s.layout.devices = devices;
    return s;
}

std::string said_nodes(const Scenario& s, int nodes) {
    if (nodes * s.machine.devices_per_node == s.layout.devices || s.machine.devices_per_node > 1 || nodes > 1)
        return numbered(nodes, "node", "nodes");
    return numbered(nodes, "device", "devices");
}

std::string said_devices(const Scenario& s, int devices) {
    const int per_node = s.machine.devices_per_node;
    return devices % per_node == 0 ? said_nodes(s, devices / per_node) : numbered(devices, "device", "devices");
}

// The fewest devices of the machine, more than the plan has, on which any layout fits: first the rest of the nodes it
// has, then more nodes, each time twice the last.
std::optional<Remedy> more_devices(const Scenario& s, const Space& space, const Headroom& asked, std::stop_token stop) {
    const int per_node = s.machine.devices_per_node;
    std::set<int> counts{devices_held(s)};
    for (long long n = 2LL * s.layout.devices; n < devices_held(s); n *= 2) counts.insert(int(n));
    for (const double n : node_counts(s)) counts.insert(int(n) * per_node);
    for (long long n = 2LL * std::max(1, nodes_used(s)); n <= s.machine.nodes; n *= 2)
        counts.insert(int(n) * per_node);
    int tried = 0;
    std::optional<Remedy> tight;
    for (const int n : counts) {
        if (n <= s.layout.devices || stop.stop_requested() || ++tried > most_device_counts) continue;
        auto r = fastest_layout(on_devices(s, n), space, asked, said_devices(s, n), stop);
        if (r && !r->tight) return r;
        if (r && !tight) tight = std::move(r);
    }
    return tight;
}

// States or activations in host memory, on the same devices.
std::optional<Remedy> in_host_memory(const Scenario& s, Space space, const Headroom& asked, std::stop_token stop) {
    space.zero_stages = {1, 2, 3};
    space.offload = full_space().offload;
    return fastest_layout(s, space, asked, {}, stop);
}

// As many more nodes of the same kind as the model needs: of a machine that is too small in all.
std::optional<Remedy> larger_machine(const Scenario& s, const Headroom& asked, std::stop_token stop) {
    const Knob& installed = *find_knob("machine.nodes");
    std::optional<Remedy> tight;
    for (long long n = 2LL * s.machine.nodes; n <= most_added_nodes && !stop.stop_requested(); n *= 2) {
        const auto larger = with(s, installed, double(n));
        if (!larger) break;
        const Scenario there = on_devices(*larger, int(n) * s.machine.devices_per_node);
        const std::string name = phrase("A machine of {1}", said_nodes(s, int(n)));
        auto r = fastest_layout(there, common_space(there), asked, name, stop);
        if (r && !r->tight) return r;
        if (r && !tight) tight = std::move(r);
    }
    return tight;
}

// Remedies by search alone, from a plan whose obstacles are of its layout at most.
void add_with_room(std::vector<Remedy>& found, const Scenario& s, const Headroom& asked, std::stop_token stop) {
    const auto keep = [&](std::optional<Remedy> r) {
        if (r) found.push_back(*std::move(r));
        return !found.empty() && !found.back().tight;
    };
    const int whole = int(std::min<long long>(s.machine.devices(), s.layout.devices));
    const Scenario here = on_devices(s, whole);
    const Space space = common_space(here);
    const std::string size = whole < s.layout.devices ? said_nodes(here, nodes_used(here)) : std::string();
    if (keep(fastest_layout(here, space, asked, size, stop))) return;
    if (keep(more_devices(here, space, asked, stop))) return;
    if (keep(in_host_memory(here, space, asked, stop))) return;
    // A workstation of one device is what somebody has, and has no network.
    const bool several = s.machine.devices() > 1 && !any_cluster(s.machine.clusters);
    if (several && s.machine.nodes <= small_machine) keep(larger_machine(here, asked, stop));
}

// With the headroom asked for; where none of these surely fits, the same among those that do.
void add_searched(std::vector<Remedy>& found, const Scenario& s, const Headroom& asked, std::stop_token stop) {
    add_with_room(found, s, asked, stop);
    const auto sure = [](const Remedy& r) { return r.verdict() == FitVerdict::fits; };
    if (std::ranges::any_of(found, sure)) return;
    std::vector<Remedy> surest;
    add_with_room(surest, s, surely(s, asked), stop);
    for (Remedy& r : surest) {
        if (!sure(r)) continue;
        r.tight = room_of(r.estimate, asked) == Room::tight;
        found.push_back(std::move(r));
    }
}

// Single edits and pairs, one remedy of each kind.
std::vector<Remedy> by_edits(const Scenario& scenario, const Scenario& s, const std::vector<Attempt>& clear,
                             const Headroom& asked, std::size_t wanted) {
    Attempts attempts(s, asked);
    std::vector<Attempt> too_large;
    for (const Attempt& a : clear)
        if (a.edits.empty() || !attempts.price(a)) too_large.push_back(a);
    for (const Attempt& a : too_large)
        if (attempts.ideas() < wanted) search_memory(attempts, a, wanted);
    std::vector<Remedy> found;
    for (const PricedAttempt& p : distinct(std::move(attempts).found())) found.push_back(remedy(scenario, p));
    return found;
}

// What a search finds for the plan, or, where its recipe or machine stands in the way of every layout, for the plan as
// the first edits that clear it leave it.
std::vector<Remedy> by_search(const Scenario& scenario, const Scenario& s, const std::vector<Attempt>& clear,
                              const Headroom& asked, std::stop_token stop) {
    std::vector<Remedy> found;
    std::vector<Edit> before;
    add_searched(found, s, asked, stop);
    if (found.empty() && !clear.empty() && !clear.front().edits.empty()) {
        add_searched(found, clear.front().scenario, asked, stop);
        before = clear.front().edits;
    }
    for (Remedy& r : found) {
        Scenario with_sources = scenario;
        for (const Edit& e : before) e.knob->set(with_sources, e.value);
        if (r.scenario.machine.nodes != with_sources.machine.nodes)
            find_knob("machine.nodes")->set(with_sources, r.scenario.machine.nodes);
        with_sources.layout = r.scenario.layout;   // setters re-derive degrees
        r.scenario = with_sources;
        if (!before.empty()) r.name = name_of(before) + (r.name.empty() ? "" : " + " + r.name);
    }
    return found;
}

}  // namespace

namespace {

bool same_plan(const Remedy& a, const Remedy& b) {
    return a.name == b.name || (a.scenario.layout == b.scenario.layout && a.estimate == b.estimate);
}

// What surely fits may be much slower or take more nodes, so that who has no plan that runs is told of the fastest on
// the nodes at hand, too.
void keep_fastest(std::vector<Remedy>& best, const std::vector<Remedy>& found, int nodes) {
    const Remedy* fastest = nullptr;
    const auto order = [&](const Remedy& r) {
        return std::pair(r.estimate.nodes > nodes, headline(r.scenario, r.estimate).run);
    };
    for (const Remedy& r : found)
        if (!r.tight && !r.name.empty() && (!fastest || order(r) < order(*fastest))) fastest = &r;
    const auto same = [&](const Remedy& b) { return same_plan(b, *fastest); };
    if (fastest && best.size() > 1 && std::ranges::none_of(best, same)) best.back() = *fastest;
}

}  // namespace

std::vector<Remedy> remedies(const Scenario& scenario, int most, const Headroom& asked, std::stop_token stop) {
    const Scenario s = without_sources(scenario);
    const auto wanted = static_cast<std::size_t>(std::max(0, most));
    const Outcome present = estimate(s);
    const auto doubt = [&](const Estimate& e) { return std::pair(fit_verdict(e), room_of(e, asked)); };
    if (wanted == 0 || (present && doubt(*present) == std::pair(FitVerdict::fits, Room::enough))) return {};
    const std::vector<Attempt> clear = cleared(s);
    std::vector<Remedy> found = by_edits(scenario, s, clear, asked, wanted);
    std::ranges::move(by_search(scenario, s, clear, asked, stop), std::back_inserter(found));
    // A plan that leaves devices of its nodes idle takes these before it takes further nodes.
    const bool part = s.layout.devices < devices_held(s);
    // To tune it otherwise comes after what leaves the run as it is.
    const auto another_run = [&](const Remedy& r) {
        return tunes(s.method) && (r.scenario.method != s.method || r.scenario.recipe != s.recipe);
    };
    const auto order = [&](const Remedy& r) {
        return std::tuple(r.verdict(), r.tight, another_run(r), part && r.estimate.nodes > nodes_used(s),
                          headline(r.scenario, r.estimate).run, r.estimate.nodes);
    };
    std::ranges::stable_sort(found, {}, order);
    std::vector<Remedy> best;
    for (const Remedy& r : found) {
        // What is in no less doubt helps nobody whose plan runs, and what is tight others only where nothing has room.
        if (runs(present) ? doubt(r.estimate) >= doubt(*present)
                          : r.tight && !best.empty() && !best.front().tight) continue;
        const auto same = [&](const Remedy& b) { return same_plan(b, r); };
        if (best.size() < wanted && !r.name.empty() && std::ranges::none_of(best, same)) best.push_back(r);
    }
    if (!runs(present)) keep_fastest(best, found, nodes_used(s));
    for (Remedy& r : best) r.cost = say_cost(s, r.scenario, r.estimate);
    return best;
}

std::string say_cost(const Scenario& before, const Scenario& after, const Estimate& there) {
    constexpr double hardly = 1.005;
    std::string cost;
    const int now = nodes_used(before);
    if (there.nodes > now) cost = phrase("{1} nodes instead of {2}", there.nodes, now);
    const Outcome here = estimate(before);
    if (!here) return cost;
    const double slower = headline(after, there).run / headline(before, *here).run;
    if (slower < hardly) return cost;
    const std::string text = phrase("slower: {1} x", significant(slower, slower < 10 ? 3 : 2));
    return cost.empty() ? text : cost + ", " + text;
}

std::vector<Remedy> savings(const Scenario& scenario) {
    const Scenario s = without_sources(scenario);
    const Outcome present = estimate(s);
    if (!present) return {};
    const Attempt from{{}, s};
    std::vector<Edit> edits = memory_edits(s);
    std::ranges::move(edits_of_the_run(s), std::back_inserter(edits));
    std::vector<Attempt> all = applied(from, edits);
    for (const auto& more : {with_fewer_adapted(from), with_modules(from), with_sent_modules(from),
                             with_more_of_the_optimizer(from)})
        std::ranges::copy(more, std::back_inserter(all));
    std::vector<PricedAttempt> priced;
    std::map<std::vector<const Knob*>, std::size_t> of_knobs;
    for (const Attempt& a : all) {
        const Outcome o = estimate(a.scenario);
        if (!o || !(o->worst().total() < present->worst().total())) continue;
        PricedAttempt p{a, *o, {}, fit_verdict(*o), false, 0, 0};
        const auto [at, fresh] = of_knobs.try_emplace(knobs_of(a), priced.size());
        if (fresh) priced.push_back(std::move(p));
        // The first that surely fits of them, else what needs least.
        else if (PricedAttempt& best = priced[at->second];
                 best.verdict != FitVerdict::fits && o->worst().total() < best.estimate.worst().total())
            best = std::move(p);
    }
    std::vector<Remedy> found;
    for (const PricedAttempt& p : priced) {
        found.push_back(remedy(scenario, p));
        found.back().cost = say_cost(s, found.back().scenario, p.estimate);
    }
    std::ranges::stable_sort(found, {}, [](const Remedy& r) { return r.estimate.worst().total(); });
    return found;
}

std::vector<Remedy> clearings(const Scenario& scenario, int most) {
    const Scenario s = without_sources(scenario);
    std::vector<Remedy> found;
    for (const Attempt& a : cleared(s)) {
        const Outcome o = estimate(a.scenario);
        if (!o || a.edits.empty()) continue;
        found.push_back({name_of(a.edits), scenario, *o, false});
        for (const Edit& e : a.edits) e.knob->set(found.back().scenario, e.value);
    }
    const auto excess = [](const Remedy& r) { return r.estimate.worst().total() / r.estimate.memory_limit; };
    std::ranges::stable_sort(found, {}, [&](const Remedy& r) { return std::tuple(!r.estimate.fits(), excess(r)); });
    std::vector<Remedy> first;
    for (const Remedy& r : found) {
        const auto same = [&](const Remedy& b) { return b.scenario == r.scenario; };
        if (std::ssize(first) < most && std::ranges::none_of(first, same)) first.push_back(r);
    }
    return first;
}

}  // namespace plimsoll

#include "core/answers/search/remedies.h"

#include "core/answers/campaign/totals.h"
#include "core/answers/plan/rules.h"
#include "core/answers/campaign/headline.h"
#include "core/answers/plan/valid_values.h"
#include "core/answers/search/search.h"
#include "core/answers/search/wording.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace plimsoll {
namespace {

struct Edit {
    const Knob* knob;
    double value;
};

// A changed plan that has not been priced yet.
struct Attempt {
    std::vector<Edit> edits;
    Scenario scenario;
};

struct PricedAttempt {
    Attempt attempt;
    Estimate estimate;
    Seconds run;
    FitVerdict verdict;
    bool tight;
    double size_change, recipe_change;  // from the plan asked about, in logarithms
};

constexpr int most_estimates = 400;
constexpr std::size_t most_attempts = 256;
constexpr int most_device_counts = 12;   // that are searched for the fewest that fit
constexpr int small_machine = 16;        // nodes, of a machine that may be thought larger
constexpr long long most_added_nodes = 1024;

std::vector<Attempt> applied(const Attempt& from, const std::vector<Edit>& edits) {
    std::vector<Attempt> attempts;
    for (const Edit& e : edits) {
        if (std::ranges::find(from.edits, e.knob, &Edit::knob) != from.edits.end()) continue;  // back and forth
        const auto turned = with(from.scenario, *e.knob, e.value);
        if (!turned || *turned == from.scenario) continue;
        attempts.push_back({from.edits, *turned});
        attempts.back().edits.push_back(e);
    }
    return attempts;
}

// ---- Memory: what usually helps, cheapest to say first

void add(std::vector<Edit>& edits, const char* id, const std::vector<double>& values) {
    for (double v : values) edits.push_back({find_knob(id), v});
}

std::vector<double> above(std::vector<double> values, double low, double high, std::size_t most) {
    std::erase_if(values, [&](double v) { return v <= low || v > high; });
    if (values.size() > most) values.resize(most);
    return values;
}

// Of the nodes it has, those it leaves idle included.
int devices_held(const Scenario& s) { return nodes_used(s) * s.machine.devices_per_node; }

std::vector<Edit> memory_edits(const Scenario& s) {
    const Layout& l = s.layout;
    std::vector<Edit> edits;
    add(edits, "layout.recompute", {1, 2});
    if (l.recomputes_some()) add(edits, "layout.recompute_layers", {0});
    add(edits, "layout.zero_stage", {1, 2, 3});
    add(edits, "layout.sequence_parallel", {1});
    add(edits, "layout.micro_batch", {1});
    for (const char* kept : {"layout.offload.optimizer_state", "layout.offload.activations"})
        add(edits, kept, {double(Tier::device), double(Tier::host), double(Tier::nvme)});
    const Knob& tensor = *find_knob("layout.tensor_parallel");
    add(edits, "layout.tensor_parallel",
        above(valid_values(s, tensor), l.tensor_parallel, s.machine.devices_per_node, 6));
    const Knob& pipeline = *find_knob("layout.pipeline_parallel");
    add(edits, "layout.pipeline_parallel", above(valid_values(s, pipeline), l.pipeline_parallel, pipeline.high, 8));
    if (l.devices < devices_held(s))
        add(edits, "layout.devices",
            above(valid_values(s, *find_knob("layout.devices")), l.devices, devices_held(s), 4));
    add(edits, "nodes", above(node_counts(s), nodes_used(s), s.machine.nodes, 4));
    return edits;
}

// What else needs memory and may be given up, though the run is another then: the optimizer's states, the length of
// sequences, and to tune a model what is trained of it, and in how many bits the rest is kept.
std::vector<Edit> edits_of_the_run(const Scenario& s) {
    const Method& m = s.method;
    std::vector<Edit> edits;
    if (tunes(m) && !trains_adapters(m)) add(edits, "method.trained", {double(Trained::adapters)});
    if (tunes(m) && m.frozen != FrozenFormat::nf4_double)
        // torchtune keeps frozen weights in NF4 or in 16 bits.
        add(edits, "method.frozen",
            s.stack.software == Software::torchtune
                ? std::vector<double>{double(FrozenFormat::nf4_double)}
                : std::vector<double>{double(FrozenFormat::int8), double(FrozenFormat::nf4_double)});
    if (trains_adapters(m)) {
        for (int rank = m.rank / 2; rank >= std::max(1, m.rank / 4); rank /= 2) add(edits, "method.rank", {1.0 * rank});
        for (const char* on : {"method.magnitudes", "method.adapter_dropout", "method.trains_tables"})
            add(edits, on, {0});
    }
    if (keeps_reference(m))
        add(edits, "method.reference", {double(Reference::adapters_off), double(Reference::precomputed)});
    if (s.recipe.optimizer == Optimizer::adam) add(edits, "recipe.optimizer", {double(Optimizer::adam_8bit)});
    if (s.recipe.sequence_length > 1) add(edits, "recipe.sequence_length", {1.0 * (s.recipe.sequence_length / 2)});
    return edits;
}

void turn(Attempt& a, const std::string& id, double value) {
    const Knob& k = *find_knob(id);
    if (k.get(a.scenario) == value) return;
    a.edits.push_back({&k, value});
    k.set(a.scenario, value);
}

// Selective recomputation of a list of modules.
std::vector<Attempt> with_modules(const Attempt& from) {
    std::vector<Attempt> attempts;
    for (const RecomputeModules& list : module_lists(from.scenario)) {
        Attempt a = from;
        turn(a, "layout.recompute", double(Recompute::selective));
        for (const ModuleRow& row : module_rows)
            turn(a, "layout.recompute_modules." + std::string(row.name), list.*row.listed);
        if (a.edits.size() > from.edits.size()) attempts.push_back(std::move(a));
    }
    return attempts;
}

// Adapters beside matrices of attention alone.
std::vector<Attempt> with_fewer_adapted(const Attempt& from) {
    const Method& m = from.scenario.method;
    if (!trains_adapters(m) || !(m.adapted.query || m.adapted.key || m.adapted.value || m.adapted.output)) return {};
    Attempt a = from;
    for (const char* matrix : {"gate_proj", "up_proj", "down_proj"})
        turn(a, std::string("method.adapted.") + matrix, 0);
    if (a.edits.size() == from.edits.size()) return {};
    return {a};
}

constexpr std::string_view sent_module_knobs = "layout.offload.modules.";

// Activations of all modules that can leave.
std::vector<Attempt> with_sent_modules(const Attempt& from) {
    if (from.scenario.layout.offload.swaps()) return {};
    const auto sent = sent_by_module(from.scenario);
    if (!sent) return {};
    Attempt a = from;
    turn(a, "layout.offload.activations", double(sent->activations));
    for (const SentModuleRow& row : sent_module_rows)
        turn(a, std::string(sent_module_knobs).append(row.name), sent->modules.*row.listed);
    return {a};
}

// Ever more of the optimizer on the CPUs: the first of these that fits is the fastest.
std::vector<Attempt> with_more_of_the_optimizer(const Attempt& from) {
    const Layout& l = from.scenario.layout;
    const double before = 1 - l.offload.updated_on_devices();
    std::vector<Attempt> attempts;
    for (int tenths = 1; tenths < 10; ++tenths) {
        if (tenths <= 10 * before) continue;
        Attempt a = from;
        if (l.zero_stage == 0 && l.weight_replicas() > 1) turn(a, "layout.zero_stage", 1);
        if (l.offload.optimizer == Tier::device) turn(a, "layout.offload.optimizer_state", double(Tier::host));
        turn(a, "layout.offload.optimizer_share", tenths / 10.0);
        attempts.push_back(std::move(a));
    }
    return attempts;
}

// ---- Obstacles: their nearest values, and those that leave no obstacle at all

void add_valid(std::vector<Edit>& edits, const Scenario& s, const std::string& id) {
    if (const Knob* k = find_knob(id))
        for (double v : valid_values(s, *k, 4)) edits.push_back({k, v});
}

std::vector<Edit> edits_for(const Scenario& s, const Obstacle& o) {
    std::vector<Edit> edits;
    if (const Knob* k = find_knob(o.knob))
        for (double v : o.valid) edits.push_back({k, v});
    add_valid(edits, s, o.knob);
    if (o.of.starts_with("layout.")) add_valid(edits, s, o.of);  // the other side; the model stays what it is
    if (o.reason == Reason::device_count_mismatch || o.reason == Reason::exceeds_devices)
        for (const char* id :
             {"layout.tensor_parallel", "layout.pipeline_parallel", "layout.context_parallel", "nodes"})
            add_valid(edits, s, id);
    return edits;
}

// Computable plans with as few edits as it takes, up to three.
std::vector<Attempt> cleared(const Scenario& s) {
    std::vector<Attempt> open{{{}, s}}, clear;
    for (int edits = 0; edits <= 3 && clear.empty(); ++edits) {
        std::vector<Attempt> next;
        for (const Attempt& a : open) {
            const std::vector<Obstacle> obstacles = check(a.scenario);
            if (obstacles.empty()) clear.push_back(a);
            for (const Obstacle& o : obstacles)
                if (next.size() < most_attempts)
                    std::ranges::move(applied(a, edits_for(a.scenario, o)), std::back_inserter(next));
        }
        open = std::move(next);
    }
    return clear;
}

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

std::string name_of(const std::vector<Edit>& edits) {
    std::string name, modules;
    for (const Edit& e : edits) {
        const bool module = e.knob->id.starts_with(sent_module_knobs) && e.value != 0;
        if (module) modules += (modules.empty() ? "" : ", ") + std::string(e.knob->id.substr(sent_module_knobs.size()));
        else name += (name.empty() ? "" : " + ") + say_edit(*e.knob, e.value);
    }
    return modules.empty() ? name : phrase("{1}, of {2} alone", name, modules);
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

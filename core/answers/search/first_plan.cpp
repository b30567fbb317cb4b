#include "core/answers/search/first_plan.h"

#include "core/answers/campaign/totals.h"
#include "core/answers/campaign/headline.h"
#include "core/answers/plan/software.h"
#include "core/answers/search/surest.h"
#include "core/values/basics/phrase.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace plimsoll {

namespace {

constexpr int usual_batch = 1024, least_share = 64;  // sequences a step; at most so many devices for each of them
// To tune a model: sequences a step, their length, tokens of the run.
constexpr int tuning_batch = 32, tuning_length = 2048;
constexpr double tuning_tokens = 1e8;
constexpr Seconds patience = 60 * day, longest_useful = 10 * 365.25 * day;

// The fastest format there is for training; fp8 is a choice of its own.
Precision usual_precision(const Device& d) {
    return d.bf16 > FlopRate{} ? Precision::bf16 : d.fp16 > FlopRate{} ? Precision::fp16 : Precision::fp32;
}

// Twenty for each active parameter, of which two digits count.
double usual_tokens(const Model& model) {
    const double parameters = active_parameters(model);
    const double digit = std::pow(10, std::floor(std::log10(parameters)) - 1);
    return 20 * std::round(parameters / digit) * digit;
}

int usual_batch_of(const Scenario& s) { return tunes(s.method) ? tuning_batch : usual_batch; }

// The odd part of the device count divides it, and as many twos as leave it near the usual.
int batch_on(const Scenario& s, long long devices) {
    long long batch = devices;
    while (batch % 2 == 0) batch /= 2;
    while (2 * batch <= usual_batch_of(s)) batch *= 2;
    return int(batch);
}

Scenario spread(Scenario s, int nodes) {
    Layout plain;
    plain.devices = plain.data_parallel = nodes * s.machine.devices_per_node;
    plain.zero_stage = 1;
    s.layout = plain;
    return s;
}

Headroom headroom_of(const Scenario& s, const FirstAsk& ask) {
    return ask.headroom ? ask.headroom(s) : Headroom{usual_headroom};
}

std::string said_place(const Scenario& s) {
    return phrase("{1} of {2}", numbered(nodes_used(s), "node", "nodes"), s.machine.name);
}

struct PricedPlan {
    Scenario scenario;
    Totals totals;
    bool tight = false, sure = true;

    // Room comes before what surely fits: a plan that is tight does not work.
    int lacks() const { return tight ? 2 : sure ? 0 : 1; }
};

std::optional<PricedPlan> priced_plan(const Scenario& s, const FirstAsk& ask) {
    const Outcome o = estimate(s);
    if (!runs(o)) return std::nullopt;
    return PricedPlan{s, totals(s, headline(s, *o), Counting::all),
                      room_of(*o, headroom_of(s, ask)) != Room::enough, fit_verdict(*o) == FitVerdict::fits};
}

// The fastest on its devices. The likely range of the memory may be another for the layout that is found.
std::optional<PricedPlan> fastest_layout_of(const Scenario& s, const FirstAsk& ask, const SpaceOf& space,
                                            const std::stop_token& stop) {
    const Space around = space(s);
    std::optional<PricedPlan> found;
    for (int turn = 0; turn < 3 && (!found || found->tight); ++turn) {
        const Headroom asked = headroom_of(found ? found->scenario : s, ask);
        const SearchResult r = search_surest(
            s, around, {.limit = 1, .threads = ask.threads, .headroom = asked, .ranking_only = true}, stop);
        if (r.top.empty()) break;
        found = priced_plan(with_layout(s, r.top.front().layout), ask);
        if (r.top.front().tight) break;
    }
    return found;
}

// On so many nodes, with more sequences a step where so many devices have too few to share.
std::optional<PricedPlan> fastest_on(int nodes, const Scenario& bare, const FirstAsk& ask, const SpaceOf& space,
                                     const std::stop_token& stop) {
    Scenario s = spread(bare, nodes);
    s.recipe.global_batch_sequences = batch_on(s, s.layout.devices);
    auto found = fastest_layout_of(s, ask, space, stop);
    for (int doubled = 0; !found && s.recipe.global_batch_sequences < s.layout.devices && doubled < 4; ++doubled) {
        s.recipe.global_batch_sequences *= 2;
        found = fastest_layout_of(s, ask, space, stop);
    }
    return found;
}

FirstPlan answered(std::optional<PricedPlan> p, const Scenario& nearest) {
    FirstPlan answer{nearest, false, {}};
    if (!p) {
        answer.why = phrase("No layout of {1} fits in the memory of {2}.", nearest.model.name, said_place(nearest));
        return answer;
    }
    answer.scenario = std::move(p->scenario);
    const std::string place = said_place(answer.scenario);
    if (p->tight)
        answer.why = phrase("Every layout of {1} that fits in the memory of {2} is tight.", nearest.model.name, place);
    else if (!p->totals.ends())
        answer.why = phrase("{1} on {2} never ends: failures take all of its time.", nearest.model.name, place);
    else if (p->totals.time > longest_useful)
        answer.why = phrase("{1} on {2} takes {3}.", nearest.model.name, place, say(p->totals.time));
    answer.works = answer.why.empty();
    return answer;
}

FirstPlan on_nodes_asked(const Scenario& bare, const FirstAsk& ask, const SpaceOf& space,
                         const std::stop_token& stop) {
    const int nodes = std::clamp(*ask.nodes, 1, bare.machine.nodes);
    FirstPlan answer = answered(fastest_on(nodes, bare, ask, space, stop), spread(bare, nodes));
    if (*ask.nodes == nodes) return answer;
    answer.works = false;
    answer.why = phrase("{1} has {2}, and {3} are asked for.", bare.machine.name,
                        numbered(bare.machine.nodes, "node", "nodes"), std::to_string(*ask.nodes));
    return answer;
}

// Each twice the last; those are left out on which not even perfect scaling would end in time. More nodes are tried
// until a plan surely fits.
FirstPlan in_patience(const Scenario& bare, const FirstAsk& ask, const SpaceOf& space, const std::stop_token& stop) {
    const long long shared = 1LL * usual_batch_of(bare) * least_share;   // devices
    const long long most = std::min<long long>(bare.machine.nodes, shared / bare.machine.devices_per_node);
    std::optional<PricedPlan> best;
    for (long long nodes = 1; nodes <= std::max(1LL, most) && !stop.stop_requested(); nodes *= 2) {
        auto found = fastest_on(int(nodes), bare, ask, space, stop);
        if (!found || (best && best->lacks() < found->lacks())) continue;
        const bool as_good = best && best->lacks() == found->lacks() && !best->tight;
        if (as_good && best->totals.time <= patience) continue;   // on fewer nodes
        best = std::move(found);
        if (best->lacks() > 0) continue;
        if (best->totals.time <= patience) break;
        for (double time = best->totals.time / patience; time > 2.4 && 4 * nodes <= most; time /= 2) nodes *= 2;
    }
    return answered(std::move(best), spread(bare, bare.machine.nodes));
}

// Of the node counts those that hold the limit: the fewest nodes in time, the earliest end within node-hours. Where
// none does, the one that comes nearest.
FirstPlan within_limit(const Scenario& bare, const FirstAsk& ask, const SpaceOf& space, const std::stop_token& stop) {
    Scenario whole = spread(bare, bare.machine.nodes);
    whole.recipe.global_batch_sequences = batch_on(whole, whole.machine.devices_per_node);
    const Headroom asked = headroom_of(spread(bare, 1), ask);
    std::optional<PricedPlan> best;
    const auto rank = [&](const PricedPlan& p) {
        const double over = ask.time ? p.totals.time / *ask.time : p.totals.node_hours / *ask.node_hours;
        const bool held = over <= 1;
        const double then = !held ? over : ask.time ? double(nodes_used(p.scenario)) : p.totals.time / second;
        return std::tuple(p.tight, !held, p.lacks(), then);
    };
    for (const EnvelopePoint& p :
         envelope_surest(whole, space(whole), envelope_nodes(whole), {.threads = ask.threads, .headroom = asked},
                         stop)) {
        if (!p.best) continue;
        auto priced = priced_plan(with_layout(on_nodes(whole, p.nodes), p.best->layout), ask);
        if (priced && (!best || rank(*priced) < rank(*best))) best = std::move(priced);
    }
    const bool held = best && !std::get<1>(rank(*best));
    const std::string least = !best ? std::string() : ask.time ? say(best->totals.time)
                                                               : say_count(best->totals.node_hours);
    FirstPlan answer = answered(std::move(best), whole);
    if (held || !answer.works) return answer;
    answer.works = false;
    answer.why = ask.time ? phrase("{1} on {2} takes {3} at least, and it has to end in {4}.", bare.model.name,
                                   bare.machine.name, least, say(*ask.time))
                          : phrase("{1} on {2} takes {3} node-hours at least, and there are {4}.", bare.model.name,
                                   bare.machine.name, least, say_count(*ask.node_hours));
    return answer;
}

}  // namespace

std::string given_name(const Scenario& s) { return s.model.name + " on " + s.machine.name; }

Scenario bare_plan(const Model& model, const Machine& machine, const std::map<std::string, Stack>& stacks,
                   const FirstAsk& ask) {
    Scenario s;
    s.model = model;
    s.machine = machine;
    s.name = given_name(s);
    s.method = ask.method;
    const bool tuned = tunes(s.method);
    const char* words = tuned ? "torchtune+compile" : "";
    s.stack = chosen_software({.words = words, .device = machine.device.name, .or_usual = true}, stacks)
                  .value_or(Stack{});
    s.recipe.precision = usual_precision(machine.device);
    s.recipe.sequence_length = tuned ? std::min(model.sequence_length, tuning_length) : model.sequence_length;
    s.recipe.global_batch_sequences = usual_batch_of(s);
    s.recipe.tokens = ask.tokens.value_or(tuned ? tuning_tokens : usual_tokens(model));
    s.recipe.examples = ask.examples.value_or(0);
    s.recipe.document_length = ask.example_length.value_or(0);
    return spread(std::move(s), 1);
}

FirstPlan planned(const Scenario& bare, const FirstAsk& ask, const SpaceOf& space, std::stop_token stop) {
    if (ask.nodes) return on_nodes_asked(bare, ask, space, stop);
    return ask.time || ask.node_hours ? within_limit(bare, ask, space, stop) : in_patience(bare, ask, space, stop);
}

FirstPlan first_plan(const Model& model, const Machine& machine, const std::map<std::string, Stack>& stacks,
                     const FirstAsk& ask, std::stop_token stop) {
    return planned(bare_plan(model, machine, stacks, ask), ask, [](const Scenario& s) { return common_space(s); },
                   std::move(stop));
}

}  // namespace plimsoll

// Other layouts of the plan: over node counts, by rules of thumb, layer by layer, and on a machine turned otherwise.
#include "core/answers/ask/ask_parts.h"

#include "core/answers/plan/rules.h"
#include "core/answers/search/fit_first.h"
#include "core/answers/search/winner.h"
#include "core/answers/search/wording.h"
#include "core/answers/strategies/own_tables.h"
#include "core/answers/strategies/per_layer.h"
#include "core/values/basics/phrase.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::asking {

// ---- Over node counts

namespace {

AskedRow row_of_nodes(const Scenario& plan, const EnvelopePoint& p, const AskOptions& o) {
    const std::string nodes = std::to_string(p.nodes);
    Scenario here = p.best ? with_layout(plan, p.best->layout) : plan;
    const Outcome e = estimate(here);
    if (!p.best || !e) return {{nodes, phrase("none fits"), "", "", "", "", ""}};
    const Headline h = headline(here, *e);
    const Totals t = totals(here, h, o.counting);
    return {{nodes, with_doubt(say_layout(p.best->layout), p.best->verdict()), say(h.step),
             time_of(here, *e, o.counting), hours_of(t, here.machine, o), t.ends() ? say(t.facility_energy) : "",
             say(h.facility_power)},
            std::move(here)};
}

}  // namespace

Asked ask_nodes(const Scenario& plan, const AskOptions& o, std::stop_token stop, const Progress& progress) {
    Asked a;
    a.headings = {phrase("Nodes"), phrase("Best layout"), phrase("Step"), phrase("Time to train"),
                  hours_heading(plan.machine, o), phrase("Energy, facility"), phrase("Power")};
    a.numbers = {0, 2, 3, 4, 5, 6};
    const auto points = envelope(plan, common_space(plan), envelope_nodes(plan), one_best(o), stop, progress);
    if (stop.stop_requested()) return a;
    for (const EnvelopePoint& p : points) a.rows.push_back(row_of_nodes(plan, p, o));
    const auto fewest = fewest_nodes(points);
    a.says.push_back(fewest ? phrase("Fewest nodes that fit: {1}.", fewest->nodes)
                            : phrase("Nothing fits on any number of nodes."));
    if (o.node_hours > 0) {
        const auto within = fastest_within(plan, points, o.node_hours);
        a.says.push_back(within ? phrase("Within {1} node-hours the run ends first on {2}.", count_of(o.node_hours),
                                         numbered(within->nodes, "node", "nodes"))
                                : phrase("No number of nodes trains it within {1} node-hours.",
                                         count_of(o.node_hours)));
    }
    note_power(a, o);
    a.notes.push_back(say_ranked_by_fit());
    a.notes.push_back(phrase("The global batch stays; layouts of the common choices are searched on each count."));
    return a;
}

// ---- Rules of thumb

namespace {

AskedRow row_of_split(const std::string& name, const Scenario& s, const Estimate& e, const AskOptions& o,
                      bool can_be_taken) {
    const Layout& l = s.layout;
    return {{name, std::to_string(l.tensor_parallel), std::to_string(l.pipeline_parallel),
             std::to_string(l.data_parallel), memory_of(e), say(e.step.total()), time_of(s, e, o.counting)},
            can_be_taken ? std::optional(s) : std::nullopt};
}

std::string compared_with(Seconds a, Seconds b) {
    const double more = a / b - 1;
    if (std::abs(more) < 0.0005) return phrase("as fast as");
    return more < 0 ? phrase("{1} faster than", percent(-more)) : phrase("{1} slower than", percent(more));
}

}  // namespace

Asked ask_split(const Scenario& plan, const AskOptions& o) {
    Asked a;
    a.headings = {phrase("Split"), phrase("Tensor"), phrase("Pipeline"), phrase("Data"),
                  phrase("Memory"), phrase("Step"), phrase("Time to train")};
    a.numbers = {1, 2, 3, 4, 5, 6};
    const Outcome here = estimate(plan);
    const Splits found = splits(plan, o.headroom);
    if (here) a.rows.push_back(row_of_split(phrase("As it stands"), plan, *here, o, false));
    if (!found.fastest) {
        a.says.push_back(phrase("None of {1} splits of these devices fits in memory.", found.tried));
        return a;
    }
    if (found.rule)
        a.rows.push_back(row_of_split(phrase("Least model parallelism"), found.rule->scenario, found.rule->estimate, o,
                                      true));
    a.rows.push_back(row_of_split(phrase("Fastest split, all else as it stands"), found.fastest->scenario,
                                  found.fastest->estimate, o, true));
    if (found.rule && runs(here))
        a.says.push_back(phrase("The rule's plan is {1} the plan as it stands and {2} the fastest split.",
                                compared_with(found.rule->step(), here->step.total()),
                                compared_with(found.rule->step(), found.fastest->step())));
    else if (found.rule)
        a.says.push_back(phrase("The rule's plan is {1} the fastest split.",
                                compared_with(found.rule->step(), found.fastest->step())));
    else a.says.push_back(phrase("No split with tensor groups inside a node fits."));
    a.notes.push_back(phrase("{1} of {2} splits fit. Micro-batch, recomputation and sharding stay as they are; a "
                             "search of layouts turns them too.",
                             found.fitting, found.tried));
    a.notes.push_back(say_ranked_by_fit());
    a.notes.push_back(phrase("The rule: model parallelism until the model fits in memory, then data parallelism "
                             "(Narayanan et al. 2021)."));
    return a;
}

// ---- Layer by layer

namespace {

std::string layers_from_to(const StrategyRun& r) {
    const std::string first = std::to_string(r.first + 1);
    return r.layers == 1 ? first : first + "-" + std::to_string(r.first + r.layers);
}

void add_runs(Asked& a, const PerLayerPlan& plan) {
    int stage = -1;
    for (const StrategyRun& r : runs_of(plan)) {
        const bool first = r.stage != stage;
        stage = r.stage;
        a.rows.push_back({{phrase("Best"), std::to_string(r.stage + 1), layers_from_to(r), say(r.strategy),
                           first ? say(plan.memory[std::size_t(r.stage)]) : "", first ? say(plan.step) : ""}});
    }
}

}  // namespace

Asked ask_layers(const Scenario& plan, const AskOptions&, std::stop_token stop, const Progress& progress) {
    Asked a;
    a.headings = {phrase("Plan"), phrase("Stage"), phrase("Layers"), phrase("Strategy"), phrase("Memory"),
                  phrase("Step")};
    a.numbers = {1, 4, 5};
    if (const std::string why = not_priced(plan); !why.empty()) {
        a.says.push_back(why);
        return a;
    }
    PerLayerQuestion q;
    q.space = {.devices = plan.layout.devices, .layers = plan.model.layers, .widest = plan.machine.devices_per_node,
               .least = plan.layout.zero_stage >= 2 ? Sharding::zero2 : Sharding::none};
    q.batches = {plan.recipe.global_batch_sequences};
    q.memory = plan.machine.device.memory;
    q.uneven_stages = true;
    const PerLayer found = best_per_layer(q, own_prices(without_sources(plan)), stop, progress);
    if (stop.stop_requested()) return a;
    if (!found.best) {
        a.says.push_back(phrase("Nothing fits: no strategies of the layers of any pipeline need at most {1} on a "
                                "device.",
                                say(q.memory)));
        return a;
    }
    if (found.uniform) {
        const PerLayerPlan& u = *found.uniform;
        Scenario taken = with_strategy(plan, {u.batch, u.micro_batches, u.pipeline, plan.model.layers, {}},
                                       u.layers.front());
        const Bytes most = *std::max_element(u.memory.begin(), u.memory.end());
        const bool can = check(taken).empty();
        a.rows.push_back({{phrase("One for all layers"), numbered(u.pipeline, "stage", "stages"),
                           std::to_string(plan.model.layers), say(u.layers.front()), say(most), say(u.step)},
                          can ? std::optional(std::move(taken)) : std::nullopt});
    }
    add_runs(a, *found.best);
    a.says.push_back(!found.uniform      ? phrase("No single strategy for all layers fits.")
                     : found.lost() > 0 ? phrase("One strategy for all layers loses {1} against the best for each.",
                                                 percent(found.lost(), 2))
                                         : phrase("No plan that mixes strategies is faster than one for all layers."));
    if (found.cut_off) a.says.push_back(phrase("The search was ended; another plan may be faster."));
    a.notes.push_back(
        phrase("A plan here has one strategy for all of its layers, so only that row can be taken over."));
    return a;
}

// ---- Should the machine turn out otherwise

Asked ask_robust(const Scenario& plan, const AskOptions& o, std::stop_token stop, const Progress& progress) {
    Asked a;
    a.headings = {phrase("Machine"), phrase("Best layout there"), phrase("Step there"), phrase("The winner there"),
                  phrase("Verdict")};
    a.numbers = {2, 3};
    SearchOptions options = one_best(o);
    options.with_plan = true;
    const Sensitivity found = sensitivity(plan, common_space(plan), options, stop, progress);
    if (stop.stop_requested()) return a;
    if (!found.winner) {
        a.says.push_back(phrase("No layout fits."));
        return a;
    }
    a.rows.push_back({{phrase("as it is"), with_doubt(say_layout(found.winner->layout), found.winner->verdict()),
                       say(found.winner->step), say(found.winner->step), phrase("the winner")},
                      with_layout(plan, found.winner->layout)});
    int stays = 0;
    for (const Turn& t : found.turns) {
        const bool same = t.stays(found.winner->layout);
        stays += same;
        AskedRow row{{phrase("{1} x {2}", phrase(t.what), fixed(t.factor, 2)),
                      t.best ? with_doubt(say_layout(t.best->layout), t.best->verdict()) : phrase("none fits"),
                      t.best ? say(t.best->step) : "",
                      t.present ? with_doubt(say(*t.present), t.verdict) : say(t.verdict),
                      same ? phrase("stays the best") : t.best ? phrase("another wins") : ""}};
        if (t.best && !same) row.plan = with_layout(plan, t.best->layout);
        a.rows.push_back(std::move(row));
    }
    a.says.push_back(stays == int(found.turns.size())
                         ? phrase("The same layout wins on all {1} machines that were tried.", found.turns.size())
                         : phrase("The same layout wins on {1} of {2} machines that were tried.", stays,
                                  found.turns.size()));
    note_power(a, o);
    return a;
}

}  // namespace plimsoll::asking

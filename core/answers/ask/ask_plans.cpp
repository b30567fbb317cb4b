// Other models, batches, ZeRO stages and pipeline schedules for the same run.
#include "core/answers/ask/ask_parts.h"

#include "core/answers/campaign/critical_batch.h"
#include "core/answers/search/largest.h"
#include "core/answers/search/remedies.h"
#include "core/values/basics/phrase.h"
#include "core/values/knobs/knobs.h"
#include "core/values/knobs/wording.h"
#include "core/values/plan/schedules.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::asking {

// ---- The largest model

namespace {

constexpr Seconds longest_worthwhile = 10 * 365.25 * day;

// On twenty tokens for each parameter, at the rate of the plan that holds it; tuned, on the plan's own.
Seconds time_to_train(const LargestModel& m) {
    Scenario s = m.scenario;
    if (!tunes(s.method)) set_tokens(s.recipe, 20 * active_parameters(s.model));
    return headline(s, m.estimate).run;
}

}  // namespace

Asked ask_largest(const Scenario& plan, const AskOptions& o, std::stop_token stop, const Progress& progress) {
    Asked a;
    a.headings = {phrase("How"), phrase("Parameters"), phrase("Layers"), phrase("Host memory"), phrase("Drives"),
                  phrase("Per device")};
    a.numbers = {1, 2, 3, 4};
    const auto all = largest_models(plan, o.devices, stop, progress);
    if (stop.stop_requested()) return a;
    const LargestModel *most = nullptr, *useful = nullptr;
    for (const LargestModel& m : all) {
        const std::string how = phrase(m.strategy);
        if (!m.obstacles.empty()) {
            a.rows.push_back({{how, "-", "", "", "", say(m.obstacles.front())}});
            continue;
        }
        if (m.layers == 0) {
            a.rows.push_back({{how, phrase("none"), "", "", "", say_none_fits(m)}});
            continue;
        }
        if (!most || m.parameters > most->parameters) most = &m;
        const bool worthwhile = time_to_train(m) <= longest_worthwhile;
        if (worthwhile && (!useful || m.parameters > useful->parameters)) useful = &m;
        a.rows.push_back({{how, count_of(m.parameters), std::to_string(m.layers), say(m.estimate.host.use.total()),
                           say(m.estimate.nvme.use.total()), say(headline(m.scenario, m.estimate).per_device)},
                          sourced(m.scenario, plan)});
    }
    const int devices = o.devices > 0 ? o.devices : plan.machine.devices_per_node;
    const std::string where = phrase("{1} of {2}", numbered(devices, "device", "devices"), plan.machine.name);
    const bool tuned = tunes(plan.method);
    if (tuned && useful)
        a.says.push_back(phrase("With {1}, {2} parameters are tuned on the plan's tokens in {3}: {4}.", where,
                                count_of(useful->parameters), say(time_to_train(*useful)), phrase(useful->strategy)));
    else if (useful)
        a.says.push_back(phrase("With {1}, {2} parameters train on twenty tokens each in {3}: {4}.", where,
                                count_of(useful->parameters), say(time_to_train(*useful)), phrase(useful->strategy)));
    if (tuned && most && most != useful)
        a.says.push_back(phrase("The most that {1} hold is {2} parameters, tuned on the plan's tokens in {3}: {4}.",
                                where, count_of(most->parameters), say(time_to_train(*most)),
                                phrase(most->strategy)));
    else if (most && most != useful)
        a.says.push_back(phrase("The most that {1} hold is {2} parameters, and twenty tokens for each take {3}: {4}.",
                                where, count_of(most->parameters), say(time_to_train(*most)),
                                phrase(most->strategy)));
    if (!most) a.says.push_back(phrase("{1} hold not one layer of this width.", where));
    a.notes.push_back(phrase("Layers of the plan's width are added until the next does not fit; micro-batch 1, full "
                             "recomputation, one sequence for each replica. A budget in node-hours or energy is a "
                             "question for the page Goal."));
    return a;
}

// ---- The batch

namespace {

constexpr double costs_much = 0.2;   // more tokens: the measure of Zhang et al.

// "6 %" or "6 to 8 %".
std::string between(double a, double b) {
    const std::string low = fixed(100 * std::min(a, b), 1), high = fixed(100 * std::max(a, b), 1);
    return low == high ? phrase("{1} %", low) : phrase("{1} to {2} %", low, high);
}

struct BatchRange {
    double low, high;   // extra tokens
};
BatchRange extra_of(const std::vector<CriticalBatch>& laws, double batch) {
    BatchRange r{1e300, 0};
    for (const CriticalBatch& c : laws) {
        r.low = std::min(r.low, extra_tokens(batch, c.tokens));
        r.high = std::max(r.high, extra_tokens(batch, c.tokens));
    }
    return r;
}

void add_batch_row(Asked& a, const Scenario& plan, const std::vector<CriticalBatch>& laws, double factor,
                   const AskOptions& o) {
    const double sequences = plan.recipe.global_batch_sequences * factor;
    if (sequences < 1 || sequences != std::floor(sequences)) return;
    const auto turned = with(plan, *find_knob("recipe.global_batch_sequences"), sequences);
    if (!turned) return;
    Scenario s = *turned;
    const double now = tokens_of_step(plan.recipe), batch = tokens_of_step(s.recipe);
    if (!laws.empty() && factor != 1)
        set_tokens(s.recipe, tokens_with_batch(tokens_of_run(plan.recipe), now, batch, laws.front().tokens));
    const Outcome e = estimate(s);
    if (!e) return;
    const Headline h = headline(s, *e);
    const Totals t = totals(s, h, o.counting);
    const BatchRange extra = extra_of(laws, batch);
    a.rows.push_back({{factor == 1 ? phrase("{1}, the plan", count_of(sequences)) : count_of(sequences),
                       count_of(batch), laws.empty() ? phrase("unknown") : between(extra.low, extra.high),
                       count_of(tokens_of_run(s.recipe)), count_of(h.steps), say(h.step), time_of(s, *e, o.counting),
                       hours_of(t, s.machine, o), memory_of(*e)},
                      factor == 1 ? std::nullopt : std::optional(std::move(s))});
}

}  // namespace

Asked ask_batch(const Scenario& plan, const AskOptions& o) {
    if (auto none = cannot(estimate(plan))) return *std::move(none);
    Asked a;
    a.headings = {phrase("Sequences"), phrase("Tokens in a batch"), phrase("Extra tokens"), phrase("Tokens"),
                  phrase("Steps"), phrase("Step"), phrase("Time to train"), hours_heading(plan.machine, o),
                  phrase("Memory")};
    a.numbers = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    const auto laws = critical_batches(plan);
    const double batch = tokens_of_step(plan.recipe);
    if (laws.empty()) {
        a.says.push_back(no_critical_batch(plan));
        a.notes.push_back(phrase("All rows read the plan's tokens; which of them reach the same loss is not known."));
    } else {
        const BatchRange extra = extra_of(laws, batch);
        a.says.push_back(phrase("The batch of {1} tokens costs {2} more tokens than many small steps would for the "
                                "same loss.",
                                count_of(batch), between(extra.low, extra.high)));
        a.says.push_back(extra.low > 1 ? phrase("It is beyond the critical batch: more than half of the tokens are the "
                                                "price of its size.")
                         : extra.high > costs_much ? phrase("It is large: fewer nodes or a smaller batch would train "
                                                            "with fewer tokens, in more time.")
                                                   : phrase("It is not too large."));
        for (const CriticalBatch& c : laws) {
            std::string law = phrase("Critical batch by {1}: {2} tokens; fitted on dense models of up to {3} "
                                     "parameters with Adam",
                                     c.source, count_of(c.tokens), count_of(c.largest_seen));
            a.notes.push_back(c.extrapolated
                                  ? phrase("{1}. The plan's {2} lie beyond: extrapolated.", law,
                                           count_of(parameters(plan.model)))
                                  : law + '.');
        }
        a.notes.push_back(phrase("Tokens of other batches are those that reach the same loss, with a learning rate "
                                 "that suits each (McCandlish et al. 2018: tokens grow as 1 + batch / critical "
                                 "batch)."));
    }
    for (const double factor : {0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0}) add_batch_row(a, plan, laws, factor, o);
    return a;
}

// ---- ZeRO stages

namespace {

std::string memory_change(const MemoryUse& from, const MemoryUse& to) {
    std::string text;
    for (const auto& part : memory_parts) {
        const Bytes a = from.*part.value, b = to.*part.value;
        if (max(a - b, b - a) < 0.005 * gibibyte) continue;
        text += (text.empty() ? "" : ", ")
              + (b > a ? phrase("{1} {2} more", phrase(part.label), say(b - a))
                       : phrase("{1} {2} less", phrase(part.label), say(a - b)));
    }
    return text;
}

}  // namespace

// ---- Less memory

namespace {

AskedRow row_of_change(const std::string& name, const Scenario& s, const Estimate& e, const MemoryUse* from) {
    const Headline h = headline(s, e);
    return {{name, memory_of(e), say(h.step), count_of(h.tokens_per_second / (token / second)),
             from ? memory_change(*from, e.worst()) : std::string()}};
}

// The names of the first few changes.
std::string some_names(const std::vector<const Remedy*>& all) {
    constexpr std::size_t most = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, all.size()); ++i) text += (i == 0 ? "" : "; ") + all[i]->name;
    return text;
}

}  // namespace

Asked ask_memory(const Scenario& plan, const AskOptions& o, std::stop_token stop) {
    const Outcome here = estimate(plan);
    if (auto none = cannot(here)) return *none;
    Asked a;
    a.headings = {phrase("Change"), phrase("Memory"), phrase("Step"), phrase("Tokens/s"), phrase("What it brings")};
    a.numbers = {1, 2, 3};
    const std::vector<Remedy> singles = savings(plan), found = remedies(plan, 8, o.headroom, stop);
    a.rows.push_back(row_of_change(phrase("As it stands"), plan, *here, nullptr));
    std::vector<const Remedy*> shown, enough;
    const auto show = [&](const Remedy& r) {
        const auto same = [&](const Remedy* other) { return other->scenario == r.scenario; };
        if (std::ranges::any_of(shown, same)) return;
        shown.push_back(&r);
        a.rows.push_back(row_of_change(r.name, r.scenario, r.estimate, &here->worst()));
        a.rows.back().plan = r.scenario;
    };
    for (const Remedy& r : found) show(r);
    for (const Remedy& r : singles) show(r);
    for (const Remedy& r : found)
        if (r.verdict() == FitVerdict::fits) enough.push_back(&r);
    const std::string of = phrase("{1} of {2}", say(here->worst().total()), say(here->memory_limit));
    switch (fit_verdict(*here)) {
        case FitVerdict::fits: a.says.push_back(phrase("The plan fits: {1}.", of)); break;
        case FitVerdict::may_not_fit: a.says.push_back(phrase("The plan may not fit: {1}.", of)); break;
        case FitVerdict::does_not_fit: a.says.push_back(phrase("The plan does not fit: {1}.", of)); break;
    }
    if (!enough.empty()) a.says.push_back(phrase("It surely fits with: {1}.", some_names(enough)));
    else if (fit_verdict(*here) != FitVerdict::fits) a.says.push_back(phrase("No change that was tried surely fits."));
    a.notes.push_back(phrase("First what makes it fit, fastest in front; then each other change by itself, least "
                             "memory first. Memory is that of the fullest stage."));
    return a;
}

// ---- ZeRO stages, one after the other

Asked ask_zero(const Scenario& plan, const AskOptions& o) {
    Asked a;
    std::vector<std::pair<Scenario, Estimate>> stages;
    std::vector<int> numbers;
    Sentences refused;
    for (int stage = 0; stage <= 3; ++stage) {
        const auto turned = with(plan, *find_knob("layout.zero_stage"), stage);
        const Outcome e = turned ? estimate(*turned) : Outcome(Unexpected{std::vector<Obstacle>{turned.error()}});
        if (e) {
            stages.emplace_back(*turned, *e);
            numbers.push_back(stage);
        } else {
            refused.push_back(phrase("ZeRO {1}: {2}", stage, say(e.error().front())));
        }
    }
    a.headings = {phrase("ZeRO stage")};
    std::vector<const Part<MemoryUse, Bytes>*> shown;
    for (const auto& part : memory_parts)
        if (std::any_of(stages.begin(), stages.end(),
                        [&](const auto& s) { return s.second.worst().*part.value > Bytes{}; }))
            shown.push_back(&part);
    for (const auto* part : shown) a.headings.push_back(phrase(part->label));
    for (const char* each : {"Memory in all", "Step", "Time to train"}) a.headings.push_back(phrase(each));
    for (int c = 1; c < int(a.headings.size()); ++c) a.numbers.insert(c);
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const auto& [s, e] = stages[i];
        const bool here = numbers[i] == plan.layout.zero_stage;
        AskedRow row{{here ? phrase("{1}, the plan", numbers[i]) : std::to_string(numbers[i])}};
        for (const auto* part : shown) row.cells.push_back(say(e.worst().*part->value));
        row.cells.push_back(memory_of(e));
        row.cells.push_back(say(e.step.total()));
        row.cells.push_back(time_of(s, e, o.counting));
        if (!here) row.plan = s;
        a.rows.push_back(std::move(row));
    }
    for (std::size_t i = 1; i < stages.size(); ++i) {
        const MemoryUse &from = stages[i - 1].second.worst(), &to = stages[i].second.worst();
        const std::string change = memory_change(from, to);
        if (change.empty())
            a.says.push_back(phrase("ZeRO {1} needs as much memory as {2}.", numbers[i], numbers[i - 1]));
        else
            a.says.push_back(to.total() > from.total() ? phrase("ZeRO {1} needs more memory than {2}: {3}.", numbers[i],
                                                                numbers[i - 1], change)
                                                       : phrase("ZeRO {1} needs less memory than {2}: {3}.", numbers[i],
                                                                numbers[i - 1], change));
    }
    if (stages.empty()) a.says.push_back(phrase("The plan cannot be computed with any ZeRO stage."));
    a.notes = std::move(refused);
    if (plan.layout.data_parallel == 1)
        a.notes.push_back(phrase("With one replica there is nobody to share states with."));
    a.notes.push_back(phrase("Memory is that of the fullest stage, part by part."));
    return a;
}

// ---- Pipeline schedules

Asked ask_schedules(const Scenario& plan, const AskOptions& o) {
    Asked a;
    if (plan.layout.pipeline_parallel == 1) {
        a.says.push_back(phrase("The plan has one pipeline stage: without a pipeline all schedules are the same."));
        return a;
    }
    a.headings = {phrase("Schedule"), phrase("Chunks of a stage"), phrase("Step"), phrase("Bubble"),
                  phrase("Transfers"), phrase("Activations"), phrase("Memory in all"), phrase("Time to train")};
    a.numbers = {1, 2, 3, 4, 5, 6, 7};
    struct Shortest {
        std::string name;
        Seconds step;
        bool here = true;
    };
    std::optional<Shortest> shortest;
    std::optional<Seconds> own;
    const Knob& knob = *find_knob("layout.schedule");
    for (int i = 0; i < int(std::size(schedule_kinds)); ++i) {
        const bool here = Schedule(i) == plan.layout.schedule;
        const auto turned = here ? Expected<Scenario, Obstacle>(plan) : with(plan, knob, i);
        const Outcome e = turned ? estimate(*turned) : Outcome(Unexpected{std::vector<Obstacle>{turned.error()}});
        const std::string name(schedule_kinds[i].name);
        if (!e) {
            a.notes.push_back(phrase("{1}: {2}", name, say(e.error().front())));
            continue;
        }
        const Seconds step = e->step.total();
        if (here) own = step;
        if (e->fits() && (!shortest || step < shortest->step)) shortest = {name, step, here};
        a.rows.push_back({{here ? phrase("{1}, the plan", name) : name,
                           std::to_string(turned->layout.virtual_stages), say(step),
                           phrase("{1} %", fixed(100 * (e->step.bubble / step), 1)), say(e->step.pipeline_transfer),
                           say(e->worst().activations), memory_of(*e), time_of(*turned, *e, o.counting)},
                          here ? std::nullopt : std::optional(*turned)});
    }
    if (!shortest)
        a.says.push_back(phrase("The plan fits with none of the schedules that its software has."));
    else if (shortest->here)
        a.says.push_back(phrase("No other schedule that fits has a shorter step than the plan's {1}.", shortest->name));
    else if (own && shortest->step < *own)
        a.says.push_back(phrase("Of the schedules that fit, {1} has the shortest step: {2} % less time than the "
                                "plan's.",
                                shortest->name, fixed(100 * (1 - shortest->step / *own), 1)));
    else
        a.says.push_back(phrase("Of the schedules that fit, {1} has the shortest step.", shortest->name));
    a.notes.push_back(phrase("Every schedule has the plan's stages; those with chunks have the plan's number of them "
                             "where they can, else two. Memory is that of the fullest stage."));
    return a;
}

}  // namespace plimsoll::asking

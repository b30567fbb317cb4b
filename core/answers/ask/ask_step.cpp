// The step under a magnifying glass: what batches do to the MFU, and which part a measured step leaves open.
#include "core/answers/ask/ask_parts.h"

#include "core/values/basics/phrase.h"
#include "core/values/knobs/knobs.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::asking {

// ---- Batches and the MFU

namespace {

struct SweptPlan {
    Scenario plan;
    Estimate estimate;
    double value = 0, mfu = 0;
};

// The plan with this knob at so many times its value, wherever that can be computed.
std::vector<SweptPlan> swept(const Scenario& plan, const char* knob, std::initializer_list<double> factors) {
    std::vector<SweptPlan> all;
    const Knob& k = *find_knob(knob);
    for (const double factor : factors) {
        const double value = k.get(plan) * factor;
        if (value < 1 || value != std::floor(value)) continue;
        const auto turned = with(plan, k, value);
        if (!turned) continue;
        Outcome e = estimate(*turned);
        if (!e) continue;
        const double mfu = headline(*turned, *e).mfu;
        all.push_back({*turned, *std::move(e), value, mfu});
    }
    return all;
}

void add_swept(Asked& a, const Scenario& plan, const std::vector<SweptPlan>& all, const std::string& what, double own) {
    for (const SweptPlan& s : all) {
        const Headline h = headline(s.plan, s.estimate);
        const bool here = s.value == own;
        a.rows.push_back({{what, here ? phrase("{1}, the plan", count_of(s.value)) : count_of(s.value),
                           percent(s.mfu), say(h.step), count_of(h.tokens_per_second / (token / second)),
                           percent(s.estimate.step.bubble / s.estimate.step.total()), memory_of(s.estimate)},
                          here || s.plan == plan ? std::nullopt : std::optional(s.plan)});
    }
}

// The plan and the next larger value; nothing where there is none.
struct StepUp {
    SweptPlan here, next;
    int sign = 0;            // of the change in MFU, to the digits that are shown
    std::string from, to, own, larger;
};
std::optional<StepUp> step_up(const std::vector<SweptPlan>& all, double own) {
    const auto here = std::ranges::find(all, own, &SweptPlan::value);
    if (here == all.end() || here + 1 == all.end()) return std::nullopt;
    StepUp s{*here, *(here + 1), 0, percent(here->mfu), percent((here + 1)->mfu), count_of(own),
             count_of((here + 1)->value)};
    if (s.from != s.to) s.sign = s.next.mfu > s.here.mfu ? 1 : -1;
    return s;
}

void say_batch(Asked& a, const StepUp& s) {
    a.says.push_back(
        s.sign > 0 ? phrase("Yes: with a global batch of {2} instead of {1} the MFU rises from {3} to {4}.", s.own,
                            s.larger, s.from, s.to)
        : s.sign < 0 ? phrase("No: with a global batch of {2} instead of {1} the MFU falls from {3} to {4}.", s.own,
                              s.larger, s.from, s.to)
                     : phrase("No: with a global batch of {2} instead of {1} the MFU stays at {3}.", s.own, s.larger,
                              s.from));
}

void say_micro_batch(Asked& a, const StepUp& s) {
    a.says.push_back(s.sign > 0 ? phrase("With a micro-batch of {2} instead of {1} it rises from {3} to {4}.", s.own,
                                         s.larger, s.from, s.to)
                     : s.sign < 0 ? phrase("With a micro-batch of {2} instead of {1} it falls from {3} to {4}.", s.own,
                                           s.larger, s.from, s.to)
                                  : phrase("With a micro-batch of {2} instead of {1} it stays at {3}.", s.own, s.larger,
                                           s.from));
    const FitVerdict verdict = fit_verdict(s.next.estimate);
    if (fit_verdict(s.here.estimate) < verdict)
        a.says.push_back(verdict == FitVerdict::may_not_fit ? phrase("That micro-batch may not fit in memory.")
                                                            : phrase("That micro-batch does not fit in memory."));
}

}  // namespace

Asked ask_sweep(const Scenario& plan, const AskOptions&) {
    if (auto none = cannot(estimate(plan))) return *std::move(none);
    Asked a;
    a.headings = {phrase("What"), phrase("Sequences"), phrase("MFU"), phrase("Step"), phrase("Tokens per second"),
                  phrase("Pipeline bubble"), phrase("Memory")};
    a.numbers = {1, 2, 3, 4, 5, 6};
    const double batch = plan.recipe.global_batch_sequences, micro = plan.layout.micro_batch;
    const auto batches = swept(plan, "recipe.global_batch_sequences", {0.125, 0.25, 0.5, 1, 2, 4, 8});
    const auto micros = swept(plan, "layout.micro_batch", {0.25, 0.5, 1, 2, 4, 8});
    add_swept(a, plan, batches, phrase("Global batch"), batch);
    add_swept(a, plan, micros, phrase("Micro-batch"), micro);
    if (const auto up = step_up(batches, batch)) say_batch(a, *up);
    if (const auto up = step_up(micros, micro)) say_micro_batch(a, *up);
    if (a.says.empty()) a.says.push_back(phrase("No larger batch can be computed with this layout."));
    Figure f;
    f.id = "mfu-vs-batch";
    f.title = "Model FLOP utilisation over the global batch";
    f.x = {"Global batch", "sequences", true};
    f.y = {"Model FLOP utilisation", "%"};
    Series line{"mfu", "Model FLOP utilisation", Mark::line, {}, {}, {}};
    for (const SweptPlan& s : batches) {
        line.x.push_back(s.value);
        line.y.push_back(100 * s.mfu);
        line.fits.push_back(s.estimate.fits());
    }
    f.series.push_back(std::move(line));
    f.here_x = batch;
    f.caption = "The plan's model FLOP utilisation with other global batches, all else as it stands.";
    a.figure = std::move(f);
    a.notes.push_back(phrase("All else stays as it is, the layout too. What a larger batch costs in tokens for the "
                             "same loss is the question \"Is the batch too large?\"."));
    return a;
}

// ---- A measured step against the parts of the predicted one

namespace {

std::string say_gap(Seconds predicted, Seconds measured, double likely) {
    const double off = measured / predicted - 1;
    const std::string m = say(measured), p = say(predicted), by = percent(std::abs(off));
    const std::string sentence =
        off > 0 ? phrase("Measured: {1}. Predicted: {2}. The measured step takes {3} longer.", m, p, by)
                : phrase("Measured: {1}. Predicted: {2}. The measured step takes {3} less.", m, p, by);
    if (likely <= 0) return sentence;
    const bool inside = off < likely && off > 1 / (1 + likely) - 1;
    return inside ? phrase("{1} That is within the likely range of {2}: the difference may mean nothing.", sentence,
                           percent(likely))
                  : phrase("{1} That is beyond the likely range of {2}.", sentence, percent(likely));
}

}  // namespace

Asked ask_gap(const Scenario& plan, const AskOptions& o) {
    const Outcome e = estimate(plan);
    if (auto none = cannot(e)) return *std::move(none);
    Asked a;
    a.headings = {phrase("Part of the step"), phrase("Predicted"), phrase("Share"),
                  phrase("What it alone would have to be"), phrase("Times the prediction")};
    a.numbers = {1, 2, 3, 4};
    const Seconds total = e->step.total(), gap = o.measured_step - total;
    const bool asked = o.measured_step > Seconds{};
    std::vector<std::pair<Seconds, std::string>> parts;
    for (const auto& part : step_parts)
        if (e->step.*part.value > Seconds{}) parts.emplace_back(e->step.*part.value, phrase(part.label));
    std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::string> possible;
    for (const auto& [predicted, label] : parts) {
        AskedRow row{{label, say(predicted), percent(predicted / total), "", ""}};
        const Seconds alone = predicted + gap;
        if (asked && alone < Seconds{}) {
            row.cells[3] = phrase("cannot: it is shorter than the difference");
        } else if (asked) {
            row.cells[3] = say(alone);
            row.cells[4] = fixed(alone / predicted, 2);
            if (alone < believable_factor * predicted && believable_factor * alone > predicted)
                possible.push_back(label);
        }
        a.rows.push_back(std::move(row));
    }
    if (!asked) {
        a.says.push_back(phrase("State the step that you measured: each part is held against it."));
        return a;
    }
    a.says.push_back(say_gap(total, o.measured_step, o.likely_range));
    a.says.push_back(possible.empty()
                         ? phrase("No single part explains it by being off by less than a factor of {1}: several are "
                                  "off, or something that is not in the step, as data loading.",
                                  fixed(believable_factor, 0))
                         : phrase("Parts that explain it alone by being off by less than a factor of {1}: {2}.",
                                  fixed(believable_factor, 0), joined(possible)));
    a.notes.push_back(phrase("One measured number cannot say which part is off; this says how far off each would be if "
                             "all the others were right. A profile of one step, or a second run that differs in one "
                             "degree, tells them apart."));
    return a;
}

}  // namespace plimsoll::asking

#include "core/answers/replan/replan_wording.h"

#include "core/answers/curves/figures.h"
#include "core/values/knobs/wording.h"
#include "core/answers/search/wording.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace plimsoll {

namespace {

std::string say_until_end(const Replan& r) {
    if (!r.best) return phrase("no layout fits");
    if (r.stays()) return phrase("the present layout stays the best");
    if (r.net() <= Seconds{}) return phrase("costs more than it saves");
    return phrase("saves {1}", say(r.net()));
}

std::string say_gain(Seconds gain) { return gain < Seconds{} ? phrase("loses {1}", say(-gain)) : say(gain); }

// The reading that promises most, should it be right.
const Replan& boldest(const std::vector<Replan>& all) {
    return *std::max_element(all.begin(), all.end(),
                             [](const Replan& a, const Replan& b) { return a.net() < b.net(); });
}

}  // namespace

std::string say_drift(const Drift& d) {
    return phrase("measured {1} a step ({2} to {3}, {4}), predicted {5}: {6}", say(d.measured), say(d.low), say(d.high),
                  numbered(d.steps, "step", "steps"), say(d.predicted), signed_percent(d.factor() - 1));
}

std::string say_verdict(const Drift& d, double share) {
    if (d.departs(share)) return {};
    const std::string amount = significant(100 * share, 3) + " %";
    if (std::abs(d.factor() - 1) <= share)
        return phrase("That is within {1}: the plan holds, nothing was searched.", amount);
    return phrase("But the steps differ so much that it may be within {1}: more of them would tell, nothing was "
                  "searched.",
                  amount);
}

std::vector<std::string> replan_headings() {
    return {phrase("should be"), phrase("best layout"),    phrase("its step"),   phrase("gain a step"),
            phrase("at worst"),  phrase("changing takes"), phrase("pays after"), phrase("until the end")};
}

std::vector<std::string> replan_cells(const Replan& r) {
    const bool pays = r.break_even() && !r.stays();
    return {phrase(r.reading),
            r.best ? with_doubt(say_layout(r.best->layout), r.best->verdict()) : phrase("none fits"),
            r.best ? say(r.best->step) : "",
            say(r.gain()),
            say_gain(r.least_gain),
            say(r.cost()),
            pays ? phrase("{1} steps", say_count(std::ceil(*r.break_even()))) : "",
            say_until_end(r)};
}

std::string say_at_worst() {
    return phrase("Only whole steps were measured, so where the difference comes from is not known: \"at worst\" is "
                  "the layout's gain should another row be right.\n"
                  "Columns named as the parts of a step (gemm, tensor_parallel, data_parallel, ...) would tell.");
}

std::optional<std::size_t> safest(const std::vector<Replan>& all) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].least_net() > (best ? all[*best].least_net() : Seconds{})) best = i;
    return best;
}

std::string say_advice(const std::vector<Replan>& all) {
    if (all.empty())
        return phrase("Neither the machine nor its software can be corrected so that the plan explains these steps: "
                      "nothing was searched.");
    if (const auto safe = safest(all)) {
        const Replan& r = all[*safe];
        const std::string to = say_layout(r.best->layout);
        if (all.size() == 1)
            return phrase("Change to {1}: until the end it saves {2}, stopping and starting included.", to,
                          say(r.net()));
        return phrase("Change to {1}: it saves at least {2} until the end, whichever reading of the measurements is "
                      "right.",
                      to, say(r.least_net()));
    }
    const Replan& bold = boldest(all);
    if (bold.net() > Seconds{})
        return phrase("Find out more before changing: the layout that saves most does so only if \"{1}\" is right, and "
                      "may cost more than it saves otherwise.",
                      phrase(bold.reading));
    const bool any = std::any_of(all.begin(), all.end(), [](const Replan& r) { return !r.stays(); });
    if (any)
        return phrase("Go on as it is: no other layout pays for stopping and starting in the steps that are left.");
    const bool fits = std::any_of(all.begin(), all.end(), [](const Replan& r) { return r.best.has_value(); });
    return fits ? phrase("Go on as it is: the present layout stays the best.")
                : phrase("No layout fits, the present one neither: the plan says what it lacks.");
}

namespace {

std::string around(double share) { return phrase("Within {1} % of it", significant(100 * share, 3)); }

}  // namespace

Figure drift_steps(const MeasuredSteps& m, const Drift& d, double share) {
    Figure f{"drift-steps", "Measured steps", {"Step of the file", ""}, {"Time of a step", ""}, {}, {}, 0, {}};
    if (d.steps == 0 || m.steps.empty()) return f;
    const auto unit = readable(max(d.predicted, *std::max_element(m.steps.begin(), m.steps.end())), step_units);
    f.y.unit = unit.name;
    Series points{"measured", "Measured", Mark::point, {}, {}, {}};
    // More points than a screen has pixels say no more: then each is the mean of some steps.
    constexpr std::size_t most_points = 5000;
    const std::size_t together = (m.steps.size() + most_points - 1) / most_points;
    for (std::size_t from = 0; from < m.steps.size(); from += together) {
        const std::size_t to = std::min(from + together, m.steps.size());
        const Seconds sum = std::accumulate(m.steps.begin() + long(from), m.steps.begin() + long(to), Seconds{});
        points.x.push_back(0.5 * double(from + 1 + to));
        points.y.push_back(sum / double(to - from) / unit.size);
        points.names.push_back(to - from > 1 ? phrase("Steps {1} to {2}", from + 1, to)
                                             : std::string("Step ").append(std::to_string(to)));
    }
    const double first = 1, last = double(m.steps.size()), predicted = d.predicted / unit.size,
                 median = d.measured / unit.size;
    f.series.push_back(std::move(points));
    f.series.push_back({"median", "Their median", Mark::ideal, {first, last}, {median, median}, {}});
    f.series.push_back({"predicted", "Predicted", Mark::limit, {}, {predicted}, {}});
    if (share > 0) {
        const double low = std::max(0.0, 1 - share) * predicted, high = (1 + share) * predicted;
        f.series.push_back({"near", around(share), Mark::band, {first, last}, {low, low}, {}, {high, high}});
    }
    f.caption = "Steps of a running job, " + say_drift(d) + ".";
    if (together > 1) f.caption += ' ' + phrase("Each point is the mean of {1} steps.", together);
    return f;
}

Figure drift_parts(const StepTime& measured, const StepTime& predicted) {
    const auto unit = readable(max(measured.total(), predicted.total()), step_units);
    Figure f{"drift-parts",
             "Parts of a step",
             {"Step", ""},
             {"Time of a step", unit.name},
             {"predicted", "measured"},
             {},
             0,
             {}};
    for (const auto& part : step_parts) {
        const Seconds p = predicted.*part.value, m = measured.*part.value;
        if (!(max(p, m) > Seconds{})) continue;
        f.series.push_back({std::string(part.id),
                            std::string(part.label),
                            Mark::stacked_bar,
                            {0, 1},
                            {p / unit.size, m / unit.size},
                            {}});
    }
    f.caption = "Parts of the prediction's step beside those of the median step measured.";
    return f;
}

}  // namespace plimsoll

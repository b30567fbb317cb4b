// What whole steps of the layouts that fit say beyond the benches: three factors
// with a prior of 1 +- 0.15, and the elementwise traffic of the software.
#include "core/evidence/calibration/fit/workbench.h"
#include "core/evidence/fitting/least_squares.h"
#include "core/answers/plan/estimate.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::fitting {

namespace {

struct Fitted {
    const PlannedRun* run;
    StepSummary measured;
    StepTime predicted;
};

std::vector<Fitted> fitted_runs(Workbench& w, const Measurements& m) {
    std::vector<Fitted> all;
    for (const PlannedRun& run : w.plan.runs) {
        if (run.role != Role::fit || !run.fair) continue;
        for (const TrainingRun& ran : m.runs) {
            if (ran.id != run.id) continue;
            const StepSummary measured = summary_of(ran);
            const Outcome e = estimate(plan_with(w.so_far, run));
            if (measured.steps == 0 || !e) continue;
            if (measured.disturbed())
                w.so_far.cautions.push_back((measured.contended ? "Other programs took processor time while \""
                                                                : "Something disturbed the steps of \"")
                                            + run.label
                                            + (measured.contended
                                                   ? "\" ran: it was left out of the fit."
                                                   : "\", which differ too much: it was left out of the fit."));
            else all.push_back({&run, measured, e->step});
        }
    }
    return all;
}

// Elementwise operators are too many and too small for benches of each: their share of measured steps tells the
// traffic.
void fit_elementwise(Workbench& w, const std::vector<Fitted>& runs) {
    double measured = 0, predicted = 0, least = 1e9, most = 0;
    for (const Fitted& f : runs) {
        const double in_run = f.measured.parts.elementwise / second, in_model = f.predicted.elementwise / second;
        if (in_run <= 0 || in_model <= 0) continue;
        measured += in_run;
        predicted += in_model;
        least = std::min(least, in_run / in_model);
        most = std::max(most, in_run / in_model);
    }
    if (predicted <= 0 || measured <= 0) return;
    double& factor = w.so_far.stack.elementwise_factor;
    const double before = factor;
    factor = rounded(before * measured / predicted);
    w.note("stack/elementwise_factor", "steps", before, factor, rounded(before * least), rounded(before * most));
}

// Ranks that meet in every layer wait for the slower one besides: benches of collectives cannot know, steps do.
void fit_meeting(Workbench& w, const std::vector<Fitted>& runs) {
    constexpr double most = 10;   // as much as a preset takes
    double measured = 0, predicted = 0;
    for (const Fitted& f : runs) {
        if (f.run->plan.layout.tensor_parallel < 2 || f.predicted.tensor_parallel <= Seconds{}) continue;
        measured += f.measured.parts.tensor_parallel / second;
        predicted += f.predicted.tensor_parallel / second;
    }
    if (measured <= 0 || predicted <= 0) return;
    double& exposed = w.so_far.stack.tensor_exposed;
    const double before = exposed, ratio = measured / predicted;
    exposed = rounded(std::clamp(before * ratio, 0.0, most));
    constexpr double from_run_to_run = 1.4;   // what two runs of one layout were seen to differ by
    w.note("stack/tensor_exposed", "steps", before, exposed, rounded(exposed / from_run_to_run),
           rounded(exposed * from_run_to_run));
}

// The constants' notes follow: value and interval as they are now, the interval wider by what the factor is unsure of.
void follow(Workbench& w, const StepFactors& k) {
    for (MeasuredConstant& c : w.so_far.constants) {
        double factor = 1, sd = 0;
        const bool of_level = c.pointer.starts_with("/levels/");
        if (c.pointer.ends_with("/gemm_ceiling") || c.pointer.ends_with("/flash_forward")
            || c.pointer.ends_with("/flash_backward")) {
            factor = 1 / k.compute;
            sd = k.compute_sd;
        } else if (of_level && c.pointer.ends_with("_us")) {
            factor = k.network;
            sd = k.network_sd;
        } else if (of_level && (c.pointer.ends_with("/efficiency") || c.pointer.ends_with("_GBps"))) {
            factor = 1 / k.network;
            sd = k.network_sd;
        } else if (c.pointer == "stack/elementwise_factor" || c.pointer == "stack/optimizer_bytes") {
            factor = k.rest;
            sd = k.rest_sd;
        }
        if (sd == 0) continue;
        const auto away = [&](double bound) {
            return bound > 0 && c.value > 0 ? std::hypot(std::log(bound / c.value), 1.96 * sd) : 1.96 * sd;
        };
        const double low = away(c.low), high = away(c.high);
        c.value = rounded(c.value * factor);
        c.low = rounded(c.value * std::exp(-low));
        c.high = rounded(c.value * std::exp(high));
    }
}

void fit_factors(Workbench& w, const std::vector<Fitted>& runs) {
    constexpr double prior_width = 0.15, noise = 0.02, delta = 0.06, lowest = 0.7, highest = 1.5;
    std::vector<double> measured;
    for (const Fitted& f : runs) measured.push_back(f.measured.median / second);
    const auto curve = [&](std::span<const double> v) {
        std::vector<double> t;
        for (const Fitted& f : runs) {
            const StepGroups g = groups_of(f.predicted);
            t.push_back(v[0] * g.compute + v[1] * g.network + v[2] * g.rest);
        }
        return t;
    };
    // A device whose neighbours are idle has more memory bandwidth and clock than it will have: it says less about the
    // others.
    std::vector<double> weight;
    for (const Fitted& f : runs)
        weight.push_back(std::min(1.0, std::pow(double(f.run->ranks) / w.plan.machine.devices_per_node, 2)));
    const std::vector<CurveParameter> priors(3, {1, prior_width, 0.2, 5});
    const CurveFit fit = fit_curve(measured, priors, curve, weight, noise, delta);
    const auto sd = [&](std::size_t i) { return std::log(fit.high[i] / fit.low[i]) / 2 / 1.96; };
    w.so_far.factors = {fit.values[0], fit.values[1], fit.values[2], sd(0), sd(1), sd(2)};
    const StepFactors& k = w.so_far.factors;
    scale(w.so_far.machine, w.so_far.stack, k);
    follow(w, k);
    const std::pair<const char*, double> named[] = {
        {"computation", k.compute}, {"communication", k.network}, {"the rest", k.rest}};
    for (const auto& [what, factor] : named)
        if (factor < lowest || factor > highest)
            w.so_far.cautions.push_back(
                std::string("Steps take ") + percent(factor, 0) + " of what the benches say for " + what
                + ": the model does not explain this machine, and what follows is not calibrated but scaled.");
    Experiment shown{"steps", "Steps of the layouts that fit", "seconds", {}, 0};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const StepSummary& s = runs[i].measured;
        shown.points.push_back(
            {runs[i].run->label, s.median / second, s.median, s.low, s.high, fit.curve[i] * second, s.disturbed()});
    }
    // Steps differ from each other and from run to run: no prediction is better than that.
    constexpr double least_spread = 0.03;
    w.so_far.spread = std::max(least_spread, fit.scatter);
    w.note(std::move(shown));
}

}  // namespace

void fit_steps(Workbench& w, const Measurements& m) {
    auto runs = fitted_runs(w, m);
    if (runs.empty()) return;
    fit_elementwise(w, runs);
    fit_meeting(w, runs);
    for (Fitted& f : runs) f.predicted = estimate(plan_with(w.so_far, *f.run))->step;
    fit_factors(w, runs);
}

}  // namespace plimsoll::fitting

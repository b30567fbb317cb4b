// What whole steps of the layouts that fit say beyond the benches: three ratios of phases (elementwise traffic, the
// waits of tensor ranks, those of ranks that gather shards), three factors on whole steps with a prior of 1 +- 0.15,
// and how far all of it may be off.
#include "core/evidence/calibration/fit/workbench.h"
#include "core/evidence/fitting/least_squares.h"
#include "core/answers/plan/estimate.h"
#include "core/costs/kernels/data_parallel.h"
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

// What two runs of one layout were seen to differ by, in a phase where ranks wait for each other: a ratio.
constexpr double wait_from_run_to_run = 1.4;
const double wait_deviation = std::log(wait_from_run_to_run) / 1.96;
// A device whose neighbours are idle has more memory bandwidth and a higher clock than it will have: so far off is a
// step of one rank on a node of many (standard deviation of its logarithm).
constexpr double idle_neighbours = 0.08;
constexpr double prior_width = 0.15;   // of the factors on whole steps

double alone_deviation(const PlannedRun& run, const Machine& node) {
    return idle_neighbours * std::max(0.0, 1 - double(run.ranks) / node.devices_per_node);
}

std::vector<Fitted> fitted_runs(Workbench& w, const Measurements& m) {
    std::vector<Fitted> all;
    for (const PlannedRun& run : w.plan.runs) {
        if (run.role != Role::fit || !run.fair || !run.repeats.empty()) continue;
        Visits visits;
        for (const PlannedRun* visit : w.plan.visits_of(run))
            for (const TrainingRun& ran : m.runs)
                if (ran.id == visit->id) visits.push_back(&ran);
        const StepSummary measured = summary_of(visits);
        const Outcome e = estimate(plan_with(w.so_far, run));
        if (measured.steps == 0 || !e) continue;
        if (measured.disturbed())
            w.so_far.cautions.push_back(
                (measured.contended ? "Other programs took processor time while \""
                                    : "Something disturbed the steps of \"")
                + run.label
                + (measured.contended ? "\" ran: it was left out of the fit."
                                      : "\", which differ too much: it was left out of the fit."));
        else all.push_back({&run, measured, e->step});
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
    double& factor = w.so_far.stack.kernels.elementwise_factor;
    const double before = factor;
    factor = rounded(before * measured / predicted);
    w.note("stack/elementwise_factor", "steps", before, factor, rounded(before * least), rounded(before * most));
    w.leave_open("stack/elementwise_factor", least, most);
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
    double& exposed = w.so_far.stack.tensor.exposed;
    const double before = exposed, ratio = measured / predicted;
    exposed = rounded(std::clamp(before * ratio, 0.0, most));
    w.note("stack/tensor_exposed", "steps", before, exposed, rounded(exposed / wait_from_run_to_run),
           rounded(exposed * wait_from_run_to_run));
    w.so_far.open.push_back({{{"stack/tensor_exposed", wait_deviation}}});
}

// A constant that a bench told and steps correct: its interval keeps its width and what the steps are unsure of.
void revise(Workbench& w, const std::string& pointer, double factor, double deviation) {
    for (MeasuredConstant& c : w.so_far.constants) {
        if (c.pointer != pointer || c.value <= 0) continue;
        const double below = c.low > 0 ? std::log(c.value / c.low) : 0, above = std::log(c.high / c.value);
        c.value = rounded(c.value * factor);
        c.low = rounded(c.value * std::exp(-std::hypot(below, 1.96 * deviation)));
        c.high = rounded(c.value * std::exp(std::hypot(above, 1.96 * deviation)));
    }
}

// Ranks that gather weights and scatter gradients in every layer wait for the slower one besides, and find in no cache
// what they send: rates of these operations on the level that the fitted layout's shards span.
void fit_gathers(Workbench& w, const std::vector<Fitted>& runs) {
    constexpr double most = 4;
    double measured = 0, predicted = 0;
    int level = -1;
    for (const Fitted& f : runs) {
        if (f.run->plan.layout.zero_stage < 3 || f.predicted.shard_gather <= Seconds{}) continue;
        measured += f.measured.parts.shard_gather / second;
        predicted += f.predicted.shard_gather / second;
        const Span span = shard_span(plan_with(w.so_far, *f.run));
        if (span.hops > 0) level = span.outermost().level;
    }
    if (measured <= 0 || level < 0) return;
    const double slower = std::clamp(measured / predicted, 1 / most, most);
    Level& on = w.so_far.machine.levels[std::size_t(level)];
    const std::string path = std::string("/levels/").append(std::to_string(level));
    Direction open;
    for (const auto& [key, factor] : {std::pair{"/gather_factor", &on.gather_factor},
                                      std::pair{"/scatter_factor", &on.scatter_factor}}) {
        *factor = rounded(*factor / slower);
        revise(w, path + key, 1 / slower, wait_deviation);
        open.moves.emplace_back(path + key, wait_deviation);
    }
    w.so_far.open.push_back(std::move(open));
}

// The constants' notes follow: value and interval as they are now, the interval wider by what the factor is unsure of.
void follow(Workbench& w, const StepFactors& k) {
    for (MeasuredConstant& c : w.so_far.constants) {
        double factor = 1, sd = 0;
        const bool of_level = c.pointer.starts_with("/levels/");
        if (c.pointer.ends_with("/gemm_ceiling") || c.pointer == "stack/flash_forward_scale"
            || c.pointer == "stack/flash_backward_scale") {
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
        if (c.pointer.ends_with("/gemm_ceiling")) c.high = std::min(c.high, 1.0);
    }
}

// Attention's kernels are the software's: what scale() takes from the device's goes to their scales instead.
void scale_steps(Machine& machine, Stack& stack, const StepFactors& k) {
    Efficiency& e = machine.device.efficiency;
    const Efficiency before = e;
    scale(machine, stack, k);
    stack.kernels.flash_forward_scale *= e.flash_forward / before.flash_forward;
    stack.kernels.flash_backward_scale *= e.flash_backward / before.flash_backward;
    e.flash_forward = before.flash_forward;
    e.flash_backward = before.flash_backward;
}

void fit_factors(Workbench& w, const std::vector<Fitted>& runs) {
    constexpr double noise = 0.02, delta = 0.06, lowest = 0.7, highest = 1.5;
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
    // By the variance that a layout has beside the noise.
    std::vector<double> weight;
    for (const Fitted& f : runs)
        weight.push_back(noise * noise
                         / (noise * noise + std::pow(alone_deviation(*f.run, w.plan.machine), 2)));
    std::vector<CurveParameter> priors(3, {1, prior_width, 0.2, 5});
    priors[0].least = std::max(0.2, w.so_far.machine.device.efficiency.gemm_ceiling);   // no product beyond the peak
    const CurveFit fit = fit_curve(measured, priors, curve, weight, noise, delta);
    const auto sd = [&](std::size_t i) { return std::log(fit.high[i] / fit.low[i]) / 2 / 1.96; };
    w.so_far.factors = {fit.values[0], fit.values[1], fit.values[2], sd(0), sd(1), sd(2)};
    const StepFactors& k = w.so_far.factors;
    scale_steps(w.so_far.machine, w.so_far.stack, k);
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
    w.note(std::move(shown));
}

// ---- How far it may be off

// Of the logarithm of a layout's step, from visit to visit: squared deviations from each layout's mean, pooled (with
// what earlier calibrations showed as a prior: 2 %, worth four pairs of visits).
Variance between_visits(const std::vector<Fitted>& runs) {
    double squares = 0, degrees = 0;
    for (const Fitted& f : runs) {
        double mean = 0;
        for (const Seconds t : f.measured.visits) mean += std::log(t / second) / double(f.measured.visits.size());
        for (const Seconds t : f.measured.visits) squares += std::pow(std::log(t / second) - mean, 2);
        degrees += double(f.measured.visits.size()) - 1;
    }
    constexpr double usual = 0.02, pairs = 4;
    return pooled(usual * usual, pairs, squares, degrees);
}

// What the steps leave open, and the variance of what they do not explain. A prior of 3 %, worth six layouts, stands
// for what the model is usually off by on layouts that it has not seen.
void settle(Workbench& w, std::vector<Fitted>& runs) {
    constexpr double usual = 0.03, layouts = 6;
    for (const char* factor : {"steps/compute", "steps/network", "steps/rest"})
        w.so_far.open.push_back({{{factor, prior_width}}});
    const double visit = between_visits(runs).value;
    Slopes slopes;
    std::vector<double> known, squares;   // variances that are not the model's; squared errors of the fit
    for (const Fitted& f : runs) {
        slopes.push_back(slopes_of(w.so_far, *f.run));
        known.push_back(visit / double(std::max<std::size_t>(1, f.measured.visits.size()))
                        + std::pow(alone_deviation(*f.run, w.plan.machine), 2));
        const Outcome fitted = estimate(plan_with(w.so_far, *f.run));
        squares.push_back(fitted ? std::pow(std::log(fitted->step.total() / f.measured.median), 2) : 0);
    }
    const auto variances = [&](double model) {
        std::vector<double> all;
        for (const double each : known) all.push_back(each + model);
        return all;
    };
    const double used = informed(w.so_far.open, slopes, variances(usual * usual)).used;
    double unexplained = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) unexplained += std::max(0.0, squares[i] - known[i]);
    const Variance model = pooled(usual * usual, layouts, unexplained, std::max(0.0, double(runs.size()) - used));
    w.so_far.open = informed(w.so_far.open, slopes, variances(model.value)).directions;
    w.so_far.spread = std::sqrt(model.value + visit / layout_visits);
    w.so_far.degrees = model.degrees;
}

// What libraries and the program itself hold on a device, beside what the engine allocates: by the layouts that fit,
// disturbed ones too, since others who take time take no memory of these ranks.
void fit_context(Workbench& w, const Measurements& m) {
    std::vector<double> beside;
    for (const PlannedRun& run : w.plan.runs) {
        if (run.role != Role::fit || !run.fair) continue;
        for (const TrainingRun& ran : m.runs) {
            const StepSummary s = ran.id == run.id ? summary_of(ran) : StepSummary{};
            if (s.memory_device > s.memory && s.memory > Bytes{})
                beside.push_back((s.memory_device - s.memory) / gibibyte);
        }
    }
    if (beside.empty()) return;
    std::sort(beside.begin(), beside.end());
    Bytes& context = w.so_far.stack.memory.context;
    const double before = context / gibibyte, middle = beside[beside.size() / 2];
    context = rounded(middle) * gibibyte;
    w.so_far.device_memory = true;
    w.note("stack/context_GiB", "", before, rounded(middle), rounded(beside.front()), rounded(beside.back()));
}

}  // namespace

void fit_steps(Workbench& w, const Measurements& m) {
    auto runs = fitted_runs(w, m);
    fit_context(w, m);
    if (runs.empty()) return settle(w, runs);   // then all of it is open
    fit_elementwise(w, runs);
    fit_meeting(w, runs);
    fit_gathers(w, runs);
    for (Fitted& f : runs)
        if (const Outcome e = estimate(plan_with(w.so_far, *f.run))) f.predicted = e->step;
    fit_factors(w, runs);
    settle(w, runs);
}

}  // namespace plimsoll::fitting

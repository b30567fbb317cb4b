#include "core/answers/propose/measured_hours.h"

#include "core/answers/search/envelope.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/knobs.h"

#include <cmath>

namespace plimsoll {

std::optional<Seconds> predicted_step(const Scenario& s, int nodes) {
    const auto here = nodes == nodes_used(s) ? s : with(s, *find_knob("nodes"), nodes);
    if (!here) return std::nullopt;
    const Outcome o = estimate(*here);
    return runs(o) ? std::optional(o->step.total()) : std::nullopt;
}

int least_nodes(const Scenario& s) {
    for (const int n : envelope_nodes(s, 200))
        if (predicted_step(s, n)) return n;
    return 0;
}

namespace {

std::string seconds_text(Seconds s) { return significant(s / second, 4) + " s"; }

std::string runs_of(const MeasuredScalingPoint& p) {
    return p.repeats == 1 ? "one run" : "the mean of " + std::to_string(p.repeats) + " runs";
}

// The measured size nearest to the plan's, among those on which the plan can be predicted.
const MeasuredScalingPoint* nearest_of(const Scaling& scaling, const Scenario& plan) {
    const auto away = [&](const MeasuredScalingPoint& p) {
        return std::abs(std::log(1.0 * p.nodes / nodes_used(plan)));
    };
    const MeasuredScalingPoint* nearest = nullptr;
    for (const MeasuredScalingPoint& p : scaling.points)
        if ((!nearest || away(p) < away(*nearest)) && predicted_step(plan, p.nodes)) nearest = &p;
    return nearest;
}

// A step in which the devices would do more than their peak is no step of this plan.
bool above_peak(const CampaignPlan& p, Seconds step) { return headline_at(p.plan, p.estimate, step).mfu > 1; }

std::optional<StepTaken> step_of_runs(const ProposalInput& in) {
    const Scenario& plan = in.plans.front().plan;
    const Scaling scaling = scaling_of(in.measured, ScalingKind::strong);
    if (!scaling.measured_on(plan.machine)) return std::nullopt;
    const MeasuredScalingPoint* run = nearest_of(scaling, plan);
    if (!run) return std::nullopt;
    const int nodes = nodes_used(plan);
    StepTaken t{{}, in.plans.front().estimate.step.total(), run->nodes, {}};
    if (run->nodes == nodes) {
        t.taken = run->mean;
        t.words = "A step on the plan's " + counted(nodes, "node", "nodes") + " was measured to take "
                + seconds_text(run->mean) + " (" + runs_of(*run) + ", T05), which is "
                + say_change(t.change()) + " than the " + seconds_text(t.predicted)
                + " that the cost model predicts. The measured step is taken.";
        return t;
    }
    const Seconds there = *predicted_step(plan, run->nodes);
    t.taken = run->mean / there * t.predicted;
    t.words = "The measured size nearest to the plan's " + counted(nodes, "node", "nodes") + " is "
            + counted(run->nodes, "node", "nodes") + ": a step takes " + seconds_text(run->mean) + " there ("
            + runs_of(*run) + ", T05), " + say_change(run->mean / there - 1) + " than the " + seconds_text(there)
            + " that the cost model predicts. On the plan's nodes it predicts " + seconds_text(t.predicted) + ", and "
            + seconds_text(t.taken) + " is taken, " + say_change(t.change()) + " in the same proportion.";
    return t;
}

}  // namespace

namespace {

std::optional<StepTaken> taken_of(const ProposalInput& in) {
    const auto t = step_of_runs(in);
    return t && above_peak(in.plans.front(), t->taken) ? std::nullopt : t;
}

}  // namespace

std::string say_change(double share) {
    const std::string amount = percent(std::abs(share));
    return share >= 0 ? amount + " more" : amount + " less";
}

Headline headline_at(const Scenario& s, const Estimate& e, Seconds step) {
    Estimate slower = e;
    const double factor = step / e.step.total();
    for (const auto& part : step_parts) slower.step.*part.value = factor * (e.step.*part.value);
    for (const auto& part : energy_parts) slower.energy.*part.value = factor * (e.energy.*part.value);
    return headline(s, slower);
}

ProposalInput with_measured_hours(ProposalInput in) {
    for (std::size_t i = 0; i < in.plans.size(); ++i) {
        CampaignPlan& p = in.plans[i];
        if (i == 0) p.taken = taken_of(in);
        const Seconds predicted = p.estimate.step.total();
        if (!p.taken && i < in.bands.size() && in.bands[i].time_factor != 1) {
            p.taken = StepTaken{in.bands[i].time_factor * predicted, predicted, 0, {}};
            p.taken->words = in.bands[i].anchored + " The step of " + seconds_text(p.taken->taken) + " is taken, "
                           + say_change(p.taken->change()) + " than the " + seconds_text(predicted)
                           + " that the cost model predicts.";
        }
        if (p.taken) p.headline = headline_at(p.plan, p.estimate, p.taken->taken);
    }
    return in;
}

std::string say_not_taken(const ProposalInput& in) {
    const CampaignPlan& first = in.plans.front();
    const Scaling scaling = scaling_of(in.measured, ScalingKind::strong);
    if (scaling.points.empty() || (first.taken && first.taken->measured_on > 0)) return {};
    if (!scaling.measured_on(first.plan.machine))
        return "the measured runs are of " + scaling.machine + ", and the hours are asked for on "
             + first.plan.machine.name + ": they rest on " + (first.taken ? "anchors" : "predictions");
    if (step_of_runs(in))
        return "the measured steps mean more than the peak of the devices, and are not of this plan: its hours rest on "
               "predictions";
    return "the plan cannot be predicted on a measured number of nodes: its hours rest on predictions";
}

}  // namespace plimsoll

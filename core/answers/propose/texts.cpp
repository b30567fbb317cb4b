#include "core/answers/propose/texts.h"

#include "core/answers/campaign/money.h"
#include "core/answers/search/wording.h"
#include "core/answers/propose/measured_hours.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

#include <cmath>

namespace plimsoll {

namespace {

std::string sentence_of_plan(const CampaignPlan& p) {
    const Recipe& r = p.plan.recipe;
    return p.plan.model.name + " (" + say_count(p.estimate.parameters) + " parameters) is "
         + (tunes(p.plan.method) ? "tuned" : "trained") + " on "
         + say_count(tokens_of_run(r)) + " tokens, " + say_count(r.global_batch_sequences) + " sequences of "
         + say_count(r.sequence_length) + " tokens a step";
}

TextBlock code_text(const ProposalInput& in, const Proposal&) {
    TextBlock t{"code", "Code and parallel scheme", {}, {}};
    for (const CampaignPlan& p : in.plans)
        t.paragraphs.push_back(sentence_of_plan(p) + " with " + p.plan.stack.name + ". "
                               + (tunes(p.plan.method) ? "It is " + say_method(p.plan) + ". " : "") + "The layout is "
                               + say_layout(p.plan.layout) + " on " + counted(p.estimate.nodes, "node", "nodes") + " ("
                               + counted(p.estimate.devices, "device", "devices") + ").");
    t.missing.push_back("the repository, version and licence of the code");
    return t;
}

TextBlock readiness_text(const ProposalInput& in, const Proposal& p) {
    TextBlock t{"readiness", "Readiness", {}, {}};
    if (p.strong.points.empty()) {
        t.missing.push_back("no run of the code has been measured; readiness cannot be claimed");
        return t;
    }
    const MeasuredScalingPoint& last = p.strong.points.back();
    t.paragraphs.push_back("The code has run on " + counted(int(p.strong.points.size()), "node count", "node counts")
                           + " up to " + counted(last.nodes, "node", "nodes") + " of "
                           + (p.strong.machine.empty() ? "a machine that is not stated" : p.strong.machine)
                           + ", where a step takes " + say(last.mean) + " at a parallel efficiency of "
                           + percent(last.efficiency) + " against the smallest size (T05).");
    if (last.nodes < nodes_used(in.plans.front().plan))
        t.paragraphs.push_back("The plan's " + std::to_string(nodes_used(in.plans.front().plan))
                               + " nodes are beyond what was measured; the step there is predicted (T07).");
    return t;
}

TextBlock extrapolation_text(const ProposalInput& in, const Proposal& p) {
    TextBlock t{"extrapolation", "Extrapolation", {}, {}};
    const CampaignPlan& first = in.plans.front();
    const Scenario& plan = first.plan;
    const std::string on = plan.machine.name + " (" + plan.machine.device.name + ")";
    const ProposalBand band = in.bands.empty() ? ProposalBand{} : in.bands.front();
    if (p.strong.points.empty() && !band.told_by.empty()) {
        const TellingRun& largest = *std::ranges::max_element(band.told_by, {}, &TellingRun::nodes);
        t.paragraphs.push_back("Times were measured on " + on + " with the software of the request, in "
                               + counted(int(band.told_by.size()), "short run", "short runs")
                               + " of its layers on up to " + counted(largest.nodes, "node", "nodes")
                               + " (T07). The request is for "
                               + counted(nodes_used(plan), "node", "nodes")
                               + ". Between them stands a cost model whose errors in these runs are handed on. "
                               + band.anchored);
    } else if (p.strong.points.empty()) {
        t.paragraphs.push_back("Nothing was measured for this request. Hours are predicted from the specifications of "
                               + on + " and from constants that were fitted to published runs of others.");
        t.missing.push_back("measurements on the machine that is asked for, or on one with the same GPUs");
    } else {
        double worst = 0;
        int compared = 0;
        const bool here = p.strong.measured_on(plan.machine);
        for (const MeasuredScalingPoint& m : p.strong.points)
            if (const auto step = here ? predicted_step(plan, m.nodes) : std::nullopt) {
                worst = std::max(worst, std::abs(*step / m.mean - 1));
                ++compared;
            }
        const int most = p.strong.points.back().nodes, asked = nodes_used(plan);
        t.paragraphs.push_back("Times were measured on "
                               + (p.strong.machine.empty() ? "a machine that is not stated" : p.strong.machine)
                               + " up to "
                               + counted(most, "node", "nodes") + "; the request is for " + on + " on "
                               + counted(asked, "node", "nodes")
                               + (asked > most ? ", " + fixed(1.0 * asked / most, 1) + " times as many" : std::string())
                               + (here && asked <= most
                                      ? ". The size that is asked for lies within what was measured."
                                      : ". Between them stands a cost model whose constants were not fitted to these "
                                        "runs."));
        if (!here)
            t.paragraphs.push_back("What differs is the machine: rates of products, attention and memory, the networks "
                                   "and their latencies are those of "
                                   + plan.machine.name + "'s preset (" + plan.machine.id + ", as of "
                                   + plan.machine.as_of + "); model, layout, batch and software stay.");
        const double wide = band.time_wide;
        if (!here)
            t.missing.push_back("how far the model is off on " + p.strong.machine + ": these runs do not say how far "
                                "it is off on " + plan.machine.name + ", and were not held against predictions for it");
        else if (compared == 0)
            t.missing.push_back("no measured node count is one on which the plan can be predicted");
        else
            t.paragraphs.push_back("On " + counted(compared, "measured node count", "measured node counts")
                                   + " its prediction is off by at most " + percent(worst) + " (T07, F08).");
        if (first.taken && first.taken->measured_on > 0)
            t.paragraphs.push_back("The hours rest on the measured steps, not on the prediction alone. "
                                   + first.taken->words);
        if (wide > 0 && worst > wide)
            t.missing.push_back("the prediction is off by " + percent(worst) + " on these runs, which is more than its "
                                "range: whether the runs are of this plan's batch, sequence and layout, or why "
                                "the model is wrong");
    }
    if (!band.words.empty()) t.paragraphs.push_back(band.words);
    if (!band.beyond.empty()) t.paragraphs.push_back("Beyond what was ever checked: " + band.beyond + '.');
    return t;
}

TextBlock justification_text(const ProposalInput& in, const Proposal& p) {
    TextBlock t{"justification", "Justification of the hours", {}, {}};
    const Campaign& c = p.campaign;
    const bool other_unit = p.unit != "node-hour";
    t.paragraphs.push_back("The request of " + units_text(c.units, p.unit)
                           + (other_unit ? " (" + units_text(c.node_hours(), "node-hour") + ")" : std::string())
                           + " is the sum of the runs in T03.");
    for (const std::string& line : basis_of_hours(in, p)) t.paragraphs.push_back(line);
    for (const CampaignRow& r : c.rows)
        if (r.kind == CampaignKind::training)
            t.paragraphs.push_back(r.experiment + " of " + r.model + " takes " + units_text(r.units_each, p.unit)
                                   + " a run: " + say_count(r.tokens) + " tokens on "
                                   + counted(r.nodes, "node", "nodes") + ". "
                                   + counted(r.runs, "run is", "runs are") + " planned.");
    t.paragraphs.push_back(percent(c.reserve / c.units) + " of the request is reserve for failures, restarts and "
                           "contingency.");
    for (const CampaignRow& r : c.rows)
        if (r.kind == CampaignKind::ablations)
            t.missing.push_back("why " + counted(r.runs, "ablation", "ablations") + " of "
                                + percent(in.campaign.ablation_share)
                                + " of the training each: what they try out, and what is decided by them");
    if (in.award && *in.award < c.units)
        t.missing.push_back("the award of " + units_text(*in.award, p.unit) + " is less than these runs take");
    return t;
}

TextBlock machine_text(const ProposalInput& in, const Proposal&) {
    TextBlock t{"machine", "Why this machine", {}, {}};
    const CampaignPlan& p = in.plans.front();
    const Totals all = totals(p.plan, p.headline, Counting::all);
    const int least = least_nodes(p.plan);
    t.paragraphs.push_back("The run takes " + say(all.time) + " on " + counted(p.estimate.nodes, "node", "nodes")
                           + " of " + p.plan.machine.name + "; states and activations take "
                           + say(p.estimate.worst().total()) + " of the " + say(p.estimate.memory_limit)
                           + " of a device (T08). " + say_fit_verdict(p.estimate));
    if (least > 0) {
        t.paragraphs.push_back("With this model parallelism fewer than " + counted(least, "node", "nodes")
                               + " do not hold it.");
        if (const auto step = predicted_step(p.plan, least))
            t.paragraphs.push_back("On these " + counted(least, "node", "nodes") + " training alone would take "
                                   + say(p.headline.steps * *step) + " by prediction.");
    }
    return t;
}

TextBlock checkpoint_text(const ProposalInput& in, const Proposal&) {
    TextBlock t{"checkpoint", "Checkpoint and restart", {}, {}};
    const CampaignPlan& p = in.plans.front();
    const Resilience& r = p.headline.resilience;
    const bool stated = p.plan.recipe.checkpoint_time > Seconds{};
    const std::string above = say_above(p.plan, r);
    if (above.empty())
        t.paragraphs.push_back("A checkpoint of " + say(r.checkpoint_size) + " is written every " + say(r.interval)
                               + (stated ? " in " : " and would take ") + say(r.checkpoint)
                               + (stated ? ", as the plan states"
                                         : " at " + cell_number(writing(p.plan).rate() / (gigabyte / second))
                                               + " GB/s, a rate that was not measured")
                               + " (T09).");
    else t.missing.push_back(above);
    t.paragraphs.push_back("A failure is expected every " + say(r.mtbf) + ", " + say_expected(p.headline.failures)
                           + " in a run; checkpoints, lost work and restarts take " + percent(r.overhead.total())
                           + " of the time (T10).");
    const JobChain c = job_chain(p.plan, p.headline);
    t.paragraphs.push_back("The run is a chain of jobs: " + say(c) + '.');
    return t;
}

TextBlock data_text(const ProposalInput& in, const Proposal& p) {
    TextBlock t{"data", "Data", {}, {}};
    const CampaignPlan& first = in.plans.front();
    t.paragraphs.push_back("The data set of " + say_count(tokens_of_run(first.plan.recipe)) + " tokens takes "
                           + say(dataset_size(first.plan)) + " as token ids. "
                           + counted(in.campaign.checkpoints_kept, "checkpoint is", "checkpoints are")
                           + " kept of each run; with the data that is " + cell_number(p.campaign.storage_TB)
                           + " TB in all (T09).");
    t.missing.push_back("where the data come from, their licence, and what is kept after the project");
    return t;
}

TextBlock energy_text(const ProposalInput& in, const Proposal& p) {
    TextBlock t{"energy", "Energy and carbon", {}, {}};
    const CampaignPlan& first = in.plans.front();
    const double share = p.campaign.node_hours() / totals(first.plan, first.headline, Counting::all).node_hours;
    Totals of_request = totals(first.plan, first.headline, Counting::all);
    of_request.facility_energy = share * of_request.facility_energy;
    of_request.node_hours = p.campaign.node_hours();
    const Carbon c = carbon_of(first.plan, of_request);
    t.paragraphs.push_back("The request takes about " + say(of_request.facility_energy) + " at the facility, PUE "
                           + shortest(c.pue) + " counted (predicted). Operational carbon: " + say_operational(c)
                           + "; embodied: " + say_embodied(c) + " (T11).");
    return t;
}

TextBlock risk_text(const ProposalInput& in, const Proposal& p) {
    TextBlock t{"risk", "Risk and fallback", {}, {}};
    const double half = p.award / 2;
    const CampaignPlan& first = in.plans.front();
    double fixed_units = 0, training = 0;
    for (const CampaignRow& r : p.campaign.rows)
        (r.kind == CampaignKind::training || r.kind == CampaignKind::restarts ? training : fixed_units) += r.units;
    const double tokens = training > 0 ? std::max(0.0, (half - fixed_units) / training) : 0;
    t.paragraphs.push_back("With half of the award, " + units_text(half, p.unit) + ", all other runs kept, training "
                           "shrinks to " + percent(std::min(1.0, tokens)) + " of its tokens, "
                           + say_count(std::min(1.0, tokens) * tokens_of_run(first.plan.recipe)) + " of "
                           + say_count(tokens_of_run(first.plan.recipe)) + " for the first model.");
    double most = 0;
    for (const CheckpointVerdict& v : p.checkpoints) most = std::max(most, v.lost_at_half_pace.value_or(0));
    if (most > 0)
        t.paragraphs.push_back("Used at half the even pace, up to " + units_text(most, p.unit)
                               + " would be lost at a date of the programme (F06).");
    return t;
}

struct NamedText {
    const char* id;
    TextBlock (*write)(const ProposalInput&, const Proposal&);
};
constexpr NamedText texts[] = {{"code", code_text},
                               {"readiness", readiness_text},
                               {"extrapolation", extrapolation_text},
                               {"justification", justification_text},
                               {"machine", machine_text},
                               {"checkpoint", checkpoint_text},
                               {"data", data_text},
                               {"energy", energy_text},
                               {"risk", risk_text}};

}  // namespace

TextBlock text_block(const std::string& id, const ProposalInput& in, const Proposal& p) {
    for (const NamedText& t : texts)
        if (id == t.id) return t.write(in, p);
    return {id, id, {}, {"the profile names a text \"" + id + "\" that this version does not write"}};
}

}  // namespace plimsoll

#include "core/answers/propose/proposal_figures.h"

#include "core/answers/curves/tornado.h"
#include "core/answers/propose/measured_hours.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <map>
#include <set>

namespace plimsoll {

namespace {

Figure scaling_figure(const ProposalInput& in, const Scaling& scaling) {
    const bool strong = scaling.kind == ScalingKind::strong;
    const Scenario& plan = in.plans.front().plan;
    const double floor = in.programme.evidence.efficiency_floor;
    Figure f;
    f.id = strong ? "strong-scaling" : "weak-scaling";
    f.title = strong ? "Strong scaling" : "Weak scaling";
    f.x = {"Nodes", "", true};
    f.y = {"Step", "s", true};
    Series measured{"measured", "measured", Mark::point, {}, {}, {}}, ideal{"ideal", "ideal", Mark::ideal, {}, {}, {}},
        least{"floor", percent(floor, 0) + " efficiency", Mark::ideal, {}, {}, {}},
        model{"predicted", "predicted by the cost model", Mark::line, {}, {}, {}},
        band{"range", "range of the prediction", Mark::band, {}, {}, {}};
    std::set<int> nodes;
    for (const MeasuredScalingPoint& p : scaling.points) {
        nodes.insert(p.nodes);
        const MeasuredScalingPoint& base = scaling.points.front();
        const double perfect = base.mean / second * (strong ? 1.0 * base.nodes / p.nodes : 1);
        measured.x.push_back(p.nodes);
        measured.y.push_back(p.mean / second);
        measured.low.push_back((p.mean - p.deviation) / second);
        measured.high.push_back((p.mean + p.deviation) / second);
        measured.names.push_back(counted(p.nodes, "node", "nodes"));
        measured.labels.push_back(significant(p.mean / second, 4) + " s");
        ideal.x.push_back(p.nodes);
        ideal.y.push_back(perfect);
        if (floor > 0) {
            least.x.push_back(p.nodes);
            least.y.push_back(perfect / floor);
        }
    }
    if (strong) {
        const int here = nodes_used(plan);
        for (const int part : {1, 2, 4, 8})
            if (here % part == 0) nodes.insert(here / part);
        const double spread = in.bands.empty() ? 0 : in.bands.front().time;
        const double factor = factor_of_others(in, scaling);
        for (const int n : nodes)
            if (const auto predicted = predicted_step(plan, n)) {
                const double step = factor * (*predicted / second);
                model.x.push_back(n);
                model.y.push_back(step);
                if (spread <= 0) continue;
                band.x.push_back(n);
                band.y.push_back(step / (1 + spread));
                band.high.push_back(step * (1 + spread));
            }
    }
    for (Series* s : {&band, &ideal, &least, &model, &measured})
        if (!s->x.empty()) f.series.push_back(*s);
    f.caption = strong ? "Time of a step over nodes, the batch kept. "
                             + (scaling.points.empty() ? std::string("Nothing was measured; the line")
                                : scaling.measured_on(plan.machine)
                                    ? "Measured points are the applicant's runs; the line"
                                    : "Measured points are the applicant's runs on " + scaling.machine
                                          + ", another machine than " + plan.machine.name + "; the line")
                             + " and its range are predicted. "
                             + (scaling.points.empty() ? "" : "Bars: one standard deviation of the repeats.")
                       : "Time of a step over nodes, the work of a node kept. Measured.";
    return f;
}

// One of the plan's usual figures.
Figure usual_figure(const std::vector<Figure>& all, std::string_view id) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Figure& f) { return f.id == id; });
    return found == all.end() ? Figure{} : *found;
}

Figure job_figure(const Proposal& p) {
    Figure f;
    f.id = "job-sizes";
    f.title = "Hours by experiment and size of job";
    f.x = {"", ""};
    f.y = {"Share of the hours", "%"};
    Series s{"share", "hours", Mark::stacked_bar, {}, {}, {}};
    for (const CampaignRow& r : p.campaign.rows) {
        s.x.push_back(double(f.categories.size()));
        s.y.push_back(100 * r.units / p.campaign.units);
        f.categories.push_back(r.experiment + (r.nodes > 0 ? ", " + counted(r.nodes, "node", "nodes") : ""));
    }
    f.series = {s};
    f.caption = "Share of " + units_text(p.campaign.units, p.unit) + " that each row of T03 takes, with the nodes of "
                "its jobs. Queues: T04.";
    return f;
}

// What has been granted by each day, where an award comes in parts: stairs.
Series parts_of(const ProposalInput& in, const Proposal& p) {
    const AwardPeriods& periods = in.programme.periods;
    Series s{"parts", "granted by then", Mark::ideal, {}, {}, {}};
    for (int i = 0; i < periods.parts; ++i)
        for (const int end : {0, 1}) {
            s.x.push_back(periods.months * (i + end) / periods.parts);
            s.y.push_back(p.award * (i + 1) / periods.parts);
        }
    return s;
}

Figure burn_figure(const ProposalInput& in, const Proposal& p) {
    Figure f;
    f.id = "burn-down";
    f.title = "Use of the award";
    f.x = {"Months from " + in.start, ""};
    f.y = {"Used", p.unit};
    const double months = in.programme.periods.months, month_days = 365.25 / 12;
    Series even{"evenly", "evenly over the award", Mark::line, {}, {}, {}},
        early{"earliest", "one run after the other, no waiting", Mark::line, {}, {}, {}},
        half{"half", "at half the even pace", Mark::ideal, {}, {}, {}},
        points{"checkpoints", "asked for by then", Mark::point, {}, {}, {}};
    for (int i = 0; i <= 24; ++i) {
        const double month = months * i / 24;
        for (Series* s : {&even, &early, &half}) s->x.push_back(month);
        even.y.push_back(used_evenly(p.campaign, in.programme, month * month_days));
        early.y.push_back(used_earliest(p.campaign, month * month_days));
        half.y.push_back(even.y.back() / 2);
    }
    for (const CheckpointVerdict& v : p.checkpoints) {
        points.x.push_back(v.checkpoint.month);
        points.y.push_back(v.checkpoint.used_below * p.award);
        points.names.push_back(v.date + ": " + percent(v.checkpoint.used_below, 0));
    }
    points.labels = points.names;
    f.series = {even, early, half};
    if (in.programme.periods.parts > 1 && in.programme.periods.carry_over) f.series.push_back(parts_of(in, p));
    if (!points.x.empty()) f.series.push_back(points);
    f.series.push_back({"award", "award", Mark::limit, {}, {p.award}, {}});
    f.caption = points.x.empty() ? "Cumulative use of the award; the programme names no date on which hours are lost."
                                 : "Cumulative use; points are dates of the programme, with the share of the award "
                                   "below which hours are lost.";
    return f;
}

// A row for each task, read from the top, and a bar from its first day to its last.
Figure gantt_figure(const ProposalInput& in, const Proposal& p) {
    Figure f;
    f.id = "work-plan";
    f.title = "Work plan";
    const std::vector<CampaignSpan> tasks = schedule_of(p.campaign);
    const bool months = !tasks.empty() && tasks.back().to_day > 60;
    const double unit = months ? 365.25 / 12 : 1;
    f.x = {"", ""};
    f.y = {(months ? "Months from " : "Days from ") + in.start, ""};
    Series length{"length", "from the first day to the last", Mark::change, {}, {}, {}};
    for (const CampaignSpan& s : tasks) {
        const double days = s.to_day - s.from_day;
        length.x.push_back(double(f.categories.size()));
        length.low.push_back(s.from_day / unit);
        length.high.push_back(s.to_day / unit);
        length.y.push_back(s.to_day / unit);
        length.names.push_back(days_later(in.start, s.from_day) + " to " + days_later(in.start, s.to_day));
        f.categories.push_back(s.experiment + ", " + (days < 10 ? fixed(days, 1) : fixed(days, 0)) + " days");
    }
    f.series = {length};
    f.caption = "Runs of T03 one after the other from the start, without waiting in the queue. Failures and restarts "
                "are part of the training.";
    return f;
}

Figure parity_figure(const ProposalInput& in, const Proposal& p) {
    Figure f;
    f.id = "predicted-measured";
    f.title = "Predicted against measured";
    f.x = {"Measured step", "s", true};
    f.y = {"Predicted step", "s", true};
    Series points{"runs", "node counts that were measured", Mark::point, {}, {}, {}},
        ideal{"equal", "equal", Mark::ideal, {}, {}, {}};
    const Scenario& plan = in.plans.front().plan;
    const bool here = p.strong.measured_on(plan.machine);
    for (const MeasuredScalingPoint& m : p.strong.points)
        if (const auto step = here ? predicted_step(plan, m.nodes) : std::nullopt) {
            points.x.push_back(m.mean / second);
            points.y.push_back(*step / second);
            points.names.push_back(counted(m.nodes, "node", "nodes"));
            ideal.x.push_back(m.mean / second);
            ideal.y.push_back(m.mean / second);
        }
    if (!points.x.empty()) f.series = {ideal, points};
    f.caption = "Each point is a node count: the mean of its measured steps, and the step predicted there.";
    return f;
}

}  // namespace

std::vector<ProposalFigure> proposal_figures(const ProposalInput& in, const Proposal& p) {
    const Scenario& plan = in.plans.front().plan;
    const std::vector<Figure> usual = figures(plan);
    std::vector<ProposalFigure> all{{"F01", scaling_figure(in, p.strong), {}},
                                    {"F02", scaling_figure(in, p.weak), {}},
                                    {"F03", usual_figure(usual, "step-vs-nodes"), {}},
                                    {"F04", usual_figure(usual, "memory-per-stage"), {}},
                                    {"F05", job_figure(p), {}},
                                    {"F06", burn_figure(in, p), {}},
                                    {"F07", gantt_figure(in, p), {}},
                                    {"F08", parity_figure(in, p), {}},
                                    {"F09", tornado_figure(plan, TornadoOf::node_hours,
                                                           tornado(plan, TornadoOf::node_hours)), {}},
                                    {"F10", usual_figure(usual, "energy-vs-nodes"), {}}};
    if (p.weak.points.empty()) all[1] = {"F02", all[1].figure, "no measured run of weak scaling"};
    if (p.strong.points.empty()) all[7].missing = "no measured run to hold the prediction against";
    else if (!p.strong.measured_on(plan.machine))
        all[7].missing = "the runs are of " + p.strong.machine + ", the predictions of " + plan.machine.name;
    else if (all[7].figure.series.empty()) all[7].missing = "the plan cannot be predicted on a measured node count";
    if (const std::string changed = hypothetical_machines(in); !changed.empty())
        for (ProposalFigure& f : all) f.figure.caption += (f.figure.caption.empty() ? "" : " ") + changed;
    return all;
}

}  // namespace plimsoll

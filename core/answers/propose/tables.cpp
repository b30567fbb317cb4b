#include "core/answers/propose/tables.h"

#include "core/answers/campaign/money.h"
#include "core/answers/propose/measured_hours.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace plimsoll {

namespace {

SheetColumn number_column(std::string name, std::string unit = {}) { return {std::move(name), std::move(unit), true}; }

Sheet sheet_of(const ProposalInput& in, const char* id, const char* slug, std::string title) {
    Sheet s;
    s.id = id;
    s.slug = slug;
    s.title = std::move(title);
    s.dated = say_date(in.programme);
    return s;
}

std::string whole(double v) { return fixed(v, 0); }

}  // namespace

std::string say_expected(double n) {
    if (n > 0 && n < 0.05) return "below 0.1";
    return n < 10 ? fixed(n, 1) : cell_number(std::round(n));
}

std::string cell_number(double v) {
    if (!std::isfinite(v)) return "never";
    return std::abs(v) >= 1000 ? fixed(v, 0) : significant(v, 4);
}

std::string unit_name(const Programme& p, const Machine& m) {
    const bool of_site = p.unit.hour_of == "site" && !p.unit.per_node_hour.contains(m.id);
    return of_site ? m.accounting.unit : p.unit.name;
}

std::optional<double> rate_of(const ProposalInput& in) {
    return in.rate ? in.rate : units_per_node_hour(in.programme, in.plans.front().plan.machine);
}

double factor_of_others(const ProposalInput& in, const Scaling& strong) {
    const bool own = !strong.points.empty() && strong.measured_on(in.plans.front().plan.machine);
    return own || in.bands.empty() ? 1 : in.bands.front().time_factor;
}

// ---- T01, T02: what is asked for

Sheet request_table(const ProposalInput& in, const Proposal& p) {
    Sheet s = sheet_of(in, "T01", "request", "What is asked for, by period");
    const Machine& m = in.plans.front().plan.machine;
    const AwardPeriods& periods = in.programme.periods;
    s.columns = {{"period"}, {"from"}, {"to"}, number_column("compute runs", p.unit), number_column("reserve", p.unit),
                 number_column("total", p.unit), number_column("storage", "TB"), {"machine"},
                 number_column("share of the machine")};
    const int parts = std::max(1, periods.parts);
    const double runs = p.campaign.units - p.campaign.reserve;
    const double capacity = 1.0 * m.nodes * p.campaign.rate * 24 * 365.25 / 12 * periods.months / parts;
    double runs_before = 0, reserve_before = 0;
    for (int i = 1; i <= parts; ++i) {
        const double runs_to = std::round(runs * i / parts), reserve_to = std::round(p.campaign.reserve * i / parts);
        const double here = runs_to - runs_before, kept = reserve_to - reserve_before;
        s.rows.push_back({std::to_string(i), months_later(in.start, periods.months * (i - 1) / parts),
                          days_later(months_later(in.start, periods.months * i / parts), -1), whole(here), whole(kept),
                          whole(here + kept), cell_number(p.campaign.storage_TB), m.name,
                          percent((here + kept) / capacity, 2)});
        runs_before = runs_to;
        reserve_before = reserve_to;
    }
    s.rows.push_back({"all", "", "", whole(runs), whole(p.campaign.reserve), whole(p.campaign.units),
                      cell_number(p.campaign.storage_TB), m.name,
                      percent(p.campaign.units / (capacity * parts), 2)});
    s.notes.push_back("Reserve: failures, restarts and contingency. Runs are spread evenly over "
                      + (periods.kind.empty() ? std::string("the award") : periods.kind) + '.');
    if (in.award)
        s.notes.push_back("Award: " + units_text(*in.award, p.unit) + ", "
                          + percent(p.campaign.units / *in.award) + " of which these runs take.");
    if (in.award && p.campaign.units > *in.award)
        s.missing.push_back("the runs take " + units_text(p.campaign.units, p.unit) + ", the award is "
                            + whole(*in.award));
    const RequestLimits& limits = in.programme.request;
    if (limits.least && p.campaign.units < *limits.least)
        s.missing.push_back("the request is below the least of " + units_text(*limits.least, p.unit));
    if (limits.most && p.campaign.units > *limits.most)
        s.missing.push_back("the request is above the most of " + units_text(*limits.most, p.unit));
    if (!limits.note.empty()) s.notes.push_back(limits.note);
    for (const CheckpointVerdict& v : p.checkpoints) {
        std::string line = v.date + ": " + say(v.checkpoint) + ". By then " + percent(v.used_evenly)
                         + " is used at an even pace and " + percent(v.used_earliest) + " without any waiting";
        if (v.used_at_half_pace < v.checkpoint.used_below)
            line += "; at half the even pace " + percent(v.used_at_half_pace)
                  + (v.lost_at_half_pace ? ", and " + units_text(*v.lost_at_half_pace, p.unit) + " are lost"
                                         : ", and an amount that is not stated is lost");
        s.notes.push_back(line + '.');
        if (v.used_evenly < v.checkpoint.used_below)
            s.missing.push_back("at an even pace " + percent(v.used_evenly) + " of the award is used by " + v.date
                                + ", and " + percent(v.checkpoint.used_below, 0) + " is asked for");
    }
    if (const auto spans = schedule_of(p.campaign); !spans.empty()) {
        const double days = spans.back().to_day, has = periods.months * 365.25 / 12;
        s.notes.push_back("One after the other and without waiting the runs take " + cell_number(days) + " days.");
        if (days > has)
            s.missing.push_back("the runs take " + cell_number(days) + " days one after the other, the award has "
                                + cell_number(has));
    }
    if (!offers(in.programme, m))
        s.missing.push_back("the plan is for " + m.name + ", which is none of the programme's machines here");
    return s;
}

Sheet conversion_table(const ProposalInput& in, const Proposal& p) {
    Sheet s = sheet_of(in, "T02", "conversion", "The same request in other units");
    const Scenario& plan = in.plans.front().plan;
    const Machine& m = plan.machine;
    const double hours = p.campaign.node_hours();
    s.columns = {{"unit"}, number_column("amount"), {"how"}};
    const auto add = [&](std::string unit, const std::optional<double>& v, std::string how) {
        s.rows.push_back({std::move(unit), v ? cell_number(*v) : "unknown", std::move(how)});
    };
    add(p.unit, p.campaign.units, in.rate ? "stated by the user: " + shortest(*in.rate) + " per node-hour"
                                          : shortest(p.campaign.rate) + " per node-hour, by the programme");
    if (p.unit != "node-hour") add("node-hour", hours, "amount above / " + shortest(p.campaign.rate));
    add("device-hour", from_node_hours(m, hours, HourOf::device),
        counted(m.devices_per_node, "device", "devices") + " per node: " + m.device.name);
    add("package-hour", from_node_hours(m, hours, HourOf::package),
        shortest(*hours_per_node_hour(m, HourOf::package)) + " per node: " + package_name(m));
    const auto cores = hours_per_node_hour(m, HourOf::core, in.programme.cores_per_node);
    add("core-hour", from_node_hours(m, hours, HourOf::core, in.programme.cores_per_node),
        cores ? shortest(*cores) + " cores per node" : std::string("the cores of a node are not stated"));
    if (m.accounting.unit != "node-hour" && m.accounting.unit != p.unit)
        add("site's unit: " + m.accounting.unit, from_node_hours(m, hours, HourOf::site),
            shortest(m.accounting.units_per_node_hour) + " per node-hour, by the machine's preset");
    const FlopRate peak = m.devices_per_node * m.device.peak(matrix_format(plan.recipe));
    add("EFLOP at peak", hours * (hour * peak / flop) / 1e18,
        "node-hours x 3600 s x " + say(peak) + " of a node in the plan's format");
    Totals t;
    t.time = hours * hour;
    t.node_hours = hours;
    const auto cost = cost_of(plan, t);
    s.rows.push_back({"money", cost ? say(*cost) : "unknown", cost ? say_price(*cost) : "no price is stated"});
    s.notes.push_back(say_gpu_hour(m));
    if (!in.programme.unit.note.empty()) s.notes.push_back(in.programme.unit.note);
    return s;
}

// ---- T03, T04: the runs and their jobs

std::vector<std::string> basis_of_hours(const ProposalInput& in, const Proposal& p) {
    std::vector<std::string> all;
    for (const CampaignPlan& each : in.plans) {
        const std::string name = in.plans.size() > 1 ? each.plan.name + ": " : std::string();
        if (each.taken) all.push_back(name + each.taken->words);
    }
    if (all.empty()) return {"Hours of training are predicted by Plimsoll's cost model, not measured."};
    all.push_back("The request of " + units_text(p.campaign.units, p.unit) + " is "
                  + say_change(p.campaign.units / p.predicted.units - 1) + " than by prediction alone, "
                  + units_text(p.predicted.units, p.unit) + ".");
    return all;
}

Sheet runs_table(const ProposalInput& in, const Proposal& p) {
    Sheet s = sheet_of(in, "T03", "runs", "Experiments and the hours they take");
    s.columns = {{"experiment"}, {"purpose"}, {"model"}, number_column("tokens"), number_column("nodes"),
                 number_column("per run", p.unit), number_column("runs"), number_column("total", p.unit),
                 number_column("storage", "TB"), {"plan"}};
    const bool measured = p.campaign.units != p.predicted.units;
    if (measured) s.columns.push_back(number_column("predicted total", p.unit));
    for (std::size_t i = 0; i < p.campaign.rows.size(); ++i) {
        const CampaignRow& r = p.campaign.rows[i];
        s.rows.push_back({r.experiment, r.purpose, r.model, r.tokens > 0 ? say_count(r.tokens) : "",
                          r.nodes > 0 ? std::to_string(r.nodes) : "", whole(r.units_each), std::to_string(r.runs),
                          whole(r.units), r.storage_TB > 0 ? cell_number(r.storage_TB) : "0", r.plan});
        if (measured) s.rows.back().push_back(whole(p.predicted.rows[i].units));
    }
    s.rows.push_back({"all", "", "", "", "", "", "", whole(p.campaign.units), cell_number(p.campaign.storage_TB), ""});
    if (measured) s.rows.back().push_back(whole(p.predicted.units));
    for (const std::string& line : basis_of_hours(in, p)) s.notes.push_back(line);
    s.notes.push_back("Units per run are rounded up to whole units.");
    if (const std::string why = say_not_taken(in); !why.empty()) s.missing.push_back(why);
    return s;
}

namespace {

// A bin with more time that begins just above the plan's nodes.
const QueueBin* missed_bin(const Machine& m, int nodes, Seconds walltime) {
    for (const QueueBin& b : m.scheduler.bins)
        if (b.min_nodes > nodes && nodes >= 0.9 * b.min_nodes && b.walltime > walltime) return &b;
    return nullptr;
}

}  // namespace

Sheet job_table(const ProposalInput& in, const Proposal& p) {
    Sheet s = sheet_of(in, "T04", "jobs", "Sizes of jobs");
    s.columns = {{"run"}, {"queue bin"}, number_column("nodes"), number_column("walltime", "h"),
                 number_column("jobs in the chain"), number_column("share of the hours")};
    double covered = 0;
    for (const CampaignPlan& each : in.plans) {
        const JobChain c = job_chain(each.plan, each.headline);
        const int nodes = nodes_used(each.plan);
        double units = 0;
        for (const CampaignRow& r : p.campaign.rows)
            if (r.plan == short_hash(each)) units += r.units;
        covered += units;
        const bool jobs = c.kind == ChainKind::jobs;
        const std::string bin = c.bin.walltime > Seconds{}
            ? (c.bin.queue.empty() ? std::string() : c.bin.queue + ": ") + std::to_string(c.bin.min_nodes) + " to "
                  + std::to_string(c.bin.max_nodes) + " nodes"
            : say(c);
        s.rows.push_back({each.plan.name.empty() ? each.plan.model.name : each.plan.name, bin, std::to_string(nodes),
                          jobs ? cell_number(c.walltime / hour) : "", jobs ? cell_number(c.jobs) : "",
                          percent(units / p.campaign.units)});
        if (!jobs) s.missing.push_back(say(c));
        if (const QueueBin* b = missed_bin(each.plan.machine, nodes, c.bin.walltime))
            s.notes.push_back(std::to_string(nodes) + " nodes miss the bin from " + std::to_string(b->min_nodes)
                              + " nodes with " + cell_number(b->walltime / hour) + " h by "
                              + percent(1 - 1.0 * nodes / b->min_nodes) + '.');
        if (!c.as_of.empty()) s.notes.push_back("Queues of " + each.plan.machine.name + " as of " + c.as_of + '.');
    }
    s.rows.push_back({"contingency", "", "", "", "", percent(1 - covered / p.campaign.units)});
    if (in.programme.unit.shortest_job_h > 0)
        s.notes.push_back("A job is charged at least " + shortest(in.programme.unit.shortest_job_h) + " h.");
    return s;
}

// ---- T05 to T07: measured, and the model beside it

Sheet scaling_table(const ProposalInput& in, const Scaling& scaling) {
    const bool strong = scaling.kind == ScalingKind::strong;
    Sheet s = sheet_of(in, strong ? "T05" : "T06", strong ? "strong-scaling" : "weak-scaling",
                       strong ? "Strong scaling, measured" : "Weak scaling, measured");
    const EvidenceWanted& wanted = in.programme.evidence;
    s.columns = {number_column("nodes"), number_column("step, mean", "s"), number_column("sd", "s"),
                 number_column("runs"), {"dates"}, number_column(strong ? "speed-up" : "scaled speed-up"),
                 number_column("efficiency", "%"), number_column("GPU utilisation", "%"), {"jobs"}};
    for (const MeasuredScalingPoint& p : scaling.points)
        s.rows.push_back({std::to_string(p.nodes), significant(p.mean / second, 4),
                          p.repeats > 1 ? significant(p.deviation / second, 2) : "", std::to_string(p.repeats), p.dates,
                          fixed(p.speedup, 2), fixed(100 * p.efficiency, 1),
                          p.gpu_utilisation ? fixed(100 * *p.gpu_utilisation, 1) : "", p.jobs});
    const std::string kind = strong ? "strong" : "weak";
    if (scaling.points.empty()) {
        s.missing.push_back("no measured run of " + kind + " scaling");
        return s;
    }
    s.notes.push_back("Measured on " + (scaling.machine.empty() ? "a machine that is not stated" : scaling.machine)
                      + ". Speed-up and efficiency are relative to the smallest size that was run, "
                      + counted(scaling.points.front().nodes, "node", "nodes")
                      + (strong ? ": efficiency = p_b T_b / (p_N T_N)." : ": efficiency = T_b / T_N."));
    if (!strong) return s;
    if (wanted.points > int(scaling.points.size()))
        s.missing.push_back(counted(wanted.points, "node count is", "node counts are") + " asked for, "
                            + std::to_string(scaling.points.size()) + " were measured");
    const auto lacks = [&](auto predicate) {
        return std::any_of(scaling.points.begin(), scaling.points.end(), predicate);
    };
    if (wanted.repeats > 1 && lacks([&](const MeasuredScalingPoint& p) { return p.repeats < wanted.repeats; }))
        s.missing.push_back(counted(wanted.repeats, "run", "runs") + " of each point are asked for");
    if (wanted.different_days && lacks([](const MeasuredScalingPoint& p) { return p.days < 2; }))
        s.missing.push_back("runs of each point on different days are asked for");
    if (wanted.gpu_utilisation && lacks([](const MeasuredScalingPoint& p) { return !p.gpu_utilisation; }))
        s.missing.push_back("the utilisation of the GPUs is asked for");
    if (wanted.efficiency_floor > 0) {
        const int to = scaling.efficient_to(wanted.efficiency_floor);
        s.notes.push_back("Floor of the programme: " + percent(wanted.efficiency_floor, 0) + ", held up to "
                          + counted(to, "node", "nodes") + '.');
        if (const int asked = nodes_used(in.plans.front().plan); to < asked)
            s.missing.push_back("the plan runs on " + std::to_string(asked) + " nodes, and an efficiency of "
                                + percent(wanted.efficiency_floor, 0) + " was measured up to " + std::to_string(to));
    }
    const Machine& m = in.plans.front().plan.machine;
    if (wanted.same_machine && scaling.machine != m.id && scaling.machine != m.name)
        s.missing.push_back("measurements on " + m.name + " (" + m.id + ") are asked for; the runs say "
                            + (scaling.machine.empty() ? "nothing of their machine" : scaling.machine));
    return s;
}

namespace {

std::string four_digits(Seconds v) { return significant(v / second, 4); }

// Beside the plan's own sizes: runs that were cut in layers and replicas.
void add_telling_runs(Sheet& s, const ProposalBand& band) {
    for (const TellingRun& r : band.told_by)
        s.rows.push_back({std::to_string(r.nodes), four_digits(r.predicted), "", "", four_digits(r.measured),
                          fixed(100 * (r.predicted / r.measured - 1), 1), r.name + ": " + r.what + ", measured"});
    if (!band.told_by.empty())
        s.notes.push_back(band.anchored + " Steps of the plan that are not measured start from these runs.");
}

}  // namespace

Sheet model_table(const ProposalInput& in, const Proposal& p) {
    Sheet s = sheet_of(in, "T07", "model", "What the cost model predicts, beside what was measured");
    const Scenario& plan = in.plans.front().plan;
    const ProposalBand band = in.bands.empty() ? ProposalBand{} : in.bands.front();
    s.columns = {number_column("nodes"), number_column("predicted step", "s"), number_column("range, from", "s"),
                 number_column("to", "s"), number_column("measured", "s"), number_column("error", "%"), {"kind"}};
    const bool here = p.strong.measured_on(plan.machine);
    std::set<int> nodes{nodes_used(plan)};
    for (const int part : {2, 4, 8})
        if (nodes_used(plan) % part == 0) nodes.insert(nodes_used(plan) / part);
    if (here)
        for (const MeasuredScalingPoint& each : p.strong.points) nodes.insert(each.nodes);
    for (const int n : nodes) {
        auto step = predicted_step(plan, n);
        if (step) *step *= factor_of_others(in, p.strong);
        const auto measured = std::find_if(p.strong.points.begin(), p.strong.points.end(),
                                           [&](const MeasuredScalingPoint& each) { return each.nodes == n; });
        const bool is_measured = here && measured != p.strong.points.end();
        if (!step && !is_measured) continue;
        s.rows.push_back({std::to_string(n), step ? four_digits(*step) : "does not run",
                          step && band.time > 0 ? four_digits(*step / (1 + band.time)) : "",
                          step && band.time > 0 ? four_digits(*step * (1 + band.time)) : "",
                          is_measured ? four_digits(measured->mean) : "",
                          step && is_measured ? fixed(100 * (*step / measured->mean - 1), 1) : "",
                          is_measured ? "predicted and measured" : "predicted"});
    }
    add_telling_runs(s, band);
    s.notes.push_back("Predicted columns come from the cost model and are no measurement; the error is predicted over "
                      "measured less one.");
    if (!band.words.empty()) s.notes.push_back(band.words);
    if (!band.beyond.empty()) s.notes.push_back("Extrapolated: " + band.beyond + '.');
    if (p.strong.points.empty() && band.told_by.empty())
        s.missing.push_back("no measured run stands beside the predictions");
    else if (!p.strong.points.empty() && !here)
        s.missing.push_back("the runs of T05 are of " + p.strong.machine + " and do not stand beside predictions for "
                            + plan.machine.name);
    return s;
}

}  // namespace plimsoll

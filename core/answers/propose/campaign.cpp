#include "core/answers/propose/campaign.h"

#include "core/values/basics/text.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace plimsoll {

namespace {

double whole_units(double units) { return std::ceil(units * (1 - 1e-12)); }

class Rows {
public:
    Rows(const Programme& p, double rate) : programme_(p), rate_(rate) {}

    CampaignRow& add(CampaignRow r) {
        const double hours = r.nodes > 0 ? r.node_hours_each / r.nodes : 0;
        // A job shorter than the programme's shortest is charged as that.
        const double charged = r.nodes > 0 ? charged_node_hours(programme_, r.nodes, hours) : r.node_hours_each;
        r.units_each = whole_units(charged * rate_);
        r.units = r.units_each * r.runs;
        r.wall = r.runs * hours * hour;
        campaign.rows.push_back(std::move(r));
        return campaign.rows.back();
    }
    Campaign campaign;

private:
    const Programme& programme_;
    double rate_;
};

CampaignRow row_for(const CampaignPlan& p, CampaignKind kind, std::string experiment, std::string purpose) {
    CampaignRow r;
    r.kind = kind;
    r.experiment = std::move(experiment);
    r.purpose = std::move(purpose);
    r.model = p.plan.model.name;
    r.plan = short_hash(p);
    r.nodes = nodes_used(p.plan);
    return r;
}

std::string named(const std::string& what, const CampaignPlan& p, std::size_t plans) {
    return plans > 1 ? what + ", " + (p.plan.name.empty() ? p.plan.model.name : p.plan.name) : what;
}

}  // namespace

std::string short_hash(const CampaignPlan& p) {
    const std::size_t colon = p.hash.find(':');
    return p.hash.substr(colon == std::string::npos ? 0 : colon + 1, 8);
}

std::string units_text(double amount, const std::string& unit) {
    const bool word = !unit.empty() && unit.back() >= 'a' && unit.back() <= 'z';   // not CU, SU
    return in_thousands(fixed(amount, 0)) + ' ' + unit + (word && amount != 1 ? "s" : "");
}

int bytes_of_token(const Model& m) { return m.vocabulary > 65536 ? 4 : 2; }

Bytes dataset_size(const Scenario& s) { return tokens_of_run(s.recipe) * bytes_of_token(s.model) * byte; }

Campaign campaign_of(const Programme& programme, double rate, std::span<const CampaignPlan> plans,
                     const CampaignOptions& o) {
    Rows rows(programme, rate);
    const CampaignPlan& first = plans.front();
    const Totals training = totals(first.plan, first.headline, Counting::training);
    if (o.scaling_points * o.scaling_repeats > 0) {
        CampaignRow r = row_for(first, CampaignKind::scaling, "Scaling and tuning",
                                counted(o.scaling_points, "node count", "node counts") + ", "
                                    + counted(o.scaling_repeats, "run", "runs") + " each");
        r.runs = o.scaling_points * o.scaling_repeats;
        r.node_hours_each = r.nodes * o.scaling_h;
        r.tokens = o.scaling_h * hour / first.headline.step * tokens_of_step(first.plan.recipe);
        rows.add(std::move(r));
    }
    if (o.ablations > 0) {
        CampaignRow r = row_for(first, CampaignKind::ablations, "Ablations",
                                percent(o.ablation_share) + " of the training each [TO FILL IN: what each tries out]");
        r.runs = o.ablations;
        r.tokens = o.ablation_share * tokens_of_run(first.plan.recipe);
        r.node_hours_each = o.ablation_share * training.node_hours;
        rows.add(std::move(r));
    }
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const CampaignPlan& p = plans[i];
        CampaignRow r = row_for(p, CampaignKind::training, named("Training", p, plans.size()),
                                p.taken ? "production run, by measured steps" : "production run");
        r.runs = i < o.runs.size() ? o.runs[i] : 1;
        r.tokens = tokens_of_run(p.plan.recipe);
        r.node_hours_each = totals(p.plan, p.headline, Counting::training).node_hours;
        r.storage_TB = (r.runs * o.checkpoints_kept * p.headline.resilience.checkpoint_size + dataset_size(p.plan))
                     / terabyte;
        const int runs = rows.add(std::move(r)).runs;
        CampaignRow lost = row_for(p, CampaignKind::restarts, named("Failures and restarts", p, plans.size()),
                                   "checkpoints, lost work, restarts, ends of jobs");
        lost.runs = runs;
        lost.node_hours_each = totals(p.plan, p.headline, Counting::all).node_hours
                             - totals(p.plan, p.headline, Counting::training).node_hours;
        rows.add(std::move(lost));
    }
    if (o.evaluations > 0) {
        CampaignRow r = row_for(first, CampaignKind::evaluation, "Evaluation",
                                percent(o.evaluation_share, 2) + " of the training each");
        r.runs = o.evaluations;
        r.node_hours_each = o.evaluation_share * training.node_hours;
        rows.add(std::move(r));
    }
    Campaign c = std::move(rows.campaign);
    c.rate = rate;
    for (const CampaignRow& r : c.rows) c.units += r.units;
    if (o.contingency > 0) {
        CampaignRow r;
        r.kind = CampaignKind::contingency;
        r.experiment = "Contingency";
        r.purpose = percent(o.contingency) + " of the rows above";
        r.units_each = r.units = whole_units(o.contingency * c.units);
        c.rows.push_back(std::move(r));
        c.units += c.rows.back().units;
    }
    for (const CampaignRow& r : c.rows) {
        c.storage_TB += r.storage_TB;
        if (r.kind == CampaignKind::contingency || r.kind == CampaignKind::restarts) c.reserve += r.units;
    }
    return c;
}

// ---- When

std::vector<CampaignSpan> schedule_of(const Campaign& c) {
    std::vector<CampaignSpan> all;
    double at = 0;
    for (const CampaignRow& r : c.rows) {
        if (r.kind == CampaignKind::contingency) continue;
        const double to = at + r.wall / day;
        if (r.kind == CampaignKind::restarts && !all.empty()) {
            all.back().to_day = to;
            all.back().units += r.units;
        } else {
            all.push_back({r.experiment, at, to, r.units});
        }
        at = to;
    }
    return all;
}

double used_earliest(const Campaign& c, double days) {
    double used = 0;
    for (const CampaignSpan& s : schedule_of(c)) {
        const double length = s.to_day - s.from_day;
        const double part = length > 0 ? std::clamp((days - s.from_day) / length, 0.0, 1.0) : days >= s.from_day;
        used += part * s.units;
    }
    return used;
}

namespace {

constexpr double days_a_month = 365.25 / 12;

}  // namespace

double used_evenly(const Campaign& c, const Programme& p, double days) {
    const double length = p.periods.months * days_a_month;
    return c.units * (length > 0 ? std::clamp(days / length, 0.0, 1.0) : 1);
}

std::optional<double> lost_units(const UseCheckpoint& c, double award, double used) {
    if (used >= c.used_below * award) return 0;
    switch (c.of) {
    case Loses::unused: return c.share * (award - used);
    case Loses::shortfall: return c.used_below * award - used;
    case Loses::period: return award - used;
    case Loses::unstated: break;
    }
    return std::nullopt;
}

namespace {

// An even pace, as far as the runs can be that fast; contingency goes along with them.
double even_pace(const Campaign& c, const Programme& p, double days) {
    double scheduled = 0;
    for (const CampaignSpan& s : schedule_of(c)) scheduled += s.units;
    const double possible = scheduled > 0 ? used_earliest(c, days) * c.units / scheduled : 0;
    return std::min(used_evenly(c, p, days), possible);
}

}  // namespace

std::vector<CheckpointVerdict> burn_down(const Campaign& c, const Programme& p, const std::string& start,
                                         double award) {
    std::vector<CheckpointVerdict> all;
    for (const UseCheckpoint& point : p.periods.checkpoints) {
        CheckpointVerdict v;
        v.checkpoint = point;
        v.date = months_later(start, point.month);
        const double days = point.month * days_a_month;
        v.used_evenly = even_pace(c, p, days) / award;
        v.used_earliest = used_earliest(c, days) / award;
        v.used_at_half_pace = v.used_evenly / 2;
        v.lost_at_half_pace = lost_units(point, award, v.used_at_half_pace * award);
        all.push_back(v);
    }
    // An award in parts whose hours stay behind loses at the end of each part what the part has left.
    if (p.periods.parts > 1 && !p.periods.carry_over)
        for (int part = 1; part <= p.periods.parts; ++part) {
            CheckpointVerdict v;
            const double share = 1.0 * part / p.periods.parts;
            v.checkpoint = {share * p.periods.months, share, Loses::period, 1};
            v.date = months_later(start, v.checkpoint.month);
            const double days = v.checkpoint.month * days_a_month;
            v.used_evenly = even_pace(c, p, days) / award;
            v.used_earliest = used_earliest(c, days) / award;
            v.used_at_half_pace = v.used_evenly / 2;
            v.lost_at_half_pace = award / p.periods.parts / 2;
            all.push_back(v);
        }
    std::stable_sort(all.begin(), all.end(), [](const CheckpointVerdict& a, const CheckpointVerdict& b) {
        return a.checkpoint.month < b.checkpoint.month;
    });
    return all;
}

// ---- Dates

namespace {

using CalendarDate = std::chrono::year_month_day;

std::optional<CalendarDate> date_of(const std::string& text) {
    int y = 0, m = 0, d = 0, end = 0;
    if (text.size() != 10 || std::sscanf(text.c_str(), "%4d-%2d-%2d%n", &y, &m, &d, &end) != 3 || end != 10)
        return std::nullopt;
    const CalendarDate date{std::chrono::year(y), std::chrono::month(unsigned(m)), std::chrono::day(unsigned(d))};
    return date.ok() ? std::optional(date) : std::nullopt;
}

std::string text_of_date(CalendarDate d) {
    char text[32];
    std::snprintf(text, sizeof text, "%04d-%02u-%02u", int(d.year()), unsigned(d.month()), unsigned(d.day()));
    return text;
}

}  // namespace

bool is_date(const std::string& text) { return date_of(text).has_value(); }

std::string months_later(const std::string& text, double months) {
    const auto date = date_of(text);
    if (!date) return text;
    const double whole = std::floor(months);
    CalendarDate later = *date + std::chrono::months(int(whole));
    if (!later.ok()) later = later.year() / later.month() / std::chrono::last;
    return days_later(text_of_date(later), (months - whole) * days_a_month);
}

std::string days_later(const std::string& text, double days) {
    const auto date = date_of(text);
    if (!date) return text;
    return text_of_date(CalendarDate(std::chrono::sys_days(*date) + std::chrono::days(int(std::floor(days + 1e-9)))));
}

}  // namespace plimsoll

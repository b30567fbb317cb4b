#include "core/answers/curves/study.h"

#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"
#include "core/answers/plan/headroom.h"
#include "core/answers/plan/rules.h"
#include "core/answers/search/fit_first.h"
#include "core/answers/search/ranking.h"
#include "core/answers/search/wording.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace plimsoll {

namespace {

// Layouts of the same degrees that nobody can tell apart by their numbers differ in a setting that does next to nothing
// in this plan: with fused attention, say, selective recomputation keeps what no recomputation keeps.
bool same_in_effect(const Candidate& a, const Candidate& b) {
    const auto alike = [](double x, double y) { return std::abs(x - y) <= 1e-4 * std::max(x, y); };
    return alike(a.step / second, b.step / second) && alike(a.energy / joule, b.energy / joule)
        && alike(a.memory / byte, b.memory / byte) && a.tight == b.tight && a.stalls == b.stalls;
}

}  // namespace

std::vector<Candidate> each_once(const std::vector<Candidate>& candidates, const Layout& plans_own) {
    const auto degrees = [](const Layout& l) {
        return std::tuple(l.tensor_parallel, l.context_parallel, l.pipeline_parallel, l.data_parallel,
                          l.expert_parallel, l.micro_batch, l.virtual_stages);
    };
    std::vector<Candidate> distinct;
    std::map<decltype(degrees(plans_own)), std::vector<std::size_t>> kept;   // places in `distinct`
    for (const Candidate& c : candidates) {
        std::vector<std::size_t>& of_these = kept[degrees(c.layout)];
        const auto same = std::ranges::find_if(of_these, [&](std::size_t i) { return same_in_effect(c, distinct[i]); });
        if (same == of_these.end()) {
            of_these.push_back(distinct.size());
            distinct.push_back(c);
        } else if (c.layout == plans_own) {
            distinct[*same] = c;
        }
    }
    return distinct;
}

namespace {

std::vector<Candidate> rows_of(const SearchResult& r, Objective o, const Layout& plans_own) {
    std::vector<Candidate> rows = r.top;   // in the order of the ranking
    std::vector<Candidate> others = r.front;
    for (const SplitCell& cell : r.splits)
        if (cell.best) others.push_back(*cell.best);
    std::stable_sort(others.begin(), others.end(), [o](const Candidate& a, const Candidate& b) {
        return std::tuple(value_of(a, o), a.step) < std::tuple(value_of(b, o), b.step);
    });
    rows.insert(rows.end(), others.begin(), others.end());
    return each_once(rows, plans_own);
}

// What check() says first about the first layout of a pipeline that it refuses.
std::optional<Obstacle> first_rule(Scenario& s, const Layouts& layouts, const Layout& pipeline) {
    for (const Inner& i : layouts.inner(pipeline)) {
        s.layout = Layouts::with(pipeline, i);
        if (auto found = check(s); !found.empty()) return std::move(found.front());
    }
    return std::nullopt;
}

std::vector<std::optional<Obstacle>> rules_of(const Scenario& plan, const Space& space,
                                              const std::vector<SplitCell>& cells) {
    std::map<std::pair<int, int>, std::size_t> open;
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (cells[i].feasible == 0) open.emplace(std::pair(cells[i].tensor_parallel, cells[i].pipeline_parallel), i);
    std::vector<std::optional<Obstacle>> rules(cells.size());
    if (open.empty()) return rules;
    Scenario s = plan;
    const Layouts layouts(plan, space);
    for (const Layout& layer : layouts.layers()) {
        const auto of_tensor = open.lower_bound({layer.tensor_parallel, 0});
        if (of_tensor == open.end() || of_tensor->first.first != layer.tensor_parallel) continue;
        for (const Layout& pipeline : layouts.pipelines(layer)) {
            const auto cell = open.find({pipeline.tensor_parallel, pipeline.pipeline_parallel});
            if (cell == open.end()) continue;
            if (!(rules[cell->second] = first_rule(s, layouts, pipeline))) continue;
            open.erase(cell);
        }
    }
    return rules;
}

}  // namespace

std::optional<Candidate> candidate_of(const Scenario& plan, const Headroom& asked) {
    const Outcome o = estimate(plan);
    if (!o) return std::nullopt;
    return candidate_of(plan, *o, asked);
}

Study study(const Scenario& plan, const Space& space, const SearchOptions& options, std::stop_token stop,
            const SearchProgress& progress) {
    Study s;
    s.plan = without_sources(plan);
    s.options = options;
    s.options.with_plan = true;
    s.found = search(s.plan, space, s.options, stop, progress);
    s.left_out = say_left_out(space, s.plan);
    s.rows = rows_of(s.found, options.objective, s.plan.layout);
    s.rules.resize(s.found.splits.size());
    if (s.found.cancelled) return s;
    s.rules = rules_of(s.plan, space, s.found.splits);
    if (const Splits picks = splits(s.plan, options.headroom); picks.rule)
        s.fit_first = candidate_of(picks.rule->scenario, options.headroom);
    return s;
}

bool answers(const Study& s, const Scenario& plan) {
    if (plan.layout.devices != s.plan.layout.devices) return false;
    Scenario same = with_layout(without_sources(plan), s.plan.layout);
    same.name = s.plan.name;
    return same == s.plan;
}

std::string say_value(const Candidate& c, Objective o) {
    switch (o) {
        case Objective::energy: return say(c.energy);
        case Objective::memory: return say(c.memory);
        case Objective::time:
        case Objective::cost:
        case Objective::node_hours: break;
    }
    return say(c.step);
}

std::string say_cell(const Study& s, std::size_t split) {
    const SplitCell& cell = s.found.splits[split];
    const std::string fits = say_count(double(cell.fits)), tried = say_count(double(cell.tried));
    const std::string text =
        (cell.tight > 0 ? phrase("{1} of {2} layouts fit, {3} of them tightly.", fits, tried,
                                 say_count(double(cell.tight)))
                        : phrase("{1} of {2} layouts fit.", fits, tried))
        + ' ';
    if (cell.best)
        return text
             + with_doubt(phrase("Best: {1}, {2} a step", say_layout(cell.best->layout),
                                 say_value(*cell.best, s.options.objective)),
                          cell.best->verdict());
    if (cell.nearest)
        return text + phrase("Nearest: {1}, {2}", say_layout(cell.nearest->layout), say_miss(*cell.nearest));
    return s.rules[split] ? text + say(*s.rules[split]) : text;
}

namespace {

void add(Series& s, const Candidate& c) {
    s.x.push_back(c.step / second);
    s.y.push_back(c.memory / gibibyte);
    s.names.push_back(say_layout(c.layout));
}

Series points(const char* id, const char* label, const std::vector<Candidate>& candidates) {
    Series s{id, label, Mark::point, {}, {}, {}};
    for (const Candidate& c : candidates) add(s, c);
    return s;
}

// Of the front, which also counts energy, what no other beats in time and memory: steps, since nothing lies between two
// layouts.
Series border(std::vector<Candidate> front) {
    Series s{"border", "Best trade-off", Mark::ideal, {}, {}, {}};
    std::ranges::stable_sort(front, {}, &Candidate::step);
    for (const Candidate& c : front) {
        const double x = c.step / second, y = c.memory / gibibyte;
        if (!s.y.empty() && y >= s.y.back()) continue;
        if (!s.y.empty()) {
            s.x.push_back(x);
            s.y.push_back(s.y.back());
        }
        s.x.push_back(x);
        s.y.push_back(y);
    }
    return s;
}

Bytes limit_of(const Scenario& s) {
    const Outcome o = estimate(s);
    return o ? o->memory_limit : Bytes{};
}

}  // namespace

Figure layout_figure(const Study& s, const Scenario& present) {
    Figure f;
    f.id = "layouts";
    f.title = "Layouts that fit or may fit";
    f.x = {"Time of a step", "s", true};
    f.y = {"Memory of the fullest device", "GiB"};
    std::vector<Candidate> others = s.rows;
    std::erase_if(others, [&](const Candidate& c) {
        return std::find(s.found.front.begin(), s.found.front.end(), c) != s.found.front.end();
    });
    f.series.push_back(points("ranked", "Ranked", others));
    f.series.push_back(points("front", "Pareto-best", s.found.front));
    const std::optional<Candidate> here = candidate_of(without_sources(present));
    if (here) f.series.push_back(points("here", "This plan", {*here}));
    if (s.fit_first) f.series.push_back(points("rule", "Least model parallelism", {*s.fit_first}));
    if (s.found.front.size() > 1) f.series.push_back(border(s.found.front));
    const Scenario& any = here || s.rows.empty() ? present : with_layout(s.plan, s.rows.front().layout);
    const Bytes limit = limit_of(any);
    if (const Bytes sure = surely(any, {}).limit(limit); sure > Bytes{})
        f.series.push_back({"surely_fits", "Surely fits below", Mark::limit, {}, {sure / gibibyte}, {}});
    if (limit > Bytes{})
        f.series.push_back({"limit", "Device memory", Mark::limit, {}, {limit / gibibyte}, {}});
    std::erase_if(f.series, [](const Series& one) { return one.mark == Mark::point && one.x.empty(); });
    f.caption = say_count(double(s.found.fits)) + " of " + say_count(double(s.found.count)) + " layouts of the "
              + s.found.space + " space fit or may fit. Shown are the best " + say_count(double(s.found.top.size()))
              + ", the best of each tensor x pipeline split, and those "
                "that are Pareto-best: none is better in time, energy and memory at once.";
    if (s.found.tight > 0)
        f.caption += " " + say_count(double(s.found.tight)) + " of them leave less than the headroom of "
                   + percent(s.options.headroom.share, 0) + " and rank after the others.";
    if (const std::string sure = say_surely(s.found); !sure.empty()) f.caption += " " + sure;
    if (!s.left_out.empty()) f.caption += " Not tried: " + s.left_out + '.';
    return f;
}

}  // namespace plimsoll

#include "core/answers/search/layout_figure.h"

#include "core/values/knobs/wording.h"
#include "core/answers/search/wording.h"

#include <algorithm>

namespace plimsoll {

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

// Of the front, which also counts energy, what no other beats in time and memory: steps, since nothing lies between two layouts.
Series border(const std::vector<Candidate>& front) {
    Series s{"border", "Least memory for a time", Mark::ideal, {}, {}, {}};
    for (const Candidate& c : front) {   // fastest first
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
    f.title = "Layouts that fit";
    f.x = {"Time of a step", "s", true};
    f.y = {"Memory of the fullest device", "GiB"};
    std::vector<Candidate> others = s.rows;
    std::erase_if(others, [&](const Candidate& c) { return std::find(s.found.front.begin(), s.found.front.end(), c) != s.found.front.end(); });
    f.series.push_back(points("ranked", "Ranked", others));
    f.series.push_back(points("front", "Unbeaten", s.found.front));
    const std::optional<Candidate> here = candidate_of(without_sources(present));
    if (here) f.series.push_back(points("here", "This plan", {*here}));
    if (s.fit_first) f.series.push_back(points("rule", "Fit first, then data parallel", {*s.fit_first}));
    if (s.found.front.size() > 1) f.series.push_back(border(s.found.front));
    const Scenario& any = here || s.rows.empty() ? present : with_layout(s.plan, s.rows.front().layout);
    if (const Bytes limit = limit_of(any); limit > Bytes{}) f.series.push_back({"limit", "Device memory", Mark::limit, {}, {limit / gibibyte}, {}});
    std::erase_if(f.series, [](const Series& one) { return one.mark == Mark::point && one.x.empty(); });
    f.caption = say_count(double(s.found.fits)) + " of " + say_count(double(s.found.count)) + " layouts of the " + s.found.space
              + " space fit. Shown are the best " + say_count(double(s.found.top.size())) + ", the best of each tensor x pipeline split, and those "
                "unbeaten: none is better in time, energy and memory at once.";
    return f;
}

}  // namespace plimsoll

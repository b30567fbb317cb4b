#pragma once
// The charts, as data: window, export and CSV draw the same Figure.
//
//   for (const Figure& f : figures(scenario)) write(to_csv(f));
//
// About 40 estimates: under a millisecond. Figures never come back empty for a
// plan without obstacles; for one with obstacles figures() is empty and the
// caller keeps the last ones.

#include "core/answers/campaign/totals.h"
#include "core/values/basics/units.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace plimsoll {

enum class Mark {
    line,          // solid line with markers
    ideal,         // dashed line, no markers: a reference curve
    stacked_bar,   // stacked on the series before it, one bar per category
    limit,         // horizontal reference line; y holds one value
    point,         // markers alone, each with a name; with categories, x is the category index
    band,          // shading from y to high
    change,        // in categories: a bar from low to high, with a name; y is the end it leads to
};

struct Axis {
    std::string label;   // "Nodes", "Time to train"
    std::string unit;    // "days", "GiB"; empty for counts
    bool logarithmic = false;  // what it opens with
};

struct Series {
    std::string id, label;
    Mark mark = Mark::line;
    std::vector<double> x, y;      // same length (bars: x is the category index); limit: x empty, y one value
    std::vector<bool> fits;        // per point; false = does not fit in memory, drawn hollow. May be empty = all fit
    // band: upper edge; change: upper end; point: upper end of its 95 % interval, or empty
    std::vector<double> high = {};
    // point, change: what each is called; line: said when one is read off, may be empty
    std::vector<std::string> names = {};
    std::vector<std::string> labels = {};  // line: written where one differs from the one before; may be empty
    // change: lower end; point: lower end of its 95 % interval, or empty: none is drawn
    std::vector<double> low = {};

    bool has_named_points() const { return mark == Mark::point || mark == Mark::change; }
};

struct Figure {
    std::string id;       // file stem: "time-vs-nodes"
    std::string title;
    Axis x, y;
    std::vector<std::string> categories;  // bar figures: name per x index
    std::vector<Series> series;
    double here_x = 0;    // x of the present plan, marked in line figures; 0 = none
    std::string caption;  // one or two sentences: what is shown, under which assumptions
};

// Points without lines beside them: each has a row of its own in a table. Beside lines they have a column, as these do.
bool is_of_points(const Figure&);

struct EnvelopePoint;   // search/envelope.h

// Ids, in order: time-vs-nodes, step-breakdown, step-vs-nodes, memory-per-stage,
// energy-vs-nodes, power-vs-nodes, efficiency-vs-nodes, node-hours-vs-nodes, checkpoint-tradeoff;
// of a model whose layers are of several kinds step-by-kind and memory-by-kind besides.
// With an envelope() over node counts its layouts are a further line, "best", in time, energy and node-hours. What the
// run takes counts failures and ends of jobs or not, for all node counts as for the plan itself.
std::vector<Figure> figures(const Scenario&, std::span<const EnvelopePoint> best = {},
                            Counting = Counting::automatic);

// CSV, "." decimals, units in the header, '#' comment lines with title and plan
// on top. The same figure gives the same bytes.
std::string to_csv(const Figure&, const Scenario&);

// Plain-text captions and assumptions for all figures: plan, sources, what is counted and what is not.
std::string captions(const std::vector<Figure>&, const Scenario&);

// ---- Readable units, one per figure: the largest that the present plan's value fills twice

template <class Q>
struct Unit {
    const char* name;
    Q size;
};

// Of units in ascending order; the smallest where the value fills none twice.
template <class Q, std::size_t N>
Unit<Q> readable(Q value, const Unit<Q> (&units)[N]) {
    Unit<Q> best = units[0];
    for (const Unit<Q>& u : units)
        if (value >= 2 * u.size) best = u;
    return best;
}

inline constexpr Unit<Seconds> run_units[] = {{"minutes", minute}, {"hours", hour}, {"days", day}};
inline constexpr Unit<Seconds> step_units[] = {{"ms", millisecond}, {"s", second}};
inline constexpr Unit<Joules> energy_units[] = {
    {"kWh", kilowatt_hour}, {"MWh", megawatt_hour}, {"GWh", 1e3 * megawatt_hour}};
inline constexpr Unit<Watts> power_units[] = {{"W", watt}, {"kW", kilowatt}, {"MW", megawatt}};

// ---- The figure "checkpoint-tradeoff": time lost against the checkpoint interval

// Around Young's interval and the plan's, both of which are points of the curves.
Figure checkpoint_tradeoff(const Scenario&);
std::string checkpoint_caption(const Scenario&);  // what it shows, without the plan

// ---- Captions: what a figure shows and under which assumptions

// `all`: whether failures, checkpoints and ends of jobs are counted.
std::string caption_of(const Figure&, const Scenario&, const Estimate&, bool all = false);

}  // namespace plimsoll

#pragma once
// The charts, as data: window, export and CSV draw the same Figure.
//
//   for (const Figure& f : figures(scenario)) write(to_csv(f));
//
// About 40 estimates: under a millisecond. Figures never come back empty for a
// plan without obstacles; for one with obstacles figures() is empty and the
// caller keeps the last ones.

#include "core/answers/plan/estimate.h"

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
    std::vector<double> high = {};         // band: upper edge; point: upper end of its 95 % interval, or empty
    std::vector<std::string> names = {};   // point: what each is called; line: said when one is read off, may be empty
    std::vector<std::string> labels = {};  // line: written where one differs from the one before; may be empty
    std::vector<double> low = {};          // point: lower end of its 95 % interval, or empty: none is drawn
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

struct EnvelopePoint;   // search/envelope.h

// Ids, in order: time-vs-nodes, step-breakdown, step-vs-nodes, memory-per-stage,
// energy-vs-nodes, power-vs-nodes, efficiency-vs-nodes, node-hours-vs-nodes, checkpoint-tradeoff.
// With an envelope() over node counts its layouts are a further line, "best", in time, energy and node-hours.
std::vector<Figure> figures(const Scenario&, std::span<const EnvelopePoint> best = {});

// CSV, "." decimals, units in the header, '#' comment lines with title and plan
// on top. The same figure gives the same bytes.
std::string to_csv(const Figure&, const Scenario&);

// Plain-text captions and assumptions for all figures: plan, sources, what is counted and what is not.
std::string captions(const std::vector<Figure>&, const Scenario&);

}  // namespace plimsoll

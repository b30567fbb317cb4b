#pragma once
// Two to six plans beside each other: what differs in their inputs, their answers, and why one takes longer.
//
//   const Comparison c = *compare({&a, &b});
//   c.inputs;                   // "Tensor parallel": 8, 4
//   c.waterfalls[0].parts;      // from a's time to b's, part by part: they sum to the difference
//
// The first plan is what the others are held against. Times are those of the whole run, failures and ends of jobs
// counted.

#include "core/answers/plan/estimate.h"

#include <span>
#include <string>
#include <vector>

namespace plimsoll {

enum class Wanted { either, less, more };

struct ComparedRow {
    std::string id, label, unit;
    std::vector<std::string> values;     // of each plan, as people read them
    std::vector<double> numbers;         // likewise in the unit; empty where some of them are words
    bool differs = false;
    Wanted wanted = Wanted::either;      // what of two numbers is better
};

struct WaterfallPart {
    std::string id, label;
    Seconds change;                      // that this part adds to the run
};

struct Waterfall {
    Seconds from, to;                    // of the run
    std::vector<WaterfallPart> parts;    // parts of the step over all steps, then what comes beside training
    Seconds sum() const;
    std::string why;                     // in a sentence
};

struct Comparison {
    std::vector<ComparedRow> inputs;     // that differ
    std::vector<ComparedRow> answers;    // all
    std::vector<Waterfall> waterfalls;   // of each plan but the first
};

// Or the obstacles of the first plan that cannot be computed, with its place from 0.
struct NotComparable { int plan = 0; std::vector<Obstacle> obstacles; };
Expected<Comparison, NotComparable> compare(std::span<const Scenario> plans);

Waterfall waterfall(const Scenario& from, const Estimate&, const Scenario& to, const Estimate&);

}  // namespace plimsoll

#pragma once
// Charts of plans beside each other.
//
//   for (const Figure& f : compare_figures(plans, names)) ...
//
// "compare-time": what each run takes, part by part. "compare-memory": the fullest device of each. "compare-nodes":
// time to train over the nodes, a line for each plan.

#include "core/answers/compare/compare.h"
#include "core/answers/curves/figures.h"

#include <span>
#include <string>
#include <vector>

namespace plimsoll {

// A name for each plan. Empty where one of the plans cannot be computed. Lines over the nodes take most of the time.
std::vector<Figure> compare_figures(std::span<const Scenario> plans, std::span<const std::string> names,
                                    bool with_nodes = true);

// "compare-why": from the time of one plan to that of another, a bar for each part that takes longer or less.
Figure waterfall_figure(const Waterfall&, const std::string& from, const std::string& to);

}  // namespace plimsoll

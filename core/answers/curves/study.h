#pragma once
// A search with what one wants to see around it: every layout it kept in one
// list, the rule of thumb's pick, and for empty cells of the map why they are.
//
//   const Study s = study(plan, common_space(), {.limit = 200}, stop, progress);
//   s.rows.front();                        // best of all
//   say_cell(s, i);                       // "needs 92.1 GiB of 80 GiB ..."

#include "core/answers/curves/figures.h"
#include "core/answers/plan/estimate.h"
#include "core/answers/search/search.h"

#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

// Of layouts of the same degrees that are alike in step, energy and memory to one part in 10,000 the first, or the
// plan's own.
std::vector<Candidate> each_once(const std::vector<Candidate>&, const Layout& plans_own);

struct Study {
    Scenario plan;                   // that was searched, without sources
    SearchOptions options;
    SearchResult found;
    std::string left_out;            // what its space does not try, in words
    std::vector<Candidate> rows;     // ranking, front and best of each cell; best first, each once; of those
                                     // alike in all but a setting without effect one
    // For each cell without a layout that can be computed, the rule that excludes the first.
    std::vector<std::optional<Obstacle>> rules;
    std::optional<Candidate> fit_first;          // what "fit first, then data parallel" picks
};

// The plan's own layout is one of those tried, so that the best is never worse than it.
Study study(const Scenario&, const Space&, const SearchOptions&, std::stop_token = {}, const SearchProgress& = {});

// Whether what was found answers for this plan: they differ in the layout of the same devices at most.
bool answers(const Study&, const Scenario& plan);
// The plan itself; none when it cannot be computed. It need not fit.
std::optional<Candidate> candidate_of(const Scenario& plan, const Headroom& = {});

// A cell in words: its best layout, or what its nearest layout lacks, or the rule that excludes them.
std::string say_cell(const Study&, std::size_t split);
std::string say_value(const Candidate&, Objective);   // "38.1 s", of what the search asked for

// Layouts as points of step time and memory: those a search kept, those nothing beats, the border they form, and where
// the plan and the rule of thumb lie. Points are named by say_layout().
Figure layout_figure(const Study&, const Scenario& present);

}  // namespace plimsoll

#pragma once
// What choosing a layout by prediction is worth: published sweeps of layouts, all else alike.
//
//   for (const Sweep& s : sweeps_of(score.rows)) s.regret;      // 0.04: the layout predicted fastest took 4 % longer
//   regret_of(sweeps, "vtrain-single").median;                   // over the sweeps of a source
//
// A sweep holds the scored rows of one source that differ in layout alone: same model, machine, devices, sequence,
// batch, number format and stack. Its regret is the measured time of the layout that is predicted fastest over the
// fastest measured one, less 1. Layouts are chosen as a search does: those that may stall, and those that are predicted
// not to fit, are not. They stand apart, but what was measured of them counts as what could have been had. So do runs
// that another run of the same work shows to have stood still by chance (contradicted.h): they say nothing of the order
// of layouts. `by_chance` is the regret where they may be chosen: what whoever ran that one paid.

#include "core/evidence/published/score.h"

#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

constexpr int sweep_rows = 4;            // a smaller choice says little
constexpr int judged_sweep_rows = 5;     // of the sweeps that sources are compared by

struct Sweep {
    std::string source, name;            // "GPT 7.5B, 8 devices, 512 sequences of 2,048"
    int rows = 0, apart = 0;             // layouts that can be chosen; the others
    std::string chosen, fastest;         // ids: predicted fastest of the rows, measured fastest of all
    double regret = 0, by_chance = 0;
    double rank_correlation = 0;         // Spearman's, of predicted and measured times; ties share their mean rank
};
// In the order of their sources and names. `least`: of the layouts that can be chosen.
std::vector<Sweep> sweeps_of(const std::vector<ScoredRow>&, int least = sweep_rows);

struct RegretSummary {
    std::string source;                  // "all sources" of all
    int sweeps = 0, rows = 0, apart = 0;
    double median = 0, mean = 0, worst = 0, mean_by_chance = 0;
    std::string worst_sweep;
    double rank_correlation = 0;         // median
};
RegretSummary regret_of(const std::vector<Sweep>&, const std::string& source = {});   // "" all
// Of the sweeps of `judged_sweep_rows` and more: their sources, and all, last.
std::vector<RegretSummary> regrets_by_source(const std::vector<Sweep>&);

// Spearman's rank correlation; 1 where either side has one value only.
double rank_correlation(const std::vector<double>&, const std::vector<double>&);

}  // namespace plimsoll

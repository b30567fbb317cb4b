#pragma once
// Published runs as charts: predicted against published, and errors by source
// and by device. Each point is named by the id of its run.
//
//   for (const Figure& f : residual_figures(record.score.rows, {})) write(to_csv(f));
//
// Runs that do not count are left out. `own` are the user's: a series of their own.

#include "core/answers/curves/figures.h"
#include "core/evidence/published/score.h"

namespace plimsoll {

// Ids, in order: predicted-vs-published, error-by-source, error-by-device.
std::vector<Figure> residual_figures(const std::vector<ScoredRow>& shipped, const std::vector<ScoredRow>& own);


}  // namespace plimsoll

#pragma once
// Predictions against published runs, as text, JSON and CSV. Sets are plans
// with a measured number; records are rows of other people's tables, scored
// per source. Errors in JSON and CSV are signed fractions of the time.
//
// JSON: {"score": {"dense", "moe", "memory"}, "sources", "families", "memory_sources": [{"source", "family",
//   "rows", "excluded", "mape", "median", "bias", "worst": {"id", "error"}}], "rows", "memory_rows": [{"id",
//   "source", "quantity", "published", "predicted", "error", "excluded", "memory_share", "filled"}], "sets": [{"id",
//   "mean_absolute_error", "rows"}]}

#include "core/answers/published/score.h"
#include "core/answers/published/validate.h"

#include <ostream>

namespace plimsoll {

struct ScoredSet {
    RunSet set;
    std::vector<Residual> residuals;
};

void print_text(std::ostream&, const std::vector<ScoredSet>&, const Score&);
void print_json(std::ostream&, const std::vector<ScoredSet>&, const Score&);
void print_csv(std::ostream&, const std::vector<ScoredSet>&, const Score&);

}  // namespace plimsoll

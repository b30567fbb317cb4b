#pragma once
// Predictions against measured runs, scored per source, as text, JSON and CSV.
// Errors in JSON and CSV are signed fractions of the time.
//
// JSON: {"score": {"dense", "moe", "memory"}, "sources", "families", "expert_sources", "memory_sources": [{"source", "family",
//   "rows", "excluded", "mape", "median", "bias", "worst": {"id", "error"}}], "rows", "memory_rows": [{"id",
//   "source", "quantity", "published", "predicted", "error", "excluded", "memory_share", "filled"}], "other_rows"}

#include "core/evidence/published/score.h"

#include <ostream>

namespace plimsoll {

void print_text(std::ostream&, const Score&);
void print_json(std::ostream&, const Score&);
void print_csv(std::ostream&, const Score&);

}  // namespace plimsoll

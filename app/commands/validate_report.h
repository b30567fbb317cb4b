#pragma once
// Predictions against measured runs, scored per source, as text, JSON and CSV.
// Errors in JSON and CSV are signed fractions of the time.
// JSON: core/files/results/answers_json.h.

#include "core/evidence/published/score.h"

#include <ostream>

namespace plimsoll {

void print_text(std::ostream&, const Score&);
void print_json(std::ostream&, const Score&);
void print_csv(std::ostream&, const Score&);

}  // namespace plimsoll

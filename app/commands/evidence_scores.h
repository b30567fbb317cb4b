#pragma once
// What 'plimsoll validate' prints besides errors: headline, regret, ranges, anchors.

#include "core/files/results/answers_json.h"

#include <ostream>

namespace plimsoll {

// The left-out errors first: the others are of runs that the constants were fitted to.
void print_headline_score(std::ostream&, const Score&, const LeftOut&);
void print_regret(std::ostream&, const std::vector<Sweep>&);
void print_coverage(std::ostream&, const std::vector<CoverageSummary>&);
void print_anchored(std::ostream&, const std::vector<AnchoredSource>&);

}  // namespace plimsoll

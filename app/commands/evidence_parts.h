#pragma once
// The parts of 'plimsoll validate' and 'plimsoll fit' (evidence.cpp) that stand in files of their own.

#include "core/evidence/published/memory_cases.h"
#include "core/files/results/answers_json.h"

#include <ostream>
#include <string>
#include <vector>

namespace plimsoll {

// ---- What validate prints besides errors (evidence_scores.cpp): headline, regret, ranges, anchors

// The left-out errors first: the others are of runs that the constants were fitted to.
void print_headline_score(std::ostream&, const Score&, const LeftOut&);
void print_regret(std::ostream&, const std::vector<Sweep>&);
void print_coverage(std::ostream&, const std::vector<CoverageSummary>&);
// Errors and ranges where stack and device were measured together, apart, or one of them never.
void print_known(std::ostream&, const std::vector<KnowledgeSummary>&);
void print_anchored(std::ostream&, const std::vector<AnchoredSource>&);
void print_copies(std::ostream&, const std::vector<CopiedSource>&);
void print_cases(std::ostream&, const JudgedCases&);

// ---- Measured operators (operators.cpp): validate --operators, fit --operators

// `names`: ids of shipped tables or files; none: all that ship. The exit code.
int validate_operators(const std::vector<std::string>& names, bool json);
// `out`: a folder for the machine presets that change; empty: none is written.
int fit_operator_constants(const std::vector<std::string>& names, const std::string& out, bool json);

}  // namespace plimsoll

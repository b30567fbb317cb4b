#pragma once
// Whether ranges keep their word: every row against the range it would have got had its source published nothing.
//
//   const Coverage c = coverage_of(score, left_out);
//   c.time[i].covered;                                   // of score.rows[i]
//   for (const CoverageSummary& s : c.sources) s.two_thirds;   // 0.66: of the rows of a source
//
// Prediction and range are both without the own source (left_out.h, band.h). A range of two thirds should hold
// about two rows in three, over all rows and over sources alike.

#include "core/evidence/published/band.h"

#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

struct RowRange {
    double low = 0, high = 0;             // two thirds, in the quantity the row published
    double wide_low = 0, wide_high = 0;   // nine tenths
    double error = 0;                     // of the prediction in their middle: predicted / measured - 1
    bool counts = false;                  // the row is scored and there is a range
    bool covered = false, wide_covered = false;
    Knowledge knowledge = Knowledge::nothing;   // of the other sources
};

struct CoverageSummary {
    std::string source;                   // "all rows", "all sources alike"
    bool memory = false;
    int rows = 0;
    double two_thirds = 0, nine_tenths = 0;   // shares of them inside
    double band = 0;                      // median of the ranges: 0.08 either way
};

// How far off step times are by what the other sources know of a row's stack and device: its headline. Of mixtures, the
// sources of other vendors. Sources count alike.
struct KnowledgeSummary {
    bool experts = false;
    std::optional<Knowledge> knowledge;   // none: whatever is known
    int sources = 0, rows = 0;
    double error = 0;                     // median over sources of their mean absolute error
    double band = 0;                      // median over sources of the median of their ranges
    double two_thirds = 0, nine_tenths = 0;   // mean over sources of their shares inside
};

struct Coverage {
    std::vector<RowRange> time, memory;   // of Score::rows and memory_rows
    std::vector<CoverageSummary> sources; // times, then memory; each ends with all rows and with all sources alike
    std::vector<KnowledgeSummary> known = {};   // dense: pair, parts, nothing, all; then mixtures; none without rows
};

Coverage coverage_of(const Score&, const LeftOut&);

std::string say_known(const KnowledgeSummary&);   // "both measured, never together"; "all of them"

}  // namespace plimsoll

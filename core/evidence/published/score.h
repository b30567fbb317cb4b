#pragma once
// How far the predictions are off, over rows of many sources.
//
//   Score s = score(rows, presets);
//   s.dense;            // median over sources of each one's mean absolute error of the step time
//
// The median over sources, not over rows: a few sources hold most of the rows.
// Rows without a prediction keep their reason. Where one source repeats a
// configuration with several releases of one framework, the newest counts.
// Mixtures of experts are told apart: nearly all such rows come from one vendor.

#include "core/evidence/published/row_score.h"

namespace plimsoll {

struct ErrorSummary {
    std::string name, family;            // a source and its device families, or a family alone
    int rows = 0, excluded = 0;
    double mean_absolute = 0, median_absolute = 0, bias = 0;  // of the rows that count
    std::string worst_id;
    double worst = 0;
    int counted() const { return rows - excluded; }
};

struct Score {
    std::vector<ScoredRow> rows, memory_rows;
    std::vector<ScoredRow> other_rows;    // shown, never counted: figures of whole runs, all figures of reference rows
    std::vector<ErrorSummary> sources, families, memory_sources;  // of dense models
    std::vector<ErrorSummary> expert_sources;                     // of mixtures of experts, step time
    std::optional<double> dense, experts, memory;  // none without a row that counts
};

// `instead`: price every row with this stack.
Score score(const PublishedRows&, const RowPresets&, const Stack* instead = nullptr);

// Of all rows together; excluded ones are only counted.
ErrorSummary summary_of(const std::string& name, const std::vector<ScoredRow>&);
double median(std::vector<double>);   // 0 of none

}  // namespace plimsoll

#pragma once
// How far the predictions are off, over rows of many sources.
//
//   Score s = score(rows, machines, stacks);
//   s.dense;            // median over sources of each one's mean absolute error of the step time
//
// The median over sources, not over rows: a few sources hold most of the rows.
// Rows without a prediction keep their reason. Where one source repeats a
// configuration with several releases of one framework, the newest counts.

#include "core/answers/published/run_rules.h"

namespace plimsoll {

struct ScoredRow {
    std::string id, source, family;      // family: of the device, "A100"
    std::string quantity;                // key of the measured value
    double published = 0, predicted = 0; // in that quantity
    double error = 0;                    // of time or memory: predicted / published - 1
    double measured = 0;                 // the published value as seconds of a step or bytes of memory
    double memory_share = 0;             // predicted memory over the device's: near 1 allocators slow runs down
    std::string excluded;                // why it does not count; empty: it does
    std::vector<std::string> filled;     // what was assumed
    Scenario plan;                       // the row as a plan, without provenance; as far as it was filled if excluded
};

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
    std::vector<ErrorSummary> sources, families, memory_sources;
    std::optional<double> dense, memory;  // none without a row that counts
};

// `instead`: price every row with this stack.
Score score(const PublishedRows&, const std::map<std::string, Machine>&, const std::map<std::string, Stack>&,
            const Stack* instead = nullptr);

std::string device_family(const std::string& device);

}  // namespace plimsoll

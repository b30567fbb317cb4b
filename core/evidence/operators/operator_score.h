#pragma once
// How far the prices of single operators are off, per machine and kind.
//
//   const OperatorScore s = score_operators(rows, library.machines);
//   for (const OperatorSummary& each : s.summaries) each.median_absolute, each.holds();
//
// The bar of a kind is the median error that is promised of it; which rows it speaks of says counts().

#include "core/evidence/operators/operator_row.h"
#include "core/values/plan/machine.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

struct ScoredOperator {
    std::size_t row = 0;          // its place among the rows
    Seconds predicted;
    double error = 0;             // predicted / measured - 1
};

// Errors of some rows of one machine and kind.
struct OperatorSummary {
    std::string machine;
    OperatorKind kind = OperatorKind::product;
    std::string of;               // a variety or a size class; empty: all of this kind
    int rows = 0, counted = 0;    // counted: those the bar speaks of
    double median_absolute = 0;   // over the counted rows, or all where none counts
    double bias = 0;              // median error of the same
    std::optional<double> bar;    // nothing where no bar was set
    bool holds() const { return !bar || counted == 0 || median_absolute <= *bar; }
};

struct UnpricedOperators {
    std::string machine, reason;
    int rows = 0;
};

struct OperatorScore {
    std::vector<ScoredOperator> rows;
    std::vector<OperatorSummary> summaries;      // one a machine and kind
    std::vector<OperatorSummary> varieties;      // one a machine, kind and variety
    std::vector<OperatorSummary> size_classes;   // one a machine, kind and size class
    std::vector<UnpricedOperators> unpriced;
};

OperatorScore score_operators(const OperatorRows&, const std::map<std::string, Machine>& machines);

// Median error that is promised: 6 % of products, 10 % of attention, 12 % of grouped products, 15 % of collectives.
std::optional<double> bar_of(OperatorKind);

// Of the size, and of the middle, of errors; 0 without any.
struct MedianError {
    double absolute = 0, bias = 0;
};
MedianError median_of_errors(const std::vector<double>&);

}  // namespace plimsoll

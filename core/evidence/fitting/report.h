#pragma once
// A fit with what one wants to know before trusting it: errors of every source
// with the presets as they are, as fitted, and as the other sources predict it.
//
//   const FitReport r = fitted(problem, LeaveOut::source);
//   r.left_out;      // median over sources, of step time

#include "core/evidence/fitting/fit.h"

namespace plimsoll {

enum class LeaveOut { none, source };

// Mean absolute errors of one source.
struct SourceError {
    std::string source;
    Measured quantity = Measured::time;
    int rows = 0;
    double before = 0;                   // with the presets as they are
    double fitted = 0;                   // the rows took part
    std::optional<double> left_out;      // all constants determined by the other sources
};

struct FitReport {
    Fit fit;
    std::vector<SourceError> sources;
};
FitReport fitted(const FitProblem&, LeaveOut);

// Median over sources; none without one.
enum class Stage { before, fitted, left_out };
std::optional<double> median_error(const std::vector<SourceError>&, Measured, Stage);

}  // namespace plimsoll

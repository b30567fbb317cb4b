#pragma once
// Constants from measured runs: robust least squares with priors.
//
//   FitProblem p{observations_of(score(rows, machines, stacks)), constants};
//   Fit f = fit(p);
//   f.constants[0].value;
//
// Minimises, over z = log(value / prior) / width of every constant,
//   sum over rows  w_row 2 delta^2 (sqrt(1 + (r/delta)^2) - 1) / noise^2  +  sum z^2,   r = log(predicted / measured)
// by Levenberg and Marquardt's method, derivatives by central differences
// through estimate(). The pseudo-Huber loss lets a row that is far off pull no
// harder than one a few deltas off. Every source counts like at most
// `source_runs` rows: a large table does not outvote small ones.

#include "core/evidence/fitting/constants.h"
#include "core/evidence/fitting/hold_back.h"
#include "core/evidence/published/left_out.h"

namespace plimsoll {

enum class Measured { time, memory };

struct Observation {
    std::string id, source;
    Measured quantity = Measured::time;
    MemoryFigure memory;         // which figure of the plan a published memory is compared with
    Scenario plan;               // with the presets' present values
    double measured = 0;         // seconds of a step or bytes of memory
    double weight = 1;           // against rows whose source leaves nothing open
    std::vector<std::string> own_knobs = {};   // whose values are those of the run: no constant moves them
    std::string vendor = {};     // PublishedRow::vendor
    bool moved_by(const Constant&) const;
};
double error_of(const Observation&);   // predicted / measured - 1
// The rows of a score that count; memory beside time where it is published.
std::vector<Observation> observations_of(const Score&, bool dense_only = false);
// Takes the rows out that the rule keeps from every fit, and returns them.
std::vector<Observation> take_held_back(std::vector<Observation>&, const HoldBack&);

struct FitProblem {
    std::vector<Observation> observations;
    std::vector<Constant> constants;
    double noise = 0.05, delta = 0.08, source_runs = 30;
};

struct FittedConstant {
    Constant constant;
    double value = 0, low = 0, high = 0;  // two standard deviations either way, from the curvature at the optimum
    double determined = 0;                // share of the prior's variance the rows removed: 0 nothing, near 1 all
    bool at_limit = false;                // of the knob's range
    std::vector<std::size_t> rows;        // observations whose prediction depends on it
};

// How far one row moves the optimum, in standard deviations of it.
struct Pull {
    std::size_t observation = 0;
    double shift = 0;
};

struct Fit {
    std::vector<FittedConstant> constants;
    std::vector<double> errors;           // per observation, predicted / measured - 1
    std::vector<Pull> pulls;              // hardest first
    double loss = 0;
    int steps = 0;
    bool converged = false;
};

// `start`: values to start from, one a constant; none: the priors. The number of threads changes nothing.
Fit fit(const FitProblem&, const std::vector<double>& start = {}, int threads = 1);

// A fit with what one wants to know before trusting it: errors of every source
// with the presets as they are, as fitted, and as the other sources predict it.
//
//   const FitReport r = fitted(problem, LeaveOut::source);
//   r.left_out;      // median over sources, of step time

// Rows are left out together that err together: those of a source, or those of all sources of a vendor, who tunes and
// measures them alike. A source without a vendor is left out on its own.
enum class LeaveOut { none, source, vendor };

// Mean absolute errors of one source.
struct SourceError {
    std::string source;
    Measured quantity = Measured::time;
    bool experts = false;                // step times of mixtures of experts, apart from the source's dense models
    int rows = 0;
    double before = 0;                   // with the presets as they are
    double fitted = 0;                   // the rows took part
    std::optional<double> left_out;      // all constants determined by the rows of others
};

struct FitReport {
    Fit fit;
    std::vector<SourceError> sources;
    std::vector<double> before, left_out;   // signed, per observation; left_out is empty where nothing was left out
};
FitReport fitted(const FitProblem&, LeaveOut, int threads = 1);

// Rows that were held back, `before` with the presets as they are and `fitted` with the values of the fit.
std::vector<SourceError> held_back_errors(const std::vector<Observation>&, const Fit&);

// What a file of left-out errors holds (published/left_out.h).
std::vector<LeftOutRow> left_out_rows(const FitProblem&, const FitReport&);

// Median over the sources with at least so many rows; none without one. `experts`: of mixtures, else of dense models.
enum class FitStage { before, fitted, left_out };
std::optional<double> median_error(const std::vector<SourceError>&, Measured, FitStage, bool experts = false,
                                   int least_rows = 1);

// Fitted constants as presets: what differs from the presets they started from.
//
//   const Overlay o = overlay(problem, fit(problem).constants, library.machines, library.stacks);
//   o.machines.at("our-cluster").device.efficiency.gemm_ceiling;

struct Overlay {
    Machines machines;
    Stacks stacks;
};

// Every machine and stack that owns a constant whose value changes, to three
// digits; its entry under "sources" says which rows decided it.
Overlay overlay(const FitProblem&, const std::vector<FittedConstant>&, const Machines&, const Stacks&);

}  // namespace plimsoll

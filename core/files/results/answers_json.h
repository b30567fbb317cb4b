#pragma once
// Answers as JSON and CSV, for scripts and other programs. Keys are stable: they may be added to, never renamed.

#include "core/answers/curves/sweep.h"
#include "core/answers/curves/timeline.h"
#include "core/answers/explain/explain.h"
#include "core/answers/plan/estimate.h"
#include "core/answers/search/envelope.h"
#include "core/answers/search/largest.h"
#include "core/answers/strategies/per_layer.h"
#include "core/evidence/fitting/fit.h"
#include "core/evidence/operators/operator_fit.h"
#include "core/evidence/published/anchor_score.h"
#include "core/evidence/published/band.h"
#include "core/evidence/published/coverage.h"
#include "core/evidence/published/regret.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace plimsoll {

// ---- One plan

// Everything `plimsoll estimate --json` prints. Without a band its key is null; "anchored" is there with anchors only.
// "fit" is the verdict, "fits", "may_not_fit" or "does_not_fit", by "share_of_device" (headroom.h). "fits" is false
// where more memory is predicted than there is, or the verdict is that it does not fit. "room" is "enough", "tight"
// (less memory stays free than `headroom`, a share) or "short"; "tight_because" says why.
// "training" is the run without, "total" with failures, checkpoints, restarts and ends of jobs.
std::string to_json(const Scenario&, const Outcome&, const Band* band = nullptr, const Anchoring* anchors = nullptr,
                    double headroom = usual_headroom, Watts most_power = {});
std::string to_json(const Term&);
// {"knob", "points": [{"value", "estimate"}]}; each estimate as above, without a band.
std::string to_json(const Knob&, const std::vector<SweepPoint>&);

// A timeline in the trace event format of Chrome, which chrome://tracing and Perfetto open. One process is the
// pipeline, one thread a stage (counted from 1); complete events ("X") have start and duration in microseconds.
std::string to_trace_json(const Timeline&, const Scenario&);

// ---- Searches

// Layouts have the keys they have in scenario files, with step_seconds, energy_joules per step and memory_bytes of
// the fullest device. `seconds`: what the search took.
std::string search_json(const SearchResult&, Seconds seconds);
// The ranking, one layout a line.
std::string search_csv(const SearchResult&);
// The best layout at every node count, one a line; where none fits the layout's fields are empty.
std::string envelope_csv(std::span<const EnvelopePoint>);

// The largest models of every strategy: an array, in their order.
std::string to_json(const std::vector<LargestModel>&);

// A search of strategies layer by layer: counts, the best plan in runs of equal layers, and the best plan with one
// strategy for all layers.
std::string to_json(const PerLayer&, const StrategySpace&);

// ---- What the numbers are worth

// {"constants": [{"id", "knob", "of", "unit", "pooled_with", "prior", "width", "value", "low", "high", "determined",
//                 "at_limit", "reason"}],
//  "sources": [{"source", "quantity", "experts", "rows", "before", "fitted", "left_out"}],
//  "score": {"time": {"before", "fitted", "left_out"}, "experts": {...}, "memory": {...}},   // sources of 3 rows
//  "held_back": as "sources", for rows that no fit sees,
//  "pulls": [{"id", "quantity", "error", "shift"}], "loss", "steps", "converged"}
//
// Errors are fractions of the measured value; left_out is null where nothing was left out.
std::string write_fit(const FitProblem&, const FitReport&, const std::vector<SourceError>& held_back = {});

// {"score": {"dense", "moe", "memory", "left_out": {"dense", "moe", "memory", "sources", "stale"}},
//  "sources", "families", "expert_sources", "memory_sources":
//      [{"source", "family", "rows", "excluded", "mape", "median", "bias", "worst": {"id", "error"}}],
//  "rows", "memory_rows", "other_rows":
//      [{"id", "source", "quantity", "published", "predicted", "error", "excluded", "memory_share", "stalls", "filled",
//        "left_out", "range_low", "range_high", "covered", "wide_low", "wide_high", "wide_covered"}],
//  "coverage": [{"source", "quantity", "rows", "two_thirds", "nine_tenths", "band"}],
//  "known": [{"experts", "known", "sources", "rows", "error", "band", "two_thirds", "nine_tenths"}],
//  "sweeps": [{"source", "name", "rows", "apart", "chosen", "fastest", "regret", "by_chance",
//              "rank_correlation"}],
//  "regret": [{"source", "sweeps", "rows", "apart", "median", "mean", "mean_by_chance", "worst",
//              "worst_sweep", "rank_correlation"}],
//  "anchored": [{"source", "quantity", "anchor", "rows", "before", "after"}],
//  "copies": [{"source", "quantity", "unseen", "one": {"rows", "choices", "before", "after", "within", ...}, ...}]}
//
// Errors are signed fractions of the measured value, with eight digits. In "score", "left_out" are medians over the
// sources of at least three rows, each predicted with constants fitted to the others; "stale" says why they belong to
// other presets. Of a row, "left_out" is its error so predicted, and the ranges, of two thirds and (wide) nine tenths,
// are around that prediction and made without its source. "regret" is of the sweeps of five rows and more.

// What is told of a score besides its errors.
struct Judgement {
    LeftOut left_out;
    Coverage coverage;                     // empty: no ranges
    std::vector<Sweep> sweeps;
    std::vector<AnchoredSource> anchored;
    std::vector<CopiedSource> copies = {};
};
std::string to_json(const Score&, const Judgement& = {});

// {"machines", "varieties", "size_classes":
//      [{"machine", "kind", "of", "rows", "counted", "median", "bias", "bar", "holds"}],
//  "unpriced": [{"machine", "reason", "rows"}]}
//
// Median size and median of the errors of the rows that the bar speaks of.
std::string to_json(const OperatorScore&);
// [{"machine", "group", "rows", "sources", "before", "fitted", "held_out",
//   "constants": [{"id", "unit", "present", "value", "low", "high", "determined"}]}]
std::string to_json(const std::vector<OperatorFit>&);

// ---- What ships

struct PresetEntry {
    std::string id, name;
    std::optional<std::string> calibrated;  // of a machine: when, and how well its runs were predicted
};
struct PresetList {
    std::string kind;  // "machines"
    std::vector<PresetEntry> entries;
};
// {"machines": [{"id", "name", "calibrated"}], "models": [{"id", "name"}], ...}
std::string to_json(const std::vector<PresetList>&);

}  // namespace plimsoll

#pragma once
// Figures of a calibration: of a bench while its points arrive, of a trial while it runs, and of the proof afterwards.
//
//   draw(bench_figure("Matrix products", points));                  // without series before the first point
//   draw(run_loss(log.latest()));
//   draw(run_steps(log.latest(), *estimate(plan)));      // measured parts are means over the ranks, which add up
//   for (const Figure& f : proof_figures(*machine.calibration.get())) draw(f);

#include "core/answers/curves/figures.h"
#include "core/evidence/calibration/fit/measurements.h"
#include "core/evidence/calibration/proof/evidence.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace plimsoll {

// Measured times over FLOP where every point counts them, else over bytes; nothing is fitted yet. Disturbed points are
// a series of their own.
Figure bench_figure(const std::string& title, std::span<const BenchPoint>);

inline constexpr int most_step_bars = 24;   // the latest steps; all of them are in the log

Figure run_loss(std::span<const EngineStep>, std::optional<double> floor = {});
Figure run_steps(std::span<const EngineStep>, const Estimate& predicted);

// A part of the step, measured and predicted; those that are nothing in both are left out.
struct PartRow {
    std::string label;
    Seconds measured, predicted;
};
std::vector<PartRow> compare_parts(const StepTime& measured, const StepTime& predicted);

// Ids, in order: calibration-parts (time of a step by its parts, predicted beside measured), calibration-errors
// (of time and memory, by layout). Rows that did not run are left out; no row, no figures.
std::vector<Figure> proof_figures(const Calibration&);

}  // namespace plimsoll

#pragma once
// The points of one bench as they arrive: measured time against what is drawn over,
// before anything is fitted to them.
//
//   draw(bench_figure("Matrix products", points));    // without series before the first point

#include "core/evidence/calibration/fit/engine_event.h"
#include "core/answers/curves/figures.h"

#include <span>
#include <string>

namespace plimsoll {

// Times over FLOP where every point counts them, else over bytes; disturbed points are a series of their own.
Figure bench_figure(const std::string& title, std::span<const BenchPoint>);

}  // namespace plimsoll

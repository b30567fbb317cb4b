#pragma once
// A run that measures instead of training: the points of the suites asked for, in
// a drawn order, one `bench` line each.
//
//   if (const std::string wrong = unknown_suite(options.bench); !wrong.empty()) ...
//   const Outcome o = bench(options, {ranks, log, watchdog});     // collective over `ranks`
//
// Lines that are written hold, whatever ends the run.

#include "engine/comm/grid.h"
#include "engine/kernels/kernels.h"
#include "engine/train/run.h"

namespace plimsoll::engine {

// "gemm,p2p", "all" -> empty; else what is wrong with the list and what there is.
std::string unknown_suite(const std::string& list);
std::string bench_help();

Outcome bench(const Options&, const RunPlace&);
// --device cuda, or a failure: a bench of something else would mislead.
Outcome bench_on_device(const Options&, const RunPlace&);

// The same with the kernels and groups of any device; memory_B: what this rank has of it;
// cache_B: its last cache, 0 for the processor's.
template <class Real, class Wide>
Outcome bench_on(const Options&, const RunPlace&, Kernels<Real, Wide>&, Grid&, double memory_B, double cache_B = 0);
extern template Outcome bench_on(const Options&, const RunPlace&, Kernels<double, double>&, Grid&, double, double);
extern template Outcome bench_on(const Options&, const RunPlace&, Kernels<float, float>&, Grid&, double, double);
extern template Outcome bench_on(const Options&, const RunPlace&, Kernels<bf16, float>&, Grid&, double, double);

}  // namespace plimsoll::engine

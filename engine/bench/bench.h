#pragma once
// A run that measures instead of training: the points of the suites asked for, in
// a drawn order, one `bench` line each.
//
//   if (const std::string wrong = unknown_suite(options.bench); !wrong.empty()) ...
//   const Outcome o = bench(options, {ranks, log, dog});     // collective over `ranks`
//
// Lines that are written hold, whatever ends the run.

#include "engine/train/run.h"

namespace plimsoll::engine {

// "gemm,p2p", "all" -> empty; else what is wrong with the list and what there is.
std::string unknown_suite(const std::string& list);
std::string bench_help();

Outcome bench(const Options&, const RunPlace&);

}  // namespace plimsoll::engine

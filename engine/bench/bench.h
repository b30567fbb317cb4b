#pragma once
// A run that measures instead of training: the points of the suites asked for, in
// a drawn order, one `bench` line each.
//
//   if (const std::string wrong = unknown_suite(options.bench); !wrong.empty()) ...
//   const Outcome o = bench(options, {ranks, log, watchdog});     // collective over `ranks`
//
// Lines that are written hold, whatever ends the run.

#include "engine/bench/suites.h"
#include "engine/train/run.h"

namespace plimsoll::engine {

// "gemm,p2p", "all" -> empty; else what is wrong with the list and what there is.
std::string unknown_suite(const std::string& list);
std::string bench_help();
// Whether the list names it: "all" does not, since it starts another program (library.h).
bool asks_library(const std::string& list);

Outcome bench(const Options&, const RunPlace&);
// --device cuda, or a failure: a bench of something else would mislead.
Outcome bench_on_device(const Options&, const RunPlace&);

// The same with the kernels and groups of any device; memory_B: what this rank has of it;
// cache_B: its last cache, 0 for the processor's.
template <class Real, class Wide>
Outcome bench_on(const Options&, const RunPlace&, Kernels<Real, Wide>&, Grid&, double memory_B, double cache_B = 0);

// The suite `power`: what nodes draw at rest, while memory streams, while matrices
// are multiplied, while ranks add up messages, and at rest again. One `bench` line
// of kind `power` each; where no counter can be read, one warning and nothing more.
struct PowerLines {
    long written = 0;
    bool stopped = false;
};
template <class Real, class Wide>
PowerLines power_lines(const Bench<Real, Wide>&, const RunPlace&, const std::function<void()>& alive);

// Whether boards under full load draw between half and 1.1 of their limit: else counter or limit is another's.
// `domains` as Used::domains of node_power.h, of which as many boards a node count as drew most and ranks use
// (`boards_in_use`). True where no limit is told.
bool within_limits(const nlohmann::ordered_json& domains, std::size_t boards_in_use);

}  // namespace plimsoll::engine

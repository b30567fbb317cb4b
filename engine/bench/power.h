#pragma once
// The suite `power`: what nodes draw at rest, while memory streams, while matrices
// are multiplied, while ranks add up messages, and at rest again. One `bench` line
// of kind `power` each; where no counter can be read, one warning and nothing more.
//
//   const PowerLines done = power_lines(bench, place, alive);      // done.written, done.stopped

#include "engine/bench/suites.h"
#include "engine/train/run.h"

namespace plimsoll::engine {

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

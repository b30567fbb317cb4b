#pragma once
// One piece of work, again and again for as long as a counter of energy needs, by
// all ranks at once.
//
//   const Held held = hold(work, {ranks, 5, threads, drain, alive}, power);
//   held.timing.seconds, held.calls       // of the window alone: a second before it brings clocks and heat up

#include "engine/bench/measure.h"
#include "engine/power/node_power.h"

namespace plimsoll::engine {

struct Held {
    Timing timing;             // a call's seconds, by blocks of a tenth of a second
    long calls = 0;            // in the window
    power::Used used;
};

// Collective. `how.budget_s` is the window; a stop ends it.
Held hold(const Work&, const Measuring& how, const MpiComm& ranks, power::NodePower&);

}  // namespace plimsoll::engine

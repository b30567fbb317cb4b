#pragma once
// What sending activations away buys: the largest micro-batch and the fewest
// pipeline stages that fit with it and without.

#include "core/answers/plan/estimate.h"

namespace plimsoll {

struct FreedMemory {
    int micro_batch_kept = 0, micro_batch_sent = 0;  // 0: none fits
    int stages_kept = 0, stages_sent = 0;
};
FreedMemory freed_memory(const Scenario&);   // of a plan whose activations leave

}  // namespace plimsoll

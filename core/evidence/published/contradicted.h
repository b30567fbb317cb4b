#pragma once
// Rows of a table that other rows of it contradict: a run that stood still, on one day, for a reason outside its plan.
//
//   const std::vector<std::string> why = contradicted_by(rows);   // of each row; "" : no row speaks against it
//
// Two runs of one source that differ in nothing but micro-batch, replicas, ZeRO stage and device count do the same work
// in every slot of the pipeline. One with b' times as many tokens in a micro-batch takes at most b' times as long for
// each, and one with fewer takes no longer; what is done once a step takes less than the whole step of the other.
// So no run takes longer than
//
//   T <= T' (1 + slots / slots' max(1, b / b'))       slots = micro-batches + stages - 1
//
// A run beyond that by more than runs of one layout are known to scatter measures something else than its layout.
// Predictions have no part in this: measured times and plans alone decide.

#include "core/evidence/published/score.h"

#include <string>
#include <vector>

namespace plimsoll {

// Rows that are excluded, other than as layouts that may stand still, neither contradict nor are contradicted.
std::vector<std::string> contradicted_by(const std::vector<ScoredRow>&);

}  // namespace plimsoll

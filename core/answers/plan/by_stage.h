#pragma once
// What every pipeline stage holds of the model, layer by layer.
//
//   const std::vector<StageHeld> stages = stages_held(plan);   // DeepSeek-V3 as listed: 16 stages of 2 chunks
//   stages[0].chunks[0].letters == "DDD";                      // and the embedding
//   times_by_stage(plan)[0];                                   // both passes of a micro-batch
//
// A list of another number of stages than the plan has is told as it stands, a chunk each: the plan cannot be computed
// as yet, and what was typed is looked at all the same.

#include "core/values/basics/units.h"
#include "core/values/plan/scenario.h"

#include <string>
#include <vector>

namespace plimsoll {

struct ChunkHeld {
    std::string letters;   // of its layers (kinds.h); a blank for one that is listed and the model has not
    int modules = 0;       // that predict further tokens
    bool embedding = false, loss = false;
    friend bool operator==(const ChunkHeld&, const ChunkHeld&) = default;
};
struct StageHeld {
    std::vector<ChunkHeld> chunks;   // in the order of the model
    int layers() const;
    friend bool operator==(const StageHeld&, const StageHeld&) = default;
};

// Of a plan without obstacles, or one that lists its stages; nothing of another.
std::vector<StageHeld> stages_held(const Scenario&, bool computable = true);

// Both passes of one micro-batch, with what they wait for; of a plan without obstacles.
std::vector<Seconds> times_by_stage(const Scenario&);

}  // namespace plimsoll

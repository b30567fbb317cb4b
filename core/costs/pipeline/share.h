#pragma once
// What one pipeline stage and one tensor rank own of the model.

#include "core/values/plan/scenario.h"

namespace plimsoll {

// Layers of stage `i` (0-based). Uneven splits give the extra layers to the
// middle stages first: the ends already carry the embedding and the head.
int layers_of_stage(const Scenario&, int stage);

// Layers of one of the stage's chunks. Slots are equal; where the layers leave
// one slot empty on either end, the embedding and the head take them (Megatron's
// account-for-embedding-in-pipeline-split).
int layers_of_chunk(const Scenario&, int stage, int chunk);

// Parameters one tensor rank of the stage holds before any data-parallel
// sharding: its layers, the embedding on the first stage, the head (or its tied
// copy, when there is more than one stage) on the last.
double stage_parameters(const Scenario&, int stage);

// The stages that differ: first, last and one of each layer count between.
inline bool first_stage(int stage) { return stage == 0; }
inline bool last_stage(const Scenario& s, int stage) { return stage == s.layout.pipeline_parallel - 1; }

}  // namespace plimsoll

#include "core/costs/pipeline/share.h"

namespace plimsoll {

int layers_of_stage(const Scenario& s, int stage) {
    const int p = s.layout.pipeline_parallel;
    const int each = s.model.layers / p, extra = s.model.layers % p;
    // Order in which stages receive an extra layer: 1, 2, ..., p-1, and stage 0 never before the others.
    const int turn = stage == 0 ? p - 1 : stage == p - 1 ? p - 2 : stage - 1;
    return each + (turn < extra ? 1 : 0);
}

int layers_of_chunk(const Scenario& s, int stage, int chunk) {
    const int v = s.layout.virtual_stages, here = layers_of_stage(s, stage);
    const int slots = (here + v - 1) / v, empty = slots * v - here;
    // Empty slots sit at the model's start on the first stage, at its end on the others.
    const int turn = first_stage(stage) ? chunk : v - 1 - chunk;
    return slots - (turn < empty ? 1 : 0);
}

double stage_parameters(const Scenario& s, int stage) {
    const Model& m = s.model;
    const double table = embedding_parameters(m, padded_vocabulary(m, s.layout.tensor_parallel));
    double count = layers_of_stage(s, stage) * layer_parameters(m);
    if (first_stage(stage)) count += table + double(m.position_rows) * m.hidden;
    if (last_stage(s, stage) && (!m.tied_embeddings || s.layout.pipeline_parallel > 1)) count += table;
    return count / s.layout.weight_shards();
}

}  // namespace plimsoll

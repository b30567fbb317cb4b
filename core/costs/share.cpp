#include "core/costs/share.h"

namespace plimsoll {

int layers_of_stage(const Scenario& s, int stage) {
    const int p = s.layout.pipeline_parallel;
    const int each = s.model.layers / p, extra = s.model.layers % p;
    // Order in which stages receive an extra layer: 1, 2, ..., p-1, and stage 0 never before the others.
    const int turn = stage == 0 ? p - 1 : stage == p - 1 ? p - 2 : stage - 1;
    return each + (turn < extra ? 1 : 0);
}

double stage_parameters(const Scenario& s, int stage) {
    const Model& m = s.model;
    const double table = embedding_parameters(m, padded_vocabulary(m, s.layout.tensor_parallel));
    double count = layers_of_stage(s, stage) * layer_parameters(m);
    if (first_stage(stage)) count += table + double(m.position_rows) * m.hidden;
    if (last_stage(s, stage) && (!m.tied_embeddings || s.layout.pipeline_parallel > 1)) count += table;
    return count / s.layout.tensor_parallel;
}

}  // namespace plimsoll

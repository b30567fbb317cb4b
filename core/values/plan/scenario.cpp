#include "core/values/plan/scenario.h"

namespace plimsoll {

int micro_batches(const Scenario& s) {
    const long long per_round = 1LL * s.layout.data_parallel * s.layout.micro_batch;
    if (per_round < 1 || s.recipe.global_batch_sequences % per_round != 0) return 0;
    return int(s.recipe.global_batch_sequences / per_round);
}

int nodes_used(const Scenario& s) {
    return (s.layout.devices + s.machine.devices_per_node - 1) / s.machine.devices_per_node;
}

double value_bytes(const Scenario& s, Traffic t) {
    const bool sharded = s.layout.zero_stage == 3;
    const StateBytes state = state_bytes(s.recipe);
    switch (t) {
        case Traffic::gradients:
            return sharded ? state.weights : state.gradients;  // ZeRO-3 scatters the weights' format
        case Traffic::weights: return sharded && s.stack.gathers_fp32 ? 4 : state.weights;
        case Traffic::tensor:
        case Traffic::pipeline: return activation_bytes(s.recipe.precision);
    }
    return 0;
}

}  // namespace plimsoll

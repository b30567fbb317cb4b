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

}  // namespace plimsoll

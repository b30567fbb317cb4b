#include "core/values/plan/scenario.h"

#include <algorithm>

namespace plimsoll {

int micro_batches(const Scenario& s) {
    const long long per_round = 1LL * s.layout.data_parallel * s.layout.micro_batch;
    if (per_round < 1 || s.recipe.global_batch_sequences % per_round != 0) return 0;
    return int(s.recipe.global_batch_sequences / per_round);
}

int nodes_used(const Scenario& s) {
    return (s.layout.devices + s.machine.devices_per_node - 1) / s.machine.devices_per_node;
}

double nodes_held(const Scenario& s) {
    return s.machine.accounting.by_device ? 1.0 * s.layout.devices / s.machine.devices_per_node : nodes_used(s);
}

long long unused_devices(const Scenario& s) {
    if (s.machine.accounting.by_device) return 0;
    return std::max(0LL, 1LL * nodes_used(s) * s.machine.devices_per_node - s.layout.devices);
}

// Where cuDNN comes first, Transformer Engine, on which Megatron-Core rests, calls it in its own way.
AttentionKernel called_kernel(const Scenario& s) {
    const auto known = [&](AttentionKernel k) { return s.machine.device.efficiency.attention[std::size_t(k)].known(); };
    const bool engine = s.stack.family == "megatron-core";
    const AttentionKernel first = engine ? AttentionKernel::cudnn_9 : AttentionKernel::cudnn_torch;
    const bool cudnn = s.stack.kernels.cudnn_first && known(AttentionKernel::cudnn_torch) && known(first);
    return cudnn ? first : s.stack.kernels.attention_kernel;
}

const FusedAttention* measured_attention(const Scenario& s) {
    if (s.stack.kernels.attention != Attention::flash || s.recipe.precision == Precision::fp32) return nullptr;
    const FusedAttention& kernel = s.machine.device.efficiency.attention[std::size_t(called_kernel(s))];
    return kernel.known() ? &kernel : nullptr;
}

double value_bytes(const Scenario& s, Traffic t) { return value_bytes(s.recipe, s.stack, s.layout.zero_stage, t); }

double value_bytes(const Recipe& recipe, const Stack& stack, int zero_stage, Traffic t) {
    const bool sharded = zero_stage == 3;
    const StateBytes state = state_bytes(recipe);
    switch (t) {
        case Traffic::gradients:
            return sharded ? state.fetched : state.gradients;  // ZeRO-3 scatters the weights' format
        case Traffic::weights: return !sharded ? state.weights : stack.sharding.gathers_fp32 ? 4 : state.fetched;
        case Traffic::tensor:
        case Traffic::pipeline: return activation_bytes(recipe.precision);
    }
    return 0;
}

}  // namespace plimsoll

#pragma once
// How a training run is spread over devices.
//
// devices = tensor x context x data x pipeline. Ranks are numbered tensor
// first, then context, then data, then pipeline (Megatron's order), so tensor
// groups are neighbours and pipeline stages are furthest apart.
//
// Experts are folded over the same ranks on their own terms (Megatron-Core's
// parallel folding): the tensor x context x data ranks of a stage are cut into
// expert_tensor x expert_parallel x expert-data, neighbours first again.

namespace plimsoll {

enum class Recompute { none, selective, full };
// How ranks that share a sequence compute its attention: keys and values pass round
// a ring (Liu et al. 2023), or each rank takes whole sequences of some heads (Ulysses,
// Jacobs et al. 2023).
enum class ContextMode { ring, ulysses };
enum class Schedule { gpipe, one_f_one_b, interleaved, zb_h1, zb_h2 };

// Zero-bubble schedules run the weight gradients on their own, later (Qi et al. 2024).
constexpr bool splits_backward(Schedule s) { return s == Schedule::zb_h1 || s == Schedule::zb_h2; }

struct Layout {
    int devices = 1;
    int tensor_parallel = 1;
    int pipeline_parallel = 1;
    int data_parallel = 1;
    int context_parallel = 1;
    ContextMode context_mode = ContextMode::ring;
    int expert_parallel = 1;         // ranks that share the experts of a layer
    int expert_tensor_parallel = 1;  // ranks that share one expert's matrices
    int virtual_stages = 1;      // model chunks per stage; above 1 only when interleaved
    int micro_batch = 1;         // sequences
    int zero_stage = 0;          // 0 replicated, 1 optimizer, 2 + gradients, 3 + weights (FSDP)
    int shard_group = 0;         // ranks that share one sharded copy (hybrid sharding); 0 = all that hold the same weights
    bool sequence_parallel = false;
    Recompute recompute = Recompute::none;
    Schedule schedule = Schedule::one_f_one_b;
    friend bool operator==(const Layout&, const Layout&) = default;

    // Wide enough that no combination of legal degrees overflows.
    long long model_parallel() const { return 1LL * tensor_parallel * context_parallel * pipeline_parallel; }
    // Copies of every expert: the ranks that reduce its gradients.
    int expert_data() const {
        return int(1LL * tensor_parallel * context_parallel * data_parallel / (1LL * expert_parallel * expert_tensor_parallel));
    }
    // Ranks that hold the same weights and add up their gradients: neighbours once tensor ranks are left out.
    long long weight_replicas() const { return 1LL * context_parallel * data_parallel; }
    // Over how many of them sharded states are spread.
    int shards() const { return zero_stage == 0 ? 1 : shard_group > 0 ? shard_group : int(weight_replicas()); }
};

}  // namespace plimsoll

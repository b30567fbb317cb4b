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

#include "core/values/plan/stage_list.h"

#include <iterator>
#include <string_view>

namespace plimsoll {

// ---- Tiers

// Which tier of a node keeps what: weights, gradients and optimizer state by
// kind (ZeRO-Offload, Ren et al. 2021; ZeRO-Infinity, Rajbhandari et al. 2021),
// activations by share (MEMO, Zhao et al. 2024; SSDTrain, Wu et al. 2024).
//
//   layout.offload.optimizer = layout.offload.gradients = Tier::host;   // ZeRO-Offload
//   layout.offload.activations = Tier::nvme;                            // SSDTrain

enum class Tier { device, host, nvme };

// What becomes of activations that do not leave: they stay on the device
// (SSDTrain), or are computed again token by token (MEMO).
enum class StayBehind { keep, recompute };

// Parts of a layer whose stored inputs may leave the device one by one, by Megatron-Core's names (--offload-modules of
// --fine-grained-activation-offloading, core/transformer/transformer_config.py): the norm before latent attention;
// the projections into attention, with the norm that is fused into them and, of latent attention, the latent vectors;
// the attention core: queries, keys and values; the projection behind it; the norm before experts; the routed experts'
// first product; their activation function.
enum class SentModule { attn_norm, qkv_linear, core_attn, attn_proj, mlp_norm, expert_fc1, moe_act, none };
inline constexpr int sent_modules = int(SentModule::none);

struct OffloadModules {
    bool attn_norm = false;
    bool qkv_linear = false;
    bool core_attn = false;
    bool attn_proj = false;
    bool mlp_norm = false;
    bool expert_fc1 = false;
    bool moe_act = false;
    friend bool operator==(const OffloadModules&, const OffloadModules&) = default;
    bool operator[](SentModule) const;   // whether it is listed
};

struct Offload {
    Tier weights = Tier::device;
    Tier gradients = Tier::device;
    Tier optimizer = Tier::device;
    // Of the parameters, those whose optimizer state lies there and which the CPUs update; the devices update the rest
    // (Megatron-Core's HybridDeviceOptimizer). One where gradients or weights leave the devices, too.
    double optimizer_share = 1;
    // The states come to the devices for the update, which the devices do: memory that moves by pages (bitsandbytes'
    // paged optimizers). Off: the CPUs update.
    bool paged_optimizer = false;
    // The optimizer step runs on the host while the next step computes with weights one update old.
    bool delayed_update = false;
    Tier activations = Tier::device;
    OffloadModules modules{};       // of the activations, those of these modules alone; none listed: of whole layers
    StayBehind stay_behind = StayBehind::keep;
    bool solve_share = true;        // the largest share nobody waits for and the tier holds
    double activation_share = 1;    // otherwise; with recomputation the share of what may stay behind
    bool planned_memory = false;    // transient memory placed offline: nothing is lost between blocks
    friend bool operator==(const Offload&, const Offload&) = default;

    bool updates_on_cpus() const { return optimizer != Tier::device && !paged_optimizer; }
    double updated_on_devices() const { return updates_on_cpus() ? 1 - optimizer_share : 1; }   // share
    bool updates_all_on_cpus() const { return updated_on_devices() <= 0; }
    bool states() const { return weights != Tier::device || gradients != Tier::device || optimizer != Tier::device; }
    bool swaps() const { return activations != Tier::device; }
    bool any() const { return states() || swaps(); }
    bool uses(Tier t) const { return weights == t || gradients == t || optimizer == t || activations == t; }
};

struct SentModuleRow {
    std::string_view name;   // Megatron's
    bool OffloadModules::*listed;
};
inline constexpr SentModuleRow sent_module_rows[] = {
    {"attn_norm", &OffloadModules::attn_norm},   {"qkv_linear", &OffloadModules::qkv_linear},
    {"core_attn", &OffloadModules::core_attn},   {"attn_proj", &OffloadModules::attn_proj},
    {"mlp_norm", &OffloadModules::mlp_norm},     {"expert_fc1", &OffloadModules::expert_fc1},
    {"moe_act", &OffloadModules::moe_act},
};
static_assert(std::size(sent_module_rows) == sent_modules && sizeof(OffloadModules) == sent_modules, "a row each");
inline bool OffloadModules::operator[](SentModule m) const {
    return m != SentModule::none && this->*sent_module_rows[int(m)].listed;
}

// ---- Layout

enum class Recompute { none, selective, full };

// Modules of a layer that selective recomputation may compute again, by Megatron-Core's names (--recompute-modules,
// core/transformer/transformer_config.py): the attention core; norms that are not fused into the product behind them;
// the activation function of the routed experts; the projections up from latent vectors; dense feed-forward blocks;
// layers of experts, exchange included; shared experts.
enum class Module { core_attn, layernorm, moe_act, mla_up_proj, mlp, moe, shared_experts, none };
inline constexpr int layer_modules = int(Module::none);

struct RecomputeModules {
    bool core_attn = true;
    bool layernorm = false;
    bool moe_act = false;
    bool mla_up_proj = false;
    bool mlp = false;
    bool moe = false;
    bool shared_experts = false;
    friend bool operator==(const RecomputeModules&, const RecomputeModules&) = default;
    bool operator[](Module) const;   // whether it is listed
};
struct ModuleRow {
    std::string_view name;   // Megatron's
    bool RecomputeModules::*listed;
};
inline constexpr ModuleRow module_rows[] = {
    {"core_attn", &RecomputeModules::core_attn},           {"layernorm", &RecomputeModules::layernorm},
    {"moe_act", &RecomputeModules::moe_act},               {"mla_up_proj", &RecomputeModules::mla_up_proj},
    {"mlp", &RecomputeModules::mlp},                       {"moe", &RecomputeModules::moe},
    {"shared_experts", &RecomputeModules::shared_experts},
};
static_assert(std::size(module_rows) == layer_modules && sizeof(RecomputeModules) == layer_modules, "a row each");
inline bool RecomputeModules::operator[](Module m) const {
    return m != Module::none && this->*module_rows[int(m)].listed;
}
// How the matrices of a layer are cut over the tensor ranks: by columns, then rows
// (Megatron), or, weights and activations alike, over a q x q grid (Optimus, Xu et al.
// 2021), the tokens further over a depth (Tesseract, Wang et al. 2021).
enum class TensorMode { one_d, summa_2d, tesseract };
// How ranks that share a sequence compute its attention: keys and values pass round
// a ring (Liu et al. 2023); each rank takes whole sequences of some heads (Ulysses,
// Jacobs et al. 2023); every rank gathers all keys and values (Llama 3, 2407.21783); or
// heads are exchanged among neighbours, whose groups form a ring (USP, 2405.07719).
enum class ContextMode { ring, ulysses, all_gather, ulysses_ring };
// And how they compute mixers with a state: projections of their tokens are exchanged for
// those of some heads, or states are passed on from rank to rank, whose tokens lie in order.
enum class StateMode { all_to_all, passed };
// schedules.h has what tells them apart.
enum class Schedule { gpipe, one_f_one_b, interleaved, zb_h1, zb_h2, zb_v, v_half, v_min, dualpipe_v, combined };

// How ranks are laid over a machine of several clusters: in order, or whole stages to
// each cluster, so that groups that reduce gradients stay inside one (Holmes).
enum class Mapping { ordered, holmes };
// How many layers each stage takes: as equal as can be; Holmes' rule, by what clusters
// reach, rounded down on the faster ones; so that the slowest stage is fastest; or by walking down the
// model and going on to the next stage once the stages so far hold more than their share of the
// products, the head's included (nanotron): stages overshoot, the last ones may hold no layer; or as the layout lists
// them, which no file states by this name.
enum class StageSplit { even, holmes_floor, min_max, by_cost, listed };

struct Layout {
    int devices = 1;
    int tensor_parallel = 1;
    TensorMode tensor_mode = TensorMode::one_d;
    int tensor_depth = 1;        // of a Tesseract: tensor_parallel = q x q x depth
    int pipeline_parallel = 1;
    int data_parallel = 1;
    int context_parallel = 1;
    ContextMode context_mode = ContextMode::ring;
    int ulysses_ranks = 1;       // of a ring of such groups: neighbours that exchange heads
    StateMode state_mode = StateMode::all_to_all;
    int expert_parallel = 1;         // ranks that share the experts of a layer
    int expert_tensor_parallel = 1;  // ranks that share one expert's matrices
    int virtual_stages = 1;      // model chunks per stage, as many as the schedule runs
    int micro_batch = 1;         // sequences
    int zero_stage = 0;          // 0 replicated, 1 optimizer, 2 + gradients, 3 + weights (FSDP)
    int shard_group = 0;  // ranks that share one sharded copy (hybrid sharding); 0 = all that hold the same weights
    // ZeRO-3: ranks, usually of one node, that share a second copy of the weights, kept from the forward pass and
    // gathered in the backward pass (hpZ of ZeRO++, Wang et al. 2023, arXiv 2306.10209; a number as FSDP2's
    // reshard_after_forward); 0 = none, and the backward pass gathers them anew; 1 = every rank keeps what it gathered.
    int secondary_shard = 0;
    bool sequence_parallel = false;
    Recompute recompute = Recompute::none;
    RecomputeModules recompute_modules{};   // what selective recomputation repeats
    int recompute_layers = 0;    // the first so many of every model chunk are recomputed, the others keep all; 0 = all
    Schedule schedule = Schedule::one_f_one_b;
    // Where chunks take turns: micro-batches that go through one of them before the next one's turn, no fewer than the
    // stages; 0 = as many as these.
    int micro_batch_group = 0;
    Mapping mapping = Mapping::ordered;
    StageSplit stage_split = StageSplit::even;
    StageList stages{};          // where it is not empty, the layers of every stage, in place of a rule
    Offload offload{};
    friend bool operator==(const Layout&, const Layout&) = default;

    // Wide enough that no combination of legal degrees overflows.
    long long model_parallel() const { return 1LL * tensor_parallel * context_parallel * pipeline_parallel; }
    // Copies of every expert: the ranks that reduce its gradients.
    int expert_data() const {
        return int(1LL * tensor_parallel * context_parallel * data_parallel
                   / (1LL * expert_parallel * expert_tensor_parallel));
    }
    // Some layers are recomputed and others are not.
    bool recomputes_some() const { return recompute != Recompute::none && recompute_layers > 0; }
    // Weights and activations both lie on a grid.
    bool on_grid() const { return tensor_mode != TensorMode::one_d; }
    int grid_depth() const { return tensor_mode == TensorMode::tesseract ? tensor_depth : 1; }
    int grid_side() const;  // q; 0 where tensor_parallel is no q x q x depth
    // Tensor ranks that hold different weights: a grid's depth repeats them.
    int weight_shards() const { return tensor_parallel / grid_depth(); }
    // Norms, dropout and residual stream are split over the tensor ranks too.
    bool splits_activations() const { return sequence_parallel || on_grid(); }
    // Ranks that hold the same weights and add up their gradients: neighbours once tensor ranks are left out.
    long long weight_replicas() const { return 1LL * context_parallel * data_parallel; }
    // Of the ranks that share a sequence, neighbours that exchange tokens for heads, and those in a ring.
    int head_ranks() const {
        if (context_mode == ContextMode::ulysses) return context_parallel;
        return context_mode == ContextMode::ulysses_ring && context_parallel > 1 ? ulysses_ranks : 1;
    }
    int ring_ranks() const {
        const bool ring = context_mode == ContextMode::ring || context_mode == ContextMode::ulysses_ring;
        return ring ? context_parallel / head_ranks() : 1;
    }
    // Over how many of them sharded states are spread.
    int shards() const { return zero_stage == 0 ? 1 : shard_group > 0 ? shard_group : int(weight_replicas()); }
    // Of so many neighbours that hold the same common weights, those that hold the same experts.
    int with_same_experts(int ranks) const {
        return int(1LL * ranks * tensor_parallel / (1LL * expert_parallel * expert_tensor_parallel));
    }
    // The same of the experts' states: FSDP shards experts over the replicas of them that a group holds.
    int expert_shards() const {
        return zero_stage == 0 ? 1 : shard_group > 0 ? with_same_experts(shard_group) : expert_data();
    }
    // Weights stay whole from the forward pass to the backward pass (reshard_after_forward off).
    bool keeps_gathered() const { return zero_stage == 3 && secondary_shard == 1 && shards() > 1; }
    // Among how many the backward pass gathers weights: those that share the second copy, where there is one.
    int backward_shards() const { return secondary_shard > 0 ? secondary_shard : shards(); }
    int expert_backward_shards() const {
        if (secondary_shard == 1) return 1;
        return secondary_shard > 0 ? with_same_experts(secondary_shard) : expert_shards();
    }
};

// The whole root of a square, 0 of any other number.
constexpr int whole_root(int n) {
    int root = 0;
    while (root * root < n) ++root;
    return root * root == n ? root : 0;
}

inline int Layout::grid_side() const {
    return tensor_parallel % grid_depth() == 0 ? whole_root(tensor_parallel / grid_depth()) : 0;
}

}  // namespace plimsoll

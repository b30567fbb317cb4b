// What settings of DeepSpeed's JSON and of FSDP mean, the latter as `launch` writes them.
#include "core/files/import/setting_rows.h"

#include <algorithm>

namespace plimsoll::files {

namespace {

using Draft = PlanDraft;

// ---- DeepSpeed

bool tier_of(Tier& tier, const Setting& s) {
    if (s.value == "cpu") tier = Tier::host;
    else if (s.value == "nvme") tier = Tier::nvme;
    else return s.value == "none";
    return true;
}

bool precision_if_on(Draft& d, const Setting& s, Precision p) {
    bool on = false;
    if (!take_flag(on, s)) return false;
    if (on) d.recipe.precision = p;
    return true;
}

constexpr SettingRow deepspeed_table[] = {
    {"train_batch_size", "recipe.global_batch_sequences", WHOLE(recipe.global_batch_sequences, 1)},
    {"train_micro_batch_size_per_gpu", "layout.micro_batch", WHOLE(layout.micro_batch, 1)},
    {"gradient_accumulation_steps", "layout.data_parallel", WHOLE(accumulated, 1)},
    {"zero_optimization.stage", "layout.zero_stage", take_zero_stage},
    {"zero_optimization.mics_shard_size", "layout.shard_group", WHOLE(layout.shard_group, 0)},
    {"zero_optimization.zero_hpz_partition_size", "layout.secondary_shard",
     [](Draft& d, const Setting& s) {
         if (!take_whole(d.layout.secondary_shard, s, 0)) return false;
         if (d.layout.secondary_shard == 1) d.layout.secondary_shard = 0;   // DeepSpeed's word for none
         return true;
     }},
    {"zero_optimization.offload_optimizer.device", "layout.offload.optimizer_state",
     [](Draft& d, const Setting& s) {
         if (!tier_of(d.layout.offload.optimizer, s)) return false;
         d.layout.offload.gradients = d.layout.offload.optimizer;
         return true;
     }},
    {"zero_optimization.offload_param.device", "layout.offload.weights",
     [](Draft& d, const Setting& s) { return tier_of(d.layout.offload.weights, s); }},
    {"bf16.enabled", "recipe.precision",
     [](Draft& d, const Setting& s) { return precision_if_on(d, s, Precision::bf16); }},
    {"bfloat16.enabled", "recipe.precision",   // until 2022
     [](Draft& d, const Setting& s) { return precision_if_on(d, s, Precision::bf16); }},
    {"fp16.enabled", "recipe.precision",
     [](Draft& d, const Setting& s) { return precision_if_on(d, s, Precision::fp16); }},
    {"data_types.grad_accum_dtype", "recipe.bytes_per_parameter",
     [](Draft& d, const Setting& s) { return d.sums_in_fp32 = s.value == "fp32", true; }},
    {"optimizer.type", "recipe.optimizer", take_optimizer},
    // The group says how layers are checkpointed; that they are is the model's own code.
    {"activation_checkpointing.partition_activations", "layout.recompute",
     [](Draft& d, const Setting&) { return d.layout.recompute = Recompute::full, true; }},
    {"tensor_parallel.autotp_size", "layout.tensor_parallel", WHOLE(layout.tensor_parallel, 1)},
};

// ---- FSDP, as `launch` writes it

// "[2, 4]": copies, and ranks that share one.
bool device_mesh(Draft& d, const Setting& s) {
    const auto sides = list_of(s.value);
    if (!sides || sides->empty() || sides->size() > 2 || std::ranges::any_of(*sides, [](int n) { return n < 1; }))
        return false;
    d.layout.shard_group = sides->size() == 2 ? (*sides)[1] : 0;
    return true;
}

constexpr SettingRow fsdp_table[] = {
    {"sharding_strategy", "layout.zero_stage", take_sharding},
    {"device_mesh", "layout.shard_group", device_mesh},
    {"mixed_precision.param_dtype", "recipe.precision", take_precision},
    {"mixed_precision.reduce_dtype", "recipe.bytes_per_parameter",
     [](Draft& d, const Setting& s) { return d.sums_in_fp32 = s.value == "float32", true; }},
    {"activation_checkpointing", "layout.recompute",
     [](Draft& d, const Setting& s) {
         bool on = false;
         if (!take_flag(on, s)) return false;
         if (on && d.layout.recompute == Recompute::none) d.layout.recompute = Recompute::full;
         return true;
     }},
    {"activation_checkpointing_layers", "layout.recompute_layers", WHOLE(layout.recompute_layers, 0)},
    {"micro_batch_size", "layout.micro_batch", WHOLE(layout.micro_batch, 1)},
    {"gradient_accumulation_steps", "layout.data_parallel", WHOLE(accumulated, 1)},
    {"sequence_length", "recipe.sequence_length", WHOLE(recipe.sequence_length, 1)},
    {"optimizer", "recipe.optimizer", take_optimizer},
    {"steps", "recipe.tokens", NUMBER(steps)},
};

}  // namespace

std::span<const SettingRow> deepspeed_rows() { return deepspeed_table; }
std::span<const SettingRow> fsdp_rows() { return fsdp_table; }

}  // namespace plimsoll::files

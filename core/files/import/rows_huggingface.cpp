// What settings of trainers around Hugging Face's models mean: TrainingArguments and what scripts add to them, with
// accelerate's own file; axolotl; NeMo AutoModel.
#include "core/files/import/setting_rows.h"

#include "core/values/basics/text.h"

#include <algorithm>

namespace plimsoll::files {

namespace {

// "full_shard auto_wrap offload"; "true" where the group of settings beside it says how.
bool fsdp_words(PlanDraft& d, const Setting& s) {
    if (s.value.empty() || s.value == "[]" || flag_of(s.value) == false) return true;
    if (lower_case(s.value).find("offload") != std::string::npos) return false;
    if (flag_of(s.value)) return d.layout.zero_stage = 3, true;
    return take_sharding(d, s);
}

bool reshards(PlanDraft& d, const Setting& s) {
    const auto on = flag_of(s.value);
    if (!on) return take_sharding(d, s);   // until FSDP2 the strategy stood under this name
    d.layout.zero_stage = *on ? 3 : 2;
    return true;
}

bool attention_asked(PlanDraft& d, const Setting& s) {
    if (flag_said(s)) d.unfused_attention = false;
    return flag_of(s.value).has_value();
}

bool steps_at_most(PlanDraft& d, const Setting& s) {
    const auto steps = number_of(s.value);
    if (steps && *steps <= 0) return true;   // -1: epochs decide
    return take_number(d.steps, s);
}

// Of a launcher that is told which engine runs the program: "DEEPSPEED", "FSDP", "MULTI_GPU".
bool engine(PlanDraft& d, const Setting& s) {
    const std::string word = lower_case(s.value);
    if (word == "deepspeed") d.uses_deepspeed = true;
    else if (word == "fsdp") d.layout.zero_stage = std::max(d.layout.zero_stage, 3);
    else return word == "multi_gpu" || word == "no";
    return true;
}

bool nothing_offloaded_here(PlanDraft&, const Setting& s) { return flag_of(s.value) == false; }

bool full_recompute(PlanDraft& d, const Setting& s) {
    const std::string word = lower_case(s.value);
    if (flag_said(s) || word == "unsloth" || word == "offload") d.layout.recompute = Recompute::full;
    return flag_of(s.value).has_value();
}


bool weights_of(PlanDraft& d, const Setting& s) { return d.model_name = s.value, d.from_weights = true; }

// "disabled", "auto", "fa2".
bool flash_attention(PlanDraft& d, const Setting& s) {
    if (s.value == "disabled") return d.unfused_attention = true;
    d.unfused_attention = false;
    return s.value == "fa2" || s.value == "fa3" || flag_of(s.value) || take_attention(d, s);
}

// Of preferences, and of rewards, signs tell before.
bool stage_of_training(PlanDraft& d, const Setting& s) {
    d.stage = lower_case(s.value);
    return d.stage == "sft" || d.stage == "pt" || d.stage == "dpo" || d.stage == "kto";
}

bool plugins(PlanDraft& d, const Setting& s) {
    d.liger |= lower_case(s.value).find("liger") != std::string::npos;
    return d.liger || s.value == "[]";
}

constexpr SettingRow huggingface_table[] = {
    {"model_name_or_path", "model", weights_of},
    {"stage", "method.purpose", stage_of_training},
    {"zero_optimization.stage", "layout.zero_stage", take_zero_stage},   // DeepSpeed's, not that of training
    {"packing", "recipe.rows",
     [](PlanDraft& d, const Setting& s) { return take_flag(d.packs, s) && (d.packed = d.packs, true); }},
    {"neat_packing", "documents", FLAG(documents_apart)},
    {"padding_free", "recipe.rows", FLAG(padding_free)},
    {"use_liger_kernel", "stack", FLAG(liger)},
    {"enable_liger_kernel", "stack", FLAG(liger)},
    {"use_unsloth", "stack", FLAG(unsloth)},
    {"flash_attn", "stack.attention", flash_attention},
    {"activation_offloading", "layout.offload.activations", take_offloaded_activations},
    {"dtype", "recipe.precision", take_precision},
    {"config_name", "model", TEXT(model_name)},
    {"per_device_train_batch_size", "layout.micro_batch", WHOLE(layout.micro_batch, 1)},
    {"gradient_accumulation_steps", "layout.data_parallel", WHOLE(accumulated, 1)},
    {"gradient_checkpointing", "layout.recompute", full_recompute},
    {"num_train_epochs", "recipe.tokens", NUMBER(epochs)},
    {"max_steps", "recipe.tokens", steps_at_most},
    {"max_train_steps", "recipe.tokens", steps_at_most},
    {"model_max_length", "recipe.sequence_length", WHOLE(recipe.sequence_length, 1)},
    {"max_seq_length", "recipe.sequence_length", WHOLE(recipe.sequence_length, 1)},
    {"max_seq_len", "recipe.sequence_length", WHOLE(recipe.sequence_length, 1)},
    {"max_length", "recipe.sequence_length", WHOLE(recipe.sequence_length, 1)},
    {"block_size", "recipe.sequence_length", WHOLE(recipe.sequence_length, 1)},
    {"cutoff_len", "recipe.sequence_length", WHOLE(recipe.sequence_length, 1)},
    {"bf16", "recipe.precision", IF_ON(d.recipe.precision = Precision::bf16)},
    {"fp16", "recipe.precision", IF_ON(d.recipe.precision = Precision::fp16)},
    {"fp8", "recipe.precision", IF_ON(d.recipe.precision = Precision::fp8)},
    {"pure_bf16", "recipe.bytes_per_parameter",   // LLaMA-Factory: weights and moments, too
     IF_ON((d.recipe.precision = Precision::bf16, d.all_in_16_bits = true))},
    {"mixed_precision", "recipe.precision", take_precision},
    {"torch_dtype", "recipe.precision", take_precision},
    {"optim", "recipe.optimizer", take_optimizer},
    {"attn_implementation", "stack.attention", take_attention},
    {"use_flash_attn", "stack.attention", attention_asked},
    {"torch_compile", "stack", FLAG(compiled)},
    {"fsdp", "layout.zero_stage", fsdp_words},
    {"fsdp_sharding_strategy", "layout.zero_stage", take_sharding},
    {"fsdp_reshard_after_forward", "layout.zero_stage", reshards},
    {"fsdp_config.reshard_after_forward", "layout.zero_stage", reshards},
    {"fsdp_activation_checkpointing", "layout.recompute", full_recompute},
    {"fsdp_config.activation_checkpointing", "layout.recompute", full_recompute},
    {"zero_stage", "layout.zero_stage", take_zero_stage},
    {"deepspeed", "layout.zero_stage", take_zero_file},
    {"fsdp_config.offload_params", "layout.offload.weights", nothing_offloaded_here},
    {"offload_optimizer_device", "layout.offload.optimizer_state",
     [](PlanDraft&, const Setting& s) { return s.value == "none"; }},
    {"offload_param_device", "layout.offload.weights", [](PlanDraft&, const Setting& s) { return s.value == "none"; }},
    {"distributed_type", "stack", engine},
    {"use_deepspeed", "stack", FLAG(uses_deepspeed)},
    {"num_processes", "layout.devices", WHOLE(devices, 1)},
    {"num_machines", "nodes", WHOLE(nodes, 1)},
};

constexpr SettingRow axolotl_table[] = {
    {"sample_packing", "recipe.rows", take_packed},
    {"pad_to_sequence_len", "recipe.rows", FLAG(pads_to_length)},
    {"base_model", "model", weights_of},
    {"pretraining_dataset", "method.purpose", [](PlanDraft& d, const Setting&) { return d.stage = "pt", true; }},
    {"plugins", "stack", plugins},
    {"liger_fused_linear_cross_entropy", "stack", FLAG(liger)},
    {"dpo_use_liger_kernel", "stack", FLAG(liger)},
    {"dpo_padding_free", "documents", FLAG(documents_apart)},
    {"lora_mlp_kernel", "stack", FLAG(unsloth)},
    {"lora_qkv_kernel", "stack", FLAG(unsloth)},
    {"lora_o_kernel", "stack", FLAG(unsloth)},
    {"activation_offloading", "layout.offload.activations", take_offloaded_activations},
    {"base_model_config", "model", TEXT(model_name)},
    {"sequence_len", "recipe.sequence_length", WHOLE(recipe.sequence_length, 1)},
    {"micro_batch_size", "layout.micro_batch", WHOLE(layout.micro_batch, 1)},
    {"gradient_accumulation_steps", "layout.data_parallel", WHOLE(accumulated, 1)},
    {"num_epochs", "recipe.tokens", NUMBER(epochs)},
    {"max_steps", "recipe.tokens", steps_at_most},
    {"optimizer", "recipe.optimizer", take_optimizer},
    {"bf16", "recipe.precision",
     [](PlanDraft& d, const Setting& s) {
         if (s.value == "auto" || flag_said(s) || s.value == "full") d.recipe.precision = Precision::bf16;
         d.loads_16_bits = d.recipe.precision == Precision::bf16;   // torch_dtype follows (axolotl, utils/config)
         d.all_in_16_bits = s.value == "full";
         return s.value == "auto" || s.value == "full" || flag_of(s.value).has_value();
     }},
    {"bfloat16", "recipe.precision",   // without autocast
     IF_ON((d.recipe.precision = Precision::bf16, d.all_in_16_bits = true))},
    {"fp16", "recipe.precision", IF_ON(d.recipe.precision = Precision::fp16)},
    {"fp8", "recipe.precision", IF_ON(d.recipe.precision = Precision::fp8)},
    {"gradient_checkpointing", "layout.recompute", full_recompute},
    {"flash_attention", "stack.attention", attention_asked},
    {"sdp_attention", "stack.attention", attention_asked},
    {"eager_attention", "stack.attention", IF_ON(d.unfused_attention = true)},
    {"attn_implementation", "stack.attention", take_attention},
    {"torch_compile", "stack", FLAG(compiled)},
    {"fsdp", "layout.zero_stage", fsdp_words},
    {"fsdp_version", "layout.zero_stage",
     [](PlanDraft& d, const Setting& s) { return d.layout.zero_stage = 3, s.value == "1" || s.value == "2"; }},
    {"fsdp_config.offload_params", "layout.offload.weights", nothing_offloaded_here},
    {"fsdp_config.fsdp_offload_params", "layout.offload.weights", nothing_offloaded_here},
    {"fsdp_config.sharding_strategy", "layout.zero_stage", take_sharding},
    {"fsdp_config.fsdp_sharding_strategy", "layout.zero_stage", take_sharding},
    {"fsdp_config.fsdp_activation_checkpointing", "layout.recompute", full_recompute},
    {"fsdp_config.activation_checkpointing", "layout.recompute", full_recompute},
    {"fsdp_config.reshard_after_forward", "layout.zero_stage", reshards},
    {"deepspeed", "layout.zero_stage", take_zero_file},
    {"context_parallel_size", "layout.context_parallel", WHOLE(layout.context_parallel, 1)},
    {"sequence_parallel_degree", "layout.context_parallel", WHOLE(layout.context_parallel, 1)},
    {"tensor_parallel_size", "layout.tensor_parallel", WHOLE(layout.tensor_parallel, 1)},
    {"dp_shard_size", "layout.shard_group", WHOLE(shards, 1)},
    {"dp_replicate_size", "layout.shard_group", WHOLE(replicas, 1)},
};

bool strategy_of_automodel(PlanDraft& d, const Setting& s) {
    const std::string word = lower_case(s.value);
    const auto has = [&](const char* part) { return word.find(part) != std::string::npos; };
    if (has("fsdp")) d.layout.zero_stage = 3;
    else if (has("ddp")) d.layout.zero_stage = 0;
    else return false;
    return true;
}

constexpr SettingRow automodel_table[] = {
    {"model.pretrained_model_name_or_path", "model", weights_of},
    {"model.config.pretrained_model_name_or_path", "model", TEXT(model_name)},
    {"model.torch_dtype", "recipe.precision", take_precision},
    {"model.attn_implementation", "stack.attention", take_attention},
    {"model.backend.attn", "stack.attention", take_attention},
    {"step_scheduler.global_batch_size", "recipe.global_batch_sequences", WHOLE(recipe.global_batch_sequences, 1)},
    {"step_scheduler.local_batch_size", "layout.micro_batch", WHOLE(layout.micro_batch, 1)},
    {"step_scheduler.num_epochs", "recipe.tokens", NUMBER(epochs)},
    {"step_scheduler.max_steps", "recipe.tokens", steps_at_most},
    {"distributed._target_", "layout.zero_stage", strategy_of_automodel},
    {"distributed.strategy", "layout.zero_stage", strategy_of_automodel},
    {"distributed.tp_size", "layout.tensor_parallel", WHOLE(layout.tensor_parallel, 1)},
    {"distributed.cp_size", "layout.context_parallel", WHOLE(layout.context_parallel, 1)},
    {"distributed.pp_size", "layout.pipeline_parallel", WHOLE(layout.pipeline_parallel, 1)},
    {"distributed.ep_size", "layout.expert_parallel", WHOLE(layout.expert_parallel, 1)},
    {"distributed.dp_size", "layout.data_parallel",
     [](PlanDraft& d, const Setting& s) { return s.value == "none" || take_whole(d.data_ranks, s); }},
    {"pipeline.pp_microbatch_size", "layout.micro_batch", WHOLE(layout.micro_batch, 1)},
    {"pipeline.layers_per_stage", "layout.virtual_stages", WHOLE(layers_per_chunk, 1)},
    {"pipeline.pp_schedule", "layout.schedule",
     [](PlanDraft& d, const Setting& s) {
         const std::string word = lower_case(s.value);
         d.layout.schedule = word == "interleaved1f1b" ? Schedule::interleaved
                           : word == "gpipe"           ? Schedule::gpipe
                                                       : Schedule::one_f_one_b;
         return word == "interleaved1f1b" || word == "gpipe" || word == "1f1b";
     }},
    {"mp_policy.param_dtype", "recipe.precision", take_precision},
    {"fp8.enabled", "recipe.precision", IF_ON(d.recipe.precision = Precision::fp8)},
    {"distributed.dp_replicate_size", "layout.shard_group", WHOLE(replicas, 1)},
    {"distributed.sequence_parallel", "layout.sequence_parallel", FLAG(layout.sequence_parallel)},
    {"distributed.activation_checkpointing", "layout.recompute", full_recompute},
    {"activation_checkpointing", "layout.recompute", full_recompute},
    {"packed_sequence.packed_sequence_size", "recipe.sequence_length",
     [](PlanDraft& d, const Setting& s) {
         d.documents_apart = s.value != "0";
         return !d.documents_apart || take_whole(d.recipe.sequence_length, s);
     }},
    {"dataset.seq_length", "recipe.sequence_length", WHOLE(recipe.sequence_length, 1)},
    {"dataset.seq_len", "recipe.sequence_length", WHOLE(recipe.sequence_length, 1)},
    {"optimizer._target_", "recipe.optimizer", take_optimizer},
    {"compile.enabled", "stack", FLAG(compiled)},
};


}  // namespace

std::span<const SettingRow> huggingface_rows() { return huggingface_table; }
std::span<const SettingRow> axolotl_rows() { return axolotl_table; }
std::span<const SettingRow> automodel_rows() { return automodel_table; }

}  // namespace plimsoll::files

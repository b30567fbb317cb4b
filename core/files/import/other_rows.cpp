// What settings of torchtitan, DeepSpeed and FSDP mean, by their group and name; and those that change nothing here.
#include "core/files/import/plan_draft.h"

#include "core/values/basics/text.h"

#include <algorithm>

namespace plimsoll::files {

namespace {

using Draft = PlanDraft;

bool titan_precision(Draft& d, const Setting& s) {
    if (s.value == "bfloat16") { if (d.recipe.precision != Precision::fp8) d.recipe.precision = Precision::bf16; }
    else if (s.value == "float16") d.recipe.precision = Precision::fp16;
    else if (s.value == "float32") d.recipe.precision = Precision::fp32;
    else return false;
    return true;
}

bool converters(Draft& d, const Setting& s) {
    if (s.value.find("float8") != s.value.npos || s.value.find("mx") != s.value.npos)
        d.recipe.precision = Precision::fp8;
    if (s.value.find("mx") != s.value.npos) d.recipe.fp8_recipe = Fp8Recipe::mxfp8;
    return d.recipe.precision == Precision::fp8 || s.value.empty() || s.value == "[]";
}

bool titan_recipe(Draft& d, const Setting& s) {
    if (s.value == "tensorwise") d.recipe.fp8_recipe = Fp8Recipe::tensorwise;
    else if (s.value == "rowwise") d.recipe.fp8_recipe = Fp8Recipe::rowwise;
    else return false;
    return true;
}

bool titan_schedule(Draft& d, const Setting& s) {
    const std::string word = lower_case(s.value);
    if (word == "1f1b") d.layout.schedule = Schedule::one_f_one_b;
    else if (word == "gpipe") d.layout.schedule = Schedule::gpipe;
    else if (word == "interleaved1f1b") d.layout.schedule = Schedule::interleaved;
    else return false;
    return true;
}

bool checkpointing(Draft& d, const Setting& s) {
    if (s.value == "none") d.layout.recompute = Recompute::none;
    else if (s.value == "selective") d.layout.recompute = Recompute::selective;
    else if (s.value == "full") d.layout.recompute = Recompute::full;
    else return false;
    return true;
}

bool resharding(Draft& d, const Setting& s) {
    if (s.value == "default") return true;
    d.reshards = s.value == "always";
    return s.value == "always" || s.value == "never";
}

bool adam_of(Draft& d, const Setting& s) {
    const std::string word = lower_case(s.value);
    if (word.find("8bit") != word.npos) d.recipe.optimizer = Optimizer::adam_8bit;
    else if (word.find("adafactor") != word.npos) d.recipe.optimizer = Optimizer::adafactor;
    else if (word.find("adam") != word.npos) d.recipe.optimizer = Optimizer::adam;
    else if (word == "sgd") d.recipe.optimizer = Optimizer::sgd;
    else return false;
    return true;
}

// -1: as many as there are left.
bool degree_or_rest(int& field, const Setting& s) {
    if (s.value == "-1") return field = 0, true;
    return take_whole(field, s);
}

#define WHOLE(field, low) [](Draft& d, const Setting& s) { return take_whole(d.field, s, low); }

constexpr SettingRow titan[] = {
    {"model.name", "model", [](Draft& d, const Setting& s) { return d.model_name = s.value, true; }},
    {"model.flavor", "model", [](Draft& d, const Setting& s) { return d.model_flavor = s.value, true; }},
    {"model.converters", "recipe.precision", converters},
    {"training.local_batch_size", "layout.micro_batch", WHOLE(local_batch, 1)},
    {"training.batch_size", "layout.micro_batch", WHOLE(local_batch, 1)},
    {"training.global_batch_size", "recipe.global_batch_sequences",
     [](Draft& d, const Setting& s) { return s.value == "-1" || take_whole(d.recipe.global_batch_sequences, s); }},
    {"training.seq_len", "recipe.sequence_length", WHOLE(recipe.sequence_length, 1)},
    {"training.steps", "recipe.tokens",
     [](Draft& d, const Setting& s) {
         const auto steps = number_of(s.value);
         if (steps && *steps >= 1 && *steps <= 1e15) d.steps = *steps;
         return d.steps.has_value();
     }},
    {"training.mixed_precision_param", "recipe.precision", titan_precision},
    {"training.dtype", "recipe.bytes_per_parameter",   // every state is in it, without fp32 weights
     [](Draft& d, const Setting& s) {
         d.all_in_16_bits = s.value == "bfloat16";
         return titan_precision(d, s);
     }},
    {"training.compile", "stack", [](Draft& d, const Setting& s) { return take_flag(d.compiled, s); }},
    {"compile.enable", "stack", [](Draft& d, const Setting& s) { return take_flag(d.compiled, s); }},
    {"parallelism.data_parallel_replicate_degree", "layout.shard_group", WHOLE(replicas, 1)},
    {"parallelism.data_parallel_shard_degree", "layout.shard_group",
     [](Draft& d, const Setting& s) { return degree_or_rest(d.shards, s); }},
    {"parallelism.fsdp_reshard_after_forward", "layout.zero_stage", resharding},
    {"parallelism.tensor_parallel_degree", "layout.tensor_parallel", WHOLE(layout.tensor_parallel, 1)},
    {"parallelism.pipeline_parallel_degree", "layout.pipeline_parallel", WHOLE(layout.pipeline_parallel, 1)},
    {"parallelism.context_parallel_degree", "layout.context_parallel", WHOLE(layout.context_parallel, 1)},
    {"parallelism.expert_parallel_degree", "layout.expert_parallel", WHOLE(layout.expert_parallel, 1)},
    {"parallelism.expert_tensor_parallel_degree", "layout.expert_tensor_parallel",
     WHOLE(layout.expert_tensor_parallel, 1)},
    {"parallelism.pipeline_parallel_schedule", "layout.schedule", titan_schedule},
    {"parallelism.pipeline_parallel_microbatch_size", "layout.micro_batch", WHOLE(layout.micro_batch, 1)},
    {"parallelism.pipeline_parallel_layers_per_stage", "layout.virtual_stages", WHOLE(layers_per_chunk, 1)},
    {"activation_checkpoint.mode", "layout.recompute", checkpointing},
    {"activation_checkpoint.selective_ac_option", "layout.recompute",
     [](Draft&, const Setting& s) { return s.value == "op"; }},
    {"optimizer.name", "recipe.optimizer", adam_of},
    {"float8.recipe_name", "recipe.fp8_recipe", titan_recipe},
    {"quantize.linear.float8.recipe_name", "recipe.fp8_recipe", titan_recipe},
};

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

constexpr SettingRow deepspeed[] = {
    {"train_batch_size", "recipe.global_batch_sequences", WHOLE(recipe.global_batch_sequences, 1)},
    {"train_micro_batch_size_per_gpu", "layout.micro_batch", WHOLE(layout.micro_batch, 1)},
    {"gradient_accumulation_steps", "layout.data_parallel", WHOLE(accumulated, 1)},
    {"zero_optimization.stage", "layout.zero_stage",
     [](Draft& d, const Setting& s) { return take_whole(d.layout.zero_stage, s, 0) && d.layout.zero_stage <= 3; }},
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
    {"fp16.enabled", "recipe.precision",
     [](Draft& d, const Setting& s) { return precision_if_on(d, s, Precision::fp16); }},
    {"data_types.grad_accum_dtype", "recipe.bytes_per_parameter",
     [](Draft& d, const Setting& s) { return d.sums_in_fp32 = s.value == "fp32", true; }},
    {"optimizer.type", "recipe.optimizer", adam_of},
    // The group says how layers are checkpointed; that they are is the model's own code.
    {"activation_checkpointing.partition_activations", "layout.recompute",
     [](Draft& d, const Setting&) { return d.layout.recompute = Recompute::full, true; }},
    {"tensor_parallel.autotp_size", "layout.tensor_parallel", WHOLE(layout.tensor_parallel, 1)},
};

// ---- FSDP, as `launch` writes it

bool fsdp_strategy(Draft& d, const Setting& s) {
    if (s.value == "NO_SHARD") d.layout.zero_stage = 0;
    else if (s.value == "SHARD_GRAD_OP" || s.value == "_HYBRID_SHARD_ZERO2") d.layout.zero_stage = 2;
    else if (s.value == "FULL_SHARD" || s.value == "HYBRID_SHARD") d.layout.zero_stage = 3;
    else return false;
    return true;
}

// "[2, 4]": copies, and ranks that share one.
bool device_mesh(Draft& d, const Setting& s) {
    const auto sides = list_of(s.value);
    if (!sides || sides->empty() || sides->size() > 2 || std::ranges::any_of(*sides, [](int n) { return n < 1; }))
        return false;
    d.layout.shard_group = sides->size() == 2 ? (*sides)[1] : 0;
    return true;
}

constexpr SettingRow fsdp[] = {
    {"sharding_strategy", "layout.zero_stage", fsdp_strategy},
    {"device_mesh", "layout.shard_group", device_mesh},
    {"mixed_precision.param_dtype", "recipe.precision", titan_precision},
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
    {"optimizer", "recipe.optimizer", adam_of},
    {"steps", "recipe.tokens",
     [](Draft& d, const Setting& s) {
         const auto steps = number_of(s.value);
         if (steps && *steps >= 1 && *steps <= 1e15) d.steps = *steps;
         return d.steps.has_value();
     }},
};

#undef WHOLE

// ---- What changes neither time nor memory of a plan

constexpr std::string_view idle_names[] = {
    "accelerator", "account", "allgather_bucket_size", "apply_layernorm_1p", "apply_query_key_layer_scaling",
    "apply_residual_connection_post_layernorm", "apply_rope_fusion", "attention_softmax_in_fp32", "autocast_dtype",
    "average_in_collective", "backward_prefetch", "benchmark", "bert_binary_head", "beta1", "beta2", "betas",
    "bias_activation_fusion", "bias_dropout_add_fusion", "bias_dropout_fusion", "bias_gelu_fusion",
    "bias_swiglu_fusion", "bucket_size", "buffer_dtype", "calculate_per_token_loss", "check_for_nan_in_grad",
    "check_for_nan_in_loss_and_grad", "checkpoint", "clip_grad", "clone_scatter_output_in_embedding", "components",
    "config", "constant_steps", "contiguous_gradients", "cpu_bind", "cpu_per_rs", "create_attention_mask",
    "cross_entropy_fusion_impl", "cross_entropy_loss_fusion", "cuda_graph_warmup_steps", "dataloader_type", "dataset",
    "ddp", "decay_ratio", "deepspeed", "deepspeed_activation_checkpointing", "deepspeed_config", "delay_grad_reduce",
    "delay_param_gather", "description",
    "deterministic_mode", "dist", "distributed_backend", "dump_folder", "embedding_init_method_std",
    "enable_async_tensor_parallel", "enable_experimental", "enable_fsdp_float8_all_gather",
    "enable_megatron_core_experimental", "end_weight_decay", "env_vars", "eod_mask_loss", "eps", "error", "exclusive",
    "exp_dir", "exp_name", "file_sink_level", "filter_fqns", "finetune", "fp8_amax_compute_algo",
    "fp8_amax_history_len", "fp8_interval", "fp8_margin", "fp8_wgrad", "framework",
    "gather_16bit_weights_on_model_save", "gc_freq", "gpu_per_rs", "gpus_per_task", "gradient_accumulation_fusion",
    "gradient_clipping", "help", "hysteresis", "init_method", "initial_loss_scale", "initial_scale_power", "interval",
    "job_name", "layernorm_epsilon", "layernorm_zero_centered_gamma", "limit_all_gathers", "limit_test_batches",
    "limit_val_batches", "load", "local_rank", "logger", "loss_scale", "loss_scale_window", "lr", "mail_type",
    "mail_user", "manual_gc", "masked_softmax_fusion", "max_epochs", "max_norm", "max_restarts", "mcore_gpt", "mem",
    "min_delta", "min_loss_scale", "min_lr", "min_steps", "mixed_precision_reduce", "mock_data", "model", "module",
    "moe_aux_loss_coeff", "moe_grouped_gemm", "moe_input_jitter_eps", "moe_permute_fusion",
    "moe_router_bias_update_rate", "moe_router_dtype", "moe_router_force_load_balancing", "moe_router_fusion",
    "moe_router_group_topk", "moe_router_load_balancing_type", "moe_router_num_groups", "moe_router_padding_for_fp8",
    "moe_router_pre_softmax", "moe_router_score_function", "moe_router_topk_scaling_factor",
    "moe_token_dispatcher_type", "moe_use_fused_router_with_aux_score", "moe_z_loss_coeff", "mscale",
    "mscale_all_dim", "mtp_loss_scaling_factor", "name", "no_create_attention_mask_in_dataloader",
    "no_gradient_accumulation_fusion", "node_rank", "norm_epsilon", "npernode", "nrs", "ntasks", "num_workers",
    "onnx_safe", "optimizer", "original_max_position_embeddings", "output", "output_layer_init_method",
    "overlap_comm", "overlap_grad_reduce", "overlap_param_gather", "override", "overwrite", "params_dtype", "part",
    "partition", "perform_initialization", "persist_layer_norm", "pin_memory", "pipeline_dtype",
    "pipeline_parallel_first_stage_less_layers", "pipeline_parallel_last_stage_less_layers", "ppn",
    "prescale_gradients", "profile", "project", "random_seed", "rank", "redirects", "reduce_bucket_size",
    "replace_sampler_ddp", "reset_attention_mask", "reset_position_ids", "rng", "role", "rope_scaling_factor",
    "rope_type", "rotary_base", "rotary_interleaved", "rotary_percent", "rotary_percentage", "rotary_scaling_factor",
    "rotary_seq_len_interpolation_factor", "rs_per_host", "save", "scale_factor",
    "scatter_gather_tensors_in_pipeline", "scheduler", "seed", "skip_getting_attention_mask_from_dataset", "spec",
    "split", "stage3_gather_16bit_weights_on_model_save", "standalone", "start_weight_decay", "steps_per_print",
    "sub_rank", "swiglu_limit", "target", "tasks_per_rs", "tee", "time", "timers", "train", "transformer_engine",
    "transformer_impl", "trust_all_hosts", "trust_remote_code", "turbo_deepep_num_cu", "turbo_deepep_use_comm_stream",
    "use_cpu_initialization", "use_distributed_sampler", "use_flash_attn", "use_flash_attn_v2", "use_legacy_models",
    "use_mcore_models",
    "use_mmap", "use_nsys_profiler", "use_orig_params", "use_rope_scaling", "user_name", "val_check_interval",
    "validation", "wall_clock_breakdown", "warmup_steps", "weight_decay", "weight_decay_incr_style", "work_group",
    "workspace", "zero_allow_untested_optimizer",
};
constexpr std::string_view idle_beginnings[] = {
    "DEPENDENCIES", "ENV", "adam_", "async_save", "auto_continue", "auto_detect", "checkpoint.", "ckpt_", "comm.",
    "cpus_", "data_cache", "data_path", "debug.", "decoder_num_layers", "decoupled_", "disable_last",
    "disable_tensorboard", "disable_wandb", "dist_ckpt", "distributed_timeout", "enable_one_logger",
    "encoder_num_layers", "eval_", "exit_", "exp_manager.", "experiment.", "fault_tolerance.", "float8.",
    "init_method_", "job.", "job_", "load_", "log_", "logger.", "lr_", "lr_scheduler.", "manual_gc_", "mask_prob",
    "master_", "merge_file", "metrics.", "nccl_", "no_load", "no_save", "one_logger", "optim.betas", "optim.sched",
    "profile_", "profiler", "profiling.", "rdzv", "record_", "retriever", "rng.", "save_", "scheduler.",
    "sgd_momentum", "short_seq", "stderr_", "straggler", "tensorboard", "test_data", "timing_", "tokenizer",
    "tp_comm", "train_data", "trainer.accumulate", "trainer.enable", "trainer.gradient_clip", "trainer.log",
    "trainer.num_sanity", "use_nsys", "use_persistent", "use_pytorch_profiler", "valid_data", "validation.",
    "vocab_file", "wandb",
};
constexpr std::string_view idle_endings[] = {
    "_dir", "_file", "_folder", "_in_mins", "_log_freq", "_minutes", "_name", "_path", "_prefix", "_project",
    "_target_", "_to_tensorboard", "_url",
};

}  // namespace

std::span<const SettingRow> torchtitan_rows() { return titan; }
std::span<const SettingRow> deepspeed_rows() { return deepspeed; }
std::span<const SettingRow> fsdp_rows() { return fsdp; }

bool has_no_effect(std::string_view key) {
    const std::string_view leaf = key.substr(key.rfind('.') == key.npos ? 0 : key.rfind('.') + 1);
    const auto begins = [&](std::string_view b) { return key.starts_with(b) || leaf.starts_with(b); };
    return std::ranges::find(idle_names, leaf) != std::end(idle_names) || std::ranges::any_of(idle_beginnings, begins)
        || std::ranges::any_of(idle_endings, [&](std::string_view e) { return leaf.ends_with(e); });
}

}  // namespace plimsoll::files

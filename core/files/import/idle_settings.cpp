// Settings of any framework that change neither time nor memory of a plan.
#include "core/files/import/plan_draft.h"

#include <algorithm>

namespace plimsoll::files {

namespace {

constexpr std::string_view idle_names[] = {
    "data_parallel_size",
    "accelerator", "account", "allgather_bucket_size", "apply_layernorm_1p", "apply_query_key_layer_scaling",
    "apply_residual_connection_post_layernorm", "apply_rope_fusion", "attention_softmax_in_fp32", "autocast_dtype",
    "args", "average_in_collective", "backward_prefetch", "benchmark", "bert_binary_head", "beta",
    "beta1", "beta2", "betas",
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
    "limit_val_batches", "load", "local_rank", "logger", "loss_scale", "loss_scale_window", "loss_type", "loss_weights",
    "label_smoothing", "lr", "mail_type",
    "mail_user", "manual_gc", "masked_softmax_fusion", "max_epochs", "max_norm", "max_restarts", "mcore_gpt", "mem",
    "min_delta", "min_loss_scale", "min_lr", "min_steps", "mixed_precision_reduce", "mock_data", "model", "module",
    "moe_aux_loss_coeff", "moe_grouped_gemm", "moe_input_jitter_eps", "moe_permute_fusion",
    "moe_router_bias_update_rate", "moe_router_dtype", "moe_router_force_load_balancing", "moe_router_fusion",
    "moe_router_group_topk", "moe_router_load_balancing_type", "moe_router_num_groups", "moe_router_padding_for_fp8",
    "moe_router_pre_softmax", "moe_router_score_function", "moe_router_topk_scaling_factor",
    "moe_token_dispatcher_type", "moe_use_fused_router_with_aux_score", "moe_z_loss_coeff", "mscale",
    "mscale_all_dim", "mtp_loss_scaling_factor", "multi_gpu", "name", "no_create_attention_mask_in_dataloader",
    "node_rank", "norm_epsilon", "npernode", "nrs", "ntasks", "num_workers",
    "onnx_safe", "optimizer", "original_max_position_embeddings", "output", "output_layer_init_method",
    "overlap_comm", "override", "overwrite", "params_dtype", "part",
    "partition", "perform_initialization", "persist_layer_norm", "pin_memory", "pipeline_dtype",
    "pipeline_parallel_first_stage_less_layers", "pipeline_parallel_last_stage_less_layers", "ppn",
    "prescale_gradients", "profile", "project", "random_seed", "rank", "redirects", "reduce_bucket_size",
    "replace_sampler_ddp", "reset_attention_mask", "reset_position_ids", "rng", "role", "rope_scaling_factor",
    "rope_type", "rotary_base", "rotary_interleaved", "rotary_percent", "rotary_percentage", "rotary_scaling_factor",
    "rotary_seq_len_interpolation_factor", "rs_per_host", "save", "scale_factor",
    "scatter_gather_tensors_in_pipeline", "scheduler", "seed", "skip_getting_attention_mask_from_dataset", "spec",
    "split", "stage3_gather_16bit_weights_on_model_save", "standalone", "start_weight_decay", "steps_per_print",
    "sub_rank", "swiglu_limit", "target", "tasks_per_rs", "tee", "time", "timers", "train", "transformer_engine",
    "trust_all_hosts", "trust_remote_code", "turbo_deepep_num_cu", "turbo_deepep_use_comm_stream",
    "use_cpu_initialization", "use_distributed_sampler", "use_legacy_models",
    "use_mcore_models",
    "use_mmap", "use_nsys_profiler", "use_orig_params", "use_rope_scaling", "user_name", "val_check_interval",
    "validation", "wall_clock_breakdown", "warmup_steps", "weight_decay", "weight_decay_incr_style", "work_group",
    "workspace", "zero_allow_untested_optimizer",
    // Of trainers around Hugging Face's models and of those for pre-training.
    "base_output_directory", "bos_token_id", "chat_template", "clip_qkv", "compute_environment", "console_log_interval",
    "cosine_min_lr_ratio", "data_impl", "dataloader_num_workers", "dataloader_pin_memory", "dataset_num_proc",
    "dataset_text_field", "dataset_type", "ddp_timeout", "deepspeed_multinode_launcher", "device_eval_batch_size",
    "do_eval", "do_train", "downcast_bf16", "dry_run", "eos_token_id", "fsdp_auto_wrap_policy",
    "fsdp_backward_prefetch", "fsdp_backward_prefetch_policy", "fsdp_cpu_ram_efficient_loading",
    "fsdp_forward_prefetch", "fsdp_limit_all_gathers", "fsdp_state_dict_type", "fsdp_sync_module_states",
    "fsdp_transformer_layer_cls_to_wrap", "fsdp_use_orig_params", "global_seed", "group_by_length", "hardware",
    "init_device", "init_fn", "initializer_range", "learning_rate", "machine_rank", "main_training_function",
    "max_grad_norm", "model_revision", "no_query_key_layer_scaling", "output_dir", "packing", "pad_to_sequence_len",
    "pad_token_id", "per_device_eval_batch_size", "plot_loss", "preprocessing_num_workers", "progress_bar",
    "recipe", "remove_unused_columns", "report_to", "resume_from_checkpoint", "rms_norm_eps", "rope_theta", "run_name",
    "same_network", "sample_packing", "saves_per_epoch", "sharded_checkpointer", "strict", "tf32",
    "torch_empty_cache_steps", "tpu_env", "tpu_use_cluster", "tpu_use_sudo", "use_auth_token", "use_cache", "use_cpu",
    "val_set_size", "warmup_ratio", "zero3_init_flag", "zero3_save_16bit_model",
    // Of fine-tuning: how adapters are scaled and begin, what is shown and saved.
    "alpha", "clip_grad_norm", "device", "dropout_position", "fused", "lora_a_init_method", "lora_alpha",
    "lora_b_init_method", "lora_fan_in_fan_out", "lora_task_type", "network_alpha", "peft_use_rslora",
    "save_adapter_weights_only", "shuffle", "train_on_inputs", "train_on_prompt", "use_rslora",
    // Seen in files of sites.
    "abort_on_unmet_fused_kernel_constraints", "activation_checkpointing_reentrant", "adjust_word_embedding_init",
    "apex_transformer_log_level", "async_checkpointing", "attention_layer_norm_with_affine", "auto_wrap_policy",
    "auxiliary_loss_multiplier", "average_tokens_across_devices", "base_config", "batch_p2p_comm",
    "bias_for_layer_norm", "bos_token", "bucket_cap_mb", "buffer_count", "contiguous_grad_buffer",
    "contiguous_param_buffer", "cpu_ram_efficient_loading", "create_moe_param_group", "data_file_list",
    "ddp_bucket_cap_mb", "debug", "decay_embeddings", "decay_norm_and_bias", "dependency", "enable_checkpointing",
    "enable_megatron_timers", "eos_token", "finetuning_type", "fp8_backend", "fp8_e4m3",
    "fp8_enable_fsdp_float8_all_gather", "fp8_hybrid", "gen1_gc_interval", "grad_div_ar_fusion",
    "gradient_as_bucket_view", "hf_access_token", "implementation", "init_cutoff_factor", "init_std", "is_llama_config",
    "is_qwen2_config", "layer_norm_eps", "layer_norm_with_affine", "max_samples", "max_segments_per_seq", "max_time",
    "metrics_log_interval", "min_decay_lr", "moe_eval_capacity_factor", "moe_loss_coeff", "moe_per_layer_logging",
    "native_amp_growth_interval", "native_amp_init_scale", "no_pipeline_parallel", "norm_after", "norm_type",
    "overlap_p2p_comm", "override_opt_param_scheduler", "overwrite_cache", "pad_token", "pipeline_read",
    "pipeline_write", "post_process", "pre_process", "pretraining_tp", "reuse_example_batch", "rope_fusion",
    "rotary_position_embeddings_theta", "scan_layers", "sharp", "shuffle_sample_in_corpus", "softmax_auxiliary_loss",
    "stage", "stage3_max_reuse_distance", "stage3_param_persistence_threshold", "stage3_prefetch_bucket_size",
    "state_dict_type", "sub_group_size", "template", "time_limit", "torch_adam_is_fused",
    "transformer_layer_cls_to_wrap", "use_checkpoint_opt_param_scheduler", "use_iota_embed", "use_mpi",
    "weight_decay_exclude_named_params", "word_embedding_init_std", "wrapping_strategy", "zero_force_ds_cpu_optimizer",
};
constexpr std::string_view idle_beginnings[] = {
    "DEPENDENCIES", "ENV", "adam_", "async_save", "auto_continue", "auto_detect", "checkpoint.", "ckpt_", "comm.",
    "cpus_", "data_cache", "data_path", "debug.", "decoder_num_layers", "decoupled_", "disable_last",
    "disable_tensorboard", "disable_wandb", "dist_ckpt", "distributed_timeout", "enable_one_logger",
    "encoder_num_layers", "eval_", "exit_", "exp_manager.", "experiment.", "fault_tolerance.", "float8.",
    "init_method_", "job.", "job_", "load_", "log_", "logger.", "lr_", "lr_scheduler.", "manual_gc_", "mask_prob",
    "master_", "merge_file", "metrics.", "nccl_", "one_logger", "optim.betas", "optim.sched",
    "profile_", "profiler", "profiling.", "rdzv", "record_", "retriever", "rng.", "save_", "scheduler.",
    "sgd_momentum", "short_seq", "stderr_", "straggler", "tensorboard", "test_data", "timing_", "tokenizer",
    "tp_comm", "train_data", "trainer.accumulate", "trainer.enable", "trainer.gradient_clip", "trainer.log",
    "trainer.num_sanity", "use_nsys", "use_persistent", "use_pytorch_profiler", "valid_data", "validation.",
    "vocab_file", "wandb",
    "algorithms.", "callbacks.", "checkpoints.", "ci.", "data.", "data_stages.", "dataloader.", "dataset.",
    "dataset_mixture.", "datasets.", "dist_env.", "evaluators.", "evals_per", "general.",
    "gradient_checkpointing_kwargs", "hub_", "icl_", "logging", "push_to_hub", "special_tokens.", "speed_monitor.",
    "train_loader.", "variables.",
    "adapter_tuning.", "cpo_", "desirable_", "dpo_", "kto_", "max_completion_", "max_prompt_", "orpo_", "pref_beta",
    "pref_ftx", "ref_adapter", "ref_checkpointer.", "ref_model_", "rl_beta", "rpo_", "simpo_", "undesirable_",
    "checkpointer.", "ia3_tuning.", "liger_", "loraplus_", "metric_logger.", "p_tuning.",
    "selective_tuning.", "aio.", "comms_logger.", "defaults.", "env.", "flops_profiler.", "hydra.", "init_method.",
    "megatron_timer_kwargs.", "nsys_profile.", "tokenizer.", "ub_tp_comm_overlap_cfg.",
};
constexpr std::string_view idle_endings[] = {
    "_dir", "_file", "_folder", "_in_mins", "_log_freq", "_minutes", "_name", "_path", "_prefix", "_project",
    "_target_", "_to_tensorboard", "_url",
};

}  // namespace

bool has_no_effect(std::string_view key) {
    const std::string_view leaf = key.substr(key.rfind('.') == key.npos ? 0 : key.rfind('.') + 1);
    const auto begins = [&](std::string_view b) {
        if (key.starts_with(b) || leaf.starts_with(b)) return true;
        const auto at = b.ends_with('.') ? key.find(b) : key.npos;   // a group in groups
        return at != key.npos && at > 0 && key[at - 1] == '.';
    };
    if (leaf.starts_with("no_") && has_no_effect(leaf.substr(3))) return true;
    return std::ranges::find(idle_names, leaf) != std::end(idle_names) || std::ranges::any_of(idle_beginnings, begins)
        || std::ranges::any_of(idle_endings, [&](std::string_view e) { return leaf.ends_with(e); });
}

}  // namespace plimsoll::files

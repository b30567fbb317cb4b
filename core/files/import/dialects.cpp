#include "core/files/import/dialects.h"

#include "core/values/basics/text.h"

#include <algorithm>
#include <span>

namespace plimsoll::files {

namespace {

// Where a sign counts: as an option of a command line, as a key of a file ("a.b" at any depth, "a." with anything under
// it) or of a command that overrides keys, or as words in a script or a file in Python.
enum class Where { option, key, either, text };

struct Sign {
    Where where;
    std::string_view name;
    int weight = 1;                 // two decide
    std::string_view value = {};    // a part that the value has to have; all of it behind an equals sign
};

struct Trainer {
    std::optional<Dialect> dialect;   // nothing: its files are not read
    std::string_view name;            // of those
    std::span<const Sign> signs;
    bool rewards = false;             // of answers that it generates
};

constexpr int enough = 2;

namespace signs {

using enum Where;

constexpr Sign megatron[] = {
    {either, "tensor_model_parallel_size", 2}, {either, "pipeline_model_parallel_size", 2},
    {option, "num_layers"}, {option, "hidden_size"}, {option, "num_attention_heads"}, {option, "ffn_hidden_size"},
    {option, "seq_length"}, {option, "max_position_embeddings"}, {option, "micro_batch_size"},
    {option, "global_batch_size"}, {option, "train_iters"}, {option, "train_samples"},
    {option, "use_distributed_optimizer", 2}, {option, "use_mcore_models", 2}, {option, "transformer_impl", 2},
    {option, "recompute_granularity", 2}, {option, "expert_model_parallel_size", 2},
    {option, "group_query_attention"}, {option, "untie_embeddings_and_output_weights"}, {option, "swiglu"},
    {key, "language_model.", 2}, {key, "model_parallel."},
};
constexpr Sign nemo[] = {
    {key, "model.encoder_seq_length", 3}, {key, "model.tensor_model_parallel_size", 2}, {key, "trainer.num_nodes"},
    {key, "model.activations_checkpoint_granularity", 2}, {key, "exp_manager."}, {key, "model.mcore_gpt", 2},
    {key, "model.global_batch_size"}, {text, "from nemo", 3}, {text, "import nemo", 3}, {text, "nemo_run", 2},
    {text, "MegatronStrategy", 3}, {text, "llm.", 1}, {text, "run.Partial", 2},
    {text, "megatron_gpt_pretraining.py", 2},
};
constexpr Sign bridge[] = {
    {key, "train.train_iters", 3}, {key, "train.global_batch_size", 1}, {key, "model.tensor_model_parallel_size", 2},
    {key, "ddp."}, {key, "mixed_precision"}, {text, "from_hf_pretrained", 4}, {text, "ConfigContainer", 4},
    {text, "megatron.bridge", 4}, {key, "cfg.", 2},
};
constexpr Sign torchtitan[] = {
    {either, "training.local_batch_size", 2}, {either, "training.seq_len"}, {either, "training.steps"},
    {either, "model.flavor", 2}, {either, "activation_checkpoint.mode", 2},
    {either, "parallelism.data_parallel_shard_degree", 2}, {either, "parallelism.data_parallel_replicate_degree", 2},
    {either, "parallelism.tensor_parallel_degree", 2}, {either, "parallelism.pipeline_parallel_degree", 2},
    {either, "parallelism.context_parallel_degree", 2}, {either, "training.data_parallel_shard_degree", 2},
    {either, "training.data_parallel_replicate_degree", 2}, {either, "training.data_parallel_degree", 2},
    {either, "training.tensor_parallel_degree", 2}, {either, "experimental.pipeline_parallel_degree", 2},
    {either, "job.config_file", 2}, {text, "torchtitan.train", 2}, {text, "from torchtitan", 2},
};
constexpr Sign deepspeed[] = {
    {key, "zero_optimization.", 2}, {key, "train_micro_batch_size_per_gpu", 2}, {key, "train_batch_size"},
    {key, "gradient_accumulation_steps"}, {key, "fp16.enabled"}, {key, "bf16.enabled"},
    {option, "deepspeed_config", 2}, {option, "zero_stage", 2},
};
constexpr Sign fsdp[] = {{key, "sharding_strategy", 2}};
constexpr Sign huggingface[] = {
    {either, "per_device_train_batch_size", 3}, {either, "model_name_or_path"}, {either, "gradient_checkpointing"},
    {either, "num_train_epochs"}, {either, "block_size"}, {either, "model_max_length"}, {either, "cutoff_len"},
    {either, "per_device_eval_batch_size"}, {option, "gradient_accumulation_steps"}, {option, "output_dir"},
    {key, "distributed_type", 2}, {key, "fsdp_config.fsdp_sharding_strategy"}, {key, "num_processes"},
    {key, "num_machines"}, {key, "deepspeed_config.zero_stage"},
};
constexpr Sign axolotl[] = {
    {key, "base_model", 2}, {key, "sequence_len", 2}, {key, "sample_packing"}, {key, "flash_attention"},
    {key, "pad_to_sequence_len"}, {key, "datasets."}, {key, "val_set_size"},
};
constexpr Sign llm_foundry[] = {
    {key, "model.name", 3, "mpt_causal_lm"}, {key, "model.name", 3, "hf_causal_lm"}, {key, "max_seq_len"},
    {key, "model.attn_config."}, {key, "device_train_microbatch_size"}, {key, "global_train_batch_size"},
    {key, "train_loader."},
};
constexpr Sign olmo[] = {
    {key, "model.max_sequence_length", 3}, {key, "model.mlp_ratio"}, {key, "model.activation_type", 2},
    {key, "model.layer_norm_type"}, {key, "device_train_microbatch_size"}, {key, "global_train_batch_size"},
    {key, "distributed_strategy"}, {key, "model.include_bias"},
};
constexpr Sign olmo_core[] = {
    {either, "train_module.", 3}, {either, "data_loader.global_batch_size"}, {either, "trainer.max_duration."},
    {text, "olmo_core", 3},
};
constexpr Sign automodel[] = {
    {key, "step_scheduler.", 3}, {key, "model.pretrained_model_name_or_path"}, {key, "recipe", 2, "nemo_automodel"},
    {key, "model._target_", 2, "nemo_automodel"},
};
constexpr Sign nanotron[] = {
    {key, "tokens.batch_accumulation_per_replica", 3}, {key, "tokens.micro_batch_size", 2},
    {key, "tokens.sequence_length", 2}, {key, "parallelism.dp"}, {key, "parallelism.tp"},
    {key, "model.model_config."},
};
constexpr Sign maxtext[] = {
    {key, "max_target_length", 2}, {key, "per_device_batch_size"}, {key, "base_emb_dim", 2},
    {key, "base_num_decoder_layers", 2}, {key, "ici_fsdp_parallelism", 2}, {key, "ici_tensor_parallelism", 2},
    {key, "dcn_data_parallelism", 2}, {key, "dcn_fsdp_parallelism", 2}, {key, "base_output_directory"},
};
constexpr Sign torchtune[] = {
    {either, "model._component_", 2, "torchtune."}, {either, "tokenizer._component_", 2, "torchtune."},
    {text, "tune run --", 2}, {text, "tune run "}, {text, "_finetune_single_device"}, {text, "_finetune_distributed"},
    {text, "_dpo_single_device"}, {text, "_dpo_distributed"},
};

// Trainers whose files are not read; of those that a plan cannot have (rewards, generation) and of others.
constexpr Sign verl[] = {{either, "actor_rollout_ref.", 2}, {text, "verl.trainer", 2}};
constexpr Sign nemo_rl[] = {{key, "grpo.", 2}, {key, "dpo.", 2}, {key, "loss_fn."}, {key, "policy.", 1}};
constexpr Sign openrlhf[] = {{text, "openrlhf.cli.train_ppo", 2}, {text, "openrlhf.cli.train_dpo", 2},
                             {text, "openrlhf.cli.train_rm", 2}, {option, "reward_pretrain", 2}};
constexpr Sign rewards[] = {
    {either, "num_generations", 2}, {either, "reward_funcs", 2}, {either, "reward_model", 2},
    {either, "reward_model_path", 2}, {either, "response_length", 2}, {key, "rl", 2, "grpo"}, {key, "rl", 2, "gdpo"},
    {key, "rl", 2, "ebft"}, {key, "rl", 2, "ppo"}, {either, "stage", 2, "=ppo"},
    {either, "stage", 2, "=rm"}, {key, "loss._component_", 2, "PPO"}, {key, "loss._component_", 2, "GRPO"},
    {text, "GRPOTrainer", 2}, {text, "PPOTrainer", 2}, {text, "RLOOTrainer", 2}, {text, "OnlineDPOTrainer", 2},
    {text, "NashMDTrainer", 2}, {text, "XPOTrainer", 2}, {text, "RewardTrainer", 2}, {text, "trl grpo", 2},
    {text, "trl rloo", 2}, {text, "trl reward", 2}, {text, "/reward_modeling.py", 2}, {text, "/grpo.py", 2},
    {text, "/ppo.py", 2}, {text, "/dpo_online.py", 2},
};
constexpr Sign litgpt[] = {{either, "train.max_tokens", 2}, {either, "train.max_seq_length"},
                           {either, "train.save_interval"}, {text, "litgpt pretrain", 2}};
constexpr Sign levanter[] = {{either, "trainer.num_train_steps", 2}, {key, "trainer.train_batch_size"},
                             {either, "trainer.tracker."}, {text, "levanter.main", 2}};
constexpr Sign paddlenlp[] = {{either, "tensor_parallel_degree", 2}, {either, "pipeline_parallel_degree", 2},
                              {either, "sharding_parallel_degree", 2}};
constexpr Sign gpt_neox[] = {{key, "pipe_parallel_size", 2}, {key, "model_parallel_size"}, {key, "pos_emb"},
                             {key, "no_weight_tying"}};
constexpr Sign colossal[] = {{text, "colossalai run", 2}, {text, "import colossalai", 2}};
constexpr Sign internevo[] = {{text, "zero1 = dict", 1}, {text, "zero1=dict", 1}, {text, "parallel = dict", 1},
                              {text, "internlm", 1}};
// Preference training on answers that are given, in the words of trainers that are read.
struct Preference {
    Preferences kind;
    Sign sign;
};
constexpr Preference preferences[] = {
    {Preferences::pairs, {key, "rl", 2, "=dpo"}}, {Preferences::pairs, {key, "rl", 2, "=ipo"}},
    {Preferences::pairs, {either, "stage", 2, "=dpo"}}, {Preferences::pairs, {either, "pref_beta"}},
    {Preferences::pairs, {either, "pref_loss"}}, {Preferences::pairs, {either, "precompute_ref_log_probs"}},
    {Preferences::pairs, {key, "loss._component_", 2, "rlhf.loss."}}, {Preferences::pairs, {text, "DPOConfig"}},
    {Preferences::pairs, {text, "DPOTrainer"}}, {Preferences::pairs, {text, "trl dpo"}},
    {Preferences::pairs, {text, "/dpo.py"}}, {Preferences::pairs, {text, " dpo.py"}},
    {Preferences::pairs, {text, "_dpo_single_device"}}, {Preferences::pairs, {text, "_dpo_distributed"}},
    {Preferences::pairs_alone, {key, "rl", 2, "=orpo"}}, {Preferences::pairs_alone, {key, "rl", 2, "=simpo"}},
    {Preferences::pairs_alone, {either, "pref_loss", 2, "=orpo"}},
    {Preferences::pairs_alone, {either, "pref_loss", 2, "=simpo"}},
    {Preferences::pairs_alone, {either, "loss_type", 2, "=simpo"}},
    {Preferences::pairs_alone, {key, "loss._component_", 2, "SimPO"}},
    {Preferences::pairs_alone, {text, "ORPOConfig"}}, {Preferences::pairs_alone, {text, "ORPOTrainer"}},
    {Preferences::pairs_alone, {text, "CPOConfig"}}, {Preferences::pairs_alone, {text, "CPOTrainer"}},
    {Preferences::pairs_alone, {text, "trl orpo"}}, {Preferences::pairs_alone, {text, "trl cpo"}},
    {Preferences::pairs_alone, {text, "orpo.py"}}, {Preferences::pairs_alone, {text, "cpo.py"}},
    {Preferences::answers, {key, "rl", 2, "=kto"}}, {Preferences::answers, {either, "stage", 2, "=kto"}},
    {Preferences::answers, {text, "KTOConfig"}}, {Preferences::answers, {text, "KTOTrainer"}},
    {Preferences::answers, {text, "trl kto"}}, {Preferences::answers, {text, "/kto.py"}},
    {Preferences::answers, {text, " kto.py"}},
};
constexpr Sign unsloth[] = {{text, "import unsloth", 2}, {text, "from unsloth", 2}};

}  // namespace signs

// What several claim belongs to the one with more signs; of as many to the first. DeepSpeed's and FSDP's files stand
// beside those of the trainers that use them, so that they count where no trainer does.
constexpr Trainer trainers[] = {
    {Dialect::primus, "", {}},
    {Dialect::torchtitan, "", signs::torchtitan},
    {Dialect::torchtune, "", signs::torchtune},
    {Dialect::axolotl, "", signs::axolotl},
    {Dialect::llm_foundry, "", signs::llm_foundry},
    {Dialect::olmo, "", signs::olmo},
    {Dialect::olmo_core, "", signs::olmo_core},
    {Dialect::automodel, "", signs::automodel},
    {Dialect::nanotron, "", signs::nanotron},
    {Dialect::maxtext, "", signs::maxtext},
    {Dialect::huggingface, "", signs::huggingface},
    {Dialect::nemo, "", signs::nemo},
    {Dialect::bridge, "", signs::bridge},
    {Dialect::megatron, "", signs::megatron},
    {Dialect::deepspeed, "", signs::deepspeed},
    {Dialect::fsdp, "", signs::fsdp},
    {{}, "verl (reinforcement learning)", signs::verl, true},
    {{}, "NeMo RL (reinforcement learning)", signs::nemo_rl, true},
    {{}, "OpenRLHF (reinforcement learning)", signs::openrlhf, true},
    {{}, "a trainer of rewards, or by them", signs::rewards, true},
    {{}, "LitGPT", signs::litgpt},
    {{}, "Levanter", signs::levanter},
    {{}, "PaddleNLP", signs::paddlenlp},
    {{}, "GPT-NeoX", signs::gpt_neox},
    {{}, "Colossal-AI", signs::colossal},
    {{}, "InternEvo", signs::internevo},
    {{}, "Unsloth", signs::unsloth},
};
constexpr std::size_t trainer_count = std::size(trainers);

// "a.b" is meant by "a.b" and "x.a.b"; "a." by whatever begins with it, at any depth. Of DeepSpeed and FSDP, whose
// files others hold as a part, and of trainers that are not read, by the whole key only.
bool is_named(std::string_view name, std::string_view sign, bool whole) {
    const bool group = sign.ends_with('.');
    if (group ? name.starts_with(sign) : name == sign) return true;
    if (whole || name.size() <= sign.size()) return false;
    if (!group) return name.ends_with(sign) && name[name.size() - sign.size() - 1] == '.';
    const auto at = name.find("." + std::string(sign));
    return at != name.npos;
}

bool has_value(const std::string& value, std::string_view sign) {
    return sign.starts_with('=') ? value == sign.substr(1) : value.find(sign) != value.npos;
}

int weight_of(const Trainer& t, std::uint32_t found) {
    if (found == ~0u) return 1000;
    int weight = 0;
    for (std::size_t i = 0; i < t.signs.size(); ++i)
        if (found >> i & 1u) weight += t.signs[i].weight;
    return weight;
}

bool stands_beside(Dialect d) { return d == Dialect::deepspeed || d == Dialect::fsdp; }

bool is_off(const std::string& value) {
    return is_nothing(value) || value == "0" || flag_of(value) == false || value == "[]" || value == "{}";
}

}  // namespace

Signs::Signs() : found_(trainer_count, 0u) {}

void Signs::look_at(const Setting& s, std::string_view name) {
    if (s.key.starts_with("$") || s.key.starts_with("#")) return;
    const bool option = s.key.starts_with("--");
    for (std::size_t t = 0; t < trainer_count; ++t) {
        const bool whole = !trainers[t].dialect || stands_beside(*trainers[t].dialect);
        for (std::size_t i = 0; i < trainers[t].signs.size(); ++i) {
            const Sign& sign = trainers[t].signs[i];
            if (sign.where == (option ? Where::key : Where::option) || sign.where == Where::text) continue;
            if (is_named(name, sign.name, whole) && has_value(s.value, sign.value)) found_[t] |= 1u << i;
        }
    }
    for (const signs::Preference& p : signs::preferences) {
        const bool here = p.sign.where != Where::text && p.sign.where != (option ? Where::key : Where::option);
        if (here && is_named(name, p.sign.name, true) && has_value(s.value, p.sign.value) && !is_off(s.value))
            kinds_ |= 1u << int(p.kind);
    }
    look_for_adapters(s, name.substr(name.rfind('.') == name.npos ? 0 : name.rfind('.') + 1));
}

void Signs::look_at_text(std::string_view text) {
    for (std::size_t t = 0; t < trainer_count; ++t)
        for (std::size_t i = 0; i < trainers[t].signs.size(); ++i) {
            const Sign& sign = trainers[t].signs[i];
            if (sign.where == Where::text && text.find(sign.name) != text.npos) found_[t] |= 1u << i;
        }
    for (const signs::Preference& p : signs::preferences)
        if (p.sign.where == Where::text && text.find(p.sign.name) != text.npos) kinds_ |= 1u << int(p.kind);
}

void Signs::claim(Dialect d) {
    for (std::size_t t = 0; t < trainer_count; ++t)
        if (trainers[t].dialect == d) found_[t] = ~0u;
}

bool Signs::claims(Dialect d) const {
    for (std::size_t t = 0; t < trainer_count; ++t)
        if (trainers[t].dialect == d) return weight_of(trainers[t], found_[t]) >= enough;
    return false;
}

std::optional<Dialect> Signs::dialect() const {
    std::optional<Dialect> best;
    int most = enough - 1;
    for (std::size_t t = 0; t < trainer_count; ++t) {
        const auto& dialect = trainers[t].dialect;
        if (!dialect || (best && stands_beside(*dialect))) continue;
        if (const int weight = weight_of(trainers[t], found_[t]); weight > most) {
            most = weight;
            best = dialect;
        }
    }
    // Megatron-LM's arguments with a configuration of DeepSpeed are those of Megatron-DeepSpeed.
    if (best == Dialect::megatron && claims(Dialect::deepspeed)) return Dialect::deepspeed;
    return best;
}

std::string_view Signs::refused() const {
    for (std::size_t t = 0; t < trainer_count; ++t)
        if (!trainers[t].dialect && weight_of(trainers[t], found_[t]) >= enough) return trainers[t].name;
    return {};
}

bool Signs::asks_for_rewards() const {
    for (std::size_t t = 0; t < trainer_count; ++t)
        if (!trainers[t].dialect && weight_of(trainers[t], found_[t]) >= enough) return trainers[t].rewards;
    return false;
}

// What says more goes before the name that all of them share.
Preferences Signs::preferences() const {
    for (const Preferences kind : {Preferences::pairs_alone, Preferences::answers, Preferences::pairs})
        if (kinds_ >> int(kind) & 1u) return kind;
    return Preferences::none;
}

// Adapters and quantised weights, as peft, transformers, axolotl, LLaMA-Factory and NeMo ask for them.
void Signs::look_for_adapters(const Setting& s, std::string_view leaf) {
    constexpr std::string_view switches[] = {"use_peft", "use_lora", "use_qlora", "load_in_4bit", "load_in_8bit",
                                             "use_dora", "peft_scheme", "adapter", "adapter_type", "lora_rank",
                                             "lora_r", "quantization_bit", "peft_config"};
    const std::string value = lower_case(s.value);
    const bool asks = std::ranges::find(switches, leaf) != std::end(switches) && !is_off(value)
                   && (!value.empty() || s.key.starts_with("--"));
    const bool by_name = (leaf == "finetuning_type" || leaf == "train_type" || leaf == "tuner_type")
                      && (value.find("lora") != value.npos || value == "freeze");
    const bool group = s.key.find("peft._target_") != std::string::npos;
    if ((asks || by_name || group) && !adapter_) adapter_ = s;
    const auto has_any = [&](std::initializer_list<std::string_view> parts) {
        return std::ranges::any_of(parts, [&](std::string_view part) { return value.find(part) != value.npos; });
    };
    // Weights that were quantised with calibration are decoded by kernels of their own.
    const bool names_weights = leaf == "base_model" || leaf == "model_name_or_path" || leaf == "quantization_method";
    const bool other_weights = (names_weights && has_any({"gptq", "awq", "aqlm", "eetq", "hqq"}))
                            || ((leaf == "gptq" || leaf == "use_gptq") && !is_off(value));
    const bool other_tuning = (by_name && !has_any({"lora"}))
                           || (leaf == "finetuning_type" && has_any({"oft"}))
                           || (leaf == "adapter" && !is_off(value) && !has_any({"lora"}));
    if ((other_weights || other_tuning) && !beyond_plans_) beyond_plans_ = s;
}

}  // namespace plimsoll::files

#pragma once
// Small configurations of trainers beyond Megatron-LM's kin, written for these tests.

#include <string>

namespace plimsoll::testing {

inline std::string reworded(std::string text, const std::string& was, const std::string& is) {
    if (const auto at = text.find(was); at != text.npos) text.replace(at, was.size(), is);
    return text;
}

inline const std::string trainer_script = R"(#!/bin/bash
accelerate launch --num_processes 24 --num_machines 3 --mixed_precision bf16 train.py \
  --model_name_or_path meta-llama/Llama-2-7b-hf --bf16 True --num_train_epochs 3 --model_max_length 2048 \
  --per_device_train_batch_size 8 --gradient_accumulation_steps 2 --gradient_checkpointing True \
  --output_dir out --learning_rate 2e-5 --deepspeed ds.json)";

inline const std::string ds_auto = R"({"bf16": {"enabled": "auto"}, "zero_optimization": {"stage": 2},
 "train_batch_size": "auto", "train_micro_batch_size_per_gpu": "auto", "gradient_accumulation_steps": "auto"})";

inline const std::string trainer_yaml = R"(model_name_or_path: Qwen/Qwen3-8B
per_device_train_batch_size: 2
gradient_accumulation_steps: 4
gradient_checkpointing: true
max_seq_length: 4096
max_steps: 500
bf16: true
output_dir: out
attn_implementation: flash_attention_2
)";

inline const std::string accelerate_yaml = R"(compute_environment: LOCAL_MACHINE
distributed_type: FSDP
mixed_precision: bf16
num_machines: 2
num_processes: 16
fsdp_config:
  fsdp_sharding_strategy: FULL_SHARD
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
)";

inline const std::string axolotl_yaml = R"(base_model: meta-llama/Llama-3.1-8B
sequence_len: 8192
sample_packing: true
micro_batch_size: 2
gradient_accumulation_steps: 8
num_epochs: 2
optimizer: adamw_torch_fused
bf16: auto
gradient_checkpointing: true
flash_attention: true
deepspeed: deepspeed_configs/zero3_bf16.json
)";

inline const std::string foundry_yaml = R"(max_seq_len: 2048
model:
  name: mpt_causal_lm
  d_model: 2560
  n_heads: 20
  n_layers: 20
  expansion_ratio: 4
  no_bias: true
  max_seq_len: 2048
  vocab_size: 50368
  attn_config: {attn_impl: flash, alibi: true}
optimizer: {name: decoupled_adamw}
max_duration: 3000ba
global_train_batch_size: 256
device_train_microbatch_size: 4
precision: amp_bf16
fsdp_config: {sharding_strategy: FULL_SHARD, mixed_precision: PURE, activation_checkpointing: false}
)";

inline const std::string olmo_yaml = R"(run_name: ours
model:
  d_model: 3072
  n_heads: 24
  n_layers: 26
  mlp_hidden_size: 24576
  activation_type: swiglu
  max_sequence_length: 4096
  vocab_size: 50280
  embedding_size: 50304
  rope: true
  weight_tying: false
  include_bias: false
  layer_norm_type: rms
  attention_dropout: 0.0
  residual_dropout: 0.0
  embedding_dropout: 0.0
  flash_attention: true
optimizer: {name: adamw}
max_duration: 2e11T
global_train_batch_size: 1024
device_train_microbatch_size: 2
precision: amp_bf16
distributed_strategy: fsdp
fsdp: {sharding_strategy: SHARD_GRAD_OP, precision: mixed}
)";

inline const std::string olmo_core_json = R"({"model": {"d_model": 2048, "n_layers": 16, "vocab_size": 100352,
 "block": {"attention": {"n_heads": 16}, "feed_forward": {"hidden_size": 8192}}},
 "data_loader": {"global_batch_size": 2097152},
 "train_module": {"rank_microbatch_size": 16384, "max_sequence_length": 4096, "dp_config": {"name": "hsdp"},
                  "compile_model": true},
 "trainer": {"max_duration": {"value": 50000000000, "unit": "tokens"}}})";

inline const std::string olmo_core_command = "torchrun --nproc-per-node=8 train.py run "
    "--train_module.rank_microbatch_size=16384 --train_module.max_sequence_length=8192 "
    "--data_loader.global_batch_size=2097152\n";

inline const std::string tiny_config = R"({"model_type": "llama", "hidden_size": 1024, "intermediate_size": 2816,
 "num_hidden_layers": 16, "num_attention_heads": 16, "vocab_size": 32000, "max_position_embeddings": 8192})";

inline const std::string automodel_yaml = R"(step_scheduler:
  global_batch_size: 64
  local_batch_size: 4
  max_steps: 200
model:
  _target_: nemo_automodel.NeMoAutoModelForCausalLM.from_pretrained
  pretrained_model_name_or_path: meta-llama/Llama-3.2-1B
distributed:
  _target_: nemo_automodel.components.distributed.fsdp2.FSDP2Manager
  tp_size: 2
  cp_size: 1
packed_sequence:
  packed_sequence_size: 2048
optimizer:
  _target_: torch.optim.AdamW
)";

inline const std::string nanotron_yaml = R"(model:
  dtype: bfloat16
  model_config:
    hidden_size: 2048
    intermediate_size: 5632
    num_hidden_layers: 24
    num_attention_heads: 16
    num_key_value_heads: 4
    vocab_size: 49152
    max_position_embeddings: 4096
    tie_word_embeddings: true
    hidden_act: silu
optimizer: {zero_stage: 1, accumulate_grad_in_fp32: true}
parallelism: {dp: 8, pp: 2, tp: 4, pp_engine: 1f1b, tp_mode: REDUCE_SCATTER}
tokens:
  sequence_length: 4096
  micro_batch_size: 2
  batch_accumulation_per_replica: 16
  train_steps: 1000
)";

inline const std::string maxtext_yaml = R"(base_emb_dim: 4096
base_num_query_heads: 32
base_num_kv_heads: 8
base_mlp_dim: 14336
base_num_decoder_layers: 32
head_dim: 128
vocab_size: 128256
per_device_batch_size: 2
max_target_length: 2048
steps: 300
ici_fsdp_parallelism: 16
ici_tensor_parallelism: 4
remat_policy: full
dtype: bfloat16
)";

// What NeMo's overrides on a command line come to, group by group.
inline const std::string nemo_overrides = R"(trainer: {precision: bf16, devices: 8, num_nodes: 4, max_steps: 700}
model:
  num_layers: 30
  hidden_size: 3840
  ffn_hidden_size: 10240
  num_attention_heads: 30
  num_query_groups: 10
  encoder_seq_length: 4096
  micro_batch_size: 1
  global_batch_size: 96
  tensor_model_parallel_size: 2
  sequence_parallel: True
  activations_checkpoint_granularity: selective
  optim: {name: distributed_fused_adam}
)";

inline const std::string nemo_with_sums = R"(trainer: {precision: bf16, devices: 8, num_nodes: 4, max_steps: 700}
model:
  num_layers: 30
  hidden_size: 3840
  ffn_hidden_size: ${multiply:4, ${.hidden_size}}
  num_attention_heads: 30
  encoder_seq_length: 4096
  micro_batch_size: 1
  global_batch_size: 96
  tensor_model_parallel_size: 2
  make_vocab_size_divisible_by: 128
  tokenizer: {library: sentencepiece, model: /data/tokenizer.model}
  optim: {name: mcore_distributed_optim, overlap_grad_sync: true}
)";

inline const std::string nemo_recipe = R"(import nemo_run as run
from nemo.collections import llm
def pretrain_recipe():
    model = run.Config(llm.Llama31Config70B)
    data = run.Config(MockDataModule, seq_length=8192, global_batch_size=512, micro_batch_size=1)
    strategy = run.Config(MegatronStrategy, tensor_model_parallel_size=4)
)";

inline const std::string primus_of_maxtext = R"(work_group: amd
modules:
  pre_trainer:
    framework: maxtext
    model: llama2_70B.yaml
    overrides:
      ici_fsdp_parallelism: 8
      dcn_data_parallelism: -1
      ici_tensor_parallelism: 1
      max_target_length: 4096
      per_device_batch_size: 4
      steps: 50
)";

inline const std::string titan_of_2024 = R"([model]
name = "llama3"
flavor = "8B"
[training]
batch_size = 6
seq_len = 8192
steps = 1000
data_parallel_replicate_degree = 4
data_parallel_shard_degree = 4
tensor_parallel_degree = 2
compile = false
[experimental]
context_parallel_degree = 2
pipeline_parallel_degree = 1
[activation_checkpoint]
mode = "selective"
)";

inline const std::string megatron_deepspeed = R"(deepspeed pretrain_gpt.py --tensor-model-parallel-size 2 \
 --num-layers 32 --hidden-size 4096 --num-attention-heads 32 --num-key-value-heads 8 --ffn-hidden-size 14336 --swiglu \
 --normalization rmsnorm --disable-bias-linear --seq-length 4096 --max-position-embeddings 4096 --vocab-size 50304 \
 --micro-batch-size 2 --global-batch-size 256 --train-iters 10 --bf16 --zero-stage 1 --checkpoint-activations \
 --deepspeed --deepspeed_config ds.json
)";
inline const std::string ds_of_megatron = R"({"train_batch_size": 256, "train_micro_batch_size_per_gpu": 2,
 "bf16": {"enabled": true}, "zero_optimization": {"stage": 1}})";

}  // namespace plimsoll::testing

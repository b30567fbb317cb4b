#pragma once
// Small configurations of fine-tuning, written for these tests.

#include <string>

namespace plimsoll::testing {

inline const std::string torchtune_yaml = R"(# tune run --nproc_per_node 4 lora_finetune_distributed --config ours.yaml
output_dir: out/lora
model:
  _component_: torchtune.models.llama3_1.lora_llama3_1_8b
  lora_attn_modules: ['q_proj', 'k_proj', 'output_proj']
  apply_lora_to_mlp: True
  apply_lora_to_output: False
  lora_rank: 24
  lora_alpha: 48
  lora_dropout: 0.0
tokenizer:
  _component_: torchtune.models.llama3.llama3_tokenizer
  path: tokens/tokenizer.model
  max_seq_len: 4096
checkpointer:
  _component_: torchtune.training.FullModelHFCheckpointer
  checkpoint_dir: weights
dataset:
  _component_: torchtune.datasets.alpaca_dataset
  packed: True
seed: 7
shuffle: True
batch_size: 2
optimizer:
  _component_: torch.optim.AdamW
  fused: True
  lr: 2e-4
loss:
  _component_: torchtune.modules.loss.CEWithChunkedOutputLoss
epochs: 2
max_steps_per_epoch: 300
gradient_accumulation_steps: 4
compile: True
metric_logger:
  _component_: torchtune.training.metric_logging.DiskLogger
device: cuda
dtype: bf16
enable_activation_checkpointing: True
enable_activation_offloading: True
)";

inline const std::string torchtune_full = R"(model:
  _component_: torchtune.models.llama3_2.llama3_2_1b
tokenizer:
  _component_: torchtune.models.llama3.llama3_tokenizer
  max_seq_len: 2048
dataset:
  _component_: torchtune.datasets.alpaca_dataset
batch_size: 4
optimizer:
  _component_: bitsandbytes.optim.PagedAdamW8bit
optimizer_in_bwd: True
loss:
  _component_: torch.nn.CrossEntropyLoss
epochs: 1
dtype: bf16
enable_activation_checkpointing: False
)";

inline const std::string torchtune_dpo = R"(model:
  _component_: torchtune.models.llama3_1.lora_llama3_1_8b
  lora_attn_modules: ['q_proj', 'v_proj']
  lora_rank: 16
tokenizer:
  _component_: torchtune.models.llama3.llama3_tokenizer
  max_seq_len: 1024
ref_checkpointer:
  _component_: torchtune.training.FullModelHFCheckpointer
  model_type: LLAMA3
dataset:
  _component_: torchtune.datasets.stack_exchange_paired_dataset
batch_size: 4
gradient_accumulation_steps: 8
optimizer:
  _component_: torch.optim.AdamW
loss:
  _component_: torchtune.rlhf.loss.DPOLoss
  beta: 0.1
epochs: 1
max_steps_per_epoch: 100
dtype: bf16
)";

inline const std::string axolotl_dpo = R"(base_model: Qwen/Qwen2.5-7B
rl: dpo
rl_beta: 0.1
adapter: lora
lora_r: 8
lora_target_linear: true
datasets:
  - path: ours/pairs
    type: chat_template.default
sequence_len: 2048
sample_packing: false
micro_batch_size: 2
gradient_accumulation_steps: 2
max_steps: 100
optimizer: adamw_torch_fused
bf16: auto
flash_attention: true
deepspeed:
)";

inline const std::string axolotl_qlora = R"(base_model: Qwen/Qwen2.5-7B
adapter: qlora
load_in_4bit: true
lora_r: 32
lora_alpha: 16
lora_dropout: 0.05
lora_target_linear: true
lora_modules_to_save: [embed_tokens, lm_head]
peft_use_rslora: true
datasets:
  - path: ours/talks
    type: chat_template
sequence_len: 4096
sample_packing: true
micro_batch_size: 2
gradient_accumulation_steps: 4
num_epochs: 3
optimizer: paged_adamw_8bit
bf16: auto
gradient_checkpointing: true
flash_attention: true
)";

inline const std::string factory_yaml = R"(model_name_or_path: Qwen/Qwen3-8B
stage: sft
do_train: true
finetuning_type: lora
lora_rank: 12
lora_target: q_proj,v_proj
quantization_bit: 8
template: qwen3
cutoff_len: 2048
per_device_train_batch_size: 1
gradient_accumulation_steps: 8
num_train_epochs: 3.0
bf16: true
flash_attn: fa2
output_dir: saves/ours
)";

inline const std::string trl_script = R"(#!/bin/bash
accelerate launch --num_processes 8 sft.py --model_name_or_path meta-llama/Llama-3.2-3B --use_peft --lora_r 64 \
  --lora_alpha 16 --lora_target_modules q_proj k_proj v_proj o_proj --load_in_4bit --packing --max_length 2048 \
  --per_device_train_batch_size 4 --gradient_accumulation_steps 2 --gradient_checkpointing --bf16 True \
  --max_steps 400 --use_liger_kernel True --output_dir out
)";

inline const std::string trl_program = R"(from trl import DPOConfig, DPOTrainer

args = DPOConfig(
    output_dir="out",
    per_device_train_batch_size=2,
    gradient_accumulation_steps=4,
    max_length=1024,
    max_steps=50,
    beta=0.1,
    bf16=True,
)
trainer = DPOTrainer(model="Qwen/Qwen3-8B", args=args)
model_name_or_path = "Qwen/Qwen3-8B"
)";

inline const std::string bridge_lora = R"(mixed_precision: bf16_mixed
checkpoint:
  pretrained_checkpoint: /there/llama3
peft:
  dim: 20
  alpha: 40
  dropout: 0.0
  target_modules: [linear_qkv, linear_proj]
model:
  seq_length: 4096
  tensor_model_parallel_size: 2
  pipeline_model_parallel_size: 2
train:
  train_iters: 200
  global_batch_size: 32
  micro_batch_size: 1
ddp:
  use_distributed_optimizer: true
)";

inline const std::string nemo_lora = R"(trainer:
  devices: 8
  num_nodes: 1
  precision: bf16
  max_steps: 250
exp_manager:
  name: ours
model:
  tensor_model_parallel_size: 2
  pipeline_model_parallel_size: 1
  micro_batch_size: 1
  global_batch_size: 64
  encoder_seq_length: 2048
  num_layers: 32
  hidden_size: 4096
  ffn_hidden_size: 14336
  num_attention_heads: 32
  num_query_groups: 8
  activation: fast-swiglu
  peft:
    peft_scheme: lora
    lora_tuning:
      target_modules: [attention_qkv]
      adapter_dim: 10
      adapter_dropout: 0.0
)";

inline const std::string automodel_lora = R"(step_scheduler:
  global_batch_size: 32
  local_batch_size: 2
  max_steps: 100
model:
  _target_: nemo_automodel.NeMoAutoModelForCausalLM.from_pretrained
  pretrained_model_name_or_path: meta-llama/Llama-3.2-1B
peft:
  _target_: nemo_automodel.components._peft.lora.PeftConfig
  target_modules: "*_proj"
  dim: 6
  alpha: 32
packed_sequence:
  packed_sequence_size: 1024
optimizer:
  _target_: torch.optim.AdamW
)";

}  // namespace plimsoll::testing

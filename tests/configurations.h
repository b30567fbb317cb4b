#pragma once
// Small configurations in the words of training frameworks, written for these tests.

#include <string>
#include <utility>
#include <vector>

namespace plimsoll::testing {

inline const std::string megatron_script = R"(#!/bin/bash
#SBATCH --nodes=4
# Eight devices a node.
GPUS_PER_NODE=8
NUM_NODES=${SLURM_NNODES:-4}
WORLD_SIZE=$(($GPUS_PER_NODE * NUM_NODES))
TP=2
LAUNCH=(
    --nproc_per_node $GPUS_PER_NODE   # of one node
    --nnodes $NUM_NODES
)
MODEL_ARGS=(
    --num-layers 32
    --hidden-size 4096
    --ffn-hidden-size 14336
    --num-attention-heads 32
    --group-query-attention
    --num-query-groups 8
    --position-embedding-type rope
    --normalization RMSNorm
    --swiglu
    --disable-bias-linear
    --untie-embeddings-and-output-weights
    --attention-dropout 0.0
    --hidden-dropout 0.0
    --max-position-embeddings 8192
)
SPLIT_ARGS="--tensor-model-parallel-size ${TP} \
    --pipeline-model-parallel-size 4 --num-layers-per-virtual-pipeline-stage 4 --sequence-parallel"
torchrun "${LAUNCH[@]}" pretrain_gpt.py "${MODEL_ARGS[@]}" $SPLIT_ARGS \
    "--vocab-size 128256" --seq-length 8192 --micro-batch-size 1 --global-batch-size=128 \
    --train-samples 1_000_000 --lr 3e-4 --bf16 --fp8-format hybrid --grad-reduce-in-bf16 \
    --use-distributed-optimizer --recompute-activations --enable-warp-drive --data-path "$DATA"
)";

inline const std::string megatron_yaml = R"(language_model:
  num_layers: 24
  hidden_size: 1024
  num_attention_heads: 16
  ffn_hidden_size: null
  activation_func: swiglu
  hidden_dropout: 0.0
model_parallel:
  tensor_model_parallel_size: 1
  pipeline_model_parallel_size: 2
  bf16: True
micro_batch_size: 2
global_batch_size: 64
seq_length: 4096
position_embedding_type: rope
train_iters: 100
lr: 2.5e-4
)";

inline const std::string nemo_yaml = R"(trainer:
  devices: 8
  num_nodes: 8
  precision: bf16
  max_steps: 1000
model:
  micro_batch_size: 2
  global_batch_size: 256
  tensor_model_parallel_size: 8
  encoder_seq_length: 2048
  max_position_embeddings: ${.encoder_seq_length}
  num_layers: 40
  hidden_size: 5120
  ffn_hidden_size: ${ffn}
  num_attention_heads: 40
  activations_checkpoint_granularity: full
  activations_checkpoint_method: block
  activations_checkpoint_num_layers: 2
  optim:
    name: distributed_fused_adam
    lr: 1e-4
ffn: 20480
)";

inline const std::string bridge_recipe = R"PY("""Recipes of two models."""
SEQUENCE = 8_192

def llama3_8b_pretrain_config() -> ConfigContainer:
    """The smaller one.

    cfg.model.tensor_model_parallel_size = 99
    """
    cfg = _pretrain_common()
    cfg.model = AutoBridge.from_hf_pretrained("meta-llama/Meta-Llama-3-8B").to_megatron_provider(load_weights=False)
    cfg.model.tensor_model_parallel_size = 1  # no need
    cfg.model.context_parallel_size = 2
    cfg.model.seq_length = SEQUENCE
    cfg.train.train_iters = 1000
    cfg.train.global_batch_size = 512
    cfg.train.micro_batch_size = 1
    cfg.mixed_precision = "bf16_mixed"
    return cfg

def llama3_70b_pretrain_config() -> ConfigContainer:
    cfg = _pretrain_common()
    cfg.model = AutoBridge.from_hf_pretrained("meta-llama/Meta-Llama-3-70B").to_megatron_provider(load_weights=False)
    cfg.model.tensor_model_parallel_size = 4
    cfg.model.pipeline_model_parallel_size = 4
    cfg.model.seq_length = SEQUENCE
    cfg.train.global_batch_size = 128
    return cfg
)PY";

inline const std::string bridge_overrides = R"(model:
  num_layers: 8
  hidden_size: 2048
  num_attention_heads: 16
  num_moe_experts: 48
  moe_router_topk: 6
  moe_ffn_hidden_size: 1024
  moe_layer_freq: [0, 1, 1, 1, 1, 1, 1, 1]
  tensor_model_parallel_size: 2
  expert_model_parallel_size: 8
  expert_tensor_parallel_size: 1
  sequence_parallel: true
  seq_length: 4096
train:
  train_iters: 100
  global_batch_size: 16
  micro_batch_size: 1
optimizer:
  lr: 0.0003
mixed_precision: bf16_mixed
)";

inline const std::string torchtitan_toml_text = R"(# 256 devices in two copies
[job]
description = "Llama 3 70B"
[model]
name = "llama3"
flavor = "70B"
converters = ["float8"]
[optimizer]
name = "AdamW"
lr = 1.5e-4
[training]
local_batch_size = 2
seq_len = 8192
steps = 1000
[parallelism]
data_parallel_replicate_degree = 2
data_parallel_shard_degree = 16
tensor_parallel_degree = 8
pipeline_parallel_degree = 1
[activation_checkpoint]
mode = "full"
[compile]
enable = true
[quantize.linear.float8]
recipe_name = "rowwise"
)";

inline const std::string deepspeed_json_text = R"({
  "train_batch_size": 256,
  "train_micro_batch_size_per_gpu": 4,
  "gradient_accumulation_steps": 2,
  "zero_optimization": {"stage": 3, "offload_optimizer": {"device": "cpu", "pin_memory": true}, "overlap_comm": true},
  "bf16": {"enabled": true},
  "fp16": {"enabled": false},
  "optimizer": {"type": "AdamW", "params": {"lr": 1e-4}}
})";

inline const std::string llama_config = R"({
  "model_type": "llama", "hidden_size": 2048, "intermediate_size": 5632, "num_hidden_layers": 22,
  "num_attention_heads": 32, "num_key_value_heads": 4, "vocab_size": 32000, "max_position_embeddings": 2048,
  "tie_word_embeddings": false
})";

inline const std::string primus_yaml = R"(work_group: ${PRIMUS_TEAM:ours}
modules:
  pre_trainer:
    framework: megatron
    config: pre_trainer.yaml
    model: ${PRIMUS_MODEL:llama3.1_8B}.yaml
    overrides:
      train_iters: 50
      micro_batch_size: 2
      global_batch_size: 128
      seq_length: 8192
      tensor_model_parallel_size: 1
      pipeline_model_parallel_size: 1
      lr: 1.0e-5
      use_turbo_attention: false
)";

inline std::vector<std::pair<std::string, std::string>> configurations() {
    return {{"train.sh", megatron_script}, {"gpt.yaml", megatron_yaml}, {"nemo.yaml", nemo_yaml},
            {"recipe.py", bridge_recipe},  {"over.yaml", bridge_overrides}, {"titan.toml", torchtitan_toml_text},
            {"ds.json", deepspeed_json_text}, {"primus.yaml", primus_yaml}};
}

}  // namespace plimsoll::testing

#pragma once
// Plans for tests, built in code so that no test depends on a preset file.
//
//   Scenario s = gpt3_on_selene();              // a plan that was run
//   Scenario odd = with_layout(s, [](Layout& l) { l.tensor_parallel = 3; });
//
// The numbers of the machine and the stack are round and plausible; tests state
// properties of them, never the estimate of one of these plans to a digit.

#include "core/values/plan/parameters.h"
#include "core/values/plan/scenario.h"
#include "levels.h"

#include <QMetaType>

#include <utility>

namespace plimsoll::testing {

// So many parameters of dense layers, all of them trained.
inline Parameters in_matrices(double n) {
    Parameters p;
    p.add(ParameterGroup::matrices, n);
    return p;
}

// 174,604,234,752 parameters: Narayanan et al.'s formula leaves the final norm out.
inline Model gpt3_175b() {
    Model m;
    m.id = "gpt3-175b";
    m.name = "GPT-3 175B";
    m.family = "GPT-3";
    m.layers = 96;
    m.hidden = 12288;
    m.heads = m.kv_heads = 96;
    m.head_dim = 128;
    m.ffn = 49152;
    m.vocabulary = 50257;
    m.sequence_length = m.position_rows = 2048;
    m.final_norm = false;
    m.published_parameters = 175e9;
    m.training_tokens = 300e9;
    return m;
}

// A small gated model with grouped queries: LLaMA's shape at 1.3 billion parameters.
inline Model small_gated() {
    Model m;
    m.id = "small-gated";
    m.name = "Small gated model";
    m.layers = 24;
    m.hidden = 2048;
    m.heads = 16;
    m.kv_heads = 8;
    m.head_dim = 128;
    m.ffn = 5632;
    m.vocabulary = 32000;
    m.activation = Activation::swiglu;
    m.positions = Positions::rotary;
    m.norm = Norm::rms_norm;
    m.tied_embeddings = m.qkv_bias = m.out_bias = m.mlp_bias = m.dropout = false;
    return m;
}

// DeepSeek's shape in small: a dense first layer, shared and routed experts, latent attention.
inline Model small_mixture() {
    Model m = small_gated();
    m.id = "small-mixture";
    m.name = "Small mixture of experts";
    m.kv_heads = m.heads;
    m.head_dim = 192;
    m.experts.count = 16;
    m.experts.top_k = 4;
    m.experts.ffn = 1408;
    m.experts.shared = 1;
    m.experts.shared_ffn = 1408;
    m.experts.dense_layers = 1;
    m.latent = {.kv_rank = 512, .q_rank = 768, .rope_dim = 64, .nope_dim = 128, .value_dim = 128};
    return m;
}

inline Device a100() {
    Device d;
    d.name = "NVIDIA A100 SXM4 80GB";
    d.package = "A100";
    d.memory = 80 * gibibyte;
    d.bandwidth = 2039 * gigabyte / second;
    d.fp32 = 19.5 * teraflop / second;
    d.tf32 = 156 * teraflop / second;
    d.fp16 = d.bf16 = 312 * teraflop / second;
    d.efficiency.gemm_ceiling = 0.79;
    d.efficiency.gemm_half_depth = 66;
    d.efficiency.gemm_half_area = 1.4e6;
    return d;
}

inline Machine selene() {
    Machine m;
    m.id = "selene";
    m.name = "Selene";
    m.site = "NVIDIA";
    m.as_of = "2021-06";
    m.device = a100();
    m.devices_per_node = 8;
    m.nodes = 560;
    m.levels = {testing::level("node", 8, 300 * gigabyte / second, 0.8, 6.4 * microsecond, "NVSwitch"),
                testing::level("system", 4480, 25 * gigabyte / second, 0.8, 5 * microsecond, "fat tree")};
    m.host = {1024 * gibibyte, 380 * gigabyte / second, 25 * gigabyte / second};
    m.power.device_idle = 58 * watt;
    m.power.device_max = 400 * watt;
    m.power.host = 1500 * watt;
    m.power.network = 300 * watt;
    m.power.pue = 1.2;
    m.scheduler = {"Slurm", "srun", {}};
    m.grid_gCO2e_per_kWh = 226;
    return m;
}

// One node with eight devices and nothing around it.
inline Machine one_node() {
    Machine m = selene();
    m.id = "one-node";
    m.name = "One node";
    m.nodes = 1;
    m.levels.back().devices = 8;
    return m;
}

inline Stack megatron() {
    Stack s;
    s.id = "megatron-2021";
    s.name = "Megatron-LM 2021";
    s.kernels.gemm_factor = 0.958;
    s.host.layer = 0.4 * millisecond;
    s.host.tensor = 0.054 * millisecond;
    s.host.micro_batch = 0.5 * millisecond;
    s.host.optimizer_layer = 0.11 * millisecond;
    s.host.jitter = 0.05;
    s.host.step_constant = 5 * millisecond;
    s.gradients.bucket = 200 * megabyte;
    s.memory.context = 2 * gibibyte;
    return s;
}

// 1,024 A100s, tensor 8 x pipeline 8 x data 16, full recompute: feasible, fits.
inline Scenario gpt3_on_selene() {
    Scenario s;
    s.name = "GPT-3 175B on Selene";
    s.model = gpt3_175b();
    s.machine = selene();
    s.stack = megatron();
    s.layout.devices = 1024;
    s.layout.tensor_parallel = 8;
    s.layout.pipeline_parallel = 8;
    s.layout.data_parallel = 16;
    s.layout.micro_batch = 1;
    s.layout.recompute = Recompute::full;
    s.recipe.global_batch_sequences = 1536;
    s.recipe.sequence_length = 2048;
    s.recipe.tokens = 300e9;
    s.recipe.precision = Precision::fp16;
    s.recipe.state_format = StateFormat::fp32_moments_fp32_sums;
    return s;
}

// Three chunks per stage: 96 layers / (8 stages x 3), micro-batches divide by 8.
inline Scenario gpt3_interleaved() {
    Scenario s = gpt3_on_selene();
    s.layout.virtual_stages = 3;
    s.layout.schedule = Schedule::interleaved;
    return s;
}

// Data parallel alone, ZeRO-1, on one node.
inline Scenario small_on_one_node() {
    Scenario s;
    s.name = "Small model on one node";
    s.model = small_gated();
    s.machine = one_node();
    s.stack = megatron();
    s.stack.kernels.attention = Attention::flash;
    s.layout.devices = s.layout.data_parallel = 8;
    s.layout.micro_batch = 4;
    s.layout.zero_stage = 1;
    s.recipe.global_batch_sequences = 256;
    s.recipe.tokens = 30e9;
    return s;
}

// Computable, but far beyond one device's memory: replicated states of 175e9 parameters.
inline Scenario too_big_for_memory() {
    Scenario s = gpt3_on_selene();
    s.name = "GPT-3 175B, data parallel only";
    s.layout.devices = s.layout.data_parallel = 64;
    s.layout.tensor_parallel = s.layout.pipeline_parallel = 1;
    return s;
}

template <class Edit>
Scenario with_layout(Scenario s, Edit edit) {
    edit(s.layout);
    return s;
}

template <class Edit>
Scenario edited(Scenario s, Edit edit) {
    edit(s);
    return s;
}

}  // namespace plimsoll::testing

Q_DECLARE_METATYPE(plimsoll::Scenario)

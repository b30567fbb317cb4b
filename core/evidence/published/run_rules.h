#pragma once
// From a published row to a plan: one stated rule for each thing the source
// leaves out. A rule never looks at the result of the row, at its id or its
// source, and every rule that acted is told with the row.
//
//   stack            by words of the framework's name and the device (framework_rule() below)
//   precision        from the words of the source; both 16-bit formats named: bf16 where the device has it
//   gradients        fp32 (18 bytes a parameter) in bf16 and fp8 runs of Megatron and DeepSpeed, else 16 bit
//   FLOP counting    what the framework's own tables use (framework_rule() below)
//   shape            key-value heads = heads, head width = hidden / heads, heads of 128, feed-forward 4 h,
//                    vocabulary 51,200; GPT: learned positions, tied; LLaMA: gated, RMS norm, rotary, untied
//                    2,048 tokens; gated where only that gives the stated parameters
//   tensor, pipeline one each with sharded data parallelism; else tensor inside a node, then pipeline, until
//                    the states take at most 0.6 of the memory
//   experts          shared ones, dense layers, biases, windows and latent attention from the model preset with as
//                    many layers, experts and experts per token of the same width; no table prints them.
//                    Experts are not cut over tensor ranks, and balanced
//   devices          one replica: tensor x pipeline x context
//   micro-batch      1 from 4,096 tokens on; else 16, 8, 4, 2, 1 up to 2.5, 5, 25, 100 billion parameters and
//                    beyond; then the largest that divides the batch of a replica. T5X: the whole batch of a replica
//   batch            half a million tokens, at least 8 sequences for each stage and replica
//   interleaving     "interleaved" in the framework's name: one layer slot per chunk; Megatron-LM of 2021:
//                    from 8 stages on the smallest number of chunks above one; else none
//   recomputation    none; full for fp32 on CPUs
//   ZeRO stage       3 when the source names sharded data parallelism, 1 with a distributed optimizer or
//                    DeepSpeed in bf16, else 0;
//                    with a pipeline at most what the stack combines with one
//   context parallel  keys and values round a ring
//   sequence parallel  with Megatron-Core and tensor parallelism

#include "core/values/plan/scenario.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

// ---- One published measurement as its source states it. What the source leaves out stays empty.

struct RowModel {
    std::string name, arch;                // "gpt", "llama" or "moe"
    std::optional<double> parameters;
    std::optional<int> layers, hidden, heads, kv_heads, head_dim, ffn, vocabulary, sequence_length;
    std::optional<bool> gated;
    bool experts = false;                  // a mixture; `ffn` is then the width of one expert
    std::optional<int> expert_count, top_k;
};

struct RowMachine {
    std::string device, preset;            // "NVIDIA A100 SXM 80GB", id of a machine preset
};

struct RowLayout {
    std::optional<int> devices, tensor, pipeline, data, context, expert, zero_stage, virtual_stages, micro_batch,
        global_batch;
    std::optional<bool> sequence_parallel;
    std::string sharding;                  // "" none or not stated, else what the source calls it: "FULL_SHARD"
    std::string recompute, precision, framework;
    std::optional<double> train_tokens;    // of the whole run
    std::string stack;                     // id of a stack preset; "" the one the framework's name stands for
};

struct RowMeasured {
    std::optional<double> step_seconds, tokens_per_second, teraflops;  // the rates per device
    std::optional<double> memory_gb;       // per device
    std::optional<double> mfu, hfu;        // of the device's peak, in the source's counting
    std::optional<double> device_hours, train_days, energy_mwh;  // of the whole run
    std::optional<double> power_watts;     // per device
};

// How a source turns time into FLOP/s; per token, N_blocks the layers' matrices:
enum class FlopRule {
    unknown,
    hardware,        // 8 N_blocks + 16 L h s + 6 V h: recomputation counted
    full_attention,  // 6 N_blocks + 12 L h s + 6 V h
    causal,          // 6 N_blocks +  6 L h s + 6 V h
    all_parameters,  // 6 N + 12 L h s, N with embeddings
    eight_n, six_n,  // 8 N, 6 N: the nominal count only
};

struct PublishedRow {
    std::string id, source, citation;
    bool reference = false;                // a sanity check, not for scoring
    RowModel model;
    RowMachine machine;
    RowLayout layout;
    RowMeasured measured;
    FlopRule flop_rule = FlopRule::unknown;
};
using PublishedRows = std::vector<PublishedRow>;

// ---- The plan it becomes

struct FilledRun {
    Scenario scenario;
    FlopRule flop_rule = FlopRule::unknown;
    std::vector<std::string> filled;   // one sentence for each rule that acted
    std::string excluded;              // why there is no plan; empty: there is one
};

// What rows name or leave to be looked up.
struct RowPresets {
    const std::map<std::string, Machine>& machines;
    const std::map<std::string, Stack>& stacks;
    const std::map<std::string, Model>& models;
};

FilledRun filled_run(const PublishedRow&, const RowPresets&);

// ---- What the name of a training framework says: its stack preset and the defaults of its releases.
// Rules look at words of the name and at the device, never at a source or a row.

struct FrameworkRule {
    const char* words;       // all must occur in the name, separated by '+', lower case
    const char* device;      // must occur in the device's name, lower case; "" any
    const char* stack;       // id of the stack preset
    bool dropout;            // GPT models train with dropout
    bool pads_vocabulary;    // to a multiple of 128 x tensor parallel
    bool fp32_gradients;     // bf16 recipes add gradients up in fp32
    bool distributed;        // optimizer sharded and sequence parallel unless stated otherwise
    FlopRule flop;           // what its TFLOP/s count when the source does not say
    bool whole_batch = false; // no gradient accumulation: a replica takes its batch at once
};

// The first rule that matches; null when no stack preset stands for the framework.
const FrameworkRule* framework_rule(const std::string& framework, const std::string& device);
// The defaults where a row names its stack preset and nobody knows the framework.
const FrameworkRule& any_framework();

// DeepSpeed prints the memory of rank 0, which is on the first stage; others name the fullest stage.
bool reports_first_stage(const std::string& framework);

bool contains(const std::string& lower_case_text, const char* words);

// ---- Values assumed where a published row is silent, each from the row's own facts

int largest_divisor_up_to(int of, int most);
int micro_batch_by_size(double parameters, int sequence_length);

// Tables count the two input branches of a gated layer now as one matrix, now as
// two. The stated parameter count tells: what was stated, unless it misses the
// count by 15 % and the other hits it within 3 %.
bool gated_by_count(const RowModel&, Model, bool stated);

// What is published is taken. Else one each with sharded data parallelism; or
// tensor parallel inside a node first, then the pipeline, until the states of a
// rank take at most 0.6 of its memory. Model, machine and recipe of the plan are filled already.
struct AssumedSplit {
    int tensor = 1, pipeline = 1;
};
AssumedSplit assumed_split(const RowLayout&, const Scenario&);

}  // namespace plimsoll

#pragma once
// One published measurement as its source states it. What the source leaves
// out stays empty: run_rules.h says what is assumed instead.

#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

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
    std::optional<int> devices, tensor, pipeline, data, context, expert, zero_stage, virtual_stages, micro_batch, global_batch;
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

}  // namespace plimsoll

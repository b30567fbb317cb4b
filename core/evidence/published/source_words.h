#pragma once
// A published measurement as its source states it, and what the words of the source stand for: the name of a training
// framework, the citation, the number format.
//
//   const FrameworkRule* rule = framework_rule("Megatron-LM 2021", "NVIDIA A100");
//   rule->stack;                      // "megatron-lm-2021": id of a stack preset
//   tuning_of(row, *rule);            // how hard its software was tuned, by who reports and when
//
// run_rules.h makes a plan of both.

#include "core/values/basics/names.h"
#include "core/values/plan/scenario.h"

#include <initializer_list>
#include <optional>
#include <span>
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

// What a published memory is: what the allocator took from the device, what tensors held of it, or what a monitor
// of the device showed, driver and libraries included.
enum class MemoryKind { reserved, allocated, used };
enum class MemoryRank { worst, first, last };   // of the pipeline: the fullest stage, or the one whose log was read
enum class MemoryUnit { gigabyte, gibibyte };
template <> std::span<const std::string_view> names_of<MemoryKind>();
template <> std::span<const std::string_view> names_of<MemoryRank>();
template <> std::span<const std::string_view> names_of<MemoryUnit>();   // "GB", "GiB"

struct RowMeasured {
    std::optional<double> step_seconds, tokens_per_second, teraflops;  // the rates per device
    std::optional<double> memory_gb;       // per device, in its unit
    std::optional<MemoryUnit> memory_unit;
    std::optional<MemoryKind> memory_kind;
    std::optional<MemoryRank> memory_rank;
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
    bool by_tuning = false;   // the preset of the stack's family that is tuned as tuning_of() says
    int year = 0;             // of the releases of this name, where the name does not say it; 0: any
};

std::span<const FrameworkRule> framework_rules();
// The first rule that matches; null when no stack preset stands for the framework.
const FrameworkRule* framework_rule(const std::string& framework, const std::string& device);
// The defaults where a row names its stack preset and nobody knows the framework.
const FrameworkRule& any_framework();

// Who reports, by words of the citation and the framework's name:
//   record   an MLPerf submission
//   user     an issue, a discussion, a pull request, a forum
//   suite    a benchmark suite that runs many frameworks as they come
//   maker    who makes the framework; or a row that says its overlap is switched on
//   team     a paper or technical report of a run of one's own
enum class Reporter { unknown, record, user, suite, maker, team };
Reporter reporter_of(const PublishedRow&);

// The year of the release: a container or NeMo release YY.MM, Megatron-Core 0.1 to 0.9 (2024) or later ones (2025), a
// year in the framework's name, else the rule's, else that of an arXiv number; 0 where nothing says it.
int release_year(const PublishedRow&, const FrameworkRule&);

// A record is a record. Makers and teams tune, by the year; of makers without a year the newest. Suites and users run
// it as it comes. Of others it is not known.
Tuning tuning_of(const PublishedRow&, const FrameworkRule&);

// DeepSpeed prints the memory of rank 0, which is on the first stage; others name the fullest stage.
bool reports_first_stage(const std::string& framework);

// The release of a container, "container 26.02.01" as 260201; 999999 where no container is named: the newest.
int container_release(const std::string& lower_case_framework);

// Where fp8 products had their scales from. TorchTitan's default and what the tables of Megatron-Bridge call FP8 scale
// whole tensors by the data; Transformer Engine's default is delayed.
Fp8Recipe fp8_recipe(const std::string& lower_case_precision, const std::string& lower_case_framework);

// ---- Words in a text

// All of them, separated by '+': "megatron-lm+1f1b".
bool contains(const std::string& lower_case_text, const char* words);
bool contains_any(const std::string& lower_case_text, std::initializer_list<const char*> words);

}  // namespace plimsoll

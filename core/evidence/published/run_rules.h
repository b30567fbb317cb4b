#pragma once
// From a published row to a plan: one stated rule for each thing the source
// leaves out. A rule never looks at the result of the row, at its id or its
// source, and every rule that acted is told with the row.
//
//   stack            the row's own; else by words of the framework's name and the device (framework_rule() below)
//   how hard tuned   where presets of a family differ in that (tuning_of() below): by who reports and when
//   precision        from the words of the source; both 16-bit formats named: bf16 where the device has it
//   gradients        fp32 (18 bytes a parameter) in bf16 and fp8 runs of Megatron and DeepSpeed, else 16 bit
//   FLOP counting    what the framework's own tables use (framework_rule() below)
//   shape            key-value heads = heads, head width = hidden / heads, heads of 128, feed-forward 4 h,
//                    vocabulary 51,200; GPT: learned positions, tied; LLaMA: gated, RMS norm, rotary, untied
//                    2,048 tokens; tables tied or not, and then gated or not, where only that gives the stated
//                    parameters
//   tensor, pipeline one each with sharded data parallelism; else tensor inside a node, then pipeline, until
//                    the states take at most 0.6 of the memory
//   experts          shared ones, dense layers, biases, windows and latent attention from the model preset with as
//                    many layers, experts and experts per token of the same width; no table prints them.
//                    Experts are not cut over tensor ranks, and balanced
//   devices          one replica: tensor x pipeline x context
//   micro-batch      1 from 4,096 tokens on; else 16, 8, 4, 2, 1 up to 2.5, 5, 25, 100 billion parameters and
//                    beyond; then the largest that divides the batch of a replica. T5X: the whole batch of a replica
//   batch            half a million tokens, at least 8 sequences for each stage and replica
//   of a tuned bundle  micro-batch, interleaving and recomputation together: the fastest that fits the memory, of
//                    micro-batches 1, 2, 4, 8, chunks that divide the layers of a stage, and none, selective, or
//                    whole layers, as few as have to be. Whoever tuned the rest tuned these. The row keeps by how much they differ (FilledRun::span)
//   interleaving     "interleaved" in the framework's name: one layer slot per chunk; Megatron-LM of 2021:
//                    from 8 stages on the smallest number of chunks above one; else none
//   recomputation    none; full for fp32 on CPUs; selective for TorchTitan, whose configurations keep every other product
//                    unless told otherwise
//   expert degree    the fastest that fits, or the fastest where none does
//   ZeRO stage       3 when the source names sharded data parallelism, 1 with a distributed optimizer or
//                    DeepSpeed in bf16, else 0;
//                    with a pipeline at most what the stack combines with one
//   context parallel  keys and values round a ring
//   sequence parallel  with Megatron-Core and tensor parallelism
//   memory           GB; what the allocator reserves; of the fullest stage, with DeepSpeed of the first

#include "core/values/basics/names.h"
#include "core/values/plan/scenario.h"

#include <map>
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

// ---- The plan it becomes

struct FilledRun {
    Scenario scenario;
    FlopRule flop_rule = FlopRule::unknown;
    std::vector<std::string> filled;   // one sentence for each rule that acted
    // Among the values that a tuned row leaves open: the step time of the middle one over that of the fastest, less 1.
    double span = 0;
    double weight() const;             // 1 where nothing is open, less where the span is more than a few percent
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

bool contains(const std::string& lower_case_text, const char* words);

// ---- Values assumed where a published row is silent, each from the row's own facts

int largest_divisor_up_to(int of, int most);
int micro_batch_by_size(double parameters, int sequence_length);

// Small models share the table between embedding and head, and tables of models count the two input branches of a
// gated layer now as one matrix, now as two. The stated parameter count tells: shared or not as usual for the
// architecture, unless that misses the count by 5 % and the other hits it within 2 %; gated or not as stated, unless
// that misses it by 15 % either way and the other hits it within 3 %.
struct CountedShape {
    bool tied = false, gated = false;
};
CountedShape shape_by_count(const RowModel&, Model, CountedShape stated);

// What is published is taken. Else one each with sharded data parallelism; or
// tensor parallel inside a node first, then the pipeline, until the states of a
// rank take at most 0.6 of its memory. Model, machine and recipe of the plan are filled already.
struct AssumedSplit {
    int tensor = 1, pipeline = 1;
};
AssumedSplit assumed_split(const RowLayout&, const Scenario&);

}  // namespace plimsoll

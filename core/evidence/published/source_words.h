#pragma once
// A published measurement as its source states it, and what the words of the source stand for: who reports, which
// release ran, the number format. What the name of a framework stands for is in software.h.
//
//   tuning_of(row, *framework_rule("Megatron-Core 25.09", "NVIDIA H100"));   // by who reports and when
//
// run_rules.h makes a plan of both.

#include "core/answers/plan/software.h"
#include "core/values/basics/names.h"
#include "core/values/plan/scenario.h"

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
    std::string interconnect{};            // "8-GPU NVLink node, 32 EFA"
};

struct RowLayout {
    std::optional<int> devices, tensor, pipeline, data, context, expert, zero_stage, virtual_stages, micro_batch,
        global_batch;
    std::optional<bool> sequence_parallel;
    std::string sharding;                  // "" none or not stated, else what the source calls it: "FULL_SHARD"
    std::string recompute, precision, framework;
    std::optional<double> train_tokens;    // of the whole run
    std::string stack;                     // id of a stack preset; "" the one the framework's name stands for
    std::optional<SoftwareHabits> habits;  // of the software; nothing: those that the framework's name stands for
    bool tuning_assumed = false;           // the stack is one of several that differ in how hard they were tuned
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

struct PublishedRow {
    std::string id, source, citation, remark;
    std::string vendor;                    // who made what was run and reports it; "" the source is its own
    bool reference = false;                // a sanity check, not for scoring
    RowModel model;
    RowMachine machine;
    RowLayout layout;
    RowMeasured measured;
    FlopRule flop_rule = FlopRule::unknown;
    Method method = {};
};
using PublishedRows = std::vector<PublishedRow>;

// Who reports, by the repository that the citation names and by the framework's name; no other word of a text says it:
//   record   an MLPerf submission: a repository of mlcommons, or a title or framework's name that begins with MLPerf
//   user     an issue, a discussion, a pull request, a gist, a forum, by their address
//   maker    a repository of who makes the framework; NeMo, whose recipes are the maker's; or a name that says that its
//            overlap is switched on
//   suite    a benchmark suite that runs many frameworks as they come: its repository, or its name in the title
//   team     a paper or technical report of a run of one's own
enum class Reporter { unknown, record, user, maker, suite, team };
Reporter reporter_of(const PublishedRow&);
// Whether the row cites a repository, and it is of somebody else than the maker: who ran a maker's software with
// settings of their own.
bool from_elsewhere(const PublishedRow&);

// "owner/name" of the repository on GitHub that a citation names first, in lower case; "" none.
std::string repository_of(const std::string& citation);

// The release YY.MM or YY.MM.PP that stands in the framework's name, else the one that the citation is tagged with,
// "container 26.02.01" or "@v26.02.01" as 260201; nothing where neither says it.
std::optional<int> release_of(const PublishedRow&);

// The year of the release as far as the row states it: of a release YY.MM in the framework's name, Megatron-Core 0.1 to
// 0.9 (2024) or later ones (2025), a year in the name, a release tag in the citation, a year in the citation, then in
// the remark; 0 where nothing says it.
int stated_year(const PublishedRow&);
// As stated, else the rule's, else that of an arXiv number; 0 where nothing says it.
int release_year(const PublishedRow&, const FrameworkRule&);

// A name that says there is no overlap means the software as it comes. Else a record is a record. Makers and teams
// tune, by the year; of makers without a year the newest. Suites and users run it as it comes. Of others it is not
// known.
Tuning tuning_of(const PublishedRow&, const FrameworkRule&);

// "Tokens a micro-batch 16384" in the remark: a packed sequence, where no length of one is stated.
std::optional<int> micro_batch_tokens(const PublishedRow&);

// "Fused cross-entropy in 8 chunks" in the remark.
std::optional<int> loss_chunks(const PublishedRow&);

// "selective: norm, act" of what is recomputed, or "recompute of moe_act and layernorm" in the remark of a row that
// recomputes selectively: the modules named, where any are.
std::optional<RecomputeModules> recomputed_modules(const PublishedRow&);

// Devices that are measured alike, "A100"; a name that is not among them is a family of its own.
std::string device_family(const std::string& device);

// DeepSpeed prints the memory of rank 0, which is on the first stage; others name the fullest stage.
bool reports_first_stage(const std::string& framework);

// What a published memory is, where the row's own keys do not say it: by words of the remark, then of the framework.
//   GiB         "gib" or "mib"; beside software that reads PyTorch's counters also where the remark names no unit
//   GB          "in GB", "MiB to GB"; anything else
//   used        nvidia-smi, npu-smi, a monitor
//   allocated   max_memory_allocated, peak allocated, peak active
//   reserved    anything else
MemoryUnit memory_unit_of(const PublishedRow&);
MemoryKind memory_kind_of(const PublishedRow&);

// Weights, gradients and moments in 16 bits without a copy in fp32, where the row says so: precision "pure", or a
// remark of the moments. Nothing: usual mixed precision.
std::optional<StateFormat> state_format_in(const PublishedRow&);
bool uses_8bit_adam(const PublishedRow&);
bool says_2024(const PublishedRow&);   // citation, remark or framework

// The release whose recipes ran, release_of(); 999999 where none is stated: the newest.
int container_release(const PublishedRow&);

// The kernels of the everyday software, but for those that somebody's own trainer names.
DeviceKernels kernels_in(const std::string& framework, DeviceKernels usual);

// "sharded over 8 ranks", "replicated over 2 slices", "hybrid shard": ranks that share one copy of the states; 0: all.
int shard_group_in(const RowLayout&, int replicas, int devices_per_node);

// Where fp8 products had their scales from. TorchTitan's default and what the tables of Megatron-Bridge call FP8 scale
// whole tensors by the data; Transformer Engine's default is delayed.
Fp8Recipe fp8_recipe(const std::string& lower_case_precision, const std::string& lower_case_framework);

}  // namespace plimsoll

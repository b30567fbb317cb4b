#pragma once
// Published measurements as records: a JSON array, one object a row.
//
//   {"id": "megatron-sc21/t1-1.7B", "use": "score" | "reference",
//    "source": {"title", "url_or_repo_path", "table", "provenance"},
//    "model": {"name", "params", "layers", "hidden", "heads", "kv_heads", "head_dim", "ffn", "gated_mlp",
//              "vocab", "seq", "arch", "experts"},
//    "machine": {"device", "preset"},
//    "layout": {"devices", "tp", "pp", "dp", "cp", "zero_stage", "fsdp", "sequence_parallel",
//               "virtual_pipeline", "micro_batch", "global_batch", "recompute", "precision", "framework",
//               "stack": id of a preset, where the name of the framework does not say it},
//    "measured": {"iteration_s", "tokens_per_s_per_device", "tflops_per_device",
//                 "memory_gb_per_device", "memory_unit": "GB" | "GiB",
//                 "memory_kind": "reserved" | "allocated" | "used", "memory_rank": "worst" | "first" | "last"},
//    "method": as in a plan; absent: pre-training,
//    "flop_formula": "hw_recompute" | "model_noncausal" | "model_causal" | "total_noncausal" | "8N" | "6N"}
//
// null or absent means not published; other keys are accepted and ignored. The
// source of a row is the part of its id before '/', else the stem of the file.

#include "core/evidence/published/memory_cases.h"
#include "core/files/text/problem.h"

#include <optional>
#include <string_view>

namespace plimsoll {

Expected<PublishedRows, Problems> read_published_rows(std::string_view json, const std::string& stem);
// The same with what became of the plan: "outcome": "ran" | "oom"; "method" may be a word there, "pretrain" |
// "full" | "lora" | "qlora".
Expected<MemoryCases, Problems> read_memory_cases(std::string_view json, const std::string& stem);

// The length of the whole run in tokens, which tables of published runs state only in a remark: billions or trillions
// of tokens, or steps of batch x sequence. A batch in millions of tokens is not one.
//
//   tokens_in("2.0T tokens. Power is the TDP.")               // 2e12
//   tokens_in("143,000 steps of 1024x2048 tokens.")           // 143000 x 1024 x 2048
std::optional<double> tokens_in(std::string_view remark);

}  // namespace plimsoll

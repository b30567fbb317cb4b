#pragma once
// From a published row to a plan: one stated rule for each thing the source
// leaves out. A rule never looks at the result of the row, at its id or its
// source, and every rule that acted is told with the row.
//
//   stack            by words of the framework's name and the device (framework_rules.h)
//   precision        from the words of the source; both 16-bit formats named: bf16 where the device has it
//   gradients        fp32 (18 bytes a parameter) in bf16 and fp8 runs of Megatron and DeepSpeed, else 16 bit
//   FLOP counting    what the framework's own tables use (framework_rules.h)
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
//   ZeRO stage       3 when the source names sharded data parallelism, 1 with a distributed optimizer or DeepSpeed in bf16, else 0;
//                    with a pipeline at most what the stack combines with one
//   context parallel  keys and values round a ring
//   sequence parallel  with Megatron-Core and tensor parallelism

#include "core/evidence/published/published_row.h"
#include "core/values/plan/scenario.h"

#include <map>

namespace plimsoll {

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

}  // namespace plimsoll

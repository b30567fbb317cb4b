#pragma once
// From a published row to a plan: one stated rule for each thing the source leaves out. A rule never looks at the
// result of the row, at its id or its source, and every rule that acted is told with the row. source_words.h reads the
// words of the source, mixture_recipe.h completes mixtures of experts, open_values.h chooses what was open by price.
//
//   machine          the row's own; else the generic one with its device, of the smallest nodes that hold all. A row
//                    that speaks of EFA ran on Amazon's machine with its device
//   stack            the row's own; else by words of the framework's name, up to a semicolon, the device and the year
//                    of the release (framework_rule()); a name that is not known: PyTorch as it comes on GPUs, and what
//                    is usual on other devices (everyday_rule())
//   habits           of the software, dropout to gradient accumulation: the row's own; else those of the name
//   how hard tuned   where presets of a family differ in that (tuning_of()): by who reports and when
//   release          of recipes: the framework's name, then the tag of the citation, else the newest (release_of());
//                    containers before 25.09 wait for tensor traffic on Blackwell
//   year             as stated_year() reads it; else the newest release, and the row says so
//   loss             TorchTitan's is compiled unless citation, remark or framework say 2024 or the device is Intel's
//   precision        from the words of the source; both 16-bit formats named: bf16 where the device has it
//   states           all in 16 bits where the words of the row say so (state_format_in()); 8-bit Adam
//   gradients        fp32 (18 bytes a parameter) in bf16 and fp8 runs of Megatron and DeepSpeed, else 16 bit
//   FLOP counting    what the framework's own tables use
//   shape            key-value heads = heads, head width = hidden / heads, heads of 128, feed-forward 4 h,
//                    vocabulary 51,200; GPT: learned positions, tied; LLaMA: gated, RMS norm, rotary, untied
//                    2,048 tokens, or those that the remark counts in a micro-batch; tables tied or not, and then
//                    gated or not, where only that gives the stated parameters; what still misses these by 30 % is
//                    refused
//   length           padded to the next that its ranks can share
//   tensor, pipeline one each with sharded data parallelism; else tensor inside a node, then pipeline, until
//                    the states take at most 0.6 of the memory
//   experts          shared ones, dense layers, biases, windows and latent attention from the model preset with as
//                    many layers, experts and experts per token of the same width; no table prints them.
//                    Experts are not cut over tensor ranks, and balanced
//   devices          one replica: tensor x pipeline x context; a generic machine preset grows to the stated number
//   micro-batch      1 from 4,096 tokens on; else 16, 8, 4, 2, 1 up to 2.5, 5, 25, 100 billion parameters and
//                    beyond; then the largest that divides the batch of a replica. T5X: the whole batch of a replica
//   batch            half a million tokens, at least one micro-batch for each replica, and 8 for each stage of a
//                    pipeline; the row's rates then count before its step time
//   of a tuned bundle  micro-batch, interleaving and recomputation together: the fastest that fits the memory, of
//                    micro-batches 1, 2, 4, 8, chunks that divide the layers of a stage, and none, selective, or
//                    whole layers, as few as have to be. Whoever tuned the rest tuned these; TorchTitan's
//                    recomputation alone stays that of its configurations. The row keeps by how much they differ
//                    (FilledRun::span)
//   interleaving     "interleaved" in the framework's name: one layer slot per chunk; Megatron-LM of 2021:
//                    from 8 stages on the smallest number of chunks above one; else none
//   recomputation    "every second layer": full, in half of the layers; not stated: none; full for fp32 on CPUs;
//                    selective for TorchTitan, whose configurations keep every other product unless told otherwise
//   must have fitted  where recomputation is not stated and the filled plan needs more than 1.2 of the device: ZeRO 3
//                    if the stage is not stated either, then full recomputation. Not on TPUs, whose memory is not
//                    modelled
//   mixtures         capacity, overlap, graphs, dispatcher and natural routing as name and remark say (mixture_words())
//   expert degree    the fastest that fits, or the fastest where none does
//   ZeRO stage       3 when the source names sharded data parallelism, 1 with a distributed optimizer or
//                    DeepSpeed in bf16, else 0;
//                    with a pipeline at most what the stack combines with one
//   activations      in host memory where the framework's name says "activation offloading"
//   states           in host memory where it says "CPU offload", those of the optimizer alone where it says "paged
//                    Adam"
//   update           in the backward pass where it says "optimizer in backward"
//   context parallel  keys and values round a ring
//   sequence parallel  with Megatron-Core and tensor parallelism
//   memory           unit and kind by words of the remark (memory_unit_of(), memory_kind_of()); of the fullest stage,
//                    with DeepSpeed of the first

#include "core/evidence/published/source_words.h"
#include "core/values/plan/scenario.h"

#include <map>
#include <string>
#include <vector>

namespace plimsoll {

// ---- The plan it becomes

struct FilledRun {
    Scenario scenario;
    FlopRule flop_rule = FlopRule::unknown;
    std::vector<std::string> filled;   // one sentence for each rule that acted
    // Among the values that a tuned row leaves open: the step time of the middle one over that of the fastest, less 1.
    double span = 0;
    bool overlaps = false;   // exchange of experts behind the work of another micro-batch, where its chunks allow it
    std::vector<std::string> own_knobs;   // of the stack, whose values are those of the run, not of the preset
    std::string excluded;              // why there is no plan; empty: there is one
    double weight() const;             // 1 where nothing is open, less where the span is more than a few percent
    void set_own(const char* knob, double& of, double value);
};
// Of a run with so many chunks a stage: Megatron-Core overlaps exchanges where these are several, or one of one stage.
Schedule schedule_of_run(const FilledRun&, int chunks);

// What rows name or leave to be looked up.
struct RowPresets {
    const std::map<std::string, Machine>& machines;
    const std::map<std::string, Stack>& stacks;
    const std::map<std::string, Model>& models;
};

// Of a run that ended well, rules may suppose that it fitted the memory.
enum class RunEnded { well, unknown };
FilledRun filled_run(const PublishedRow&, const RowPresets&, RunEnded = RunEnded::well);

}  // namespace plimsoll

// A plan in the arguments of Megatron-DeepSpeed, which are those of Megatron-LM but for what DeepSpeed does itself:
// ZeRO, the reduction of gradients and the recomputation of layers.

#include "core/files/launch/framework_flags.h"

#include <algorithm>
#include <string_view>

namespace plimsoll::files {

namespace {

constexpr std::string_view not_there[] = {
    "--use-distributed-optimizer", "--num-distributed-optimizer-instances", "--overlap-grad-reduce",
    "--overlap-param-gather",      "--grad-reduce-in-bf16",                 "--group-query-attention",
    "--position-embedding-type",   "--recompute-granularity",               "--recompute-method",
    "--recompute-num-layers",      "--attention-backend"};

}  // namespace

Arguments megatron_deepspeed_flags(const Scenario& s) {
    Arguments flags = megatron_flags(s);
    std::erase_if(flags, [](const Argument& a) {
        return std::find(std::begin(not_there), std::end(not_there), a.name) != std::end(not_there);
    });
    for (Argument& a : flags) {
        if (a.name == "--num-query-groups") a.name = "--num-key-value-heads";
        if (a.name == "--normalization") a.value = "rmsnorm";
    }
    if (s.model.positions == Positions::rotary) flags.push_back({"--use-rotary-position-embeddings", {}});
    if (s.stack.kernels.attention == Attention::flash) flags.push_back({"--use-flash-attn-v2", {}});
    if (s.layout.recompute == Recompute::full)
        for (const char* each : {"--checkpoint-activations", "--deepspeed-activation-checkpointing"})
            flags.push_back({each, {}});
    flags.push_back({"--deepspeed", {}});
    flags.push_back({"--deepspeed_config", "ds_config.json"});
    flags.push_back({"--zero-stage", std::to_string(s.layout.zero_stage)});
    return flags;
}

}  // namespace plimsoll::files

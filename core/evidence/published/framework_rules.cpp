#include "core/evidence/published/framework_rules.h"

#include "core/values/basics/text.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace plimsoll {

namespace {

constexpr auto unknown = FlopRule::unknown, hardware = FlopRule::hardware, full = FlopRule::full_attention;

constexpr FrameworkRule rules[] = {
    // words, device, stack, dropout, pads, fp32 gradients, distributed, FLOP
    {"fugaku", "", "fugaku-megatron", true, true, false, false, hardware},
    {"fsdp+rocm", "", "pytorch-fsdp-rocm-2022", true, true, false, false, hardware},
    {"deepspeed-megatron", "", "deepspeed-megatron", true, true, true, false, hardware},
    {"rocm", "", "deepspeed-megatron-flash", true, true, true, false, hardware},
    {"llm foundry+pure", "", "llm-foundry-pure", false, false, false, false, unknown},
    {"llm foundry", "h100", "llm-foundry-amp-h100", false, false, false, false, unknown},
    {"llm foundry", "", "llm-foundry-amp", false, false, false, false, unknown},
    {"internevo", "", "internevo", false, false, false, false, unknown},
    {"megatron bridge", "", "megatron-core", false, true, true, true, FlopRule::causal},
    {"nemo+megatron-core", "", "nemo-24.07", true, true, true, true, full},
    {"megatron-core r", "", "megatron-core", false, true, true, true, full},
    {"megatron-lm+megatron-core", "", "megatron-core", false, true, true, true, full},
    {"torchtitan+compile", "", "torchtitan-compile", false, false, false, false, unknown},
    {"torchtitan", "", "torchtitan-eager", false, false, false, false, unknown},
    {"deepspeed zero-3", "", "deepspeed-zero3-2021", true, true, true, false, hardware},
    {"gpt-neox+flash", "", "deepspeed-megatron-flash", false, true, true, false, hardware},
    {"gpt-neox", "", "deepspeed-megatron", false, true, true, false, hardware},
    {"synapseai", "", "megatron-core", false, true, true, true, full},
    {"megatron-deepspeed", "", "deepspeed-3d", true, true, true, false, hardware},
    {"megatron-lm+1f1b", "", "megatron-lm-2023", true, true, false, false, unknown},
    {"megatron-lm 2021", "", "megatron-lm-2021", true, true, true, false, hardware},
    {"megatron-lm ptd", "", "megatron-lm-2021", true, true, true, false, hardware},
    // No year in the name: the release that was current on the device.
    {"megatron-lm", "v100", "megatron-lm-2021", true, true, true, false, hardware},
    {"megatron-lm", "a100", "megatron-lm-2022", true, true, true, false, hardware},
    {"megatron-lm", "h100", "megatron-core", false, true, true, true, full},
    {"flashattention", "", "llm-foundry-pure", false, false, false, false, full},
    {"maxtext", "", "maxtext", false, false, false, false, full},
    {"levanter", "", "maxtext", false, false, false, false, full},
    {"t5x", "", "maxtext", false, false, false, false, full, true},
    {"megascale", "", "megatron-core", false, true, true, true, full},
    {"metaseq", "", "llm-foundry-pure", true, true, false, false, hardware},
    {"pytorch fsdp", "", "pytorch-fsdp", false, false, false, false, full},
    {"meta internal", "h100", "megatron-core", false, true, true, true, full},
    {"meta internal", "", "nemo-24.07", false, true, true, true, full},
    {"colossal-ai", "", "pytorch-fsdp", false, false, false, false, full},
    {"axonn", "", "nemo-24.07", false, true, true, true, hardware},
    {"neuron", "", "nemo-24.07", false, false, false, true, full},
    {"ascendspeed", "", "nemo-24.07", false, true, true, true, full},
    {"hugging face", "", "torchtitan-eager", true, false, false, false, full},
    {"alpa", "", "alpa", true, true, false, true, hardware},
};

constexpr FrameworkRule any{"", "", "", true, false, false, false, unknown};

}  // namespace

const FrameworkRule& any_framework() { return any; }

bool reports_first_stage(const std::string& framework) { return contains(lower_case(framework), "deepspeed"); }

bool contains(const std::string& text, const char* words) {
    std::string_view rest = words;
    while (!rest.empty()) {
        const auto end = std::min(rest.find('+'), rest.size());
        if (text.find(rest.substr(0, end)) == std::string::npos) return false;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return true;
}

const FrameworkRule* framework_rule(const std::string& framework, const std::string& device) {
    const std::string name = lower_case(framework), on = lower_case(device);
    for (const FrameworkRule& rule : rules)
        if (contains(name, rule.words) && contains(on, rule.device)) return &rule;
    return nullptr;
}

}  // namespace plimsoll

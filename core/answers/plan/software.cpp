#include "core/answers/plan/software.h"

#include "core/values/basics/text.h"

#include <algorithm>
#include <string_view>

namespace plimsoll {

namespace frameworks {

constexpr auto unknown = FlopRule::unknown, hardware = FlopRule::hardware, full = FlopRule::full_attention;

constexpr FrameworkRule table[] = {
    // words, device, stack, dropout, pads, fp32 gradients, distributed, FLOP, whole batch, by tuning, year
    {"fugaku", "", "fugaku-megatron", true, true, false, false, hardware},
    {"fsdp+rocm", "", "pytorch-fsdp-rocm-2022", true, true, false, false, hardware},
    {"deepspeed-megatron", "", "deepspeed-megatron", true, true, true, false, hardware},
    {"primus", "", "primus", false, true, true, true, FlopRule::causal},
    {"megatron-lm+rocm+no flash", "", "megatron-lm-2023", false, true, true, false, full},
    {"rocm", "", "deepspeed-megatron-flash", true, true, true, false, hardware},
    {"nanotron", "", "nanotron", false, false, true, false, full},
    {"llm foundry+pure", "", "llm-foundry-pure", false, false, false, false, unknown},
    {"llm foundry", "h100", "llm-foundry-amp-h100", false, false, false, false, unknown},
    {"llm foundry", "", "llm-foundry-amp", false, false, false, false, unknown},
    {"internevo", "", "internevo", false, false, false, false, unknown},
    {"megatron bridge", "", "megatron-core", false, true, true, true, FlopRule::causal, false, true, 2025},
    {"nemo+megatron-core", "", "megatron-core", true, true, true, true, full, false, true, 2024},
    {"megatron-core r", "", "megatron-core", false, true, true, true, full, false, true},
    {"megatron-lm+megatron-core", "", "megatron-core", false, true, true, true, full, false, true},
    {"torchtitan+async", "", "torchtitan-2025", false, false, false, false, unknown},
    {"torchtitan+compile", "", "torchtitan-compile", false, false, false, false, unknown},
    {"torchtitan+eager", "", "torchtitan-eager", false, false, false, false, unknown},
    {"torchtitan", "", "pytorch-fsdp", false, false, false, false, unknown},
    {"deepspeed zero-3+flash", "", "deepspeed-zero3", false, false, false, false, full},
    {"deepspeed zero-3", "", "deepspeed-zero3-2021", true, true, true, false, hardware},
    {"gpt-neox+flash", "", "deepspeed-megatron-flash", false, true, true, false, hardware},
    {"gpt-neox", "", "deepspeed-megatron", false, true, true, false, hardware},
    {"synapseai", "", "megatron-core", false, true, true, true, full},
    // Releases of 2023 and later add up bf16 gradients as they are under ZeRO, and reduce them in bf16 in any case
    // (get_data_types and communication_data_type of deepspeed/runtime/engine.py).
    {"megatron-deepspeed+flash", "", "deepspeed-megatron-flash", false, true, false, false, hardware},
    {"megatron-deepspeed", "", "deepspeed-3d", true, true, true, false, hardware},
    {"megatron-lm+1f1b", "", "megatron-lm-2023", true, true, false, false, unknown},
    {"megatron-lm 2021", "", "megatron-lm-2021", true, true, true, false, hardware},
    {"megatron-lm ptd", "", "megatron-lm-2021", true, true, true, false, hardware},
    // No year in the name: the release that was current on the device.
    {"megatron-lm", "v100", "megatron-lm-2021", true, true, true, false, hardware},
    {"megatron-lm", "a100", "megatron-lm-2022", true, true, true, false, hardware},
    {"megatron-lm", "", "megatron-core", false, true, true, true, full, false, true},
    {"paddlenlp", "", "paddlenlp", false, true, true, false, full},
    {"lit-gpt", "", "pytorch-fsdp", false, false, false, false, full},
    {"flashattention", "", "flash-attention-scripts", false, false, false, false, full},
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
    {"hugging face", "", "pytorch-fsdp", true, false, false, false, full},
    {"nanogpt+compile", "", "torchtitan-compile", false, false, false, false, full},
    {"axolotl", "", "pytorch-fsdp", true, false, false, false, full},
    {"nemo automodel", "", "pytorch-fsdp", false, false, false, false, full},
    {"olmo+compile", "", "torchtitan-compile", false, false, false, false, full},
    {"olmo", "", "pytorch-fsdp", false, false, false, false, full},
    {"alpa", "", "alpa", true, true, false, true, hardware},
    {"megatron-core", "", "megatron-core", false, true, true, true, full, false, true},
};

constexpr FrameworkRule any{"", "", "", true, false, false, false, unknown};

}  // namespace frameworks

std::span<const FrameworkRule> framework_rules() { return frameworks::table; }
const FrameworkRule& any_framework() { return frameworks::any; }

const FrameworkRule* framework_rule(const std::string& framework, const std::string& device) {
    const std::string name = lower_case(framework), on = lower_case(device);
    for (const FrameworkRule& rule : frameworks::table)
        if (contains(name, rule.words) && contains(on, rule.device)) return &rule;
    return nullptr;
}

namespace {

struct UsualStack {
    const char *device_has, *stack;
};

// By a part of the device's name; what no row names is taken for a GPU of NVIDIA.
constexpr UsualStack usual_stacks[] = {
    {"TPU", "maxtext"},   {"A64FX", "fugaku-megatron"}, {"MI3", "primus"},         {"MI2", "deepspeed-megatron-flash"},
    {"CPU", "pytorch-fsdp"}, {"Xeon", "pytorch-fsdp"},  {"EPYC", "pytorch-fsdp"},
};

const char* usual_on(const std::string& device) {
    for (const UsualStack& row : usual_stacks)
        if (device.find(row.device_has) != std::string::npos) return row.stack;
    return "megatron-core";
}

const Stack* of_family(const std::map<std::string, Stack>& stacks, const Stack& like, Tuning tuning) {
    for (const auto& [id, stack] : stacks)
        if (stack.family == like.family && stack.tuning == tuning) return &stack;
    return nullptr;
}

Tuning tuning_by(const SoftwareSwitches& s) {
    return s.overlaps_gradients || s.overlaps_gathers || s.overlaps_tensor ? Tuning::tuned_2025 : Tuning::as_it_comes;
}

}  // namespace

std::optional<Stack> chosen_software(const SoftwareAsked& asked, const std::map<std::string, Stack>& stacks) {
    const FrameworkRule* rule = asked.words.empty() ? nullptr : framework_rule(asked.words, asked.device);
    const bool usual = asked.words.empty() && asked.preset.empty();
    const auto found = stacks.find(!asked.preset.empty() ? asked.preset : rule ? rule->stack : usual_on(asked.device));
    if (!rule && !usual && asked.preset.empty()) return std::nullopt;
    if (found == stacks.end())
        return usual && !stacks.empty() ? std::optional(stacks.begin()->second) : std::nullopt;
    Stack chosen = found->second;
    std::optional<Tuning> tuning = asked.tuning;
    if (asked.preset.empty() && asked.switches && rule && rule->by_tuning && !tuning)
        tuning = tuning_by(*asked.switches);
    if (usual && chosen.tuning != Tuning::unknown) tuning = Tuning::as_it_comes;
    if (tuning && (usual || (rule && rule->by_tuning && asked.preset.empty())))
        if (const Stack* tuned = of_family(stacks, chosen, *tuning)) chosen = *tuned;
    // Megatron-LM's local layers hold the scores unless a fused kernel is asked for.
    if (asked.switches && asked.switches->local_layers && !asked.switches->fused_attention)
        chosen.attention = Attention::materialised;
    return chosen;
}

bool contains(const std::string& text, const char* words) {
    std::string_view rest = words;
    while (!rest.empty()) {
        const auto end = std::min(rest.find('+'), rest.size());
        if (text.find(rest.substr(0, end)) == std::string::npos) return false;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return true;
}

bool contains_any(const std::string& lower_case_text, std::initializer_list<const char*> words) {
    return std::any_of(words.begin(), words.end(), [&](const char* w) { return contains(lower_case_text, w); });
}

}  // namespace plimsoll

#include "core/answers/plan/software.h"

#include "core/values/basics/text.h"

#include <algorithm>
#include <string_view>

namespace plimsoll {

namespace frameworks {

constexpr SoftwareHabits megatron_core{.pads_vocabulary = true,
                                       .fp32_gradients = true,
                                       .distributed = true,
                                       .flop = FlopRule::full_attention};
constexpr SoftwareHabits megatron_core_causal{.pads_vocabulary = true,
                                              .fp32_gradients = true,
                                              .distributed = true,
                                              .flop = FlopRule::causal};
constexpr SoftwareHabits nemo{.dropout = true,
                              .pads_vocabulary = true,
                              .fp32_gradients = true,
                              .distributed = true,
                              .flop = FlopRule::full_attention};
constexpr SoftwareHabits megatron_2021{.dropout = true,
                                       .pads_vocabulary = true,
                                       .fp32_gradients = true,
                                       .flop = FlopRule::hardware};
constexpr SoftwareHabits gpt_neox{.pads_vocabulary = true, .fp32_gradients = true, .flop = FlopRule::hardware};
// Releases of 2023 and later add up bf16 gradients as they are under ZeRO, and reduce them in bf16 in any case
// (get_data_types and communication_data_type of deepspeed/runtime/engine.py).
constexpr SoftwareHabits megatron_deepspeed{.pads_vocabulary = true, .flop = FlopRule::hardware};
constexpr SoftwareHabits paddle{.pads_vocabulary = true, .fp32_gradients = true, .flop = FlopRule::full_attention};
constexpr SoftwareHabits fp32_sums{.fp32_gradients = true, .flop = FlopRule::full_attention};
constexpr SoftwareHabits with_dropout{.dropout = true, .flop = FlopRule::full_attention};
constexpr SoftwareHabits model_flop{.flop = FlopRule::full_attention};
// The model is cast to 16 bits and Adam steps it as it is (scaletorch/trainer/model_builder.py); replicas add gradients
// up in fp32 (BucketManager of scaletorch/parallel/data_parallel/bucket.py).
constexpr SoftwareHabits scaletorch{.fp32_gradients = true, .all_16bit = true, .flop = FlopRule::full_attention};

// The software of users' own rows, logs and configurations; the first row that matches counts.
constexpr FrameworkRule table[] = {
    {.words = "primus", .stack = "primus", .habits = megatron_core_causal},
    {.words = "bionemo", .stack = "pytorch-fsdp", .habits = model_flop},
    {.words = "nemo automodel", .stack = "pytorch-fsdp", .habits = model_flop},
    {.words = "megatron bridge",
     .stack = "megatron-core",
     .habits = megatron_core_causal,
     .by_tuning = true,
     .year = 2025},
    {.words = "nemo", .stack = "megatron-core", .habits = nemo, .by_tuning = true, .year = 2024},
    // Megatron-LM on AMD's devices: until 2023 a fork of the DeepSpeed bundle's time.
    {.words = "megatron+rocm", .device = "mi3", .stack = "primus", .habits = megatron_core_causal},
    {.words = "megatron-lm+rocm", .stack = "megatron-core", .habits = megatron_core, .by_tuning = true, .from = 2024},
    {.words = "megatron+rocm", .stack = "deepspeed-megatron-flash", .habits = megatron_2021},
    {.words = "nanotron", .stack = "nanotron", .habits = fp32_sums},
    {.words = "llm foundry+pure", .stack = "llm-foundry-pure"},
    {.words = "llm foundry", .device = "h100", .stack = "llm-foundry-amp-h100"},
    {.words = "llm foundry", .stack = "llm-foundry-amp"},
    {.words = "internevo", .stack = "internevo"},
    {.words = "megatron-core", .stack = "megatron-core", .habits = megatron_core, .by_tuning = true},
    {.words = "torchtitan", .device = "intel", .stack = "pytorch-xpu"},
    {.words = "torchtitan+async", .stack = "torchtitan-2025"},
    {.words = "torchtitan+eager", .stack = "torchtitan-eager"},
    {.words = "torchtitan+compile", .stack = "torchtitan-compile", .until = 2024},
    {.words = "torchtitan", .stack = "torchtitan-eager", .until = 2024},
    {.words = "torchtitan", .stack = "pytorch-compile"},
    {.words = "deepspeed zero-3+flash", .stack = "deepspeed-zero3", .habits = model_flop},
    {.words = "deepspeed zero-3", .stack = "deepspeed-zero3-2021", .habits = megatron_2021},
    {.words = "gpt-neox+flash", .stack = "deepspeed-megatron-flash", .habits = gpt_neox},
    {.words = "gpt-neox", .stack = "deepspeed-megatron", .habits = gpt_neox},
    {.words = "megatron-deepspeed+flash", .stack = "deepspeed-megatron-flash", .habits = megatron_deepspeed},
    {.words = "megatron-deepspeed", .stack = "deepspeed-3d", .habits = megatron_2021},
    {.words = "megatron-lm 2021", .stack = "megatron-lm-2021", .habits = megatron_2021},
    // No year in the name: the release that was current on the device.
    {.words = "megatron-lm", .device = "v100", .stack = "megatron-lm-2021", .habits = megatron_2021},
    {.words = "megatron-lm", .device = "a100", .stack = "megatron-lm-2022", .habits = megatron_2021},
    {.words = "megatron", .stack = "megatron-core", .habits = megatron_core, .by_tuning = true},
    {.words = "paddlenlp", .stack = "paddlenlp", .habits = paddle},
    {.words = "lit-gpt", .stack = "pytorch-fsdp", .habits = model_flop},
    {.words = "scaletorch", .stack = "scaletorch", .habits = scaletorch},
    {.words = "torchtune+compile", .stack = "torchtune-compile", .habits = model_flop},
    {.words = "torchtune", .stack = "torchtune", .habits = model_flop},
    {.words = "llm.q", .stack = "llm-q", .habits = model_flop},
    {.words = "llmq", .stack = "llm-q", .habits = model_flop},
    {.words = "halo", .stack = "halo", .habits = model_flop},
    {.words = "transformer engine", .stack = "transformer-engine", .habits = model_flop},
    {.words = "te.transformerlayer", .stack = "transformer-engine", .habits = model_flop},
    // Models of Hugging Face under DeepSpeed, or under its own trainer, as they are or with kernels in their place.
    {.words = "transformers+deepspeed", .stack = "deepspeed-zero3", .habits = with_dropout},
    {.words = "hugging face+deepspeed", .stack = "deepspeed-zero3", .habits = with_dropout},
    {.words = "hf+deepspeed", .stack = "deepspeed-zero3", .habits = with_dropout},
    {.words = "llama+factory+deepspeed", .stack = "deepspeed-zero3", .habits = with_dropout},
    {.words = "axolotl+deepspeed", .stack = "deepspeed-zero3", .habits = with_dropout},
    {.words = "foak", .stack = "hf-trainer-fused", .habits = with_dropout},
    {.words = "liger", .stack = "hf-trainer-fused", .habits = with_dropout},
    {.words = "unsloth", .stack = "unsloth", .habits = model_flop},
    {.words = "hugging face", .stack = "hf-trainer", .habits = with_dropout},
    {.words = "hf trainer", .stack = "hf-trainer", .habits = with_dropout},
    {.words = "sfttrainer", .stack = "hf-trainer", .habits = with_dropout},
    {.words = "transformers", .stack = "hf-trainer", .habits = with_dropout},
    {.words = "axolotl", .stack = "hf-trainer", .habits = with_dropout},
    {.words = "llama+factory", .stack = "hf-trainer", .habits = with_dropout},
    {.words = "ms-swift", .stack = "hf-trainer", .habits = with_dropout},
    {.words = "peft", .stack = "hf-trainer", .habits = with_dropout},
    {.words = "flashattention repo", .stack = "flash-attention-scripts", .habits = model_flop},
    {.words = "maxtext", .stack = "maxtext", .habits = model_flop},
    {.words = "levanter", .stack = "maxtext", .habits = model_flop},
    {.words = "paxml", .stack = "maxtext", .habits = model_flop},
    {.words = "colossal-ai", .stack = "pytorch-fsdp", .habits = model_flop},
    {.words = "nanogpt+compile", .stack = "torchtitan-compile", .habits = model_flop},
    {.words = "olmo+compile", .stack = "torchtitan-compile", .habits = model_flop},
    {.words = "olmo", .stack = "pytorch-fsdp", .habits = model_flop},
    // Of a name that is not known, what the family is: a compiler, PyTorch, DeepSpeed.
    {.words = "jax", .stack = "maxtext", .habits = model_flop},
    {.words = "torch.compile", .stack = "pytorch-compile", .habits = model_flop},
    {.words = "deepspeed", .stack = "deepspeed-zero3", .habits = model_flop},
    {.words = "fsdp", .stack = "pytorch-fsdp", .habits = model_flop},
    {.words = "pytorch", .stack = "pytorch-fsdp", .habits = model_flop},
};

}  // namespace frameworks

std::span<const FrameworkRule> framework_rules() { return frameworks::table; }

namespace {

// What follows a semicolon tells of the run: "somebody's own trainer; attention of Megatron".
std::string name_in(const std::string& framework) { return lower_case(framework.substr(0, framework.find(';'))); }

}  // namespace

const FrameworkRule* framework_rule(const std::string& framework, const std::string& device, int year) {
    const std::string name = name_in(framework), on = lower_case(device);
    const auto dated = [&](const FrameworkRule& rule) {
        if (year == 0) return rule.from == 0 && rule.until == 0;
        return year >= rule.from && (rule.until == 0 || year <= rule.until);
    };
    for (const FrameworkRule& rule : frameworks::table)
        if (contains(name, rule.words) && contains(on, rule.device) && dated(rule)) return &rule;
    return nullptr;
}

bool depends_on_year(const std::string& framework, const std::string& device) {
    const std::string name = name_in(framework), on = lower_case(device);
    return std::ranges::any_of(frameworks::table, [&](const FrameworkRule& rule) {
        return (rule.from > 0 || rule.until > 0) && contains(name, rule.words) && contains(on, rule.device)
            && framework_rule(framework, device, rule.from + rule.until) == &rule;
    });
}

namespace {

struct UsualStack {
    const char *device_has, *stack;
};

// By a part of the device's name; what no row names is taken for a GPU of NVIDIA in a data centre. A workstation's
// cards run PyTorch, and nobody tunes that for them.
constexpr UsualStack usual_stacks[] = {
    {"GeForce", "pytorch-compile"}, {"RTX", "pytorch-compile"},
    {"TPU", "maxtext"},   {"A64FX", "fugaku-megatron"}, {"MI3", "primus"},         {"MI2", "deepspeed-megatron-flash"},
    {"CPU", "pytorch-fsdp"}, {"Xeon", "pytorch-fsdp"},  {"EPYC", "pytorch-fsdp"},
};

const char* usual_on(const std::string& device) {
    for (const UsualStack& row : usual_stacks)
        if (device.find(row.device_has) != std::string::npos) return row.stack;
    return "megatron-core";
}

// A name that is not known is somebody's own training loop: on GPUs that is PyTorch, without the kernels of a vendor.
const char* everyday_on(const std::string& device) {
    const std::string_view usual = usual_on(device);
    const bool vendors = usual == "megatron-core" || usual == "primus" || usual == "deepspeed-megatron-flash";
    return vendors ? "pytorch-fsdp" : usual.data();
}

}  // namespace

const FrameworkRule* everyday_rule(const std::string& device) {
    const std::string_view usual = everyday_on(device);
    const auto of = std::ranges::find_if(frameworks::table, [&](const FrameworkRule& r) { return r.stack == usual; });
    return of == std::end(frameworks::table) ? nullptr : of;
}

namespace {

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
    const FrameworkRule* rule = asked.words.empty() ? nullptr : framework_rule(asked.words, asked.device, asked.year);
    const bool usual = asked.preset.empty() && !rule && (asked.words.empty() || asked.or_usual);
    const char* otherwise = asked.words.empty() ? usual_on(asked.device) : everyday_on(asked.device);
    const auto found = stacks.find(!asked.preset.empty() ? asked.preset : rule ? rule->stack : otherwise);
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
    // Megatron-LM's local layers hold the scores unless a fused kernel is asked for; a name may say that they are held.
    const bool local = asked.switches && asked.switches->local_layers && !asked.switches->fused_attention;
    if (local || contains_any(lower_case(asked.words), {"attention unfused", "unfused attention", "fused softmax"}))
        chosen.kernels.attention = Attention::materialised;
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

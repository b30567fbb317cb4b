#include "core/evidence/published/source_words.h"

#include "core/values/basics/text.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>

namespace plimsoll {

namespace {

constexpr std::string_view memory_kinds[] = {"reserved", "allocated", "used"};
constexpr std::string_view memory_ranks[] = {"worst", "first", "last"};
constexpr std::string_view memory_units[] = {"GB", "GiB"};

}  // namespace

template <> std::span<const std::string_view> names_of<MemoryKind>() { return memory_kinds; }
template <> std::span<const std::string_view> names_of<MemoryRank>() { return memory_ranks; }
template <> std::span<const std::string_view> names_of<MemoryUnit>() { return memory_units; }

namespace {

constexpr auto unknown = FlopRule::unknown, hardware = FlopRule::hardware, full = FlopRule::full_attention;

constexpr FrameworkRule rules[] = {
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
    {"alpa", "", "alpa", true, true, false, true, hardware},
    {"megatron-core", "", "megatron-core", false, true, true, true, full, false, true},
};

constexpr FrameworkRule any{"", "", "", true, false, false, false, unknown};

}  // namespace

std::span<const FrameworkRule> framework_rules() { return rules; }
const FrameworkRule& any_framework() { return any; }

const FrameworkRule* framework_rule(const std::string& framework, const std::string& device) {
    const std::string name = lower_case(framework), on = lower_case(device);
    for (const FrameworkRule& rule : rules)
        if (contains(name, rule.words) && contains(on, rule.device)) return &rule;
    return nullptr;
}

namespace {

// The number that follows the word, "25.11" behind "container "; none where there is none.
std::optional<double> number_after(const std::string& text, const std::string& word) {
    const auto at = text.find(word);
    if (at == std::string::npos) return std::nullopt;
    const char* start = text.c_str() + at + word.size();
    if (!std::isdigit(static_cast<unsigned char>(*start))) return std::nullopt;
    return std::atof(start);
}

constexpr int newest_year = 2025;

// "24.07" is a release of 2024.
std::optional<int> year_after(const std::string& text, const std::string& word) {
    const auto release = number_after(text, word);
    return release && *release >= 20 && *release < 40 ? std::optional(2000 + int(*release)) : std::nullopt;
}

// Megatron-Core 0.2 to 0.9 came out until 2024.
std::optional<int> core_year(const std::string& framework) {
    for (const char* word : {"megatron-core r0.", "megatron-core 0."})
        if (const auto minor = number_after(framework, word)) return *minor < 10 ? 2024 : newest_year;
    return std::nullopt;
}

std::optional<int> stated_year(const std::string& framework) {
    for (int year = 2019; year < 2040; ++year)
        if (framework.find(" " + std::to_string(year)) != std::string::npos) return year;
    return std::nullopt;
}

}  // namespace

Reporter reporter_of(const PublishedRow& row) {
    const std::string cited = lower_case(row.citation), name = lower_case(row.layout.framework);
    if (contains_any(cited + name, {"mlperf", "mlcommons"})) return Reporter::record;
    if (contains_any(cited, {"issue", "discussion", "/pull/", "forum"})) return Reporter::user;
    if (contains_any(cited + name, {"flagperf", "flagscale", "benchmark"})) return Reporter::suite;
    if (contains_any(cited, {"github: nvidia", "nemo"}) || contains_any(name, {"nemo", "overlap on"}))
        return Reporter::maker;
    return contains_any(cited, {"technical report", "arxiv"}) ? Reporter::team : Reporter::unknown;
}

int release_year(const PublishedRow& row, const FrameworkRule& rule) {
    const std::string name = lower_case(row.layout.framework);
    for (const char* word : {"container ", "nemo "})
        if (const auto year = year_after(name, word)) return *year;
    if (const auto year = core_year(name)) return *year;
    if (const auto year = stated_year(name)) return *year;
    if (rule.year > 0) return rule.year;
    const auto paper = number_after(lower_case(row.citation), "arxiv ");   // YYMM
    return paper ? 2000 + int(*paper / 100) : 0;
}

Tuning tuning_of(const PublishedRow& row, const FrameworkRule& rule) {
    const int year = release_year(row, rule);
    const Tuning tuned = year == 0 || year >= newest_year ? Tuning::tuned_2025 : Tuning::tuned_2024;
    switch (reporter_of(row)) {
        case Reporter::record: return Tuning::record;
        case Reporter::user:
        case Reporter::suite: return Tuning::as_it_comes;
        case Reporter::maker: return tuned;
        case Reporter::team: return year == 0 ? Tuning::unknown : tuned;
        case Reporter::unknown: break;
    }
    return Tuning::unknown;
}

bool reports_first_stage(const std::string& framework) { return contains(lower_case(framework), "deepspeed"); }

int container_release(const std::string& framework) {
    constexpr std::string_view word = "container ";
    const auto at = framework.find(word);
    if (at == std::string::npos) return 999999;
    int release = 0, unit = 10000;
    for (const std::string& part : split(framework.substr(at + word.size()), '.')) {
        release += std::clamp(std::atoi(part.c_str()), 0, 99) * unit;
        unit /= 100;
    }
    return release;
}

Fp8Recipe fp8_recipe(const std::string& precision, const std::string& framework) {
    if (contains_any(precision, {"mxfp8", "fp8-mx"}) && !precision.starts_with("fp8-cs")) return Fp8Recipe::mxfp8;
    if (contains(precision, "rowwise")) return Fp8Recipe::rowwise;
    if (contains(precision, "blockwise")) return Fp8Recipe::blockwise;
    if (contains_any(precision, {"tensorwise", "fp8-cs"})) return Fp8Recipe::tensorwise;
    if (contains_any(framework, {"torchtitan", "megatron bridge"})) return Fp8Recipe::tensorwise;
    return Fp8Recipe::delayed;
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

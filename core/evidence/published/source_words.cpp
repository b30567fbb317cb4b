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

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

// The number that follows the word, "0.8" behind "megatron-core r"; none where there is none.
std::optional<double> number_after(const std::string& text, const std::string& word) {
    const auto at = text.find(word);
    if (at == std::string::npos) return std::nullopt;
    const char* start = text.c_str() + at + word.size();
    if (!is_digit(*start)) return std::nullopt;
    return std::atof(start);
}

constexpr int newest_year = 2025;

// Up to two digits from `at` on, which moves behind them; -1 where there are none or more.
int two_digits(const std::string& text, std::size_t& at) {
    const std::size_t start = at;
    int value = 0;
    while (at < text.size() && at - start < 3 && is_digit(text[at])) value = 10 * value + (text[at++] - '0');
    return at == start || at - start > 2 ? -1 : value;
}

// "24.07" or "25.05.05" that begins here, as 240700 and 250505.
std::optional<int> release_at(const std::string& text, std::size_t at) {
    const int year = two_digits(text, at);
    if (year < 20 || year >= 40 || at >= text.size() || text[at] != '.') return std::nullopt;
    const int month = two_digits(text, ++at);
    if (month < 1 || month > 12) return std::nullopt;
    int part = 0;
    if (at + 1 < text.size() && text[at] == '.' && is_digit(text[at + 1])) part = std::max(0, two_digits(text, ++at));
    return 10000 * year + 100 * month + part;
}

// Behind one of the words that releases are announced with.
std::optional<int> release_in(const std::string& text) {
    for (const std::string word : {"container ", "nemo ", "ngc ", "ngc", "@v", " v", "(v"})
        for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
            if (const auto release = release_at(text, at + word.size())) return release;
    return std::nullopt;
}

// Megatron-Core 0.2 to 0.9 came out until 2024.
std::optional<int> core_year(const std::string& framework) {
    for (const char* word : {"megatron-core r0.", "megatron-core 0."})
        if (const auto minor = number_after(framework, word)) return *minor < 10 ? 2024 : newest_year;
    return std::nullopt;
}

// A year as a word of its own, or with a month: "2024", "2025-06", "_202412_".
std::optional<int> year_in(const std::string& text) {
    const auto letter = [&](std::size_t at) {
        return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at]));
    };
    const auto digit = [&](std::size_t at) { return at < text.size() && is_digit(text[at]); };
    for (std::size_t at = 0, end = 0; at < text.size(); at = std::max(end, at + 1)) {
        for (end = at; digit(end); ++end) {}
        const auto length = end - at;
        if ((length != 4 && length != 6) || letter(end) || (at > 0 && letter(at - 1))) continue;
        if (length == 4 && end < text.size() && (text[end] == '.' || text[end] == ',') && digit(end + 1)) continue;
        const int year = std::atoi(text.substr(at, 4).c_str());
        const int month = length == 6 ? std::atoi(text.substr(at + 4, 2).c_str()) : 1;
        if (year >= 2019 && year < 2040 && month >= 1 && month <= 12) return year;
    }
    return std::nullopt;
}

// Who makes a framework: the beginning of a repository's name, and the word of the frameworks it makes; "" all of them.
struct Maker {
    const char *repository, *framework;
};
constexpr Maker makers[] = {
    {"nvidia/", ""},
    {"nvidia-nemo/", ""},
    {"nvidia-bionemo/", ""},
    {"amd-agi/primus", ""},
    {"rocm/", ""},
    {"pytorch/", "torch"},
    {"deepspeedai/", "deepspeed"},
    {"microsoft/deepspeed", "deepspeed"},
    {"microsoft/megatron-deepspeed", "deepspeed"},
    {"huggingface/nanotron", "nanotron"},
    {"internlm/internevo", "internevo"},
    {"mosaicml/llm-foundry", "llm foundry"},
    {"ai-hypercomputer/", "maxtext"},
    {"eleutherai/gpt-neox", "gpt-neox"},
    {"stanford-crfm/levanter", "levanter"},
    {"dao-ailab/flash-attention", "flashattention"},
};
constexpr const char* suites[] = {"flagopen/flagperf", "flagopen/flagscale", "fzj-jsc/caraml"};

bool by_maker(const std::string& repository, const std::string& framework) {
    return std::ranges::any_of(makers, [&](const Maker& m) {
        return repository.starts_with(m.repository) && framework.find(m.framework) != std::string::npos;
    });
}

bool by_suite(const std::string& title, const std::string& framework, const std::string& repository) {
    const auto slash = repository.find('/');
    const bool named = slash != std::string::npos && repository.find("bench", slash) != std::string::npos;
    return named || std::ranges::any_of(suites, [&](const char* s) { return repository == s; })
        || contains_any(title + " " + framework, {"flagperf", "flagscale", "caraml"});
}

}  // namespace

std::string repository_of(const std::string& citation) {
    const std::string cited = lower_case(citation);
    for (const std::string host : {"github: ", "github.com/"}) {
        const auto at = cited.find(host);
        if (at == std::string::npos || (at >= 5 && cited.compare(at - 5, 5, "gist.") == 0)) continue;
        const auto start = at + host.size(), slash = cited.find('/', start);
        if (slash == std::string::npos) continue;
        return cited.substr(start, cited.find_first_of(" /;@", slash + 1) - start);
    }
    return {};
}

Reporter reporter_of(const PublishedRow& row) {
    const std::string cited = lower_case(row.citation), name = lower_case(row.layout.framework);
    const std::string repository = repository_of(cited);
    if (repository.starts_with("mlcommons/") || cited.starts_with("mlperf") || name.starts_with("mlperf"))
        return Reporter::record;
    if (contains_any(cited, {"/issues/", "/discussions/", "/pull/", "gist.github.", "forum.", "forums.", "discuss."}))
        return Reporter::user;
    if (by_maker(repository, name)) return Reporter::maker;
    if (by_suite(cited.substr(0, cited.find(';')), name, repository)) return Reporter::suite;
    if (contains_any(name, {"nemo", "megatron bridge", "overlap on"})) return Reporter::maker;
    return contains_any(cited, {"technical report", "arxiv"}) ? Reporter::team : Reporter::unknown;
}

bool from_elsewhere(const PublishedRow& row) {
    const std::string repository = repository_of(row.citation);
    return !repository.empty() && !by_maker(repository, lower_case(row.layout.framework));
}

std::optional<int> release_of(const PublishedRow& row) {
    const auto named = release_in(lower_case(row.layout.framework));
    return named ? named : release_in(lower_case(row.citation));
}

int stated_year(const PublishedRow& row) {
    const std::string name = lower_case(row.layout.framework);
    if (const auto release = release_in(name)) return 2000 + *release / 10000;
    if (const auto year = core_year(name)) return *year;
    if (const auto year = year_in(name)) return *year;
    if (const auto release = release_of(row)) return 2000 + *release / 10000;
    if (const auto year = year_in(row.citation)) return *year;
    return year_in(row.remark).value_or(0);
}

int release_year(const PublishedRow& row, const FrameworkRule& rule) {
    if (const int year = stated_year(row)) return year;
    if (rule.year > 0) return rule.year;
    const auto paper = number_after(lower_case(row.citation), "arxiv ");   // YYMM
    return paper ? 2000 + int(*paper / 100) : 0;
}

Tuning tuning_of(const PublishedRow& row, const FrameworkRule& rule) {
    if (contains_any(lower_case(row.layout.framework), {"no overlap", "without overlap", "overlap off"}))
        return Tuning::as_it_comes;
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

std::optional<int> micro_batch_tokens(const PublishedRow& row) {
    const auto tokens = number_after(lower_case(row.remark), "tokens a micro-batch ");
    return tokens && *tokens >= 1 && *tokens <= 1e8 ? std::optional(int(*tokens)) : std::nullopt;
}

std::optional<int> loss_chunks(const PublishedRow& row) {
    const auto chunks = number_after(lower_case(row.remark), "cross-entropy in ");
    return chunks && *chunks >= 1 && *chunks <= 64 ? std::optional(int(*chunks)) : std::nullopt;
}

namespace {

// In Megatron's words or shorter ones.
Module module_in_words(std::string_view word) {
    struct Word {
        std::string_view word;
        Module module;
    };
    constexpr Word shorter[] = {{"core", Module::core_attn}, {"norm", Module::layernorm}, {"act", Module::moe_act},
                                {"shared_expert", Module::shared_experts}};
    for (int m = 0; m < layer_modules; ++m)
        if (word == module_rows[m].name) return Module(m);
    for (const Word& w : shorter)
        if (word == w.word) return w.module;
    return Module::none;
}

}  // namespace

std::optional<RecomputeModules> recomputed_modules(const PublishedRow& row) {
    const std::string stated = lower_case(row.layout.recompute), remark = lower_case(row.remark);
    if (!stated.starts_with("selective")) return std::nullopt;
    const std::size_t colon = stated.find(':'), at = remark.find("recompute ");
    const std::string said = colon != stated.npos ? stated.substr(colon)
                           : at != remark.npos ? remark.substr(at, remark.find_first_of(";.", at) - at)
                                               : std::string();
    RecomputeModules listed{.core_attn = false};
    std::string word;
    for (const char c : said + ' ') {
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
            word += c;
            continue;
        }
        if (const Module m = module_in_words(word); m != Module::none) listed.*module_rows[int(m)].listed = true;
        word.clear();
    }
    if (listed == RecomputeModules{.core_attn = false}) return std::nullopt;
    return listed;
}

std::string device_family(const std::string& device) {
    const std::string name = lower_case(device);
    for (const char* family :
         {"GB300",  "GB200",       "B300",     "B200",        "GH200",    "H200",     "H100",    "A100", "A800",
          "V100",   "RTX PRO 6000", "RTX 5090", "RTX 5060 Ti", "RTX 4090", "RTX 3090", "A6000",   "L40S", "MI300",
          "MI350X", "MI355X",      "MI250X",   "A64FX",       "TPU v3",   "TPU v4",   "TPU v5e", "TPU",  "Trainium",
          "Gaudi",  "Ascend"})
        if (name.find(lower_case(family)) != std::string::npos) return family;
    return device.empty() ? "not stated" : device;
}

bool reports_first_stage(const std::string& framework) { return contains(lower_case(framework), "deepspeed"); }

int container_release(const PublishedRow& row) { return release_of(row).value_or(999999); }

MemoryUnit memory_unit_of(const PublishedRow& row) {
    if (row.measured.memory_unit) return *row.measured.memory_unit;
    const std::string said = lower_case(row.remark), name = lower_case(row.layout.framework);
    if (contains_any(said, {"in gb", "to gb", ", gb"})) return MemoryUnit::gigabyte;
    const bool counters = contains_any(name, {"torch", "fsdp", "hf ", "hugging face", "halo", "nanotron"});
    return counters || contains_any(said, {"gib", "mib"}) ? MemoryUnit::gibibyte : MemoryUnit::gigabyte;
}

MemoryKind memory_kind_of(const PublishedRow& row) {
    if (row.measured.memory_kind) return *row.measured.memory_kind;
    const std::string said = lower_case(row.remark);
    if (contains_any(said, {"nvidia-smi", "npu-smi", "monitor"})) return MemoryKind::used;
    if (contains_any(said, {"max_memory_allocated", "peak allocated", "peak active"})) return MemoryKind::allocated;
    return MemoryKind::reserved;
}

std::optional<StateFormat> state_format_in(const PublishedRow& row) {
    const std::string precision = lower_case(row.layout.precision), said = lower_case(row.remark);
    if (contains(precision, "fp32")) return std::nullopt;   // some state is
    const bool narrow = contains(precision, "pure")
                     || contains_any(said, {"all state in bf16", "moments in bf16", "6 bytes a parameter",
                                            "bf16 weights and optimizer state"});
    return narrow ? std::optional(StateFormat::all_16bit) : std::nullopt;
}

bool uses_8bit_adam(const PublishedRow& row) {
    const std::string said = lower_case(row.layout.framework + "; " + row.layout.precision + "; " + row.remark);
    return contains_any(said, {"8-bit adam", "8-bit paged adam", "adamw8bit", "adamw_8bit", "adamw_bnb_8bit"});
}

bool says_2024(const PublishedRow& row) {
    return contains(row.citation + "; " + row.remark + "; " + row.layout.framework, "2024");
}

DeviceKernels kernels_in(const std::string& framework, DeviceKernels k) {
    const std::string said = lower_case(framework);
    if (contains_any(said, {"fused rmsnorm", "fused rms norm"})) k.fuses_rms_norms = true;
    if (contains_any(said, {"unfused attention", "attention unfused", "fused softmax"})) {
        k.attention = Attention::materialised;
        k.fuses_softmax = contains(said, "fused softmax");
    } else if (contains_any(said, {"flashattention 1", "flashattention-1", "triton"})) {
        k.attention_kernel = AttentionKernel::generic;   // kernels of 2022 and 2023
        k.cudnn_first = false;
        k.flash_forward_scale = k.flash_backward_scale = 1;
    } else if (contains_any(said, {"flashattention 2", "flashattention-2"})) {
        k.cudnn_first = false;
    }
    return k;
}

int shard_group_in(const RowLayout& row, int replicas, int devices_per_node) {
    const std::string said = lower_case(row.framework + " " + row.sharding);
    // HybridEP sends tokens to experts.
    const auto hybrid = said.find("hybrid");
    const bool shards = hybrid != std::string::npos && said.compare(hybrid, 8, "hybridep") != 0;
    int group = shards ? devices_per_node : 0;
    if (const auto copies = number_after(said, "replicated over "); copies && *copies >= 1)
        group = int(replicas / *copies);
    if (const auto ranks = number_after(said, "sharded over "); ranks && *ranks >= 1)
        group = int(std::min(*ranks, double(replicas)));
    return group > 0 && group < replicas && replicas % group == 0 ? group : 0;
}

Fp8Recipe fp8_recipe(const std::string& precision, const std::string& framework) {
    if (contains_any(precision, {"nvfp4", "fp4"})) return Fp8Recipe::nvfp4;
    if (contains_any(precision, {"mxfp8", "fp8-mx"}) && !precision.starts_with("fp8-cs")) return Fp8Recipe::mxfp8;
    if (contains(precision, "rowwise")) return Fp8Recipe::rowwise;
    if (contains(precision, "blockwise")) return Fp8Recipe::blockwise;
    if (contains_any(precision, {"tensorwise", "fp8-cs"})) return Fp8Recipe::tensorwise;
    if (contains_any(framework, {"torchtitan", "megatron bridge"})) return Fp8Recipe::tensorwise;
    return Fp8Recipe::delayed;
}

}  // namespace plimsoll

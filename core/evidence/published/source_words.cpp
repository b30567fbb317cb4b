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

}  // namespace plimsoll

// What a mistyped key or preset id may have meant.
#include "core/files/text/reader.h"

#include "core/values/basics/edit_distance.h"

#include <algorithm>

namespace plimsoll::files {
namespace {

constexpr std::size_t longest_word = 64;  // the edit distance takes the product of the lengths

bool contains(std::string_view a, std::string_view b) { return b.size() >= 3 && a.find(b) != a.npos; }

// How far apart, or more than any limit: half the word may be wrong, or one holds the other.
std::size_t remoteness(std::string_view word, std::string_view candidate) {
    const auto edits = edit_distance(word, candidate);
    const auto length = std::max(word.size(), candidate.size());
    const bool near = 2 * edits <= length || contains(word, candidate) || contains(candidate, word);
    return near ? edits : longest_word * 2;
}

}  // namespace

std::vector<std::string> nearest(std::string_view word, std::span<const std::string_view> candidates, std::size_t most) {
    if (word.size() > longest_word) return {};
    std::vector<std::pair<std::size_t, std::string>> ranked;
    for (const auto candidate : candidates)
        if (const auto far = remoteness(word, candidate.substr(0, longest_word)); far < longest_word * 2)
            ranked.emplace_back(far, candidate);
    std::sort(ranked.begin(), ranked.end());
    std::vector<std::string> names;
    for (const auto& [far, name] : ranked)
        if (names.size() < most && far <= ranked.front().first + 1) names.push_back(name);
    return names;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
    std::string text;
    for (const auto& name : nearest(word, candidates, 3)) text += (text.empty() ? "; nearest: " : ", ") + in_quotes(name);
    return text;
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t most = 60;
    std::size_t end = std::min(text.size(), most);
    while (end < text.size() && end > 0 && (text[end] & 0xC0) == 0x80) --end;  // not inside a UTF-8 character
    std::string out = "\"";
    for (const char c : text.substr(0, end)) out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
    return out + (end < text.size() ? "...\"" : "\"");
}

}  // namespace plimsoll::files

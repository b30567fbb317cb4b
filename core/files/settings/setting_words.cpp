#include "core/files/settings/setting_words.h"

#include "core/values/basics/text.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <string>

namespace plimsoll::files {

std::optional<double> number_of(std::string_view word) {
    constexpr std::size_t longest = 256;   // each power in it is read again
    if (word.size() > longest) return std::nullopt;
    std::string digits;
    for (const char c : trimmed(word))
        if (c != '_') digits += c;
    if (const auto power = digits.find("**"); power != digits.npos) {
        const auto base = number_of(std::string_view(digits).substr(0, power)),
                   exponent = number_of(std::string_view(digits).substr(power + 2));
        if (!base || !exponent || std::abs(*exponent) > 60) return std::nullopt;
        const double value = std::pow(*base, *exponent);
        return std::isfinite(value) ? std::optional(value) : std::nullopt;
    }
    if (digits.starts_with('+')) digits.erase(0, 1);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

std::optional<long long> whole_of(std::string_view word) {
    const auto number = number_of(word);
    if (!number || *number != std::floor(*number) || std::abs(*number) > 1e15) return std::nullopt;
    return (long long)*number;
}

std::optional<bool> flag_of(std::string_view word) {
    std::string low;
    for (const unsigned char c : trimmed(word)) low += char(std::tolower(c));
    if (low.empty() || low == "true" || low == "yes" || low == "on" || low == "1") return true;
    if (low == "false" || low == "no" || low == "off" || low == "0") return false;
    return std::nullopt;
}

bool is_nothing(std::string_view word) {
    word = trimmed(word);
    return word == "null" || word == "None" || word == "~" || word == "none" || word == "Null" || word == "NULL";
}

namespace {

// A sum of products of lists: [0]*3+[1]*58, with brackets around it or without.
class ListOfPython {
public:
    explicit ListOfPython(std::string_view text) : text_(text) {}

    std::optional<std::vector<int>> whole() {
        auto list = sum(0);
        skip_blanks();
        return list && at_ == text_.size() ? list : std::nullopt;
    }

private:
    using List = std::optional<std::vector<int>>;
    static constexpr std::size_t longest = 4096;

    void skip_blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\'' || text_[at_] == '"')) ++at_;
    }
    bool next_is(char c) {
        skip_blanks();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    std::optional<int> number() {
        skip_blanks();
        int value = 0;
        const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (error != std::errc{}) return std::nullopt;
        at_ = std::size_t(end - text_.data());
        return value;
    }
    List sum(int depth) {
        List all = product(depth);
        while (all && next_is('+')) {
            const List more = product(depth);
            if (!more || all->size() + more->size() > longest) return std::nullopt;
            all->insert(all->end(), more->begin(), more->end());
        }
        return all;
    }
    List product(int depth) {
        const List one = single(depth);
        if (!one || !next_is('*')) return one;
        const auto times = number();
        if (!times || *times < 0 || one->size() * std::size_t(*times) > longest) return std::nullopt;
        std::vector<int> all;
        for (int i = 0; i < *times && !one->empty(); ++i) all.insert(all.end(), one->begin(), one->end());
        return all;
    }
    List single(int depth) {
        if (depth > 8) return std::nullopt;
        if (next_is('(')) {
            List inside = sum(depth + 1);
            return inside && next_is(')') ? inside : std::nullopt;
        }
        if (!next_is('[')) return std::nullopt;
        std::vector<int> all;
        if (next_is(']')) return all;
        do {
            const auto value = number();
            if (!value || all.size() >= longest) return std::nullopt;
            all.push_back(*value);
        } while (next_is(','));
        return next_is(']') ? List(std::move(all)) : std::nullopt;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

std::optional<std::vector<int>> list_of(std::string_view word) { return ListOfPython(word).whole(); }

}  // namespace plimsoll::files

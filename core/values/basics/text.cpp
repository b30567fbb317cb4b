#include "core/values/basics/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace plimsoll {

namespace {

constexpr std::string_view white_space = " \t\n\v\f\r";

// Room for the longest: DBL_MAX in fixed notation has 309 digits before the point.
using Digits = std::array<char, 400>;

template <class... Format>
std::string digits_of(double v, Format... format) {
    Digits text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), v, format...).ptr;
    return {text.data(), end};
}

}  // namespace

std::string shortest(double v) { return digits_of(v); }
std::string significant(double v, int digits) { return digits_of(v, std::chars_format::general, digits); }
std::string fixed(double v, int decimals) { return digits_of(v, std::chars_format::fixed, decimals); }

std::string in_thousands(std::string digits) {
    for (std::size_t left = 3; left < digits.size(); left += 4)
        if (digits[digits.size() - left - 1] != '-') digits.insert(digits.size() - left, 1, ',');
    return digits;
}
std::string percent(double share, int decimals) { return fixed(100 * share, decimals) + " %"; }

std::string signed_percent(double share, int decimals) {
    const std::string sign = std::signbit(share) ? "" : "+";
    return sign + percent(share, decimals);
}

std::string counted(long long n, std::string_view singular, std::string_view plural) {
    return std::to_string(n).append(" ").append(n == 1 ? singular : plural);
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i) text += separator;
        text += parts[i];
    }
    return text;
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        if (end > 0) parts.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

std::string_view trimmed(std::string_view text) {
    const auto from = text.find_first_not_of(white_space);
    if (from == text.npos) return {};
    return text.substr(from, text.find_last_not_of(white_space) - from + 1);
}

std::string lower_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return text;
}

std::string one_line(std::string text) {
    std::replace_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return text;
}

std::string shell_word(std::string_view text) {
    std::string word = "'";
    for (const char c : text) {
        if (c == '\'') word += "'\\''";
        else word += c;
    }
    return word + "'";
}

namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substituted = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
        }
    }
    return row.back();
}

}  // namespace plimsoll

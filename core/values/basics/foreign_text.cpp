#include "core/values/basics/foreign_text.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace plimsoll {

namespace {

constexpr std::string_view letters_and_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

bool consists_of(std::string_view text, std::string_view others) {
    return std::all_of(text.begin(), text.end(), [&](char c) {
        return letters_and_digits.find(c) != std::string_view::npos || others.find(c) != std::string_view::npos;
    });
}

struct Character {
    std::uint32_t code = 0;
    std::size_t bytes = 1;
    bool valid = false;
};

std::size_t length_by(unsigned char first) {
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first < 0xE0) return 2;
    if (first >= 0xE0 && first < 0xF0) return 3;
    if (first >= 0xF0 && first < 0xF5) return 4;
    return 0;
}

// The first character. One byte that is not valid where it does not begin a character of UTF-8.
Character first_of(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t length = length_by(byte(0));
    if (length == 0 || length > text.size()) return {byte(0), 1, false};
    if (length == 1) return {byte(0), 1, true};
    std::uint32_t code = byte(0) & (0xFFu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return {byte(0), 1, false};
        code = code << 6 | (byte(i) & 0x3Fu);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool valid = code >= least[length] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    return valid ? Character{code, length, true} : Character{byte(0), 1, false};
}

// What terminals obey, what ends a line, and what turns the direction of writing.
bool is_control(std::uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029
        || (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

bool is_shown(const Character& c) { return c.valid && (!is_control(c.code) || c.code == '\n' || c.code == '\t'); }

}  // namespace

bool is_plain_name(std::string_view name) {
    return !name.empty() && !name.starts_with('.') && !name.starts_with('-') && consists_of(name, "._-");
}

bool is_plain_word(std::string_view word) { return !word.starts_with('-') && consists_of(word, "_.:@+-"); }

bool is_line(std::string_view text) { return is_text(text) && text.find_first_of("\n\t") == text.npos; }

bool is_text(std::string_view text) {
    while (!text.empty()) {
        const Character c = first_of(text);
        if (!is_shown(c)) return false;
        text.remove_prefix(c.bytes);
    }
    return true;
}

std::size_t characters(std::string_view text) {
    return std::size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string visible(std::string_view text) {
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty()) {
        const Character c = first_of(text);
        if (is_shown(c)) {
            shown.append(text.substr(0, c.bytes));
        } else {
            char escape[16];
            std::snprintf(escape, sizeof escape, c.code < 0x100 ? "\\x%02x" : "\\u%04x", unsigned(c.code));
            shown += escape;
        }
        text.remove_prefix(c.bytes);
    }
    return shown;
}

std::size_t incomplete_end(std::string_view text) {
    for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
        const auto byte = static_cast<unsigned char>(text[text.size() - back]);
        if ((byte & 0xC0) != 0x80) return length_by(byte) > back ? back : 0;
    }
    return 0;
}

}  // namespace plimsoll

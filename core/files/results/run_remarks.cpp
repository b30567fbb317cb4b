#include "core/files/results/run_remarks.h"

#include <cctype>
#include <charconv>
#include <string>

namespace plimsoll {

namespace {

bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

// The number that ends before `end`: "143,000", "2.0".
std::optional<double> number_before(std::string_view text, std::size_t end) {
    std::size_t start = end;
    while (start > 0 && (digit(text[start - 1]) || text[start - 1] == '.' || text[start - 1] == ',')) --start;
    std::string digits(text.substr(start, end - start));
    std::erase(digits, ',');
    double value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (read.ec != std::errc{} || value <= 0) return std::nullopt;
    return value;
}

// "... 143,000 steps of 1024x2048 tokens"
std::optional<double> steps_of(std::string_view text, std::size_t tokens) {
    const std::size_t by = text.substr(0, tokens).rfind('x'), steps = text.substr(0, tokens).rfind(" steps of ");
    if (by == std::string_view::npos || steps == std::string_view::npos || by < steps) return std::nullopt;
    const auto count = number_before(text, steps), batch = number_before(text, by), length = number_before(text, tokens);
    if (!count || !batch || !length) return std::nullopt;
    return *count * *batch * *length;
}

}  // namespace

std::optional<double> tokens_in(std::string_view remark) {
    constexpr std::string_view unit = " tokens";
    for (std::size_t at = remark.find(unit); at != std::string_view::npos; at = remark.find(unit, at + 1)) {
        if (const auto run = steps_of(remark, at)) return run;
        std::size_t end = at;
        if (end > 0 && remark[end - 1] == '+') --end;
        const char scale = end > 0 ? remark[end - 1] : ' ';
        if (scale != 'B' && scale != 'T') continue;
        if (const auto value = number_before(remark, end - 1)) return *value * (scale == 'T' ? 1e12 : 1e9);
    }
    return std::nullopt;
}

}  // namespace plimsoll

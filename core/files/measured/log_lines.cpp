#include "core/files/measured/log_lines.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace plimsoll::files {

namespace {

bool is_digit_of_log(char c) { return c >= '0' && c <= '9'; }
bool is_word_of_log(char c) {
    return is_digit_of_log(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_blank_of_log(char c) { return c == ' ' || c == '\t'; }

std::size_t digits_from(std::string_view s, std::size_t at) {
    while (at < s.size() && is_digit_of_log(s[at])) ++at;
    return at;
}
int small_number(std::string_view digits) {
    int value = -1;
    if (digits.size() <= 9) std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

// Terminals' sequences: ESC [ ... letter, ESC ] ... BEL, and ESC with one more character.
std::string_view without_colours(std::string_view line, std::string& scratch) {
    if (!std::memchr(line.data(), '\x1b', line.size())) return line;
    scratch.clear();
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] != '\x1b') {
            scratch += line[i];
            continue;
        }
        if (++i >= line.size()) break;
        if (line[i] == '[')
            while (i + 1 < line.size() && !(line[++i] >= '@' && line[i] <= '~')) {}
        else if (line[i] == ']')
            while (i + 1 < line.size() && line[++i] != '\a') {}
    }
    return scratch;
}

void note_who(BareLine& b, std::string_view prefix) {
    std::uint64_t hash = b.who ? b.who : 1469598103934665603u;
    for (const char c : prefix) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    b.who = hash | 1;
}

// "[rank3]", "[default0]", "[Rank 0]", "[rank-15/16]", "[1,3]": the text between the brackets. Whether it is one.
bool take_bracket(BareLine& b, std::string_view inside) {
    std::string_view rest = inside;
    bool global = false;
    for (const std::string_view name : {"default", "rank-", "rank", "Rank ", "RANK "})
        if (rest.starts_with(name)) {
            global = name != "default";
            rest.remove_prefix(name.size());
            break;
        }
    const bool named = rest.size() != inside.size();
    const std::size_t digits = digits_from(rest, 0);
    if (digits == 0 || digits > 7) return false;
    if (digits == rest.size()) {
        if (!named) return false;
        if (global) b.rank = small_number(rest);
        note_who(b, rest);
        return true;
    }
    const char between = rest[digits];
    if (digits_from(rest, digits + 1) != rest.size() || rest.size() == digits + 1) return false;
    if (between == '/' && named) {
        b.rank = small_number(rest.substr(0, digits));
        b.of = small_number(rest.substr(digits + 1));
    } else if (between == ',' && !named) {
        b.rank = small_number(rest.substr(digits + 1));
    } else return false;
    note_who(b, rest);
    return true;
}

void skip_blanks(std::string_view& s) {
    while (!s.empty() && is_blank_of_log(s.front())) s.remove_prefix(1);
}

// One prefix off the front. Whether there was one.
bool take_prefix(BareLine& b) {
    std::string_view s = b.text;
    skip_blanks(s);
    if (s.empty()) return false;
    if (is_digit_of_log(s.front())) {  // srun --label
        const std::size_t end = digits_from(s, 0);
        if (end > 6 || end + 1 >= s.size() || s[end] != ':' || s[end + 1] != ' ') return false;
        b.rank = small_number(s.substr(0, end));
        note_who(b, s.substr(0, end));
        b.text = s.substr(end + 2);
        return true;
    }
    const char closing = s.front() == '[' ? ']' : s.front() == '(' ? ')' : '\0';
    if (!closing) return false;
    const std::size_t end = s.substr(0, 120).find(closing);
    if (end == s.npos) return false;
    const std::string_view inside = s.substr(1, end - 1);
    std::string_view rest = s.substr(end + 1);
    if (closing == ']') {
        BareLine tried = b;
        if (!take_bracket(tried, inside)) return false;
        b = tried;
        for (const std::string_view stream : {"<stdout>", "<stderr>"})
            if (rest.starts_with(stream)) rest.remove_prefix(stream.size());
        skip_blanks(rest);
        if (rest.starts_with(':')) rest.remove_prefix(1);
    } else {
        // A host, which is hashed and forgotten.
        const bool one_word = inside.find(' ') == inside.npos || inside.find("pid=") != inside.npos;
        if (inside.empty() || !one_word || rest.empty() || rest.front() != ' ') return false;
        note_who(b, inside);
        rest.remove_prefix(1);
    }
    b.text = rest;
    return true;
}

// A further rank in the text itself: Primus' "[2026...][rank-15/16]", nanotron's "[INFO|DP=0|PP=0|TP=0|".
void look_for_rank(BareLine& b) {
    const std::string_view head = b.text.substr(0, 96);
    if (const auto at = head.find("[rank-"); at != head.npos) {
        const auto end = head.find(']', at);
        if (end != head.npos) take_bracket(b, head.substr(at + 1, end - at - 1));
    } else if (const auto dp = head.find("|DP="); dp != head.npos) {
        const auto tp = head.find("|TP=", dp);
        const auto end = tp == head.npos ? tp : head.find_first_of("|]", tp + 1);
        if (end != head.npos) note_who(b, head.substr(dp, end - dp));
    }
}

}  // namespace

BareLine bare_line(std::string_view line, std::string& scratch) {
    BareLine b;
    b.text = without_colours(line, scratch);
    while (!b.text.empty() && b.text.back() == '\r') b.text.remove_suffix(1);
    for (int prefixes = 0; prefixes < 4 && take_prefix(b); ++prefixes) {}
    b.launcher = b.who;
    look_for_rank(b);
    return b;
}

namespace {

// Digits with commas between thousands, a fraction and an exponent, from `at` on, which ends behind them.
std::optional<double> number_from(std::string_view s, std::size_t& at, NumberRule rule) {
    char clean[40];
    std::size_t n = 0;
    const auto keep = [&](char c) { return n < sizeof clean ? (clean[n++] = c, true) : false; };
    std::size_t i = at;
    while (i < s.size()) {
        if (is_digit_of_log(s[i])) {
            if (!keep(s[i++])) return std::nullopt;
        } else if (s[i] == ',' && n > 0 && digits_from(s, i + 1) == i + 4) ++i;
        else break;
    }
    if (n == 0) return std::nullopt;
    if (i + 1 < s.size() && s[i] == '.' && is_digit_of_log(s[i + 1])) {
        if (!keep(s[i++])) return std::nullopt;
        while (i < s.size() && is_digit_of_log(s[i]))
            if (!keep(s[i++])) return std::nullopt;
    }
    if (i + 2 < s.size() && (s[i] == 'e' || s[i] == 'E')) {
        const std::size_t sign = i + 1 + (s[i + 1] == '+' || s[i + 1] == '-');
        const std::size_t end = digits_from(s, sign);
        if (end > sign && end - i < 6)
            while (i < end)
                if (!keep(s[i++])) return std::nullopt;
    }
    // "12." and "1,0" may go on.
    if (!rule.whole && s.find_first_not_of(".,0123456789eE+-KMBT", i) == s.npos) return std::nullopt;
    double value = 0;
    if (std::from_chars(clean, clean + n, value).ec != std::errc{}) return std::nullopt;
    if (clean[0] == '+') return std::nullopt;
    if (rule.scaled && i < s.size()) {
        const double by = s[i] == 'K' ? 1e3 : s[i] == 'M' ? 1e6 : s[i] == 'B' || s[i] == 'G' ? 1e9 : 0;
        if (by > 0) value *= by, ++i;
    }
    at = i;
    return value;
}

}  // namespace

std::optional<double> number_behind(std::string_view line, std::string_view key, NumberRule rule) {
    constexpr int most_tries = 8;
    std::size_t from = 0;
    for (int i = 0; i < most_tries; ++i) {
        const std::size_t found = line.find(key, from);
        if (found == line.npos) return std::nullopt;
        from = found + key.size();
        if (found > 0 && is_word_of_log(line[found - 1]) && is_word_of_log(key.front())) continue;
        std::size_t at = from;
        while (at < line.size() && at < from + 24 && std::strchr(" \t:='\"", line[at])) ++at;
        if (at == from && !key.empty() && is_word_of_log(key.back())) continue;
        if (const auto value = number_from(line, at, rule)) return value;
    }
    return std::nullopt;
}

std::optional<BarLine> bar_in(std::string_view line, bool whole) {
    const std::size_t percent = line.find("%|");
    if (percent == line.npos) return std::nullopt;
    const std::size_t open = line.find('[', percent), close = line.find("| ", percent + 2);
    if (open == line.npos || close == line.npos || close > open) return std::nullopt;
    BarLine bar;
    std::size_t before = percent;
    while (before > 0 && is_digit_of_log(line[before - 1])) --before;
    bar.before = line.substr(0, before);
    skip_blanks(bar.before);
    while (!bar.before.empty() && is_blank_of_log(bar.before.back())) bar.before.remove_suffix(1);
    std::size_t at = close + 2;
    const auto done = number_from(line, at, {});
    if (!done || at >= line.size() || line[at] != '/') return std::nullopt;
    ++at;
    bar.done = *done;
    bar.all = number_from(line, at, {}).value_or(0);
    for (const std::string_view unit : {"it/s", "s/it"}) {
        const std::size_t end = line.find(unit, open);
        if (end == line.npos || (!whole && end + unit.size() >= line.size())) continue;
        std::size_t start = end;
        while (start > open && (is_digit_of_log(line[start - 1]) || line[start - 1] == '.')) --start;
        const auto rate = number_from(line, start, {});
        if (!rate || *rate <= 0 || start != end) return std::nullopt;
        bar.seconds = unit == "it/s" ? 1 / *rate : *rate;
        return bar;
    }
    return std::nullopt;
}

// ---- Words

std::uint32_t WordFilter::slot(const char* four) {
    std::uint32_t word;
    std::memcpy(&word, four, sizeof word);
    return (word * 2654435761u) >> 15;   // 17 bits
}

WordFilter::WordFilter(std::span<const std::string_view> words) {
    for (const std::string_view word : words)
        for (std::size_t i = 0; i < 4 && i + 4 <= word.size(); ++i) {
            const std::uint32_t at = slot(word.data() + i);
            slots_[at >> 3] |= std::uint8_t(1u << (at & 7));
        }
}

bool WordFilter::may_hold_one(std::string_view line) const {
    for (std::size_t i = 0; i + 4 <= line.size(); i += 4) {
        const std::uint32_t at = slot(line.data() + i);
        if (slots_[at >> 3] & (1u << (at & 7))) return true;
    }
    return false;
}

}  // namespace plimsoll::files

// Patterns of the shell, regular expressions and braces.
#include "core/files/settings/shell_machine.h"

#include <algorithm>
#include <cctype>

namespace plimsoll::files {

namespace {

// One sign of a pattern against one of the text; `at` goes after it.
bool sign_matches(std::string_view p, std::size_t& at, char c) {
    if (p[at] == '?') return ++at, true;
    if (p[at] == '\\' && at + 1 < p.size()) return at += 2, p[at - 1] == c;
    const std::size_t close = p[at] == '[' ? p.find(']', at + 2) : p.npos;
    if (close == p.npos) return p[at++] == c;
    const bool none_of = p[at + 1] == '!' || p[at + 1] == '^';
    bool in = false;
    for (std::size_t i = at + (none_of ? 2 : 1); i < close; ++i) {
        if (p.substr(i, 2) == "[:") {
            const std::size_t end = p.find(":]", i);
            const std::string_view name = end == p.npos ? "" : p.substr(i + 2, end - i - 2);
            const unsigned char u = static_cast<unsigned char>(c);
            in |= (name == "space" && std::isspace(u)) || (name == "digit" && std::isdigit(u))
               || (name == "alpha" && std::isalpha(u)) || (name == "alnum" && std::isalnum(u))
               || (name == "upper" && std::isupper(u)) || (name == "lower" && std::islower(u));
            if (end != p.npos) i = end + 1;
        } else if (i + 2 < close && p[i + 1] == '-') {
            in |= p[i] <= c && c <= p[i + 2];
            i += 2;
        } else {
            in |= p[i] == c;
        }
    }
    at = std::max(close, p.find(']', close) == p.npos ? close : close) + 1;
    return in != none_of;
}

}  // namespace

bool matches_pattern(std::string_view p, std::string_view t) {
    std::size_t at = 0, i = 0, star = p.npos, from = 0;
    while (i < t.size()) {
        std::size_t next = at;
        if (at < p.size() && p[at] == '*') star = ++at, from = i;
        else if (at < p.size() && sign_matches(p, next, t[i])) at = next, ++i;
        else if (star != p.npos) at = star, i = ++from;
        else return false;
    }
    while (at < p.size() && p[at] == '*') ++at;
    return at == p.size();
}

// ---- Regular expressions

namespace {

// One sign or class of a regular expression; `at` goes after it.
bool one_of(std::string_view r, std::size_t& at, char c, bool there) {
    if (r[at] == '.') return ++at, there;
    std::size_t end = at + 1;
    if (r[at] == '\\' && at + 1 < r.size()) end = at + 2;
    if (r[at] == '[') {
        end = r.find(']', at + 2);
        end = end == r.npos ? r.size() : end + 1;
        if (const auto inner = r.find(":]", at); inner != r.npos && inner + 1 == end - 1)
            end = std::min(r.find(']', end), r.size() - 1) + 1;
    }
    const std::string_view piece = r.substr(at, end - at);
    at = end;
    return there && matches_pattern(piece, std::string_view(&c, 1));
}

// A regular expression without groups, at the beginning of the text.
bool regex_here(std::string_view r, std::string_view t, long long& left) {
    if (--left <= 0) return false;
    if (r.empty()) return true;
    if (r == "$") return t.empty();
    std::size_t next = 0;
    const bool first = one_of(r, next, t.empty() ? '\0' : t[0], !t.empty());
    const char times = next < r.size() ? r[next] : '\0';
    if (times != '*' && times != '+' && times != '?') return first && regex_here(r.substr(next), t.substr(1), left);
    std::size_t n = 0, most = times == '?' ? std::min<std::size_t>(1, t.size()) : t.size();
    while (n < most) {
        std::size_t again = 0;
        if (!one_of(r, again, t[n], true)) break;
        ++n;
    }
    for (std::size_t least = times == '+' ? 1 : 0;; --n) {
        if (n < least) return false;
        if (regex_here(r.substr(next + 1), t.substr(n), left)) return true;
        if (n == 0) return false;
    }
}

}  // namespace

std::optional<bool> regex_found(std::string_view r, std::string_view t) {
    if (r.find_first_of("(|){}") != r.npos || r.size() > 200 || t.size() > 2000) return std::nullopt;
    long long left = 200000;
    bool found = r.starts_with('^') ? regex_here(r.substr(1), t, left) : false;
    for (std::size_t i = 0; !r.starts_with('^') && i <= t.size() && !found; ++i)
        found = regex_here(r, t.substr(i), left);
    return left > 0 ? std::optional(found) : std::nullopt;
}

// ---- Braces

namespace {

// The pieces of "a,{b,c}" between the commas of the outermost level; one piece: there is no comma.
std::vector<std::string_view> brace_pieces(std::string_view inside) {
    std::vector<std::string_view> all;
    std::size_t from = 0;
    int level = 0;
    for (std::size_t i = 0; i < inside.size(); ++i) {
        if (inside[i] == '{') ++level;
        if (inside[i] == '}') --level;
        if (inside[i] == ',' && level == 0) {
            all.push_back(inside.substr(from, i - from));
            from = i + 1;
        }
    }
    all.push_back(inside.substr(from));
    return all;
}

// "1..4" and "1..9..2" counted out; nothing where it is none of them.
std::vector<std::string> counted(std::string_view inside) {
    std::vector<long long> numbers;
    std::size_t at = 0;
    while (numbers.size() < 4) {
        const std::size_t from = at;
        if (at < inside.size() && inside[at] == '-') ++at;
        while (at < inside.size() && std::isdigit(static_cast<unsigned char>(inside[at]))) ++at;
        if (at == from || at - from > 9 || inside.substr(from, at - from) == "-") return {};
        numbers.push_back(std::stoll(std::string(inside.substr(from, at - from))));
        if (at == inside.size()) break;
        if (inside.substr(at, 2) != "..") return {};
        at += 2;
    }
    if (numbers.size() < 2 || numbers.size() > 3) return {};
    const long long step = std::max(1LL, numbers.size() == 3 ? std::abs(numbers[2]) : 1);
    if (std::abs(numbers[1] - numbers[0]) / step > 10000) return {};
    std::vector<std::string> all;
    const bool up = numbers[1] >= numbers[0];
    for (long long n = numbers[0]; up ? n <= numbers[1] : n >= numbers[1]; n += up ? step : -step)
        all.push_back(std::to_string(n));
    return all;
}

constexpr std::size_t longest_unfolded = 1 << 12, most_unfolded = 1 << 17;

// `left`: how many characters may still be looked at. Eight lists of ten pieces make a hundred million words.
void unfold(const std::string& word, int depth, std::size_t& left, std::vector<std::string>& all) {
    if (word.size() > longest_unfolded) return all.push_back(word);
    if (word.size() >= left) {
        left = 0;
        return;
    }
    left -= word.size() + 1;
    for (std::size_t i = 0; i < word.size() && depth < 8;) {
        const char c = word[i];
        if (c == '\\') i += 2;
        else if (c == '\'' || c == '"' || c == '`') i = shell_quote_end(word, i);
        else if (c == '$') i = shell_dollar_end(word, i);
        else if (c != '{') ++i;
        else {
            int level = 0;
            std::size_t end = i;
            while (end < word.size()) {
                if (word[end] == '\'' || word[end] == '"') {
                    end = shell_quote_end(word, end);
                    continue;
                }
                if (word[end] == '$') {
                    end = shell_dollar_end(word, end);
                    continue;
                }
                level += word[end] == '{' ? 1 : word[end] == '}' ? -1 : 0;
                ++end;
                if (level == 0) break;
            }
            const std::string_view inside = std::string_view(word).substr(i + 1, end - i - 2);
            std::vector<std::string> middles = counted(inside);
            if (const auto pieces = brace_pieces(inside); level == 0 && middles.empty() && pieces.size() > 1)
                middles.assign(pieces.begin(), pieces.end());
            if (level != 0 || middles.empty()) {
                ++i;
                continue;
            }
            for (const std::string& middle : middles)
                if (left > 0) unfold(word.substr(0, i) + middle + word.substr(end), depth + 1, left, all);
            return;
        }
    }
    all.push_back(word);
}

}  // namespace

std::vector<std::string> unfolded_braces(const std::string& word) {
    std::vector<std::string> all;
    std::size_t left = most_unfolded;
    unfold(word, 0, left, all);
    return all;
}

}  // namespace plimsoll::files

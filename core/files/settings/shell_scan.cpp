// Where the words, quotes, brackets and substitutions of a script end.
#include "core/files/settings/shell_syntax.h"

#include <algorithm>
#include <cctype>

namespace plimsoll::files {

bool is_shell_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_shell_name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool ends_shell_word(char c) {
    return is_shell_blank(c) || std::string_view("\n;&|<>()").find(c) != std::string_view::npos;
}

// After "))", where the brackets in between balance; npos where there is none.
std::size_t shell_sums_end(std::string_view t, std::size_t at) {
    int level = 0;
    for (; at < t.size(); ++at) {
        if (t[at] == '(') ++level;
        else if (t[at] == ')' && level > 0) --level;
        else if (t[at] == ')') return at + 1 < t.size() && t[at + 1] == ')' ? at + 2 : t.npos;
    }
    return t.npos;
}

namespace {

// After the bracket that closes the one before `at`; comments and quotes in it are passed over.
std::size_t bracket_end(std::string_view t, std::size_t at, int depth) {
    int level = 1;
    while (at < t.size()) {
        const char c = t[at];
        if (c == '\\') at += 2;
        else if (c == '\'' || c == '"' || c == '`') at = shell_quote_end(t, at, depth + 1);
        else if (c == '$') at = shell_dollar_end(t, at, depth + 1);
        else if (c == '#' && at > 0 && (is_shell_blank(t[at - 1]) || t[at - 1] == '\n' || t[at - 1] == '('))
            while (at < t.size() && t[at] != '\n') ++at;
        else {
            level += c == '(' ? 1 : c == ')' ? -1 : 0;
            ++at;
            if (level == 0) return at;
        }
    }
    return t.size();
}

std::size_t brace_end(std::string_view t, std::size_t at, int depth) {
    while (at < t.size() && t[at] != '}') {
        if (t[at] == '\\') at += 2;
        else if (t[at] == '\'' || t[at] == '"' || t[at] == '`') at = shell_quote_end(t, at, depth + 1);
        else if (t[at] == '$') at = shell_dollar_end(t, at, depth + 1);
        else ++at;
    }
    return std::min(at + 1, t.size());
}

}  // namespace

bool is_shell_name(std::string_view text) {
    return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0]))
        && std::ranges::all_of(text, is_shell_name_char);
}

std::size_t shell_dollar_end(std::string_view t, std::size_t at, int depth) {
    const char next = at + 1 < t.size() ? t[at + 1] : '\0';
    if (depth > deepest_shell) return at + 1;
    if (next == '(') {
        const bool sums = at + 2 < t.size() && t[at + 2] == '(';
        const std::size_t end = sums ? shell_sums_end(t, at + 3) : t.npos;
        return end != t.npos ? end : bracket_end(t, at + 2, depth);
    }
    if (next == '{') return brace_end(t, at + 2, depth);
    if (next == '\'') {
        for (at += 2; at < t.size() && t[at] != '\''; ++at)
            if (t[at] == '\\') ++at;
        return std::min(at + 1, t.size());
    }
    if (std::isdigit(static_cast<unsigned char>(next))
        || (next != '\0' && std::string_view("@*#?$!-").find(next) != std::string_view::npos))
        return at + 2;
    ++at;
    while (at < t.size() && is_shell_name_char(t[at])) ++at;
    return at;
}

std::size_t shell_quote_end(std::string_view t, std::size_t at, int depth) {
    const char quote = t[at++];
    if (depth > deepest_shell) return at;
    while (at < t.size() && t[at] != quote) {
        if (quote != '\'' && t[at] == '\\') at += 2;
        else if (quote == '"' && t[at] == '$') at = shell_dollar_end(t, at, depth + 1);
        else if (quote == '"' && t[at] == '`') at = shell_quote_end(t, at, depth + 1);
        else ++at;
    }
    return std::min(at + 1, t.size());
}

std::size_t shell_assigned_name_end(std::string_view w) {
    std::size_t end = 0;
    while (end < w.size() && is_shell_name_char(w[end])) ++end;
    if (end == 0 || std::isdigit(static_cast<unsigned char>(w[0]))) return w.npos;
    std::size_t at = end;
    if (at < w.size() && w[at] == '[') {
        at = w.find(']', at);
        if (at == w.npos) return w.npos;
        ++at;
    }
    if (at < w.size() && w[at] == '+') ++at;
    return at < w.size() && w[at] == '=' ? end : w.npos;
}

std::size_t shell_word_end(std::string_view t, std::size_t at) {
    const std::size_t from = at;
    while (at < t.size()) {
        const char c = t[at];
        if ((c == '<' || c == '>') && at == from && at + 1 < t.size() && t[at + 1] == '(')
            at = bracket_end(t, at + 2, 0);
        else if (c == '(' && at > from
                 && (t[at - 1] == '=' || std::string_view("@?*+").find(t[at - 1]) != std::string_view::npos)
                 && (t[at - 1] != '=' || shell_assigned_name_end(t.substr(from, at - from)) != t.npos))
            at = bracket_end(t, at + 1, 0);
        else if (c == '\x01') at = std::min(t.find('\x02', at), t.size() - 1) + 1;
        else if (ends_shell_word(c)) break;
        else if (c == '\\') at += 2;
        else if (c == '\'' || c == '"' || c == '`') at = shell_quote_end(t, at);
        else if (c == '$') at = shell_dollar_end(t, at);
        else ++at;
    }
    return std::min(at, t.size());
}

}  // namespace plimsoll::files

#include "core/files/settings/shell_tools.h"

#include "core/files/settings/setting_words.h"
#include "core/files/settings/shell_machine.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace plimsoll::files {

namespace {

using ShellWords = std::vector<ShellWord>;
using Output = std::optional<std::string>;

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

// ---- bc: numbers, brackets and + - * / % ^, with so many digits after the point

class Calculation {
public:
    explicit Calculation(std::string_view text) : text_(text) {}
    Output line(int& scale) {
        if (text_.starts_with("scale=")) {
            const auto digits = whole_of(text_.substr(6));
            if (!digits || *digits < 0 || *digits > 20) return std::nullopt;
            scale = int(*digits);
            return "";
        }
        scale_ = scale;
        const auto v = sum(0);
        if (!v || at_ < text_.size() || std::abs(v->value) > 1e15) return std::nullopt;
        char buffer[64];
        std::snprintf(buffer, sizeof buffer, "%.*f", v->digits, v->value);
        std::string out = buffer;
        if (out.starts_with("0.")) out.erase(0, 1);
        if (out.starts_with("-0.")) out.erase(1, 1);
        return (v->digits > 0 && v->value == 0 ? std::string("0") : out) + "\n";
    }

private:
    struct Value {
        double value;
        int digits;
    };
    bool next(char c) { return at_ < text_.size() && text_[at_] == c ? (++at_, true) : false; }
    std::optional<Value> sum(int depth) {
        auto v = product(depth);
        while (v) {
            const bool plus = next('+');
            if (!plus && !next('-')) break;
            const auto w = product(depth);
            if (!w) return w;
            v = Value{v->value + (plus ? w->value : -w->value), std::max(v->digits, w->digits)};
        }
        return v;
    }
    std::optional<Value> product(int depth) {
        auto v = single(depth);
        while (v) {
            const char op = next('*') ? '*' : next('/') ? '/' : next('%') ? '%' : next('^') ? '^' : '\0';
            if (op == '\0') break;
            const auto w = single(depth);
            if (!w || (w->value == 0 && (op == '/' || op == '%')) || (op == '%' && scale_ > 0)) return std::nullopt;
            const int both = std::min(v->digits + w->digits, std::max({scale_, v->digits, w->digits}));
            v = op == '^' ? Value{std::pow(v->value, w->value), v->digits}
              : op == '*' ? Value{v->value * w->value, both}
              : op == '%' ? Value{std::fmod(v->value, w->value), 0}
                          : Value{cut(v->value / w->value), scale_};
        }
        return v;
    }
    double cut(double v) const {
        const double ten = std::pow(10.0, scale_);
        return std::trunc(v * ten * (1 + 1e-15)) / ten;
    }
    std::optional<Value> single(int depth) {
        if (depth > 32) return std::nullopt;
        if (next('(')) {
            const auto v = sum(depth + 1);
            return next(')') ? v : std::nullopt;
        }
        if (next('-')) {
            const auto v = single(depth + 1);
            return v ? std::optional(Value{-v->value, v->digits}) : v;
        }
        const std::size_t end = std::min(text_.find_first_not_of("0123456789.", at_), text_.size());
        const std::string_view word = text_.substr(at_, end - at_);
        at_ = end;
        const auto v = word.empty() || word.size() > 30 ? std::nullopt : number_of(word);
        const std::size_t point = word.find('.');
        return v ? std::optional(Value{*v, point == word.npos ? 0 : int(word.size() - point - 1)}) : std::nullopt;
    }
    std::string_view text_;
    std::size_t at_ = 0;
    int scale_ = 0;
};

Output bc(const ToolWords&, std::string text) {
    std::ranges::replace(text, ';', '\n');
    std::string out;
    int scale = 0;
    for (std::string line : lines_of(text)) {
        std::erase(line, ' ');
        if (line.empty()) continue;
        const auto v = is_known(line) ? Calculation(line).line(scale) : std::nullopt;
        out += v ? *v : unknown_text(line) + "\n";
    }
    return out;
}

// ---- Lines

Output sort(const ToolWords& w, std::string text) {
    std::vector<std::string> lines = lines_of(text);
    const bool numbers = w.letters.find_first_of("nV") != w.letters.npos;
    const auto is_number = [](const std::string& line) { return number_of(line).has_value(); };
    if (!w.only("unVr") || !w.values.empty() || (numbers && !std::ranges::all_of(lines, is_number)))
        return std::nullopt;
    if (numbers) std::ranges::stable_sort(lines, {}, [](const std::string& s) { return *number_of(s); });
    else std::ranges::sort(lines);
    if (w.letters.find('r') != w.letters.npos) std::ranges::reverse(lines);
    if (w.letters.find('u') != w.letters.npos) lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    return joined(lines);
}

Output uniq(const ToolWords& w, std::string text) {
    std::vector<std::string> lines = lines_of(text);
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    return w.letters.empty() ? Output(joined(lines)) : std::nullopt;
}

Output wc(const ToolWords& w, std::string text) {
    std::size_t n = text.size();
    if (w.letters == "l") n = std::size_t(std::ranges::count(text, '\n'));
    else if (w.letters == "w") {
        n = 0;
        for (std::size_t i = 0; i < text.size(); ++i) n += text[i] > ' ' && (i == 0 || text[i - 1] <= ' ');
    } else if (w.letters != "c") return std::nullopt;
    return std::to_string(n) + (w.operands.empty() ? "" : " " + w.operands[0]) + "\n";
}

// The first or the last lines; "tail -n +3" those from the third on.
Output ends(const ToolWords& w, std::string text, bool first) {
    const std::string count = w.value('n', "10");
    const auto n = whole_of(count);
    auto lines = lines_of(text);
    if (!n || *n < 0 || !w.letters.empty() || w.values.contains('c') || w.operands.size() > 1) return std::nullopt;
    std::size_t kept = std::min(lines.size(), std::size_t(*n));
    if (!first && count.starts_with('+')) kept = lines.size() - std::min(lines.size(), kept - (kept > 0));
    if (first) lines.resize(kept);
    else lines.erase(lines.begin(), lines.end() - std::ptrdiff_t(kept));
    return joined(lines);
}
Output head(const ToolWords& w, std::string text) { return ends(w, std::move(text), true); }
Output tail(const ToolWords& w, std::string text) { return ends(w, std::move(text), false); }

Output cut(const ToolWords& w, std::string text) {
    const std::string by = w.value('d', "\t"), field = w.value('f'), characters = w.value('c');
    if (!w.letters.empty() || by.size() != 1 || field.empty() == characters.empty()) return std::nullopt;
    const std::string& range = field.empty() ? characters : field;
    const auto dash = range.find('-');
    const auto low = dash == 0 ? 1 : whole_of(range.substr(0, dash));
    const auto high = dash == range.npos ? low : dash + 1 == range.size() ? 1 << 20 : whole_of(range.substr(dash + 1));
    if (!low || !high || *low < 1) return std::nullopt;
    std::vector<std::string> lines = lines_of(text);
    for (std::string& line : lines) {
        std::string out;
        if (field.empty()) {
            const std::size_t begin = std::min(std::size_t(*low - 1), line.size());
            out = line.substr(begin, std::size_t(std::max(0LL, *high - *low + 1)));
        } else if (line.find(by[0]) == line.npos) continue;
        long long n = 1;
        for (std::size_t from = 0; !field.empty() && from <= line.size(); ++n) {
            const std::size_t end = std::min(line.find(by[0], from), line.size());
            if (n >= *low && n <= *high) out += (n > *low ? by : "") + line.substr(from, end - from);
            from = end + 1;
        }
        line = out;
    }
    return joined(lines);
}

// Sets with ranges and a few classes, and -d.
std::string signs_of_set(const std::string& s) {
    std::string out;
    if (s == "[:upper:]" || s == "[:lower:]") {
        for (char c = 'a'; c <= 'z'; ++c) out += s == "[:lower:]" ? c : char(c - 'a' + 'A');
        return out;
    }
    const std::string plain = s == "[:space:]" ? " \t\n" : with_escapes(s);
    for (std::size_t i = 0; i < plain.size(); ++i)
        if (i + 2 < plain.size() && plain[i + 1] == '-' && plain[i] <= plain[i + 2]) {
            for (int c = static_cast<unsigned char>(plain[i]); c <= static_cast<unsigned char>(plain[i + 2]); ++c)
                out += char(c);
            i += 2;
        } else out += plain[i];
    return out;
}
Output tr(const ToolWords& w, std::string text) {
    const bool removes = w.letters == "d";
    if ((!removes && !w.letters.empty()) || w.operands.size() != (removes ? 1 : 2)) return std::nullopt;
    const std::string from = signs_of_set(w.operands[0]), to = removes ? "" : signs_of_set(w.operands[1]);
    if (!removes && to.empty()) return std::nullopt;
    std::string out;
    for (const char c : text) {
        const auto at = from.rfind(c);
        if (at == from.npos) out += c;
        else if (!removes) out += to[std::min(at, to.size() - 1)];
    }
    return out;
}

// ---- sed: words replaced by others, and a line by its number

struct Replacement {
    std::string was, is;
    bool all;
};
// "s/a/b/g" with any sign between; nothing where it is a pattern of more than its own signs.
std::optional<Replacement> replacement_of(std::string_view s) {
    if (s.size() < 4 || s[0] != 's') return std::nullopt;
    const char by = s[1];
    std::string parts[2];
    std::size_t at = 2;
    for (std::string& part : parts) {
        const std::string_view special = &part == parts ? ".*[]^$\\" : "&\\";
        for (; at < s.size() && s[at] != by; ++at) {
            const bool escaped = s[at] == '\\' && at + 1 < s.size();
            if (escaped) ++at;
            if (escaped ? std::isalnum(static_cast<unsigned char>(s[at])) : special.find(s[at]) != special.npos)
                return std::nullopt;
            part += s[at];
        }
        if (at++ >= s.size()) return std::nullopt;
    }
    if (parts[0].empty() || (s.substr(at) != "" && s.substr(at) != "g")) return std::nullopt;
    return Replacement{parts[0], parts[1], s.substr(at) == "g"};
}
Output sed(const ToolWords& w, std::string text) {
    std::string script = w.value('e');
    if (script.empty() && !w.operands.empty()) script = w.operands[0];
    std::vector<std::string> lines = lines_of(text);
    if (w.letters == "n") {
        const auto n = script.ends_with('p') ? whole_of(script.substr(0, script.size() - 1)) : std::nullopt;
        if (!n || *n < 1) return std::nullopt;
        return std::size_t(*n) <= lines.size() ? lines[std::size_t(*n) - 1] + "\n" : "";
    }
    if (!w.only("i")) return std::nullopt;
    std::ranges::replace(script, ';', '\n');
    for (std::string one : lines_of(script)) {
        one.erase(0, std::min(one.find_first_not_of(" \t"), one.size()));
        while (one.ends_with(' ')) one.pop_back();
        const auto r = one.empty() ? std::nullopt : replacement_of(one);
        if (!r && !one.empty()) return std::nullopt;
        for (std::string& line : lines)
            for (std::size_t at = r ? line.find(r->was) : line.npos; at != line.npos && line.size() < (1 << 20);
                 at = r->all ? line.find(r->was, at + r->is.size()) : line.npos)
                line.replace(at, r->was.size(), r->is);
    }
    return joined(lines);
}

// ---- Names and numbers

std::string without_slashes(std::string path) {
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    return path;
}
Output basename(const ToolWords& w, std::string) {
    if (w.operands.empty()) return std::nullopt;
    std::string part = last_part_of(without_slashes(w.operands[0]));
    const std::string end = w.operands.size() > 1 ? w.operands[1] : w.value('s');
    if (part.find(unknown_ends) != part.npos && is_known(part)) part = unknown_text(w.operands[0]);
    if (!end.empty() && part.ends_with(end) && part != end) part.resize(part.size() - end.size());
    return part + "\n";
}
Output dirname(const ToolWords& w, std::string) {
    if (w.operands.size() != 1) return std::nullopt;
    if (!is_known(w.operands[0])) return unknown_text("$(dirname " + w.operands[0] + ")");
    const std::string path = without_slashes(w.operands[0]);
    const auto slash = path.rfind('/');
    return (slash == path.npos ? "." : slash == 0 ? "/" : path.substr(0, slash)) + "\n";
}
Output seq(const ToolWords& w, std::string) {
    const std::string separator = w.value('s', "\n");
    std::vector<long long> n;
    for (const std::string& word : w.operands) n.push_back(whole_of(word).value_or(1LL << 60));
    if (!w.letters.empty() || n.empty() || n.size() > 3) return std::nullopt;
    const long long from = n.size() == 1 ? 1 : n[0], step = n.size() == 3 ? n[1] : 1, to = n.back();
    if (step == 0 || std::abs(from) > 1LL << 50 || std::abs((to - from) / step) > 20000) return std::nullopt;
    std::string out;
    for (long long v = from; step > 0 ? v <= to : v >= to; v += step)
        out += (out.empty() ? "" : separator) + std::to_string(v);
    return out.empty() ? out : out + "\n";
}
Output cat(const ToolWords&, std::string text) { return text; }

// ---- The table

constexpr std::size_t reads_nothing = 1 << 20;
struct Tool {
    std::string_view name, with_value;  // letters of options that take a value
    Output (*out)(const ToolWords&, std::string input);
    std::size_t files_from = 0;         // operands before that are no files
    bool passes_unknown = false;
};
constexpr Tool tools[] = {
    {"basename", "s", basename, reads_nothing, true},
    {"bc", "", bc, 0, true},
    {"cat", "", cat, 0, true},
    {"cut", "dfc", cut},
    {"dirname", "", dirname, reads_nothing, true},
    {"head", "nc", head},
    {"sed", "e", sed, 1},
    {"seq", "s", seq, reads_nothing},
    {"sort", "kt", sort},
    {"tail", "nc", tail},
    {"tr", "", tr, 2},
    {"uniq", "", uniq},
    {"wc", "", wc},
};

ToolWords taken_apart_as_getopt(const ShellWords& words, std::string_view with_value) {
    ToolWords w;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string& word = words[i].text;
        const bool number = word.size() > 1 && std::isdigit(static_cast<unsigned char>(word[1]));
        if (word == "--") continue;
        if (word.size() < 2 || word[0] != '-' || (number && with_value.find('n') == with_value.npos)) {
            w.operands.push_back(word);
            continue;
        }
        if (number) w.values['n'] = word.substr(1);
        if (word.starts_with("--")) w.letters += "--";  // no tool here knows one
        for (std::size_t k = 1; k < word.size() && !number && !word.starts_with("--"); ++k) {
            if (with_value.find(word[k]) == with_value.npos) {
                w.letters += word[k];
                continue;
            }
            std::string& value = w.values[word[k]];
            value += value.empty() ? "" : "\n";  // several scripts of sed
            if (k + 1 < word.size()) value += word.substr(k + 1);
            else if (i + 1 < words.size()) value += words[++i].text;
            break;
        }
    }
    return w;
}

}  // namespace

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> all;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        all.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return all;
}

std::string with_escapes(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 >= text.size()) {
            out += text[i];
            continue;
        }
        const char c = text[++i];
        if (c == 'n') out += '\n';
        else if (c == 't') out += '\t';
        else if (c == '\\' || c == '"') out += c;
        else out += std::string{'\\', c};
    }
    return out;
}

namespace {

// A word in the place of "%05.2f"; `how` is that without its letter.
std::string in_place_of(const std::string& how, char kind, const std::string& word) {
    char buffer[512];
    if (!is_known(word) || how.size() > 8 || how.find('*') != how.npos) return unknown_text(word);
    if (kind == 'c') return word.substr(0, 1);
    if (kind == 's' || kind == 'b' || kind == 'q') {
        if (how == "%" || word.size() >= 400) return word;
        std::snprintf(buffer, sizeof buffer, (how + "s").c_str(), word.c_str());
        return buffer;
    }
    const auto v = word.empty() ? 0.0 : number_of(word);
    const bool whole = kind != 'f' && kind != 'g';
    if (!v || (whole && *v != std::floor(*v))) return unknown_text(word);
    if (whole) std::snprintf(buffer, sizeof buffer, (how + "ll" + kind).c_str(), (long long)*v);
    else std::snprintf(buffer, sizeof buffer, (how + kind).c_str(), *v);
    return buffer;
}

}  // namespace

// The format again and again, as long as there are words that it takes.
std::string formatted(const ShellWords& words, std::size_t i) {
    const std::string format = with_escapes(words[i++].text);
    std::string out;
    std::size_t before;
    do {
        before = i;
        for (std::size_t k = 0; k < format.size(); ++k) {
            const std::size_t end = format[k] == '%' ? format.find_first_of("sdifgxucbq%", k + 1) : format.npos;
            if (end == format.npos) {
                out += format[k];
                continue;
            }
            if (format[end] == '%') out += '%';
            else {
                out += in_place_of(format.substr(k, end - k), format[end], i < words.size() ? words[i].text : "");
                ++i;
            }
            k = end;
        }
    } while (i > before && i < words.size() && out.size() <= (1 << 16));
    return out;
}

std::optional<ToolOutput> tool_output(const ShellWords& words, const ToolInput& input) {
    const auto* tool = std::ranges::find(tools, words[0].text, &Tool::name);
    if (tool == std::end(tools)) return std::nullopt;
    const ToolWords w = taken_apart_as_getopt(words, tool->with_value);
    const std::size_t no_files = tool->files_from - (tool->name == "sed" && w.values.contains('e') ? 1 : 0);
    const auto from = w.operands.begin() + std::ptrdiff_t(std::min(no_files, w.operands.size()));
    std::string text = no_files >= reads_nothing ? std::string() : input({from, w.operands.end()});
    const bool known = std::ranges::all_of(words, [](const ShellWord& one) { return is_known(one.text); });
    ToolOutput out;
    if (tool->passes_unknown || (known && is_known(text))) out.text = tool->out(w, std::move(text));
    if (tool->name == "sed" && w.letters == "i" && from != w.operands.end()) out.in_place = *from;
    return out;
}

}  // namespace plimsoll::files

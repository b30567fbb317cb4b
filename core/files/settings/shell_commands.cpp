// The shell's own commands, and the usual tools whose output follows from what they are given.
#include "core/files/settings/shell_machine.h"

#include "core/files/settings/settings.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace plimsoll::files {

namespace {

using ShellWords = std::vector<ShellWord>;

std::string last_part(std::string_view path) {
    const auto slash = path.rfind('/');
    return std::string(path.substr(slash == path.npos ? 0 : slash + 1));
}

bool is_among(std::string_view word, std::initializer_list<std::string_view> all) {
    return std::ranges::find(all, word) != all.end();
}

// Commands of the site or of the system that a script goes on after.
bool keeps_house(std::string_view name) {
    return is_among(
        name, {"cd",      "pushd", "popd",  "mkdir", "touch",  "chmod",   "ulimit", "trap",   "shopt", "umask", "alias",
               "unalias", "wait",  "sleep", "hash",  "module", "ml",      "spack",  "conda",  "mamba", "rm",    "cp",
               "mv",      "ln",    "sync",  "tput",  "clear",  "getopts", "local",  "disown", "bind",  "enable"});
}

// Whether a program may be what trains: not one of the usual tools, and with options or a program of its own.
bool may_train(const ShellWords& words) {
    if (is_among(last_part(words[0].text), {"pip",
                                            "pip3",
                                            "git",
                                            "tar",
                                            "rsync",
                                            "wget",
                                            "curl",
                                            "nvidia-smi",
                                            "rocm-smi",
                                            "squeue",
                                            "sacct",
                                            "scontrol",
                                            "sbatch",
                                            "sed",
                                            "awk",
                                            "grep",
                                            "find",
                                            "ls",
                                            "which",
                                            "hostname",
                                            "date",
                                            "scancel",
                                            "envsubst",
                                            "jq",
                                            "ssh",
                                            "scp",
                                            "docker",
                                            "make",
                                            "cmake",
                                            "apt-get",
                                            "huggingface-cli",
                                            "huggingface_hub"}))
        return false;
    return std::ranges::any_of(words, [](const ShellWord& w) {
        return w.text.starts_with("--") || w.text.ends_with(".py")
            || (w.text.find('=') != w.text.npos && w.text.find('=') > 0);
    });
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> all;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        all.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return all;
}
std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
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

// Sums of bc: numbers, brackets and + - * / % ^, with so many digits after the point.
class Calculation {
public:
    explicit Calculation(std::string_view text) : text_(text) {}
    std::optional<std::string> line(int& scale) {
        if (text_.starts_with("scale=")) {
            const auto digits = whole_of(text_.substr(6));
            if (digits && *digits >= 0 && *digits <= 20) return scale = int(*digits), std::string();
            return std::nullopt;
        }
        scale_ = scale;
        const auto v = sum(0);
        skip();
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
    void skip() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }
    bool next(char c) {
        skip();
        return at_ < text_.size() && text_[at_] == c ? (++at_, true) : false;
    }
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
            if (!w || (w->value == 0 && (op == '/' || op == '%'))) return std::nullopt;
            if (op == '^') v = Value{std::pow(v->value, w->value), v->digits};
            else if (op == '*')
                v = Value{v->value * w->value,
                          std::min(v->digits + w->digits, std::max({scale_, v->digits, w->digits}))};
            else if (op == '%' && scale_ == 0) v = Value{std::fmod(v->value, w->value), 0};
            else if (op == '%') return std::nullopt;
            else v = Value{cut(v->value / w->value), scale_};
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
        skip();
        const std::size_t from = at_;
        while (at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) || text_[at_] == '.')) ++at_;
        const std::string_view word = text_.substr(from, at_ - from);
        const auto v = word.empty() || word.size() > 30 ? std::nullopt : number_of(word);
        return v ? std::optional(Value{*v, int(word.find('.') == word.npos ? 0 : word.size() - word.find('.') - 1)})
                 : std::nullopt;
    }
    std::string_view text_;
    std::size_t at_ = 0;
    int scale_ = 0;
};

// "-n 3", "-n3", "-3": the number of an option; the words after it begin at `i`.
std::optional<long long> count_option(const ShellWords& words, std::size_t& i, std::string_view option) {
    if (i >= words.size()) return std::nullopt;
    const std::string& w = words[i].text;
    if (w == option && i + 1 < words.size()) return i += 2, whole_of(words[i - 1].text);
    if (w.starts_with(option) && w.size() > option.size())
        return ++i, whole_of(std::string_view(w).substr(option.size()));
    if (option == "-n" && w.size() > 1 && w[0] == '-' && std::isdigit(static_cast<unsigned char>(w[1])))
        return ++i, whole_of(std::string_view(w).substr(1));
    return std::nullopt;
}

std::optional<std::string> filtered(const ShellWords& words, std::size_t from, std::string text) {
    const std::string& name = words[0].text;
    std::vector<std::string> lines = lines_of(text);
    std::string options;
    for (std::size_t i = 1; i < from; ++i) options += words[i].text;
    if (name == "sort") {
        if (options.find_first_not_of("-unVr") != options.npos) return std::nullopt;
        if (options.find_first_of("nV") != options.npos)
            std::ranges::stable_sort(lines, {}, [](const std::string& s) { return number_of(s).value_or(0); });
        else std::ranges::sort(lines);
        if (options.find('r') != options.npos) std::ranges::reverse(lines);
        if (options.find('u') != options.npos) lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
        return joined(lines);
    }
    if (name == "uniq" && options.empty()) {
        lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
        return joined(lines);
    }
    if (name == "wc" && is_among(options, {"-l", "-w", "-c"})) {
        if (options == "-l") return std::to_string(std::ranges::count(text, '\n')) + "\n";
        if (options == "-c") return std::to_string(text.size()) + "\n";
        std::size_t n = 0;
        for (std::size_t i = 0; i < text.size(); ++i) n += text[i] > ' ' && (i == 0 || text[i - 1] <= ' ');
        return std::to_string(n) + "\n";
    }
    if (name == "rev") {
        for (std::string& line : lines) std::ranges::reverse(line);
        return joined(lines);
    }
    return std::nullopt;
}

std::optional<std::string> cut_fields(const ShellWords& words, std::vector<std::string> lines) {
    std::string by = "\t", field, characters;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string& w = words[i].text;
        std::string* into = w.starts_with("-d") ? &by
                          : w.starts_with("-f") ? &field
                          : w.starts_with("-c") ? &characters
                                                : nullptr;
        if (!into) return std::nullopt;
        if (w.size() > 2) *into = w.substr(2);
        else if (++i < words.size()) *into = words[i].text;
    }
    if (by.size() != 1 || field.empty() == characters.empty()) return std::nullopt;
    const std::string& range = field.empty() ? characters : field;
    const auto dash = range.find('-');
    const auto low = dash == 0 ? 1 : whole_of(range.substr(0, dash));
    const auto high = dash == range.npos ? low : dash + 1 == range.size() ? 1 << 20 : whole_of(range.substr(dash + 1));
    if (!low || !high || *low < 1) return std::nullopt;
    for (std::string& line : lines) {
        std::string out;
        if (field.empty()) {
            const std::size_t begin = std::min(std::size_t(*low - 1), line.size());
            out = line.substr(begin, std::size_t(std::max(0LL, *high - *low + 1)));
        } else if (line.find(by[0]) == line.npos) continue;
        else {
            long long n = 1;
            for (std::size_t from = 0; from <= line.size(); ++n) {
                const std::size_t end = std::min(line.find(by[0], from), line.size());
                if (n >= *low && n <= *high) out += (n > *low ? by : "") + line.substr(from, end - from);
                from = end + 1;
            }
        }
        line = out;
    }
    return joined(lines);
}

// tr: sets with ranges and a few classes, and -d.
std::optional<std::string> translated(const ShellWords& words, const std::string& text) {
    const auto set = [](const std::string& s) {
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
    };
    const bool removes = words.size() == 3 && words[1].text == "-d";
    if (words.size() != 3 || (words[1].text.starts_with('-') && words[1].text.size() > 1 && !removes))
        return std::nullopt;
    const std::string from = set(words[removes ? 2 : 1].text), to = removes ? "" : set(words[2].text);
    if (!removes && to.empty()) return std::nullopt;
    std::string out;
    for (const char c : text) {
        const auto at = from.rfind(c);
        if (at == from.npos) out += c;
        else if (!removes) out += to[std::min(at, to.size() - 1)];
    }
    return out;
}

std::string formatted(const ShellWords& words, std::size_t i) {
    const std::string format = with_escapes(words[i++].text);
    std::string out;
    const std::size_t first = i;
    do {
        const std::size_t before = i;
        for (std::size_t k = 0; k < format.size(); ++k) {
            if (format[k] != '%') {
                out += format[k];
                continue;
            }
            std::size_t end = format.find_first_of("sdifgxucbq%", k + 1);
            if (end == format.npos) {
                out += format.substr(k);
                break;
            }
            if (format[end] == '%') {
                out += '%';
                k = end;
                continue;
            }
            const std::string word = i < words.size() ? words[i].text : std::string();
            ++i;
            const std::string how = format.substr(k, end - k);
            char buffer[512];
            if (how.size() > 8 || how.find('*') != how.npos) out += unknown_text(word);
            else if (!is_known(word)) out += word;
            else if (format[end] == 's' || format[end] == 'b' || format[end] == 'q') {
                if (how == "%") out += word;
                else if (word.size() < 400)
                    std::snprintf(buffer, sizeof buffer, (how + "s").c_str(), word.c_str()), out += buffer;
            } else if (format[end] == 'f' || format[end] == 'g') {
                const auto v = word.empty() ? 0.0 : number_of(word);
                if (!v) out += unknown_text(word);
                else std::snprintf(buffer, sizeof buffer, (how + format[end]).c_str(), *v), out += buffer;
            } else if (format[end] == 'd' || format[end] == 'i' || format[end] == 'x' || format[end] == 'u') {
                const auto v = word.empty() ? 0 : whole_of(word);
                if (!v) out += unknown_text(word);
                else std::snprintf(buffer, sizeof buffer, (how + "ll" + format[end]).c_str(), *v), out += buffer;
            } else out += word.substr(0, 1);
            k = end;
        }
        if (i == before || out.size() > (1 << 16)) break;
    } while (i < words.size() && i > first);
    return out;
}

std::string counted_out(const ShellWords& words) {
    std::string separator = "\n";
    std::size_t i = 1;
    bool wide = false;
    for (; i < words.size() && words[i].text.starts_with('-') && words[i].text.size() > 1
           && std::isalpha(static_cast<unsigned char>(words[i].text[1]));
         ++i) {
        if (words[i].text == "-s" && i + 1 < words.size()) separator = words[++i].text;
        else if (words[i].text == "-w") wide = true;
        else return unknown_text("seq");
    }
    std::vector<long long> n;
    for (; i < words.size(); ++i) {
        const auto v = whole_of(words[i].text);
        if (!v) return unknown_text("seq");
        n.push_back(*v);
    }
    if (n.empty() || n.size() > 3 || wide) return unknown_text("seq");
    const long long from = n.size() == 1 ? 1 : n[0], step = n.size() == 3 ? n[1] : 1, to = n.back();
    if (step == 0 || std::abs((to - from) / step) > 20000) return unknown_text("seq");
    std::string out;
    for (long long v = from; step > 0 ? v <= to : v >= to; v += step)
        out += (out.empty() ? "" : separator) + std::to_string(v);
    return out.empty() ? out : out + "\n";
}

}  // namespace

void ShellMachine::print(std::string_view text) {
    if (out_ && out_->size() + text.size() < (1 << 20) && budget_.spend((long long)text.size() / 4 + 1)) *out_ += text;
}

const std::string* ShellMachine::file_named(const std::string& name) const {
    if (const auto written = run_.files.find(name); written != run_.files.end()) return &written->second;
    thread_local std::string given;
    for (const auto& [file, text] : in_.files)
        if (!name.empty() && last_part(file) == last_part(without_marks(name))) return &(given = text);
    if (!in_.hosts.empty() && name == in_.host_file) return &in_.hosts;
    return nullptr;
}

std::string ShellMachine::input_of(const Words& words, std::size_t from) {
    std::string text;
    bool named = false;
    for (std::size_t i = from; i < words.size(); ++i) {
        if (words[i].text == "-") continue;
        named = true;
        const std::string* file = file_named(words[i].text);
        text += file ? *file : unknown_text("$(< " + words[i].text + ")");
    }
    if (named) return text;
    if (!input_) return unknown_text("standard input");
    const std::string rest = input_->text.substr(std::min(input_->at, input_->text.size()));
    input_->at = input_->text.size();
    budget_.spend((long long)rest.size());
    return rest;
}

std::optional<ShellStatus> ShellMachine::command(const Words& words, int line) {
    const std::string& name = words[0].text;
    const auto rest = [&](std::size_t from) { return Words(words.begin() + std::ptrdiff_t(from), words.end()); };
    const auto after_options = [&] {
        std::size_t i = 1;
        while (i < words.size() && words[i].text.size() > 1 && words[i].text[0] == '-') ++i;
        return i;
    };
    const auto known = [&] { return std::ranges::all_of(words, [](const ShellWord& w) { return is_known(w.text); }); };
    const auto printed = [&](const std::optional<std::string>& text) {
        print(text ? *text : unknown_text("$(" + name + " ..)"));
        return ShellStatus{};
    };
    if (name == ":" || name == "true") return ShellStatus{};
    if (name == "false") return ShellStatus::of(false);
    if (name == "[" || name == "test")
        return test(Words(words.begin() + 1, words.end() - (name == "[" && words.back().text == "]")));
    if (name == "echo") {
        std::size_t i = 1;
        bool newline = true, escapes = false;
        for (; i < words.size() && is_among(words[i].text, {"-n", "-e", "-E", "-ne", "-en"}); ++i) {
            newline &= words[i].text.find('n') == std::string::npos;
            escapes |= words[i].text.find('e') != std::string::npos;
        }
        std::string text;
        for (std::size_t k = i; k < words.size() && text.size() < (1 << 20); ++k)
            text += (k > i ? " " : "") + words[k].text;
        return printed((escapes ? with_escapes(text) : text) + (newline ? "\n" : ""));
    }
    if (name == "printf" && words.size() > 1) {
        if (words[1].text != "-v" || words.size() < 4)
            return printed(formatted(words, words[1].text == "--" && words.size() > 2 ? 2 : 1));
        variable(words[2].text, false).items[0] = {formatted(words, 3), true, line};
        return ShellStatus{};
    }
    if (name == "cat") return printed(input_of(words, after_options()));
    if (name == "tee") {
        const std::string text = input_of({}, 0);
        for (std::size_t i = after_options(); i < words.size() && run_.files.size() < 64; ++i)
            run_.files[words[i].text] = text;
        return printed(text);
    }
    if (name == "basename" && words.size() > 1) {
        const std::size_t at = words[1].text == "-a" || words[1].text == "--" ? 2 : 1;
        std::string path = at < words.size() ? words[at].text : "";
        while (path.size() > 1 && path.ends_with('/')) path.pop_back();
        std::string part = last_part(path);
        const std::string end = at + 1 < words.size() ? words[at + 1].text : "";
        if (part.find(unknown_ends) != part.npos && is_known(part)) part = unknown_text(words[1].text);
        if (!end.empty() && part.ends_with(end) && part != end) part.resize(part.size() - end.size());
        return printed(part + "\n");
    }
    if (name == "dirname" && words.size() == 2) {
        if (!known()) return printed(unknown_text("$(dirname " + words[1].text + ")"));
        std::string path = words[1].text;
        while (path.size() > 1 && path.ends_with('/')) path.pop_back();
        const auto slash = path.rfind('/');
        return printed((slash == path.npos ? "." : slash == 0 ? "/" : path.substr(0, slash)) + "\n");
    }
    if (name == "seq") return printed(counted_out(words));
    if (name == "expr") {
        std::string sum;
        for (std::size_t i = 1; i < words.size(); ++i) sum += words[i].text + " ";
        const auto v = sum.find_first_of("abcdefghijklmnopqrstuvwxyz:$") == sum.npos ? sum_of(sum, line) : std::nullopt;
        printed(v ? std::optional(std::to_string(*v) + "\n") : std::nullopt);
        return v ? ShellStatus::of(*v != 0) : ShellStatus::open(sum);
    }
    if (name == "bc") {
        std::string text = input_of({}, 0), out;
        std::ranges::replace(text, ';', '\n');
        int scale = 0;
        for (std::string line_of_bc : lines_of(text)) {
            std::erase(line_of_bc, ' ');
            if (line_of_bc.empty()) continue;
            const auto v = is_known(line_of_bc) ? Calculation(line_of_bc).line(scale) : std::nullopt;
            out += v ? *v : unknown_text(line_of_bc) + "\n";
        }
        return printed(out);
    }
    if (is_among(name, {"sort", "uniq", "wc", "rev"})) {
        const std::size_t from = after_options();
        const std::string text = input_of(words, from);
        auto out = is_known(text) ? filtered(words, from, text) : std::nullopt;
        if (out && name == "wc" && from < words.size())
            out = out->substr(0, out->size() - 1) + " " + words[from].text + "\n";
        return printed(out);
    }
    if (name == "head" || name == "tail") {
        std::size_t i = 1;
        const bool said = i < words.size() && words[i].text.starts_with('-');
        const long long n = said ? count_option(words, i, "-n").value_or(-1) : 10;
        auto lines = lines_of(input_of(words, i));
        if (n < 0) return printed(std::nullopt);
        const std::size_t kept = std::min(lines.size(), std::size_t(n));
        if (name == "head") lines.resize(kept);
        else lines.erase(lines.begin(), lines.end() - std::ptrdiff_t(kept));
        return printed(joined(lines));
    }
    if (name == "cut" || name == "tr") {
        const std::string text = input_of({}, 0);
        if (!is_known(text)) return printed(std::nullopt);
        return printed(name == "cut" ? cut_fields(words, lines_of(text)) : translated(words, text));
    }
    if (name == "scontrol" && words.size() > 2 && words[1].text == "show" && words[2].text.starts_with("hostname"))
        if (!in_.hosts.empty()) {
            auto lines = lines_of(in_.hosts);
            lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
            return printed(joined(lines));
        }
    if (name == "let") {
        std::optional<long long> v = 0;
        for (std::size_t i = 1; i < words.size(); ++i) v = sum_of(words[i].text, line);
        return v ? ShellStatus::of(*v != 0) : ShellStatus::open("let");
    }
    if (name == "unset") {
        for (std::size_t i = 1; i < words.size(); ++i)
            if (is_shell_name(words[i].text)) variable(words[i].text, false).items.clear();
        return ShellStatus{};
    }
    if (name == "set") return set(words);
    if (name == "shift") {
        const std::size_t n = std::size_t(std::max(0LL, words.size() > 1 ? whole_of(words[1].text).value_or(1) : 1));
        if (n > arguments_.size()) return called_ ? ShellStatus::of(false) : ShellStatus::open("shift");
        arguments_.erase(arguments_.begin(), arguments_.begin() + std::ptrdiff_t(n));
        return ShellStatus{};
    }
    if (name == "eval") {
        std::string text;
        for (std::size_t i = 1; i < words.size(); ++i) text += (i > 1 ? " " : "") + words[i].text;
        return script_text(text, line, nullptr, false);
    }
    if (name == "source" || name == ".") return source(words, line);
    if (name == "read") return read_line(words, line);
    if (name == "readarray" || name == "mapfile") {
        ShellVariable v;
        v.list = true;
        const bool trims = std::ranges::any_of(words, [](const ShellWord& w) { return w.text == "-t"; });
        for (std::string& one : lines_of(input_of({}, 0)))
            v.items[(long long)v.items.size()] = {one + (trims ? "" : "\n"), true, line};
        if (words.size() > 1 && is_shell_name(words.back().text)) variable(words.back().text, false) = std::move(v);
        return ShellStatus{};
    }
    if (name == "exit" || name == "return" || name == "break" || name == "continue") {
        const long long n = words.size() > 1 ? whole_of(words[1].text).value_or(-1) : -1;
        if ((name == "break" || name == "continue") && loops_ == 0) return ShellStatus{};
        flow_ = name == "exit"   ? Flow::exit_
              : name == "return" ? Flow::return_
              : name == "break"  ? Flow::break_
                                 : Flow::continue_;
        levels_ = int(std::clamp(n, 1LL, 100LL));
        if (name == "break" || name == "continue") return last_ = ShellStatus{};
        return last_ = n >= 0 ? ShellStatus{int(n & 255)} : words.size() > 1 ? ShellStatus::open(words[1].text) : last_;
    }
    if (name == "exec" || name == "builtin" || name == "command" || name == "nohup" || name == "time") {
        if (words.size() < 2) return ShellStatus{};
        if (words[1].text.starts_with('-')) return ShellStatus::open(words.back().text + " is there");
        const ShellStatus s = words_run(rest(1), line);
        if (name == "exec") flow_ = Flow::exit_, last_ = s;
        return s;
    }
    if (keeps_house(name)) return ShellStatus{};
    if (is_among(name, {"export", "declare", "local", "readonly", "typeset"})) {
        std::vector<RawWord> raw;
        for (const ShellWord& w : words) raw.push_back({w.text, line});
        return declare({}, raw, line);
    }
    return std::nullopt;
}

ShellStatus ShellMachine::set(const Words& words) {
    std::size_t i = 1;
    while (i < words.size() && words[i].text != "--" && words[i].text.size() > 1
           && (words[i].text[0] == '-' || words[i].text[0] == '+'))
        i += words[i].text.ends_with('o') ? 2 : 1;
    if (i >= words.size()) return {};
    if (words[i].text == "--") ++i;
    arguments_.assign(words.begin() + std::ptrdiff_t(i), words.end());
    called_ = true;
    return {};
}

ShellStatus ShellMachine::source(const Words& words, int line) {
    if (words.size() < 2) return ShellStatus::of(false);
    const std::string* file = file_named(words[1].text);
    if (!file) {
        note(words[1].text, "is read by the script and was not given with it: what it sets is not known", line);
        return {};
    }
    const std::string text = *file;
    const Words arguments(words.begin() + 2, words.end());
    const ShellStatus s = script_text(text, 1, arguments.empty() ? nullptr : &arguments, false);
    if (flow_ != Flow::return_) return s;
    flow_ = Flow::none;
    return last_;
}

ShellStatus ShellMachine::read_line(const Words& words, int line) {
    std::vector<std::string> names;
    bool list = false;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string& w = words[i].text;
        if (!w.starts_with('-')) names.push_back(w);
        else if (w.find('a') != w.npos) list = true;
        else if (w.size() == 2 && std::string_view("dnptu").find(w[1]) != std::string_view::npos) ++i;
    }
    if (names.empty()) names.push_back("REPLY");
    if (!input_ || (input_->at < input_->text.size() && !is_known(input_->text))) {
        for (const std::string& n : names)
            if (is_shell_name(n)) variable(n, false).items = {{0, {unknown_text("$" + n), true, line}}};
        return ShellStatus::open("read " + names[0]);
    }
    const std::size_t end = std::min(input_->text.find('\n', input_->at), input_->text.size());
    const bool there = input_->at < input_->text.size(), whole = end < input_->text.size();
    std::string text = there ? input_->text.substr(input_->at, end - input_->at) : "";
    input_->at = end + 1;
    const std::string ifs = value_of("IFS").value_or(" \t\n");
    std::vector<std::string> parts;
    for (std::size_t at = 0; at < text.size();) {
        if (ifs.find(text[at]) != ifs.npos && std::isspace(static_cast<unsigned char>(text[at]))) {
            ++at;
            continue;
        }
        const bool last = !list && parts.size() + 1 == names.size();
        std::size_t stop = last ? text.size() : std::min(text.find_first_of(ifs, at), text.size());
        std::string part = text.substr(at, stop - at);
        while (last && !part.empty() && ifs.find(part.back()) != ifs.npos
               && std::isspace(static_cast<unsigned char>(part.back())))
            part.pop_back();
        parts.push_back(std::move(part));
        at = stop + (last ? 0 : 1);
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!is_shell_name(names[i])) continue;
        ShellVariable& v = variable(names[i], false);
        v.items.clear();
        v.list = list;
        if (!list) v.items[0] = {i < parts.size() ? parts[i] : "", true, line};
        for (std::size_t k = 0; list && k < parts.size(); ++k) v.items[(long long)k] = {parts[k], true, line};
    }
    return ShellStatus::of(there && whole);
}

// A script inside: "bash -c '..'", or a file that was given beside this one; behind a launcher or alone.
bool ShellMachine::nested(const Words& words, int line) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string program = last_part(words[i].text);
        const bool shell = is_among(program, {"bash", "sh", "zsh", "dash", "ksh"});
        std::size_t at = shell ? i + 1 : i;
        bool text = false;
        while (shell && at < words.size() && words[at].text.starts_with('-') && words[at].text.size() > 1)
            text |= words[at++].text.find('c') != std::string::npos;
        if (at >= words.size()
            || (!shell && !program.ends_with(".sh") && !program.ends_with(".slurm") && !program.ends_with(".bash"))) {
            if (shell && input_ && at >= words.size()) text = false;
            else continue;
        }
        std::string script;
        if (at >= words.size()) script = input_of({}, 0);
        else if (text) script = words[at].text;
        else if (const std::string* file = file_named(words[at].text)) script = *file;
        else continue;
        Words arguments(words.begin() + std::ptrdiff_t(std::min(words.size(), at + (text ? 2 : 1))), words.end());
        const Words prefix = prefix_;
        prefix_.insert(prefix_.end(), words.begin(), words.begin() + std::ptrdiff_t(i));
        const Variables variables = variables_;
        std::erase_if(variables_, [](const auto& v) { return !v.second.exported; });
        const std::size_t before = run_.commands.size();
        const bool found =
            budget_.spend((long long)script.size()) && (script_text(script, line, &arguments, true), true);
        variables_ = variables;
        prefix_ = prefix;
        return found && run_.commands.size() > before;
    }
    return false;
}

ShellStatus ShellMachine::outside(const Words& words, int line) {
    std::string said;
    for (const ShellWord& w : words)
        if (said.size() < 200) said += (said.empty() ? "" : " ") + w.text;
    if (out_) print(unknown_text("$(" + said + ")") + "\n");
    if (!nested(words, line) && run_.commands.size() < 256 && may_train(words)) {
        ShellCommand c;
        c.line = line;
        for (const Words* some : {static_cast<const Words*>(&prefix_), &words})
            for (const ShellWord& w : *some) {
                if (!budget_.spend((long long)w.text.size() / 4 + 4)) break;
                c.words.push_back({without_marks(w.text), is_known(w.text), w.line});
            }
        run_.commands.push_back(std::move(c));
    }
    return ShellStatus::open(said);
}

}  // namespace plimsoll::files

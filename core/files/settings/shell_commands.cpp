// The shell's own commands, and any other program.
#include "core/files/settings/shell_machine.h"

#include "core/files/settings/setting_words.h"
#include "core/files/settings/shell_tools.h"
#include "core/values/basics/phrase.h"

#include <algorithm>

namespace plimsoll::files {

namespace {

bool is_among(std::string_view word, std::initializer_list<std::string_view> all) {
    return std::ranges::find(all, word) != all.end();
}

// Commands of the site or of the system that a script goes on after.
bool keeps_house(std::string_view name) {
    return is_among(
        name, {":",       "true",  "cd",    "pushd", "popd",   "mkdir",  "touch", "chmod", "ulimit", "trap",  "shopt",
               "umask",   "alias", "wait",  "sleep", "hash",   "module", "ml",    "spack", "conda",  "mamba", "rm",
               "unalias", "cp",    "mv",    "ln",    "sync",   "tput",   "clear", "local", "disown", "bind",  "enable",
               "getopts"});
}

// Whether a program may be what trains: not one of the usual tools, and with options or a program of its own.
bool may_train(const std::vector<ShellWord>& words) {
    if (is_among(last_part_of(words[0].text),
                 {"pip",   "pip3",     "git",      "tar",     "rsync", "wget",    "curl",  "nvidia-smi", "rocm-smi",
                  "sacct", "scontrol", "sbatch",   "squeue",  "sed",   "awk",     "grep",  "find",       "ls",
                  "which", "hostname", "date",     "scancel", "jq",    "ssh",     "scp",   "docker",     "make",
                  "cmake", "apt-get",  "envsubst", "huggingface-cli",  "huggingface_hub"}))
        return false;
    return std::ranges::any_of(words, [](const ShellWord& w) {
        return w.text.starts_with("--") || w.text.ends_with(".py")
            || (w.text.find('=') != w.text.npos && w.text.find('=') > 0);
    });
}

std::string in_one(const std::vector<ShellWord>& words, std::size_t from, std::size_t longest = 1 << 20) {
    std::string text;
    for (std::size_t i = from; i < words.size() && text.size() < longest; ++i)
        text += (i > from ? " " : "") + words[i].text;
    return text;
}

std::string echoed(const std::vector<ShellWord>& words) {
    std::size_t i = 1;
    bool newline = true, escapes = false;
    for (; i < words.size() && is_among(words[i].text, {"-n", "-e", "-E", "-ne", "-en"}); ++i) {
        newline &= words[i].text.find('n') == std::string::npos;
        escapes |= words[i].text.find('e') != std::string::npos;
    }
    const std::string text = in_one(words, i);
    return (escapes ? with_escapes(text) : text) + (newline ? "\n" : "");
}

}  // namespace

// ---- Files

void ShellMachine::print(std::string_view text) {
    if (out_ && out_->size() + text.size() < (1 << 20) && budget_.spend((long long)text.size() / 4 + 1)) *out_ += text;
}

void ShellMachine::write(const std::string& name, std::string text) {
    if (run_.files.size() < 64) run_.files[name] = std::move(text);
}

const std::string* ShellMachine::file_named(const std::string& name) const {
    if (const auto written = run_.files.find(name); written != run_.files.end()) return &written->second;
    thread_local std::string given;
    for (const auto& [file, text] : in_.files)
        if (!name.empty() && last_part_of(file) == last_part_of(without_marks(name))) return &(given = text);
    if (!in_.hosts.empty() && name == in_.host_file) return &in_.hosts;
    return nullptr;
}

std::string ShellMachine::input_of(const std::vector<std::string>& files) {
    std::string text;
    bool named = false;
    for (const std::string& name : files) {
        if (name == "-") continue;
        named = true;
        const std::string* file = file_named(name);
        text += file ? *file : unknown_text("$(< " + name + ")");
    }
    if (named) return text;
    if (!input_) return unknown_text("standard input");
    const std::string rest = input_->text.substr(std::min(input_->at, input_->text.size()));
    input_->at = input_->text.size();
    budget_.spend((long long)rest.size());
    return rest;
}

// ---- The table of commands

// Nothing: it is no command that the shell or a usual tool answers.
std::optional<ShellStatus> ShellMachine::command(const Words& words, int line) {
    const std::string& name = words[0].text;
    using Run = ShellStatus (*)(ShellMachine&, const Words&, int line);
    static constexpr std::pair<std::string_view, Run> builtins[] = {
        {"false", [](ShellMachine&, const Words&, int) { return ShellStatus::of(false); }},
        {"[", [](ShellMachine& m, const Words& w, int) {
             return m.test(Words(w.begin() + 1, w.end() - (w.back().text == "]")));
         }},
        {"test", [](ShellMachine& m, const Words& w, int) { return m.test(Words(w.begin() + 1, w.end())); }},
        {"echo", [](ShellMachine& m, const Words& w, int) { return m.print(echoed(w)), ShellStatus{}; }},
        {"printf", [](ShellMachine& m, const Words& w, int line) { return m.printf(w, line); }},
        {"tee", [](ShellMachine& m, const Words& w, int) { return m.tee(w); }},
        {"expr", [](ShellMachine& m, const Words& w, int line) { return m.expr(w, line); }},
        {"let", [](ShellMachine& m, const Words& w, int line) {
             std::optional<long long> v = 0;
             for (std::size_t i = 1; i < w.size(); ++i) v = m.sum_of(w[i].text, line);
             return v ? ShellStatus::of(*v != 0) : ShellStatus::open("let");
         }},
        {"unset", [](ShellMachine& m, const Words& w, int) {
             for (std::size_t i = 1; i < w.size(); ++i)
                 if (is_shell_name(w[i].text)) m.variable(w[i].text, false).items.clear();
             return ShellStatus{};
         }},
        {"set", [](ShellMachine& m, const Words& w, int) { return m.set(w); }},
        {"shift", [](ShellMachine& m, const Words& w, int) { return m.shift(w); }},
        {"eval", [](ShellMachine& m, const Words& w, int line) {
             return m.script_text(in_one(w, 1), line, nullptr, false);
         }},
        {"source", [](ShellMachine& m, const Words& w, int line) { return m.source(w, line); }},
        {".", [](ShellMachine& m, const Words& w, int line) { return m.source(w, line); }},
        {"read", [](ShellMachine& m, const Words& w, int line) { return m.read_line(w, line); }},
        {"readarray", [](ShellMachine& m, const Words& w, int line) { return m.read_lines(w, line); }},
        {"mapfile", [](ShellMachine& m, const Words& w, int line) { return m.read_lines(w, line); }},
        {"scontrol", [](ShellMachine& m, const Words& w, int line) { return m.host_names(w, line); }},
    };
    const auto* own = std::ranges::find(builtins, name, &std::pair<std::string_view, Run>::first);
    if (own != std::end(builtins)) return own->second(*this, words, line);
    if (is_among(name, {"exit", "return", "break", "continue"})) return leave(words);
    if (is_among(name, {"exec", "builtin", "command", "nohup", "time"})) return in_front(words, line);
    if (is_among(name, {"export", "declare", "local", "readonly", "typeset"})) {
        std::vector<RawWord> raw;
        for (const ShellWord& w : words) raw.push_back({w.text, line});
        return declare(raw, line);
    }
    if (keeps_house(name)) return ShellStatus{};
    auto tool = tool_output(words, [&](const std::vector<std::string>& files) { return input_of(files); });
    if (!tool) return std::nullopt;
    const std::string text = tool->text.value_or(unknown_text("$(" + name + " ..)"));
    if (tool->in_place.empty()) print(text);
    else write(tool->in_place, text);
    return ShellStatus{};
}

ShellStatus ShellMachine::printf(const Words& words, int line) {
    if (words.size() < 2) return outside(words, line);
    if (words[1].text == "-v" && words.size() > 3)
        variable(words[2].text, false).items[0] = {formatted(words, 3), true, line};
    else print(formatted(words, words[1].text == "--" && words.size() > 2 ? 2 : 1));
    return {};
}

ShellStatus ShellMachine::tee(const Words& words) {
    const std::string text = input_of({});
    for (std::size_t i = 1; i < words.size(); ++i)
        if (!words[i].text.starts_with('-')) write(words[i].text, text);
    print(text);
    return {};
}

ShellStatus ShellMachine::expr(const Words& words, int line) {
    const std::string sum = in_one(words, 1);
    const auto v = sum.find_first_of("abcdefghijklmnopqrstuvwxyz:$") == sum.npos ? sum_of(sum, line) : std::nullopt;
    print(v ? std::to_string(*v) + "\n" : unknown_text("$(expr ..)"));
    return v ? ShellStatus::of(*v != 0) : ShellStatus::open(sum);
}

ShellStatus ShellMachine::host_names(const Words& words, int line) {
    const bool asks = words.size() > 2 && words[1].text == "show" && words[2].text.starts_with("hostname");
    if (!asks || in_.hosts.empty()) return outside(words, line);
    auto lines = lines_of(in_.hosts);
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    for (const std::string& one : lines) print(one + "\n");
    return {};
}

ShellStatus ShellMachine::shift(const Words& words) {
    const std::size_t n = std::size_t(std::max(0LL, words.size() > 1 ? whole_of(words[1].text).value_or(1) : 1));
    if (n > arguments_.size()) return called_ ? ShellStatus::of(false) : ShellStatus::open("shift");
    arguments_.erase(arguments_.begin(), arguments_.begin() + std::ptrdiff_t(n));
    return {};
}

// exit, return, break, continue: out of the script, the function or so many loops.
ShellStatus ShellMachine::leave(const Words& words) {
    const std::string& name = words[0].text;
    const bool loop = name == "break" || name == "continue";
    const long long n = words.size() > 1 ? whole_of(words[1].text).value_or(-1) : -1;
    if (loop && loops_ == 0) return {};
    flow_ = name == "exit" ? Flow::exit_ : name == "return" ? Flow::return_ : name == "break" ? Flow::break_
                                                                                              : Flow::continue_;
    levels_ = int(std::clamp(n, 1LL, 100LL));
    if (loop) return last_ = {};
    return last_ = n >= 0 ? ShellStatus{int(n & 255)} : words.size() > 1 ? ShellStatus::open(words[1].text) : last_;
}

// exec, command and their like in front of another.
ShellStatus ShellMachine::in_front(const Words& words, int line) {
    if (words.size() < 2) return {};
    if (words[1].text.starts_with('-')) return ShellStatus::open(words.back().text + " is there");
    const ShellStatus s = words_run(Words(words.begin() + 1, words.end()), line);
    if (words[0].text == "exec") flow_ = Flow::exit_, last_ = s;
    return s;
}

ShellStatus ShellMachine::read_lines(const Words& words, int line) {
    ShellVariable v;
    v.list = true;
    const bool trims = std::ranges::any_of(words, [](const ShellWord& w) { return w.text == "-t"; });
    for (const std::string& one : lines_of(input_of({})))
        v.items[(long long)v.items.size()] = {one + (trims ? "" : "\n"), true, line};
    if (words.size() > 1 && is_shell_name(words.back().text)) variable(words.back().text, false) = std::move(v);
    return {};
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
        note(words[1].text, phrase("is read by the script and was not given with it: what it sets is not known"), line);
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
        const std::string program = last_part_of(words[i].text);
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
        if (at >= words.size()) script = input_of({});
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
    const std::string said = in_one(words, 0, 200);
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

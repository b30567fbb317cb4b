// Variables of a script: what they hold, assignments and declarations.
#include "core/files/settings/shell_machine.h"

#include <algorithm>
#include <numeric>

namespace plimsoll::files {

std::size_t ShellVariable::bytes() const {
    return std::accumulate(items.begin(), items.end(), std::size_t(64),
                           [](std::size_t n, const auto& item) { return n + 64 + item.second.text.size(); });
}

std::optional<std::string> ShellMachine::value_of(const std::string& name) const {
    if (const auto v = variables_.find(name); v != variables_.end()) {
        const auto first = v->second.items.find(0);
        return first == v->second.items.end() ? std::optional<std::string>() : first->second.text;
    }
    if (name == "#") return called_ ? std::to_string(arguments_.size()) : unknown_text("$#");
    if (name == "?") return last_.known ? std::to_string(last_.code) : unknown_text("$?");
    if (!name.empty() && name.size() < 5
        && std::ranges::all_of(name, [](unsigned char c) { return std::isdigit(c); })) {
        const std::size_t n = std::size_t(std::stoi(name));
        if (n > 0 && n <= arguments_.size()) return arguments_[n - 1].text;
        if (n > 0 && called_) return std::string();
    }
    return std::nullopt;
}

long long ShellMachine::index_of(ShellVariable& v, std::string_view subscript, int line, bool make) {
    const std::string text = text_of(subscript, line);
    if (!v.associative) {
        const long long at = sum_of(text, line).value_or(0);
        return at < 0 && !v.items.empty() ? v.items.rbegin()->first + 1 + at : at;
    }
    const auto known = v.keys.find(text);
    if (known != v.keys.end()) return known->second;
    const long long next = (long long)v.keys.size();
    if (make) v.keys[text] = next;
    return make ? next : -1;
}

// ---- Assignments

ShellVariable& ShellMachine::variable(const std::string& name, bool local) {
    if (local && !local_.empty() && !local_.back().contains(name)) {
        const auto old = variables_.find(name);
        local_.back()[name] = old == variables_.end() ? std::nullopt : std::optional(old->second);
        variables_[name] = {};
    }
    return variables_[name];
}

void ShellMachine::assign(std::string_view word, int line, bool exported, bool local) {
    const std::size_t end = shell_assigned_name_end(word), equals = word.find('=', end);
    const std::string name(word.substr(0, end));
    const bool adds = word[equals - 1] == '+', indexed = word[end] == '[';
    const std::string_view raw = word.substr(equals + 1);
    const std::string_view index = indexed ? word.substr(end + 1, word.find(']', end) - end - 1) : std::string_view();
    if (raw.starts_with('(')) {
        std::string inside(raw.substr(1, raw.size() - (raw.ends_with(')') ? 2 : 1)));
        if (adds && !budget_.spend((long long)variable(name, local).bytes() / 8)) return;
        ShellVariable made = adds ? variable(name, local) : ShellVariable{};
        if (!adds) made.associative = variable(name, local).associative;
        made.list = true;
        assign_list(made, inside, line);
        variable(name, local) = std::move(made);
        return;
    }
    std::string text = text_of(raw, line);
    ShellVariable& v = variable(name, local);
    v.exported |= exported;
    v.list |= indexed;
    const long long at = indexed ? index_of(v, index, line, true) : 0;
    if (v.whole) text = is_known(text) ? std::to_string(sum_of(text, line).value_or(0)) : text;
    ShellWord& item = v.items[at];
    if (adds && v.whole) text = std::to_string(sum_of(item.text, line).value_or(0) + sum_of(text, line).value_or(0));
    else if (adds && item.text.size() + text.size() < (1 << 20)) {
        item.text += text;
        item.line = line;
        budget_.spend((long long)text.size());
        return;
    }
    item = {std::move(text), true, line};
}

void ShellMachine::assign_list(ShellVariable& v, std::string_view inside, int line) {
    long long next = v.items.empty() ? 0 : v.items.rbegin()->first + 1;
    for (const RawWord& raw : shell_list_words(inside, line)) {
        if (!budget_.spend(8)) return;
        const std::size_t close = raw.text.starts_with('[') ? raw.text.find("]=") : std::string::npos;
        if (close != std::string::npos) {
            next = index_of(v, std::string_view(raw.text).substr(1, close - 1), raw.line, true);
            v.items[next++] = {text_of(std::string_view(raw.text).substr(close + 2), raw.line), true, raw.line};
            continue;
        }
        for (ShellWord& w : fields({raw})) v.items[next++] = std::move(w);
    }
}

ShellStatus ShellMachine::declare(const std::vector<RawWord>& raw, int line) {
    const bool local = raw[0].text != "export" && raw[0].text != "readonly" && !local_.empty();
    bool exported = raw[0].text == "export", associative = false, list = false, whole = false, global = false;
    for (std::size_t i = 1; i < raw.size(); ++i) {
        const std::string& w = raw[i].text;
        if (w.starts_with('-') || w.starts_with('+')) {
            exported |= w.find('x') != w.npos;
            associative |= w.find('A') != w.npos;
            list |= w.find('a') != w.npos;
            whole |= w.find('i') != w.npos;
            global |= w.find('g') != w.npos;
            continue;
        }
        const bool mine = local && !global;
        const std::size_t end = shell_assigned_name_end(w);
        if (end == w.npos) {  // a name, or what a variable stands for
            for (const ShellWord& one : fields({raw[i]})) {
                const std::size_t named = shell_assigned_name_end(one.text);
                if (named != one.text.npos) {
                    variable(one.text.substr(0, named), mine).items[0] = {one.text.substr(one.text.find('=') + 1), true,
                                                                          line};
                    variables_[one.text.substr(0, named)].exported |= exported;
                } else if (is_shell_name(one.text) && (variables_.contains(one.text) || !exported)) {
                    ShellVariable& v = variable(one.text, mine);
                    v.exported |= exported;
                    v.associative |= associative;
                    v.list |= list || associative;
                    v.whole |= whole;
                }
            }
            continue;
        }
        if (associative || whole) {
            ShellVariable& v = variable(w.substr(0, end), mine);
            v.associative |= associative;
            v.whole |= whole;
        }
        assign(w, raw[i].line, exported, mine);
    }
    return {};
}

}  // namespace plimsoll::files

#include "core/files/settings/settings.h"

#include "core/files/settings/shell_syntax.h"
#include "core/files/text/reader.h"
#include "core/values/basics/foreign_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace plimsoll::files {

namespace {

bool ends_with_any(std::string_view name, std::initializer_list<std::string_view> ends) {
    return std::any_of(ends.begin(), ends.end(), [&](std::string_view e) { return name.ends_with(e); });
}

std::string_view trimmed_word(std::string_view word) {
    while (!word.empty() && std::string_view(" \t\r\n").find(word.front()) != word.npos) word.remove_prefix(1);
    while (!word.empty() && std::string_view(" \t\r\n").find(word.back()) != word.npos) word.remove_suffix(1);
    return word;
}

class Flattening {
public:
    bool add(const SettingTree& node, const std::string& key, int depth) {
        if (depth > deepest_settings || all_.size() >= most_settings) return false;
        if (node.kind == SettingTree::Kind::value || is_plain_list(node)) {
            all_.push_back({key, node.kind == SettingTree::Kind::value ? node.value : as_list(node), node.line});
            unfolded_ += key.size() + all_.back().value.size();
            return unfolded_ <= most_unfolded_bytes;
        }
        std::size_t i = 0;
        for (const SettingTree& member : node.members) {
            const std::string step = node.kind == SettingTree::Kind::map ? member.key : std::to_string(i++);
            if (!add(member, key.empty() ? step : key + "." + step, depth + 1)) return false;
        }
        return true;
    }
    std::vector<Setting> take() { return std::move(all_); }

private:
    static bool is_plain_list(const SettingTree& node) {
        return node.kind == SettingTree::Kind::list
            && std::all_of(node.members.begin(), node.members.end(),
                           [](const SettingTree& m) { return m.kind == SettingTree::Kind::value; });
    }
    static std::string as_list(const SettingTree& node) {
        std::string text = "[";
        for (const SettingTree& member : node.members) text += (text.size() > 1 ? ", " : "") + member.value;
        return text + "]";
    }
    std::vector<Setting> all_;
    std::size_t unfolded_ = 0;
};

SettingTree tree_of(const Json& json) {
    SettingTree node;
    if (json.is_object()) {
        node.kind = SettingTree::Kind::map;
        for (const auto& [key, value] : json.items()) node.add(key, tree_of(value));
    } else if (json.is_array()) {
        node.kind = SettingTree::Kind::list;
        for (const Json& value : json) node.add("", tree_of(value));
    } else {
        node.value = json.is_string() ? json.get<std::string>() : json.dump();
    }
    return node;
}

Problem refused(const std::string& file, std::string message) {
    return {Severity::error, file, "", std::move(message)};
}

}  // namespace

std::optional<std::vector<Setting>> flattened(const SettingTree& tree) {
    Flattening list;
    if (!list.add(tree, "", 0)) return std::nullopt;
    return list.take();
}

std::optional<Syntax> syntax_of(std::string_view file, std::string_view text) {
    std::string name(file);
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    if (ends_with_any(name, {".json", ".jsonc"})) return Syntax::json;
    if (ends_with_any(name, {".yaml", ".yml"})) return Syntax::yaml;
    if (ends_with_any(name, {".toml"})) return Syntax::toml;
    if (ends_with_any(name, {".py"})) return Syntax::python;
    if (ends_with_any(name, {".sh", ".bash", ".slurm", ".sbatch", ".pbs", ".lsf", ".job", ".args"}))
        return Syntax::arguments;
    const std::string_view begin = trimmed_word(text);
    if (begin.starts_with("{")) return Syntax::json;
    if (begin.starts_with("#!") || begin.find("--") != begin.npos) return Syntax::arguments;
    return std::nullopt;
}

Expected<Settings, Problems> read_json_settings(const std::string& file, std::string_view text) {
    Findings findings(file);
    const auto json = parse(text, findings);
    if (!json) return Unexpected{findings.take()};
    auto all = flattened(tree_of(*json));
    if (!all) return Unexpected{Problems{refused(file, too_much_in_it())}};
    Settings s;
    s.all = std::move(*all);
    return s;
}

Settings read_script(std::string_view script, const FilesBeside& beside) {
    Settings s;
    s.batch = read_directives(script);
    s.script = run_shell({script, beside, s.batch.environment, s.batch.hosts, s.batch.host_file});
    for (const ShellNote& n : s.script.notes)
        s.remarks.push_back({Severity::warning, {}, is_shell_name(n.name) ? "$" + n.name : n.name, n.says});
    for (const auto& [name, text] : s.script.runs.front().files) s.documents.emplace_back(name, text);
    return s;
}

Expected<Settings, Problems> read_settings(const std::string& file, std::string_view text, const FilesBeside& beside) {
    if (text.size() > most_settings_bytes)
        return Unexpected{Problems{refused(file, "is larger than 4 MiB: no configuration is")}};
    if (!is_text(text))
        return Unexpected{Problems{refused(file, "is not text: expected UTF-8 without control characters")}};
    const auto syntax = syntax_of(file, text);
    if (!syntax)
        return Unexpected{Problems{refused(
            file,
            "is no configuration that is known; expected YAML (.yaml), TOML (.toml), JSON (.json), a Python recipe "
            "(.py) or a script with arguments (.sh)")}};
    switch (*syntax) {
        case Syntax::json:
            return read_json_settings(file, text);
        case Syntax::yaml:
            return read_yaml(file, text);
        case Syntax::toml:
            return read_toml(file, text);
        case Syntax::python:
            if (auto read = read_assignments(text)) return *std::move(read);
            return Unexpected{Problems{refused(file, too_much_in_it())}};
        case Syntax::arguments:
            return read_script(text, beside);
    }
    return Settings{};
}

// ---- What words mean

std::optional<double> number_of(std::string_view word) {
    constexpr std::size_t longest = 256;   // each power in it is read again
    if (word.size() > longest) return std::nullopt;
    std::string digits;
    for (const char c : trimmed_word(word))
        if (c != '_') digits += c;
    if (const auto power = digits.find("**"); power != digits.npos) {
        const auto base = number_of(std::string_view(digits).substr(0, power)),
                   exponent = number_of(std::string_view(digits).substr(power + 2));
        if (!base || !exponent || std::abs(*exponent) > 60) return std::nullopt;
        const double value = std::pow(*base, *exponent);
        return std::isfinite(value) ? std::optional(value) : std::nullopt;
    }
    if (digits.starts_with('+')) digits.erase(0, 1);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

std::optional<long long> whole_of(std::string_view word) {
    const auto number = number_of(word);
    if (!number || *number != std::floor(*number) || std::abs(*number) > 1e15) return std::nullopt;
    return (long long)*number;
}

std::optional<bool> flag_of(std::string_view word) {
    std::string low;
    for (const unsigned char c : trimmed_word(word)) low += char(std::tolower(c));
    if (low.empty() || low == "true" || low == "yes" || low == "on" || low == "1") return true;
    if (low == "false" || low == "no" || low == "off" || low == "0") return false;
    return std::nullopt;
}

bool is_nothing(std::string_view word) {
    word = trimmed_word(word);
    return word == "null" || word == "None" || word == "~" || word == "none" || word == "Null" || word == "NULL";
}

namespace {

// A sum of products of lists: [0]*3+[1]*58, with brackets around it or without.
class ListOfPython {
public:
    explicit ListOfPython(std::string_view text) : text_(text) {}

    std::optional<std::vector<int>> whole() {
        auto list = sum(0);
        skip_blanks();
        return list && at_ == text_.size() ? list : std::nullopt;
    }

private:
    using List = std::optional<std::vector<int>>;
    static constexpr std::size_t longest = 4096;

    void skip_blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\'' || text_[at_] == '"')) ++at_;
    }
    bool next_is(char c) {
        skip_blanks();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    std::optional<int> number() {
        skip_blanks();
        int value = 0;
        const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (error != std::errc{}) return std::nullopt;
        at_ = std::size_t(end - text_.data());
        return value;
    }
    List sum(int depth) {
        List all = product(depth);
        while (all && next_is('+')) {
            const List more = product(depth);
            if (!more || all->size() + more->size() > longest) return std::nullopt;
            all->insert(all->end(), more->begin(), more->end());
        }
        return all;
    }
    List product(int depth) {
        const List one = single(depth);
        if (!one || !next_is('*')) return one;
        const auto times = number();
        if (!times || *times < 0 || one->size() * std::size_t(*times) > longest) return std::nullopt;
        std::vector<int> all;
        for (int i = 0; i < *times && !one->empty(); ++i) all.insert(all.end(), one->begin(), one->end());
        return all;
    }
    List single(int depth) {
        if (depth > 8) return std::nullopt;
        if (next_is('(')) {
            List inside = sum(depth + 1);
            return inside && next_is(')') ? inside : std::nullopt;
        }
        if (!next_is('[')) return std::nullopt;
        std::vector<int> all;
        if (next_is(']')) return all;
        do {
            const auto value = number();
            if (!value || all.size() >= longest) return std::nullopt;
            all.push_back(*value);
        } while (next_is(','));
        return next_is(']') ? List(std::move(all)) : std::nullopt;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

std::optional<std::vector<int>> list_of(std::string_view word) { return ListOfPython(word).whole(); }

}  // namespace plimsoll::files

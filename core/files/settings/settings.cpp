#include "core/files/settings/settings.h"

#include "core/files/settings/shell_syntax.h"
#include "core/files/text/reader.h"
#include "core/values/basics/foreign_text.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace plimsoll::files {

namespace {

bool ends_with_any(std::string_view name, std::initializer_list<std::string_view> ends) {
    return std::any_of(ends.begin(), ends.end(), [&](std::string_view e) { return name.ends_with(e); });
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
    const std::string_view begin = trimmed(text);
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

}  // namespace plimsoll::files

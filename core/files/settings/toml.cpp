// TOML by toml++, compiled into this file: nothing has to be there where the program runs.
#include "core/files/settings/settings.h"

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 32
// The parser of version 3.3 asserts what a file can break, "[?]" for one, and answers it right after. Such assertions
// must neither stop the program nor, where NDEBUG is set, be taken by the compiler for truths.
#define TOML_ASSERT(expression) static_assert(true)
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")
#include <charconv>

namespace plimsoll::files {

namespace {

// How a number, a date or a word stands in a list of settings.
std::string value_of(const toml::node& node) {
    if (const auto* s = node.as_string()) return s->get();
    if (const auto* n = node.as_integer()) return std::to_string(n->get());
    if (const auto* b = node.as_boolean()) return b->get() ? "true" : "false";
    if (const auto* f = node.as_floating_point()) {
        char digits[64];   // as few as tell it from every other
        return {digits, std::to_chars(digits, digits + sizeof digits, f->get()).ptr};
    }
    return "a date";
}

// Every dot of a key is a table inside a table, and a table is given up from the inside out.
bool has_endless_keys(std::string_view text) {
    constexpr int most_dots = 200;
    int dots = 0;
    for (const char c : text) {
        dots = c == '\n' ? 0 : dots + (c == '.');
        if (dots > most_dots) return true;
    }
    return false;
}

std::optional<SettingTree> toml_tree(const toml::node& node, int depth) {
    if (depth > deepest_settings) return std::nullopt;
    SettingTree made;
    made.line = int(node.source().begin.line);
    const auto add = [&](std::string key, const toml::node& member) {
        auto tree = toml_tree(member, depth + 1);
        if (tree) made.add(std::move(key), std::move(*tree));
        return tree.has_value();
    };
    if (const auto* table = node.as_table()) {
        made.kind = SettingTree::Kind::map;
        for (const auto& [key, member] : *table)
            if (!add(std::string(key.str()), member)) return std::nullopt;
    } else if (const auto* list = node.as_array()) {
        made.kind = SettingTree::Kind::list;
        for (const auto& member : *list)
            if (!add("", member)) return std::nullopt;
    } else {
        made.value = value_of(node);
    }
    return made;
}

}  // namespace

Expected<Settings, Problems> read_toml(const std::string& file, std::string_view text) {
    const auto refuse = [&](std::string why) {
        return Unexpected{Problems{{Severity::error, file, "", std::move(why)}}};
    };
    if (has_endless_keys(text)) return refuse(too_much_in_it());
    const toml::parse_result parsed = toml::parse(text);
    if (!parsed)
        return refuse("line " + std::to_string(parsed.error().source().begin.line) + ": "
                      + std::string(parsed.error().description()));
    const auto tree = toml_tree(parsed.table(), 0);
    auto all = tree ? flattened(*tree) : std::nullopt;
    if (!all) return refuse(too_much_in_it());
    Settings s;
    s.all = std::move(*all);
    return s;
}

}  // namespace plimsoll::files

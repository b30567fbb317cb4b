#include "core/files/presets/plan_link.h"

#include "core/files/presets/scenario_json.h"
#include "core/values/basics/fingerprint.h"
#include "core/values/basics/foreign_text.h"
#include "core/values/basics/text.h"

#include <charconv>

namespace plimsoll {

namespace {

constexpr std::string_view link_begins = "# plimsoll plan ";

void add_word(std::string& line, std::string_view key, const std::string& value) {
    if (is_plain_word(value)) line += " " + std::string(key) + "=" + value;
}

}  // namespace

std::string plan_fingerprint(const Scenario& plan) {
    Scenario bare = without_sources(plan);
    bare.name.clear();
    return fingerprint_of(write_scenario(bare, Library{}));
}

std::string link_lines(const Scenario& s) {
    const std::string plan = plan_fingerprint(s);
    std::string line = std::string(link_begins) + plan;
    add_word(line, "model", s.model.id);
    add_word(line, "machine", s.machine.id);
    add_word(line, "stack", s.stack.id);
    add_word(line, "sequence", std::to_string(s.recipe.sequence_length));
    add_word(line, "tokens", shortest(tokens_of_run(s.recipe)));
    return line + "\nexport PLIMSOLL_PLAN=" + plan + "\n";
}

std::optional<PlanLink> link_in(std::string_view script) {
    for (std::size_t at = 0; (at = script.find(link_begins, at)) != script.npos; at += link_begins.size()) {
        if (at > 0 && script[at - 1] != '\n') continue;
        const auto end = script.find('\n', at);
        const std::string_view line =
            script.substr(at + link_begins.size(), end == script.npos ? end : end - at - link_begins.size());
        PlanLink link;
        for (const std::string& word : split(trimmed(line), ' ')) {
            const auto equals = word.find('=');
            const std::string key = word.substr(0, equals), value = equals == word.npos ? "" : word.substr(equals + 1);
            if (equals == word.npos && word.starts_with("sha256:") && word.size() == 71) link.plan = word;
            if (!is_plain_word(value)) continue;
            if (key == "model") link.model = value;
            if (key == "machine") link.machine = value;
            if (key == "stack") link.stack = value;
            if (key == "sequence") std::from_chars(value.data(), value.data() + value.size(), link.sequence_length);
            if (key == "tokens") std::from_chars(value.data(), value.data() + value.size(), link.tokens);
        }
        if (!link.plan.empty()) return link;
    }
    return std::nullopt;
}

}  // namespace plimsoll

#include "core/values/knobs/provenance.h"

#include "core/values/basics/names.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/in_words.h"

#include <algorithm>
#include <map>
#include <utility>

namespace plimsoll {

namespace {

constexpr std::string_view without_source = "estimate, no source";   // how such a source begins

// Not numbers of the machine itself: what its hours cost and how they are handed out.
constexpr std::string_view beside_the_machine[] = {"/price", "/usd_", "/accounting", "/scheduler", "/grid_",
                                                   "/embodied_"};

bool of_the_machine(const std::string& pointer) {
    return std::ranges::none_of(beside_the_machine, [&](std::string_view p) { return pointer.starts_with(p); });
}

std::string value_in_words(const Knob& k, const Scenario& s) {
    const std::string value = format_value(k, k.get(s));
    return k.unit.empty() || k.kind == KnobKind::choice ? value : value + ' ' + k.unit;
}

// "/host/nvme/capacity_TB" is "host nvme capacity TB": for what has no input.
std::string in_words(std::string pointer) {
    for (char& c : pointer)
        if (c == '/' || c == '_') c = ' ';
    return std::string(trimmed(pointer));
}

}  // namespace

std::string say(const Source& s) {
    if (is_own(s) || s.text.starts_with(without_source)) return s.text;
    return std::string(name_of(s.kind)).append(": ").append(s.text);
}

Source dated(Source s, const std::string& as_of) {
    const bool of_somebody = s.kind == SourceKind::vendor || s.kind == SourceKind::measured;
    const bool says_when = s.text.starts_with(without_source) || s.text.starts_with("on 2");   // "on 2026-11-21: ..."
    if (of_somebody && !as_of.empty() && !says_when) s.text += ", as of " + as_of;
    return s;
}

std::string pointer_of(const Knob& k) {
    const bool of_preset =
        k.group == KnobGroup::model || k.group == KnobGroup::machine || k.group == KnobGroup::stack;
    if (!of_preset) return {};
    if (k.id == "machine.reliability.job_mtbf_h") return "/reliability/failures_per_1000_node_days";
    std::string pointer = k.id.substr(k.id.find('.'));
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    return pointer;
}

const Sources* sources_of(const Knob& k, const Scenario& s) {
    switch (k.group) {
        case KnobGroup::model: return &s.model.sources;
        case KnobGroup::machine: return &s.machine.sources;
        case KnobGroup::stack: return &s.stack.sources;
        default: return nullptr;
    }
}

Source source_of(const Knob& k, const Scenario& s) {
    switch (k.group) {
        case KnobGroup::model: return source_of(s.model, pointer_of(k));
        case KnobGroup::machine: return source_of(s.machine, pointer_of(k));
        case KnobGroup::stack: return source_of(s.stack, pointer_of(k));
        default: return {SourceKind::user, "the plan"};
    }
}

bool same_input(KnobGroup group, const std::string& pointer, const Scenario& a, const Scenario& b) {
    using Inputs = std::map<std::pair<KnobGroup, std::string>, const Knob*>;
    static const Inputs inputs = [] {
        Inputs all;
        for (const Knob& k : knobs()) all.emplace(std::pair(k.group, pointer_of(k)), &k);   // the first of two
        return all;
    }();
    const auto found = inputs.find({group, pointer});
    return found != inputs.end() && found->second->get(a) == found->second->get(b);
}

std::vector<const Knob*> own_inputs_of_machine(const Scenario& s) {
    std::vector<const Knob*> own;
    if (std::ranges::none_of(s.machine.sources, [](const auto& each) { return is_own(each.second); })) return own;
    for (const Knob& k : knobs()) {
        if (k.group != KnobGroup::machine) continue;
        const std::string pointer = pointer_of(k);
        const auto at = s.machine.sources.find(pointer);
        if (at == s.machine.sources.end() || !is_own(at->second)) continue;
        const bool twice = std::ranges::any_of(own, [&](const Knob* o) { return pointer_of(*o) == pointer; });
        if (!twice) own.push_back(&k);
    }
    return own;
}

std::string own_values_of_machine(const Scenario& s) {
    std::vector<std::string> changed, pointers;
    for (const Knob* k : own_inputs_of_machine(s)) {
        changed.push_back(label_in_words(*k, s) + ' ' + value_in_words(*k, s));
        pointers.push_back(pointer_of(*k));
    }
    // The outermost level follows the machine's size.
    const bool resized = std::ranges::find(pointers, "/nodes") != pointers.end();
    for (const auto& [pointer, source] : s.machine.sources) {
        if (!is_own(source) || !of_the_machine(pointer)) continue;
        if (std::ranges::find(pointers, pointer) != pointers.end()) continue;
        if (resized && pointer.starts_with("/levels/") && pointer.ends_with("/devices")) continue;
        changed.push_back(in_words(pointer));
    }
    return joined(changed, "; ");
}

std::string say_hypothetical(const Scenario& s) {
    const std::string changed = own_values_of_machine(s);
    return changed.empty() ? std::string() : phrase("Hypothetical machine: {1}.", changed);
}

}  // namespace plimsoll

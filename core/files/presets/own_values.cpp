#include "core/files/presets/own_values.h"

#include "core/files/presets/parts.h"
#include "core/values/knobs/provenance.h"

#include <algorithm>
#include <array>

namespace plimsoll {

namespace {

using namespace files;

// Of a preset as a whole, not values that an estimate takes.
constexpr std::array<std::string_view, 11> beside_values{"schema", "version", "id",   "name",       "family",  "as_of",
                                                         "note",   "site",    "status", "former_ids", "sources"};

std::string escaped(std::string key) {
    for (std::size_t i = 0; i < key.size(); ++i)
        if (key[i] == '~' || key[i] == '/') key.replace(i, 1, key[i] == '~' ? "~0" : "~1"), ++i;
    return key;
}

const OrderedJson& at_key(const OrderedJson& object, const std::string& key) {
    static const OrderedJson nothing;
    if (!object.is_object()) return nothing;
    const auto at = object.find(key);
    return at == object.end() ? nothing : *at;
}

void add_leaves(const OrderedJson& from, const OrderedJson& to, const std::string& pointer,
                std::vector<std::string>& leaves) {
    if (from == to) return;
    if (to.is_object()) {
        for (const auto& [key, value] : to.items())
            add_leaves(at_key(from, key), value, pointer + '/' + escaped(key), leaves);
        if (from.is_object())
            for (const auto& [key, value] : from.items())
                if (!to.contains(key)) add_leaves(value, {}, pointer + '/' + escaped(key), leaves);
        return;
    }
    if (from.is_object()) {   // gone as a whole
        for (const auto& [key, value] : from.items()) add_leaves(value, {}, pointer + '/' + escaped(key), leaves);
        return;
    }
    if (to.is_array() && from.is_array() && to.size() == from.size()) {
        for (std::size_t i = 0; i < to.size(); ++i)
            add_leaves(from[i], to[i], pointer + '/' + std::to_string(i), leaves);
        return;
    }
    leaves.push_back(pointer);
}

// Null where there is nothing.
OrderedJson value_at(const OrderedJson& json, const std::string& pointer) {
    const OrderedJson::json_pointer at(pointer);
    return json.contains(at) ? json.at(at) : OrderedJson();
}

template <class Part>
void mark_part(Part& after, const Part& before, const std::map<std::string, Part>& presets, const std::string& text) {
    if (after.id != before.id || after == before) return;
    const auto changed = files::values_that_differ(before, after);
    if (changed.empty()) return;
    const OrderedJson now = files::write_part(after);
    const auto preset = presets.find(after.id);
    const OrderedJson shipped = preset == presets.end() ? OrderedJson() : files::write_part(preset->second);
    for (const std::string& pointer : changed) {
        const bool as_shipped = !shipped.is_null() && value_at(shipped, pointer) == value_at(now, pointer);
        if (!as_shipped) {
            after.sources[pointer] = {SourceKind::user, text};
            continue;
        }
        const auto own_entry = preset->second.sources.find(pointer);
        if (own_entry != preset->second.sources.end()) after.sources[pointer] = own_entry->second;
        else after.sources.erase(pointer);
    }
}

// What is written beside a value that was changed, because its container was not there before, is none.
template <class Part>
std::vector<std::string> leaves_of(const Part& from, const Part& to, KnobGroup group, Part Scenario::*part) {
    std::vector<std::string> leaves;
    add_leaves(files::write_part(from), files::write_part(to), "", leaves);
    Scenario a, b;
    a.*part = from;
    b.*part = to;
    std::erase_if(leaves, [&](const std::string& pointer) {
        const std::string_view top = std::string_view(pointer).substr(1, pointer.find('/', 1) - 1);
        return std::ranges::find(beside_values, top) != beside_values.end() || same_input(group, pointer, a, b);
    });
    return leaves;
}

}  // namespace

std::vector<std::string> files::values_that_differ(const Model& from, const Model& to) {
    return leaves_of(from, to, KnobGroup::model, &Scenario::model);
}
std::vector<std::string> files::values_that_differ(const Machine& from, const Machine& to) {
    return leaves_of(from, to, KnobGroup::machine, &Scenario::machine);
}
std::vector<std::string> files::values_that_differ(const Stack& from, const Stack& to) {
    return leaves_of(from, to, KnobGroup::stack, &Scenario::stack);
}

void mark_own(Scenario& after, const Scenario& before, const Library& library, const std::string& text) {
    mark_part(after.model, before.model, library.models, text);
    mark_part(after.machine, before.machine, library.machines, text);
    mark_part(after.stack, before.stack, library.stacks, text);
}

}  // namespace plimsoll

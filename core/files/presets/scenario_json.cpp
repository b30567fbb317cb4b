#include "core/files/presets/scenario_json.h"

#include "core/files/presets/parts.h"
#include "core/values/basics/phrase.h"
#include "core/values/knobs/provenance.h"

#include <algorithm>

namespace plimsoll {
namespace {

using namespace files;

constexpr int scenario_version = 1;
constexpr std::string_view schema = "plimsoll/scenario";
constexpr std::string_view known_keys[] = {"schema", "version", "name",        "model",  "machine",      "stack",
                                           "layout", "recipe",  "compression", "method", "preset_values"};
constexpr std::string_view automatic_key = "automatic_layout";
constexpr std::string_view remarks[] = {"note", "sources", "published", automatic_key};  // kept without complaint

template <class T>
const T* find(const std::map<std::string, T>& presets, const std::string& id) {
    const auto at = presets.find(id);
    return at == presets.end() ? nullptr : &at->second;
}
const Machine* find(const std::map<std::string, Machine>& presets, const std::string& id) {
    return machine_named(presets, id);
}

// The preset's values as the file carries them, if it does.
template <class T>
std::optional<T> stored_preset(const Reader& root, std::string_view part, const std::string& id) {
    const auto values = root.member("preset_values");
    const auto at = values ? values->member(part) : std::nullopt;
    if (!at || !check_header(*at, schema_of<T>(), newest_version<T>(), false)) return std::nullopt;
    const auto stored_id = at->member("id");
    if (!stored_id || stored_id->json() != id) return std::nullopt;  // of a preset the plan no longer uses
    const auto errors = root.findings().errors();
    T stored;
    read_part(*at, stored);
    if (root.findings().errors() != errors) return std::nullopt;
    return stored;
}

void report_unknown(const Reader& at, const std::string& id, const auto& presets) {
    std::vector<std::string_view> ids;
    for (const auto& [known, preset] : presets) ids.push_back(known);
    at.error(phrase("unknown preset {1}", in_quotes(id)) + did_you_mean(id, ids));
}

// Whether they differ in no more than where their values come from.
template <class T>
bool same_values(T a, const T& b) {
    a.sources = b.sources;
    a.note = b.note;
    return a == b;
}

// Values of before the preset changed keep the source they had, each at its own pointer: a saved plan states that, and
// what stands without one there is the user's.
template <class T>
T with_sources(const T& stored, const T& ours) {
    T kept = stored;
    for (const std::string& pointer : values_that_differ(ours, stored))
        kept.sources.try_emplace(pointer, source_of(stored.sources, pointer));
    return kept;
}

// What the file carries wins over the library: a saved plan keeps its numbers.
template <class T>
std::optional<T> preset(const Reader& root, std::string_view part, const Reader& at,
                        const std::map<std::string, T>& presets) {
    const auto id = at.text();
    if (!id) return std::nullopt;
    const auto errors = root.findings().errors();
    const auto stored = stored_preset<T>(root, part, *id);
    if (root.findings().errors() != errors) return std::nullopt;
    const T* ours = find(presets, *id);
    if (stored && !ours)
        at.warning(phrase("preset {1} is not installed; using the values in this file", in_quotes(*id)));
    if (stored && ours && same_values(*stored, *ours)) return *ours;
    if (stored && ours) {
        at.warning(
            phrase("preset {1} has changed since this file was saved; using the values in this file", in_quotes(*id)));
        return with_sources(*stored, *ours);
    }
    if (stored) return stored;
    if (ours) return *ours;
    report_unknown(at, *id, presets);
    return std::nullopt;
}

template <class T>
void read_inline(const Reader& at, const Json& json, T& part) {
    const Reader merged(json, at.pointer(), at.findings());
    if (check_header(merged, schema_of<T>(), newest_version<T>(), false)) read_part(merged, part);
}

// What the user changed of a preset, in a file that does not say since when.
const Source undated{SourceKind::user, std::string(yours)};

// The value itself, or something that holds it, has a source.
template <class AnyJson>
bool holds_source(const AnyJson& sources, std::string pointer) {
    if (!sources.is_object()) return false;
    while (!sources.contains(pointer)) {
        if (pointer.empty()) return false;
        pointer.resize(pointer.rfind('/'));
    }
    return true;
}

template <class T>
void mark_overrides(T& part, const T& base, const Json& overrides) {
    const Json sources = overrides.value("sources", Json());
    for (const std::string& pointer : values_that_differ(base, part))
        if (!holds_source(sources, pointer)) part.sources[pointer] = undated;
}

// An id, {"preset": id, overrides...} or a complete object.
template <class T>
void read_reference(const Reader& root, std::string_view key, const std::map<std::string, T>& presets, T& part) {
    const auto at = root.member(key);
    if (!at) return root.missing(key, phrase("a preset id or an object"));
    if (at->is_text()) {
        if (auto p = preset(root, key, *at, presets)) part = std::move(*p);
        return;
    }
    if (!at->object()) return;
    const auto id = at->member("preset");
    if (!id) return read_inline(*at, at->json(), part);
    const auto base = preset(root, key, *id, presets);
    if (!base) return;
    Json patch = at->json(), merged = write_part(*base);
    patch.erase("preset");
    merged.merge_patch(patch);
    read_inline(*at, merged, part);
    mark_overrides(part, *base, patch);
}

std::string extra_keys(const Reader& root) {
    Json extra = Json::object();
    const auto has = [](std::span<const std::string_view> keys, const std::string& key) {
        return std::find(keys.begin(), keys.end(), key) != keys.end();
    };
    for (const auto& [key, value] : root.json().items()) {
        if (has(known_keys, key)) continue;
        extra[key] = value;
        if (!has(remarks, key) && !root.findings().full(Severity::warning))
            root.warning(key, phrase("unknown key, kept for saving") + did_you_mean(key, known_keys));
    }
    return extra.dump();
}

// A preset by its id, or one with overrides. Inside such an object everything may be left out.
OrderedJson reference_schema() {
    return {{"oneOf", {{{"type", "string"}, {"minLength", 1}}, {{"type", "object"}}}}};
}

ScenarioFile read_root(const Reader& root, const Library& library) {
    ScenarioFile file;
    Scenario& s = file.scenario;
    if (const auto name = root.member("name")) s.name = name->line(longest_name).value_or("");
    read_reference(root, "model", library.models, s.model);
    read_reference(root, "machine", library.machines, s.machine);
    read_reference(root, "stack", library.stacks, s.stack);
    read_layout(root, s.layout);
    read_recipe(root, s);
    read_compression(root, s.compression);
    read_method(root, s.method);
    file.extra_json = extra_keys(root);
    return file;
}

// ---- Writing

// The merge patch (RFC 7396) that turns one object into the other: nested
// objects by key, everything else whole, null for what is gone.
OrderedJson difference(const OrderedJson& from, const OrderedJson& to) {
    OrderedJson patch = OrderedJson::object();
    for (const auto& [key, value] : to.items()) {
        const auto before = from.find(key);
        if (before == from.end()) patch[key] = value;
        else if (*before == value) continue;
        else if (before->is_object() && value.is_object()) patch[key] = difference(*before, value);
        else patch[key] = value;
    }
    for (const auto& [key, value] : from.items())
        if (!to.contains(key)) patch[key] = nullptr;
    return patch;
}

// Overrides without a source are the user's own: nobody need say so of each, unless a source that holds it is stated.
// One that the preset has for its own value, too, is stated: without it the value would be the user's.
void state_sources(OrderedJson& patch, const std::vector<std::string>& overrides, const Sources& sources) {
    OrderedJson stated = patch.value("sources", OrderedJson::object());
    if (stated.is_null()) stated = OrderedJson::object();
    const auto state = [&stated](const std::string& pointer, const Source& source) {
        stated[pointer] = {{"kind", name_of(source.kind)}, {"text", source.text}};
    };
    std::vector<std::string> own;
    for (const std::string& pointer : overrides) {
        const auto at = sources.find(pointer);
        if (at == sources.end()) continue;
        if (at->second == undated) {
            own.push_back(pointer);
            stated.erase(pointer);
        } else {
            state(pointer, at->second);
        }
    }
    for (const std::string& pointer : own)
        if (holds_source(stated, pointer)) state(pointer, undated);
    if (!stated.empty()) patch["sources"] = std::move(stated);
    else if (!own.empty()) patch.erase("sources");
}

template <class T>
OrderedJson reference(std::string_view key, const T& part, const std::map<std::string, T>& presets,
                      OrderedJson& values) {
    const T* preset = find(presets, part.id);
    if (!preset) return write_part(part);
    const OrderedJson base = write_part(*preset);
    values[std::string(key)] = base;
    OrderedJson patch = difference(base, write_part(part));
    state_sources(patch, values_that_differ(*preset, part), part.sources);
    if (patch.empty()) return part.id;
    OrderedJson object = OrderedJson::object();
    object["preset"] = part.id;
    object.update(patch);
    return object;
}

void add_extra(OrderedJson& root, const std::string& extra_json) {
    Findings ignored("");
    const auto extra = parse(extra_json, ignored);
    if (!extra || !extra->is_object()) return;
    for (const auto& [key, value] : extra->items())
        if (!root.contains(key) && key != "preset_values") root[key] = value;
}

}  // namespace

OrderedJson files::scenario_schema() {
    SchemaObject plan;
    plan.add("schema", {{"const", schema}}, {}, true);
    plan.add("version", {{"const", scenario_version}}, {}, true);
    plan.add("name", text_schema(0, {}), "For people", false);
    plan.add("model", reference_schema(), "Id of a model preset, or an object with \"preset\" and overrides", true);
    plan.add("machine", reference_schema(), "Id of a machine preset, or an object with \"preset\" and overrides", true);
    plan.add("stack", reference_schema(), "Id of a stack preset, or an object with \"preset\" and overrides", true);
    plan.add("layout", layout_schema(), "How the run is spread over devices", true);
    plan.add("recipe", recipe_schema(), "What is trained, and how long", true);
    plan.add("compression", compression_schema(), "Codecs of communication; absent: none", false);
    plan.add("method", method_schema(), "What is trained of the model; absent: all of it, from nothing", false);
    plan.add(automatic_key, {{"type", "boolean"}}, "The layout is searched anew after every edit", false);
    plan.add("preset_values", {{"type", "object"}}, "Values of the presets when the plan was saved", false);
    OrderedJson document = document_schema("Scenario", std::move(plan).finished());
    document["description"] = "A training plan: presets by id, layout and recipe";
    document["additionalProperties"] = true;  // unknown keys are kept for saving
    return document;
}

Expected<ScenarioFile, Problems> read_scenario(std::string_view text, const Library& library, const std::string& file) {
    const DocumentKind kind{schema, scenario_version, true, Conflicts::are_warnings};
    return read_document<ScenarioFile>(
        text, file, kind, [&](const Reader& root, ScenarioFile& result) { result = read_root(root, library); });
}

bool says_automatic_layout(const std::string& extra_json) {
    Findings ignored("");
    const auto extra = parse(extra_json, ignored);
    return extra && extra->is_object() && extra->value(automatic_key, Json(false)) == Json(true);
}

std::string with_automatic_layout(const std::string& extra_json, bool on) {
    Findings ignored("");
    auto extra = parse(extra_json, ignored);
    if (!extra || !extra->is_object()) extra = Json::object();
    if (on) (*extra)[std::string(automatic_key)] = true;
    else extra->erase(std::string(automatic_key));
    return extra->dump();
}

std::string write_scenario(const Scenario& s, const Library& library, const std::string& extra_json) {
    OrderedJson root{{"schema", schema}, {"version", scenario_version}, {"name", s.name}};
    OrderedJson values = OrderedJson::object();
    root["model"] = reference("model", s.model, library.models, values);
    root["machine"] = reference("machine", s.machine, library.machines, values);
    root["stack"] = reference("stack", s.stack, library.stacks, values);
    root["layout"] = write_layout(s.layout);
    root["recipe"] = write_recipe(s.recipe);
    if (s.compression != Compression{}) root["compression"] = write_compression(s.compression);
    if (s.method != Method{}) root["method"] = write_method(s.method);
    add_extra(root, extra_json);
    if (!values.empty()) root["preset_values"] = values;
    return text_of(root);
}

std::optional<Scenario> files::read_member_plan(const Reader& owner, const Library& library) {
    const auto at = owner.member("plan");
    if (!at) {
        owner.missing("plan", phrase("a scenario"));
        return std::nullopt;
    }
    auto read = read_scenario(at->json().dump(), library);
    if (read) return std::move(read->scenario);
    for (const Problem& p : read.error()) at->error(p.pointer + ": " + p.message);
    return std::nullopt;
}

}  // namespace plimsoll

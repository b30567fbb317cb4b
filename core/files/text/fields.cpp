#include "core/files/text/fields.h"

#include "core/values/basics/foreign_text.h"
#include "core/values/basics/phrase.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace plimsoll::files {
namespace {

// A JSON pointer that names something inside `root`; "" is the root itself.
bool resolves(const Json& root, std::string_view pointer) {
    if (!pointer.empty() && pointer[0] != '/') return false;
    try {
        return root.contains(Json::json_pointer(std::string(pointer)));
    } catch (const Json::exception&) {  // "~2", or a list index that is no number
        return false;
    }
}

}  // namespace

double rounded(double v, int digits) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, v, std::chars_format::general, digits).ptr;
    double out = v;
    std::from_chars(text, end, out);
    return out;
}

double shortest_that(double v, bool (*same)(double, const void*), const void* context) {
    for (int digits = 1; digits <= 17; ++digits)
        if (const double d = rounded(v, digits); same(d, context)) return d;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double up = v, down = v;  // the quotient may be a few last places off
    for (int i = 0; i < 4; ++i) {
        up = std::nextafter(up, infinity);
        down = std::nextafter(down, -infinity);
        if (same(up, context)) return up;
        if (same(down, context)) return down;
    }
    return v;
}

OrderedJson number_json(double v) {
    constexpr double exact = 9007199254740992.0;  // 2^53
    if (v == std::floor(v) && std::abs(v) < exact) return static_cast<long long>(v);
    return v;
}

// Ids in capitals are read too: presets that people made before there was a schema have them.
std::optional<std::string> TextField::read(const Reader& at) const {
    auto text = prose ? at.prose(longest_prose) : at.line(longest_name);
    if (!text || text->empty() || pattern != id_pattern || is_plain_name(*text)) return text;
    at.error(phrase("found {1}, expected {2}", in_quotes(*text), phrase(say_plain_name)));
    return std::nullopt;
}

std::optional<std::vector<std::string>> TextList::read(const Reader& at) const {
    if (!at.array(most)) return std::nullopt;
    std::vector<std::string> all;
    for (const Reader& element : at.elements())
        if (auto text = element.prose(longest_prose)) all.push_back(std::move(*text));
    return all;
}

// ---- Schemas

OrderedJson number_schema(std::string_view type, NumberRange range) {
    OrderedJson schema{{"type", type}};
    if (range.low == smallest) schema["exclusiveMinimum"] = 0;
    else if (range.low > -largest) schema["minimum"] = number_json(range.low);
    if (range.high < largest) schema["maximum"] = number_json(range.high);
    return schema;
}

OrderedJson text_schema(std::size_t shortest, std::string_view pattern) {
    OrderedJson schema{{"type", "string"}};
    if (shortest > 0) schema["minLength"] = shortest;
    if (!pattern.empty()) schema["pattern"] = pattern;
    return schema;
}

OrderedJson enum_schema(std::span<const std::string_view> names) {
    return {{"enum", std::vector<std::string>(names.begin(), names.end())}};
}

OrderedJson list_schema(OrderedJson items, std::size_t fewest, std::size_t most) {
    OrderedJson schema{{"type", "array"}};
    if (fewest > 0) schema["minItems"] = fewest;
    if (most > 0) schema["maxItems"] = most;
    schema["items"] = std::move(items);
    return schema;
}

void SchemaObject::add(std::string_view key, OrderedJson schema, std::string_view description, bool is_required) {
    if (!description.empty()) schema["description"] = description;
    properties[std::string(key)] = std::move(schema);
    if (is_required) required.push_back(key);
}

OrderedJson SchemaObject::finished() && {
    OrderedJson schema{{"type", "object"}, {"properties", std::move(properties)}};
    if (!required.empty()) schema["required"] = std::move(required);
    schema["additionalProperties"] = false;
    return schema;
}

// ---- Sources

namespace {

constexpr auto source_fields = std::tuple{
    choice("kind", &Source::kind).needed().about("What stands behind the number"),
    text("text", &Source::text).prose().stated().not_empty().about("Publication, page or reasoning"),
};
static_assert(members_in(source_fields) == members_of<Source>, "every member has a row");

// What "#/$defs/sources" stands for.
OrderedJson sources_definitions() {
    OrderedJson source = object_schema(source_fields);
    source["description"] = "Where a number comes from";
    OrderedJson sources{{"type", "object"}};
    sources["description"] =
        "JSON pointer of a value, or of a container of values, to its source; the longest prefix answers";
    sources["propertyNames"]["pattern"] = "^(/.*)?$";
    sources["additionalProperties"]["$ref"] = "#/$defs/source";
    return {{"source", std::move(source)}, {"sources", std::move(sources)}};
}

}  // namespace

OrderedJson document_schema(std::string_view title, OrderedJson object) {
    OrderedJson schema{{"$schema", json_schema_dialect}, {"title", title}};
    schema.update(object);
    if (schema["properties"].contains("sources")) schema["$defs"] = sources_definitions();
    return schema;
}

std::optional<Sources> SourceMap::read(const Reader& at) const {
    if (!at.object()) return std::nullopt;
    Sources sources;
    for (const auto& key : at.keys())
        if (const auto value = at.member(key)) read_fields(source_fields, *value, sources[key]);
    return sources;
}

OrderedJson SourceMap::write(const Sources& sources) const {
    if (sources.empty()) return {};
    OrderedJson object = OrderedJson::object();
    for (const auto& [pointer, source] : sources)
        object[pointer] = {{"kind", name_of(source.kind)}, {"text", source.text}};
    return object;
}

void warn_of_idle_sources(const Reader& root, const Sources& sources) {
    for (const auto& [pointer, source] : sources)
        if (!resolves(root.json(), pointer))
            if (const auto at = root.member("sources"))
                at->warning(pointer, phrase("no value of this file has this pointer"));
}

}  // namespace plimsoll::files

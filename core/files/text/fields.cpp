#include "core/files/text/fields.h"

#include "core/values/basics/foreign_text.h"
#include "core/values/basics/phrase.h"

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

double shortest_in(double unit, double v) {
    const double quotient = v / unit;
    for (int digits = 1; digits <= 17; ++digits)
        if (const double d = rounded(quotient, digits); d * unit == v) return d;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double up = quotient, down = quotient;  // it may be a few last places off
    for (int i = 0; i < 4; ++i) {
        up = std::nextafter(up, infinity);
        down = std::nextafter(down, -infinity);
        if (up * unit == v) return up;
        if (down * unit == v) return down;
    }
    return quotient;
}

OrderedJson number_json(double v) {
    constexpr double exact = 9007199254740992.0;  // 2^53
    if (v == std::floor(v) && std::abs(v) < exact) return static_cast<long long>(v);
    return v;
}

OrderedJson text_json(std::string_view text) { return text; }

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

// ---- Rows of a table

void Field::read_value(const Reader& at, void* owner) const {
    format->read(*this, at, const_cast<void*>(place(owner)));
}

OrderedJson Field::value(const void* owner) const { return format->write(*this, place ? place(owner) : nullptr); }

OrderedJson object_schema(Rows rows) {
    SchemaObject object;
    for (const Field& f : rows) object.add(f.key, f.format->schema(f), f.description, f.required_in_schema);
    return std::move(object).finished();
}

void read_rows(Rows rows, const Reader& object, void* owner) {
    if (!object.object()) return;
    std::vector<std::string_view> keys;
    for (const Field& f : rows) {
        keys.push_back(f.key);
        if (!f.place) continue;
        if (const auto at = object.member(f.key)) f.read_value(*at, owner);
        else if (f.required) object.missing(f.key, f.format->expected(f));
    }
    object.warn_of_keys_beyond(keys);
}

OrderedJson write_rows(Rows rows, const void* owner) {
    OrderedJson object = OrderedJson::object();
    for (const Field& f : rows)
        if (OrderedJson value = f.value(owner); !value.is_null()) object[std::string(f.key)] = std::move(value);
    return object;
}

// ---- Formats

// Ids in capitals are read too: presets that people made before there was a schema have them.
void Text::read(const Field& f, const Reader& at, std::string& v) {
    auto text = f.several_lines ? at.prose(longest_prose) : at.line(longest_name);
    if (!text) return;
    if (text->empty() || f.pattern != id_pattern || is_plain_name(*text)) v = std::move(*text);
    else at.error(phrase("found {1}, expected {2}", in_quotes(*text), phrase(say_plain_name)));
}
OrderedJson Text::write(const Field& f, const std::string& v) {
    return v.empty() && f.unless_default ? OrderedJson() : text_json(v);
}
OrderedJson Text::schema(const Field& f) { return text_schema(f.shortest, f.pattern); }
std::string Text::expected(const Field&) { return phrase("a text"); }

void Word::read(const Field& f, const Reader& at, std::string& v) {
    if (const auto i = at.choice(f.words)) v = f.words[std::size_t(*i)];
}
OrderedJson Word::write(const Field&, const std::string& v) { return v.empty() ? OrderedJson() : text_json(v); }
OrderedJson Word::schema(const Field& f) { return enum_schema(f.words); }
std::string Word::expected(const Field& f) { return one_of(f.words); }

void Texts::read(const Field& f, const Reader& at, std::vector<std::string>& all) {
    if (!at.array(f.most)) return;
    all.clear();
    for (const Reader& element : at.elements())
        if (auto text = element.prose(longest_prose)) all.push_back(std::move(*text));
}
OrderedJson Texts::write(const Field&, const std::vector<std::string>& all) {
    return all.empty() ? OrderedJson() : OrderedJson(all);
}
OrderedJson Texts::schema(const Field& f) {
    return list_schema({{"type", "string"}}, f.fewest_in_schema, f.most_in_schema);
}
std::string Texts::expected(const Field&) { return phrase("a list of texts"); }

void Flag::read(const Field&, const Reader& at, bool& v) { v = at.flag().value_or(v); }
OrderedJson Flag::write(const Field& f, bool v) { return f.unless_default && !v ? OrderedJson() : OrderedJson(v); }
OrderedJson Flag::schema(const Field&) { return {{"type", "boolean"}}; }
std::string Flag::expected(const Field&) { return phrase("true or false"); }

void Whole::read(const Field& f, const Reader& at, int& v) { v = at.whole(f.range).value_or(v); }
OrderedJson Whole::write(const Field& f, int v) { return f.unless_default && v == 0 ? OrderedJson() : OrderedJson(v); }
OrderedJson Whole::schema(const Field& f) { return number_schema("integer", f.schema_range); }
std::string Whole::expected(const Field& f) { return a_whole_number(f.range); }

void Number::read(const Field& f, const Reader& at, double& v) {
    if (const auto number = at.number(f.range)) v = *number * f.unit;
}
void Number::read(const Field& f, const Reader& at, std::optional<double>& v) {
    if (const auto number = at.number(f.range)) v = number;
}
OrderedJson Number::write(const Field& f, double v) {
    return f.unless_default && v == 0 ? OrderedJson() : number_json(shortest_in(f.unit, v));
}
OrderedJson Number::write(const Field&, const std::optional<double>& v) {
    return v ? number_json(*v) : OrderedJson();
}
OrderedJson Number::schema(const Field& f) { return number_schema("number", f.schema_range); }
std::string Number::expected(const Field& f) { return a_number(f.range); }

OrderedJson AnyList::schema(const Field& f) {
    OrderedJson element = object_schema(f.rows);
    if (!f.item.empty()) element["description"] = f.item;
    return list_schema(std::move(element), f.fewest_in_schema, f.most_in_schema);
}
std::string AnyList::expected(const Field&) { return phrase("a list"); }

constexpr Format Group::format{
    [](const Field& f, const Reader& at, void* owner) { read_rows(f.rows, at, owner); },
    [](const Field& f, const void* owner) { return write_rows(f.rows, owner); },
    [](const Field& f) {
        OrderedJson schema = object_schema(f.rows);
        if (f.fewest_in_schema > 0) schema["minProperties"] = f.fewest_in_schema;
        return schema;
    },
    Object::expected};

namespace {

OrderedJson fixed_json(const Field& f) { return f.fixed.empty() ? OrderedJson(f.fixed_number) : text_json(f.fixed); }

}  // namespace

constexpr Format Fixed::format{
    nullptr,
    [](const Field& f, const void*) { return fixed_json(f); },
    [](const Field& f) -> OrderedJson { return {{"const", fixed_json(f)}}; },
    nullptr};

// ---- Sources

namespace {

constexpr Table source_fields{
    choice<&Source::kind>("kind").needed().about("What stands behind the number"),
    text<&Source::text>("text").prose().stated().not_empty().about("Publication, page or reasoning"),
};
static_assert(complete(source_fields), "every member has a row");

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

void SourceMap::read(const Field&, const Reader& at, Sources& v) {
    if (!at.object()) return;
    Sources sources;
    for (const auto& key : at.keys())
        if (const auto value = at.member(key)) read_fields(source_fields, *value, sources[key]);
    v = std::move(sources);
}

OrderedJson SourceMap::write(const Field&, const Sources& sources) {
    if (sources.empty()) return {};
    OrderedJson object = OrderedJson::object();
    for (const auto& [pointer, source] : sources)
        object[pointer] = {{"kind", name_of(source.kind)}, {"text", source.text}};
    return object;
}

OrderedJson SourceMap::schema(const Field&) { return {{"$ref", "#/$defs/sources"}}; }
std::string SourceMap::expected(const Field&) { return phrase("an object"); }

// ---- Documents

ReadProblems read_root(std::string_view text, const std::string& file, const DocumentKind& kind,
                       const std::function<void(const Reader&)>& read) {
    Findings findings(file, kind.conflicts);
    if (const auto json = parse(text, findings)) {
        const Reader root(*json, "", findings);
        if (check_header(root, kind.schema, kind.version, kind.header_required)) read(root);
    }
    const bool errors = findings.errors() > 0;
    return {findings.take(), errors};
}

void warn_of_idle_sources(const Reader& root, const Sources& sources) {
    for (const auto& [pointer, source] : sources)
        if (!resolves(root.json(), pointer))
            if (const auto at = root.member("sources"))
                at->warning(pointer, phrase("no value of this file has this pointer"));
}

}  // namespace plimsoll::files

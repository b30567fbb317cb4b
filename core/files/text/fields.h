#pragma once
// Tables of fields: one row says a field's key, member, unit and range, and
// reading, writing and the warning about unknown keys all go through it, so
// they cannot drift apart.
//
//   constexpr auto host_fields = std::tuple{
//       real("memory_GiB", &Host::memory, gibibyte, not_negative).about("Per node"),
//       real("link_GBps", &Host::link, GBps, not_negative).needed().about("Host to device, per direction"),
//   };
//   static_assert(members_in(host_fields) == members_of<Host>);   // every member has a row
//
// Where the keys of a member's own members stand among those of their owner:
//   constexpr auto stack_fields = std::tuple_cat(std::tuple{text("id", &Stack::id)},
//                                                inside(&Stack::host, real("host_layer_ms", &HostSide::layer, ...)));
//   static_assert(complete<Stack, HostSide>(stack_fields));
//
// The JSON Schema in presets/schema/ is written from the same rows (schema_text() of preset_json.h). It is stricter
// than the reader where a row says so: `stated()` asks for a key that has a default, `schema_limits()` narrows a range.
//
// Internal to core/files, like reader.h.

#include "core/files/text/reader.h"
#include "core/values/basics/names.h"
#include "core/values/basics/phrase.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace plimsoll::files {

// ---- How many members an aggregate has, counted by how many initialisers it takes: static_assert(members_of<Host> ==
// 3)

namespace detail {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

struct Anything {
    template <class T>
        requires(!is_optional<T>)  // an optional takes Anything itself: two ways would be ambiguous
    operator T() const;
};

template <class T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) { return requires { T{(void(I), Anything{})...}; }; }

// By halves: for each number that is tried the compiler makes an initialiser of so many values, and there are presets
// of dozens of members.
template <class T, std::size_t taken = 0, std::size_t too_many = 97>
constexpr std::size_t count_members() {
    constexpr std::size_t middle = (taken + too_many) / 2;
    if constexpr (middle == taken) return taken;
    else if constexpr (takes<T>(std::make_index_sequence<middle>{})) return count_members<T, middle, too_many>();
    else return count_members<T, taken, middle>();
}

}  // namespace detail

template <class T>
inline constexpr std::size_t members_of = detail::count_members<T>();

// ---- Numbers and their schemas

inline constexpr ByteRate GBps = gigabyte / second;
inline constexpr FlopRate TFLOPS = teraflop / second;
inline constexpr double one = 1;  // the unit of a pure number

// The shortest decimal for which `same` holds, found near `v`: 6.4, not
// 6.3999999999999995, when both times a microsecond are the same double.
double shortest_that(double v, bool (*same)(double candidate, const void* context), const void* context);
OrderedJson number_json(double);  // 8 rather than 8.0
double rounded(double v, int digits);  // to so many significant decimal digits

// {"type": type, "minimum": ..., "maximum": ...}; a limit that bounds nothing physical is left out.
OrderedJson number_schema(std::string_view type, NumberRange);
OrderedJson text_schema(std::size_t shortest, std::string_view pattern);
OrderedJson enum_schema(std::span<const std::string_view> names);
OrderedJson list_schema(OrderedJson items, std::size_t fewest, std::size_t most);  // 0: no limit

// ---- How one value is read, written and described. A null written value is left out.

// On one line, without control characters. `prose` may have several lines and be as long as a note.
inline constexpr std::size_t longest_name = 200, longest_prose = 4000;  // characters
struct TextField {
    bool keep_empty = false;
    bool prose = false;
    std::size_t shortest = 0;       // characters, for the schema
    std::string_view pattern = {};  // regular expression, for the schema
    OrderedJson schema() const { return text_schema(shortest, pattern); }
    std::optional<std::string> read(const Reader&) const;
    OrderedJson write(const std::string& v) const { return v.empty() && !keep_empty ? OrderedJson() : OrderedJson(v); }
    std::string expected() const { return phrase("a text"); }
};

// A list of texts; an empty one is left out.
struct TextList {
    std::size_t most;
    std::size_t fewest_in_schema = 0, most_in_schema = 0;  // 0: the schema names no limit
    OrderedJson schema() const { return list_schema({{"type", "string"}}, fewest_in_schema, most_in_schema); }
    std::optional<std::vector<std::string>> read(const Reader& at) const;
    OrderedJson write(const std::vector<std::string>& all) const {
        return all.empty() ? OrderedJson() : OrderedJson(all);
    }
    std::string expected() const { return phrase("a list of texts"); }
};

struct FlagField {
    OrderedJson schema() const { return {{"type", "boolean"}}; }
    std::optional<bool> read(const Reader& at) const { return at.flag(); }
    OrderedJson write(bool v) const { return v; }
    std::string expected() const { return phrase("true or false"); }
};

struct Whole {
    NumberRange range;
    std::optional<NumberRange> limits = {};  // of the schema, where they are narrower
    OrderedJson schema() const { return number_schema("integer", limits.value_or(range)); }
    std::optional<int> read(const Reader& at) const { return at.whole(range); }
    OrderedJson write(int v) const { return v; }
    std::string expected() const { return a_whole_number(range); }
};

template <class Unit>
struct Real {
    Unit unit;
    NumberRange range;
    bool leave_out_zero = false;
    std::optional<NumberRange> limits = {};  // of the schema, where they are narrower
    OrderedJson schema() const { return number_schema("number", limits.value_or(range)); }
    std::optional<Unit> read(const Reader& at) const {
        if (const auto v = at.number(range)) return *v * unit;
        return std::nullopt;
    }
    OrderedJson write(Unit v) const {
        if (leave_out_zero && v == Unit{}) return {};
        const std::pair context{v, unit};
        const auto same = [](double d, const void* c) {
            const auto& [value, of] = *static_cast<const std::pair<Unit, Unit>*>(c);
            return d * of == value;
        };
        return number_json(shortest_that(v / unit, same, &context));
    }
    std::string expected() const { return a_number(range); }
};

struct Optional {
    NumberRange range;
    std::optional<NumberRange> limits = {};  // of the schema, where they are narrower
    OrderedJson schema() const { return number_schema("number", limits.value_or(range)); }
    std::optional<std::optional<double>> read(const Reader& at) const {
        if (const auto v = at.number(range)) return std::optional(v);
        return std::nullopt;
    }
    OrderedJson write(const std::optional<double>& v) const { return v ? number_json(*v) : OrderedJson(); }
    std::string expected() const { return a_number(range); }
};

template <class E>
struct ChoiceField {
    OrderedJson schema() const { return enum_schema(names_of<E>()); }
    std::optional<E> read(const Reader& at) const {
        if (const auto i = at.choice(names_of<E>())) return static_cast<E>(*i);
        return std::nullopt;
    }
    OrderedJson write(E v) const { return name_of(v); }
    std::string expected() const { return one_of(names_of<E>()); }
};

// ---- Rows

// The JSON Schema of an object while its rows are added.
struct SchemaObject {
    OrderedJson properties = OrderedJson::object(), required = OrderedJson::array();
    void add(std::string_view key, OrderedJson schema, std::string_view description, bool is_required);
    OrderedJson finished() &&;  // no other keys than these
};

template <class Owner, class T, class Codec>
struct Field {
    std::string_view key;
    T Owner::*member;
    Codec codec;
    bool required = false;              // the reader refuses a file without it
    bool required_in_schema = false;
    std::string_view description = {};  // for whoever writes a preset

    static constexpr std::size_t members = 1;
    constexpr Field needed() const {
        Field row = *this;
        row.required = row.required_in_schema = true;
        return row;
    }
    constexpr Field stated() const {
        Field row = *this;
        row.required_in_schema = true;
        return row;
    }
    constexpr Field about(std::string_view text) const {
        Field row = *this;
        row.description = text;
        return row;
    }
    constexpr Field schema_limits(NumberRange limits) const {
        Field row = *this;
        row.codec.limits = limits;
        return row;
    }
    constexpr Field each(std::string_view item, std::size_t fewest = 0, std::size_t most = 0) const {
        Field row = *this;
        row.codec.item = item;
        row.codec.fewest_in_schema = fewest;
        row.codec.most_in_schema = most;
        return row;
    }
    constexpr Field not_empty() const {
        Field row = *this;
        row.codec.shortest = 1;
        return row;
    }
    constexpr Field matching(std::string_view pattern) const {
        Field row = *this;
        row.codec.pattern = pattern;
        return row;
    }
    constexpr Field prose() const {
        Field row = *this;
        row.codec.prose = true;
        return row;
    }
    void describe(SchemaObject& object) const {
        object.add(key, codec.schema(), description, required_in_schema);
    }
    void read(const Reader& object, Owner& owner) const {
        if (const auto at = object.member(key)) {
            if (auto v = codec.read(*at)) owner.*member = std::move(*v);
        } else if (required) {
            object.missing(key, codec.expected());
        }
    }
    void write(OrderedJson& object, const Owner& owner) const {
        if (auto v = codec.write(owner.*member); !v.is_null()) object[std::string(key)] = std::move(v);
    }
};
template <class Owner, class T, class Codec>
Field(std::string_view, T Owner::*, Codec) -> Field<Owner, T, Codec>;

// A row of a member's member, whose key stands among those of the owner.
template <class Owner, class Part, class Row>
struct Inside {
    std::string_view key;
    Part Owner::*part;
    Row row;
    static constexpr std::size_t members = 0;  // of Owner: `complete` counts those of Part
    void read(const Reader& object, Owner& owner) const { row.read(object, owner.*part); }
    void write(OrderedJson& object, const Owner& owner) const { row.write(object, owner.*part); }
    void describe(SchemaObject& object) const { row.describe(object); }
};

// Rows of one member, to be joined with other rows by std::tuple_cat.
template <class Owner, class Part, class... Rows>
constexpr auto inside(Part Owner::*part, Rows... rows) {
    return std::tuple{Inside<Owner, Part, Rows>{rows.key, part, rows}...};
}

// A value that is the same in every file: "schema", "version". Checked before the fields are read.
template <class T>
struct FixedField {
    std::string_view key;
    T value;
    static constexpr std::size_t members = 0;
    void read(const Reader&, const auto&) const {}
    void write(OrderedJson& object, const auto&) const { object[std::string(key)] = value; }
    void describe(SchemaObject& object) const { object.add(key, {{"const", value}}, {}, true); }
};
template <class T>
FixedField(std::string_view, T) -> FixedField<T>;

template <class... Rows>
OrderedJson object_schema(const std::tuple<Rows...>& rows) {
    SchemaObject object;
    std::apply([&](const auto&... row) { (row.describe(object), ...); }, rows);
    return std::move(object).finished();
}

template <class... Rows>
constexpr auto keys_of(const std::tuple<Rows...>& rows) {
    return std::apply([](const auto&... row) { return std::array{row.key...}; }, rows);
}

template <class... Rows>
constexpr std::size_t members_in(const std::tuple<Rows...>&) { return (Rows::members + ... + 0); }

namespace detail {

template <class Part, class Row>
constexpr std::size_t members_inside(const Row&) { return 0; }
template <class Part, class Owner, class Row>
constexpr std::size_t members_inside(const Inside<Owner, Part, Row>&) { return Row::members; }

}  // namespace detail

// Whether every member of Owner has a row, and every member of those members whose keys stand among Owner's.
template <class Owner, class... Parts, class... Rows>
constexpr bool complete(const std::tuple<Rows...>& rows) {
    const auto inside_of = [&]<class Part>(std::type_identity<Part>) {
        return std::apply([](const auto&... row) { return (detail::members_inside<Part>(row) + ... + 0); }, rows);
    };
    return members_in(rows) + sizeof...(Parts) == members_of<Owner>
        && ((inside_of(std::type_identity<Parts>{}) == members_of<Parts>) && ...);
}

template <class... Rows, class Owner>
void read_fields(const std::tuple<Rows...>& rows, const Reader& at, Owner& owner) {
    if (!at.object()) return;
    std::apply([&](const auto&... row) { (row.read(at, owner), ...); }, rows);
    at.warn_of_keys_beyond(keys_of(rows));
}

template <class... Rows, class Owner>
OrderedJson write_fields(const std::tuple<Rows...>& rows, const Owner& owner) {
    OrderedJson object = OrderedJson::object();
    std::apply([&](const auto&... row) { (row.write(object, owner), ...); }, rows);
    return object;
}

// A struct as an object of its own.
template <class Value, class Rows>
struct Nested {
    Rows rows;
    bool leave_out_default = false;
    OrderedJson schema() const { return object_schema(rows); }
    std::optional<Value> read(const Reader& at) const {
        Value v;
        read_fields(rows, at, v);
        return v;
    }
    OrderedJson write(const Value& v) const {
        if (leave_out_default && v == Value{}) return {};
        return write_fields(rows, v);
    }
    std::string expected() const { return phrase("an object"); }
};

template <class Value, class Rows>
struct List {
    Rows rows;
    std::size_t most;
    std::string_view item = {};                            // what one element is
    std::size_t fewest_in_schema = 0, most_in_schema = 0;  // 0: the schema names no limit
    OrderedJson schema() const {
        OrderedJson element = object_schema(rows);
        if (!item.empty()) element["description"] = item;
        return list_schema(std::move(element), fewest_in_schema, most_in_schema);
    }
    std::optional<std::vector<Value>> read(const Reader& at) const {
        if (!at.array(most)) return std::nullopt;
        std::vector<Value> all;
        for (const Reader& element : at.elements()) read_fields(rows, element, all.emplace_back());
        return all;
    }
    OrderedJson write(const std::vector<Value>& all) const {
        OrderedJson list = OrderedJson::array();
        for (const Value& v : all) list.push_back(write_fields(rows, v));
        return list;
    }
    std::string expected() const { return phrase("a list"); }
};

// Fields of the same struct that stand together in an object.
template <class Rows>
struct FieldGroup {
    std::string_view key;
    Rows rows;
    std::string_view description = {};
    std::size_t fewest_in_schema = 0;  // keys
    static constexpr std::size_t members = members_in(Rows{});
    template <class Owner>
    void read(const Reader& object, Owner& owner) const {
        if (const auto at = object.member(key)) read_fields(rows, *at, owner);
        else object.missing(key, phrase("an object"));
    }
    template <class Owner>
    void write(OrderedJson& object, const Owner& owner) const { object[std::string(key)] = write_fields(rows, owner); }
    void describe(SchemaObject& object) const {
        OrderedJson schema = object_schema(rows);
        if (fewest_in_schema > 0) schema["minProperties"] = fewest_in_schema;
        object.add(key, std::move(schema), description, true);
    }
};

template <class Rows>
FieldGroup(std::string_view, Rows, std::string_view = {}, std::size_t = 0) -> FieldGroup<Rows>;

// Names of files: what it matches becomes part of a path.
inline constexpr std::string_view id_pattern = "^[a-z0-9][a-z0-9.-]*$";

// Where the numbers come from: pointer -> {"kind", "text"}.
struct SourceMap {
    OrderedJson schema() const { return {{"$ref", "#/$defs/sources"}}; }
    std::optional<Sources> read(const Reader&) const;
    OrderedJson write(const Sources&) const;
    std::string expected() const { return phrase("an object"); }
};

// ---- A document of ours

struct DocumentKind {
    std::string_view schema;
    int version;
    bool header_required = true;
    Conflicts conflicts = Conflicts::are_errors;
};

// What `read` makes of the root, unless an error was found. Warnings go to the value where it has a place for them.
template <class Value, class Read>
Expected<Value, Problems> read_document(std::string_view text, const std::string& file, const DocumentKind& kind,
                                        Read read) {
    Findings findings(file, kind.conflicts);
    Value value;
    if (const auto json = parse(text, findings)) {
        const Reader root(*json, "", findings);
        if (check_header(root, kind.schema, kind.version, kind.header_required)) read(root, value);
    }
    const bool good = findings.errors() == 0;
    Problems problems = findings.take();
    if (!good) return Unexpected{std::move(problems)};
    if constexpr (requires { value.warnings; }) value.warnings = std::move(problems);
    return value;
}

inline constexpr std::string_view json_schema_dialect = "https://json-schema.org/draft/2020-12/schema";

// A whole schema file: the object with its title, and with the definition of sources where it has such a key.
OrderedJson document_schema(std::string_view title, OrderedJson object);

// Notes sources whose pointer names no value of the preset.
void warn_of_idle_sources(const Reader& root, const Sources&);

// ---- Short names for rows

template <class Owner>
constexpr auto text(std::string_view key, std::string Owner::*m) { return Field{key, m, TextField{}}; }
template <class Owner>
constexpr auto flag(std::string_view key, bool Owner::*m) { return Field{key, m, FlagField{}}; }
template <class Owner>
constexpr auto whole(std::string_view key, int Owner::*m, NumberRange r) { return Field{key, m, Whole{r}}; }
template <class Owner, class Q>
constexpr auto real(std::string_view key, Q Owner::*m, Q unit, NumberRange r) {
    return Field{key, m, Real<Q>{unit, r}};
}
template <class Owner>
constexpr auto pure(std::string_view key, double Owner::*m, NumberRange r) { return real(key, m, one, r); }
template <class Owner>
constexpr auto optional(std::string_view key, std::optional<double> Owner::*m, NumberRange r) {
    return Field{key, m, Optional{r}};
}
template <class Owner, class E>
constexpr auto choice(std::string_view key, E Owner::*m) { return Field{key, m, ChoiceField<E>{}}; }
template <class Owner, class Value, class Rows>
constexpr auto nested(std::string_view key, Value Owner::*m, Rows rows) {
    return Field{key, m, Nested<Value, Rows>{rows}};
}
// Left out of the file while it holds nothing but defaults.
template <class Owner, class Value, class Rows>
constexpr auto feature(std::string_view key, Value Owner::*m, Rows rows) {
    return Field{key, m, Nested<Value, Rows>{rows, true}};
}
template <class Owner, class Value, class Rows>
constexpr auto list(std::string_view key, std::vector<Value> Owner::*m, Rows rows, std::size_t most) {
    return Field{key, m, List<Value, Rows>{rows, most}};
}
template <class Owner>
constexpr auto sources(std::string_view key, Sources Owner::*m) { return Field{key, m, SourceMap{}}; }

}  // namespace plimsoll::files
